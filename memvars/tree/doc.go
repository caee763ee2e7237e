// Package tree implements JSON values for a state that changes often and is kept in many versions.
//
// # Values and documents
//
// A [Value] is one node: null, a boolean, a [Number] with its spelling, a text, a list, or an
// object whose members keep their order. A [Document] is a whole state, an object. Both are
// immutable and share all equal parts with their other versions. So keeping a document is keeping a
// snapshot, at no cost. [ParseDocument] and [ParseValue] read JSON, [Of] converts Go values,
// [Object] and [Array] build values; String and MarshalJSON write them.
//
//	doc, err := tree.ParseDocument(data)
//	hp, ok := doc.Int("hero.hp")
//
// # Changing
//
// An [Edit] builds the next version of a document; its cost follows the changes. [Diff] returns the
// differences between two documents as [Change] values. For one container there are [Value.With],
// [Value.Without], [Value.Merge] and [Value.Map].
//
// # Paths
//
// A [Path] is a list of keys, so every key can be named. [ParsePath] reads the text form
// a.b[0]["x.y"].
//
// # Leaves
//
// In the modules play_character_data and stat_data, a pair of a value and its description is a
// leaf: [Document.Get] and similar methods return its value. See [IsLeaf] and [Value.Find].
//
// # Errors
//
// An impossible edit is refused with [ErrNotFound], [ErrNotContainer], [ErrIndex], [ErrExists] or
// [ErrDepth], wrapped with the path, and changes nothing. Text that is not JSON gives an error with
// the offset.
//
// # Bounds
//
// A document has at most [MaxDepth] levels, whether it is read, built or edited. Any other value
// that is read has at most [MaxNesting] levels, so that a document can always be stored inside a
// value. Arithmetic is exact in decimal for numbers of up to [MaxDigits] digits. Reading takes time
// and memory in proportion to the text.
//
// The package uses no clock, no files and no network. All values are safe for concurrent use; an
// [Edit] is for one goroutine.
package tree
