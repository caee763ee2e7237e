// Package tree holds JSON values for a state that changes often and is kept in many versions.
//
// # Values and documents
//
// A [Value] is one node: null, a boolean, a [Number] with its spelling, a text, a list or an
// object whose members keep their order. A [Document] is a whole state, an object. Both are
// immutable and share with their other versions everything that is equal, so keeping one is
// keeping a snapshot, at no cost. [Load] and [ParseValue] read JSON, [Of] takes Go values,
// [Object] and [Array] build; String and MarshalJSON write.
//
//	doc, err := tree.Load(data)
//	hp, ok := doc.Int("hero.hp")
//
// # Changing
//
// An [Edit] makes the next version of a document, at the cost of what it changes. [Diff] lists
// what differs between two as [Change] values. For one container there are [Value.With],
// [Value.Without], [Value.Merge] and [Value.Map].
//
// # Paths
//
// A [Path] is a list of keys, so every key can be named. [ParsePath] reads the text form
// a.b[0]["x.y"].
//
// # Leaves
//
// In the modules play_character_data and stat_data a pair of a value and its description is a
// leaf: [Document.Get] and its kin read it as the value. See [IsLeaf] and [Value.Find].
//
// # Errors
//
// An edit that cannot be is refused with [ErrNotFound], [ErrNotContainer], [ErrIndex], [ErrExists]
// or [ErrDepth], wrapped with the path, and has changed nothing. A text that is no JSON is an error
// with its offset.
//
// # Bounds
//
// A document has at most [MaxDepth] levels, whether it is read, built or edited, and any other
// value that is read at most [MaxNesting], so that a document can always be kept within one.
// Arithmetic is exact in decimal for numbers of up to [MaxDigits] digits. Reading takes time
// and memory in proportion to the text.
//
// Nothing here is read from a clock, a file or the net, and all values are safe for concurrent
// use; an [Edit] belongs to one goroutine.
package tree
