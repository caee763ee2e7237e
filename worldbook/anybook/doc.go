// Package anybook reads a lorebook file of any format that this module knows.
//
// # What importers report
//
// The problems of all importers have these codes. None of them stops the
// reading, and what is left out or does not act stays in the book's member
// originalData, which is the whole source (SillyTavern's own format and
// RoleplayConfig need no such copy, since they keep every member in place).
//
//	not_carried   a member that a world book has no counterpart for
//	bad_pattern   a regular expression that cannot be read: it never matches
//	bad_type      a value of another type, and how it was read
//	bad_text      bytes that are no UTF-8, or half a surrogate pair: read as U+FFFD
//	duplicate     one member name or one id twice: the last one counts; two entries
//	              of a RoleplayConfig with one uid are kept
//	no_entries    the list of entries is missing
//	no_keys       a story card without triggers
//	unknown_logic, unknown_position, unknown_role   names in a RoleplayConfig
//	too_large     more than 50,000 entries: the others were left out
//	more          further problems are not listed, after a thousand
//
// # Hostile files
//
// A file is refused with the importer's error if it is not JSON, nested deeper
// than 10,000 levels, longer than 64 MiB, or has more than about two million
// values. Time and memory are linear in the file, and memory stays within a small
// multiple of these limits. A UTF-8 byte order mark is skipped; comments, which
// files written by hand have, are read as blanks, also in originalData.
package anybook
