// Package lorescan says what the world book is searched with in a turn: the newest messages as the viewer
// heard them, the lore of the campaign beside that of the books, and everything that filters of entries ask
// for. In goes what a turn sees of the past, out comes the input of a scan.
package lorescan
