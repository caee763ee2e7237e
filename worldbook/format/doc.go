// Package format reads and writes lorebook files. Each format has one code file.
//
//	book, problems := format.Parse(data)
//	if err := problems.Err(); err != nil { // it is not a lorebook
//		return err
//	}
//
// [Detect] returns the format. Its error is [ErrUnknown] for JSON of an unknown format. The function
// of one format, such as [ParseSillyTavern], reads only files of that format.
// [WriteSillyTavern] and [WriteCard] write a book.
//
// # Problems
//
// All formats report problems with these codes:
//
//   - unreadable: neither JSON nor YAML, too large, or a different format
//   - unknown_format: [Detect] does not recognise the file
//   - not_carried: a member without a counterpart in a world book
//   - bad_pattern: a regular expression that is not valid; it never matches
//   - bad_type: a value of a different type, and how it was read
//   - bad_text: invalid UTF-8 or half a surrogate pair, read as U+FFFD
//   - duplicate: a member name or an id that occurs twice; the last one counts
//   - no_entries: the list of entries is missing
//   - no_keys: a story card without triggers
//   - too_large: more than 50,000 entries; the rest was left out
//   - more: further problems are not listed, after a thousand
//   - use_regex_ignored: use_regex was ignored in an entry that SillyTavern has written, once per
//     book
//   - unknown_logic, unknown_position, unknown_role: a word that RoleplayConfig does not have
//
// Only "unreadable" and "unknown_format" are fatal: then there is no book. Data that is left out or
// has no effect stays in the book's member originalData, which is the whole source. SillyTavern's
// own format and RoleplayConfig need no such copy, because they keep every member in place.
//
// # Hostile files
//
// A file is refused as unreadable if it is not JSON or exceeds a limit. The limits are 10,000
// levels of nesting, 64 MiB (4 MiB in YAML), and about two million values. Time and memory are
// linear in the file size. A UTF-8 byte order mark is skipped. Comments in files written by hand
// are read as blanks, also in originalData. There a file in YAML is JSON.
package format
