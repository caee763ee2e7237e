// Package field holds the fields that hooks know of a character's state and of a relationship: their
// names, how each of them moves, and the numbers that they are reckoned in.
package field
