// Package settling works out what follows from an output that counts, and makes the record of the turn and the
// campaign after it.
package settling
