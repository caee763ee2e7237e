// Package stbook reads and writes SillyTavern's world info: books, the texts of
// its key editor, and the timed effects in a chat's metadata.
package stbook
