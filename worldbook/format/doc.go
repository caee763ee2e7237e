// Package format reads and writes lorebook files. Each format has one code file.
//
//	book, name, problems := format.Parse(data)
//	if err := problems.Err(); err != nil { // it is not a lorebook
//		return err
//	}
//
// [Detect] only returns the format. Its error is [ErrUnknown] for JSON of an unknown format. The
// function of one format, such as [ParseNovelAI], reads only files of that format.
// [WriteSillyTavern] and [WriteCard] write a book.
//
// # Problems
//
// All formats report problems with the codes of this package. Only [CodeUnreadable] and
// [CodeUnknownFormat] are fatal: then there is no book. Data that is left out or has no effect
// stays in the book's member originalData, which is the whole source. SillyTavern's own format and
// RoleplayConfig need no such copy, because they keep every member in place.
//
// # Hostile files
//
// A file is refused as unreadable if it is not JSON, is nested more than 10,000 levels deep, is
// longer than 64 MiB, or has more than some two million values. Time and memory are linear in the
// file size. A UTF-8 byte order mark is skipped. Comments in files written by hand are read as
// blanks, also in originalData.
package format
