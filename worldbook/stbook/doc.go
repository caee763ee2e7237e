// Package stbook reads and writes SillyTavern's world info: books, the texts of
// its key editor, and the timed effects in a chat's metadata.
//
// The format is the one of [worldbook.Book] itself, so nothing is converted:
// [Parse] adds the checks of a file from outside to its decoding, and [Encode]
// writes all that was read. Only a list of entries becomes an object, the name of
// a book becomes a text, and entries that are no objects are gone; each of these
// is a problem.
package stbook
