// Package anybook reads a lorebook file of any format that this module knows.
//
//	book, format, problems := anybook.Parse(data)
//	if err := problems.Err(); err != nil { // it is no lorebook
//		return err
//	}
//
// [Detect] only tells the format; its error is [ErrUnknown] for JSON of none.
//
// # What importers report
//
// The problems of all importers have the codes of this package; those of package roleplay
// have three more. Only [CodeUnreadable] and
// [CodeUnknownFormat] are fatal: there is no book then. What is left out
// or does not act stays in the book's member originalData, which is the whole source
// (SillyTavern's own format and RoleplayConfig need no such copy, since they keep every
// member in place).
//
// # Hostile files
//
// A file is refused as unreadable if it is not JSON, nested deeper
// than 10,000 levels, longer than 64 MiB, or has more than about two million
// values. Time and memory are linear in the file, and memory stays within a small
// multiple of these limits. A UTF-8 byte order mark is skipped; comments, which
// files written by hand have, are read as blanks, also in originalData.
package anybook
