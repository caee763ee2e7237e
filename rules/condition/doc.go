// Package condition decides what must hold for a rule, a reaction, a module or an entry of a world
// book. Comparison is strict in its types, and what is missing never holds.
package condition
