package command

import (
	"slices"

	"github.com/talewright/talewright/internal/utf8text"
)

// Reader finds and reads the commands in messages. Do not modify it while it is in use; then it is
// safe for concurrent use.
type Reader struct {
	// IgnoreTags are the tags of the model's reasoning; commands in them are ignored. Names of tags
	// are in lower case.
	IgnoreTags []string
	// BlockTags are the tags of command blocks. With BlocksOnly, commands count only inside them.
	BlockTags  []string
	BlocksOnly bool
	// Prefixes may precede a command, with a dot.
	Prefixes []string
	// Repair repairs almost-JSON. With JSONAsText an unreadable object is a text.
	Repair, JSONAsText bool
}

// Parse finds the commands in a message, in the order of their positions, and reads their
// arguments. Commands with mistakes in their text are included, with a [Fault]. others are the
// commands of other languages in the message, each list in order.
//
// These count only at the places of commands of this language: not in the model's reasoning, and
// only inside command blocks if the reader requires it. If two commands overlap, the one that
// begins first is kept.
//
// A byte that is not UTF-8 is replaced by a question mark: a document with it could not be written
// and read back.
func (r *Reader) Parse(text string, others ...[]Op) []Op {
	text = utf8text.Mend(text)
	ops := r.find(text)
	for _, other := range others {
		ops = merge(ops, shown(other, r.visible(text)))
	}
	return ops
}

// shown returns the commands, in order, that begin within the stretches.
func shown(ops []Op, parts []stretch) []Op {
	return slices.DeleteFunc(ops, func(op Op) bool {
		for len(parts) > 0 && op.Pos.Offset >= parts[0].to {
			parts = parts[1:]
		}
		return len(parts) == 0 || op.Pos.Offset < parts[0].from
	})
}

// merge merges two lists by position. If two commands overlap, the one that begins first is kept.
func merge(a, b []Op) []Op {
	if len(b) == 0 {
		return a
	}
	all := append(slices.Clone(a), b...)
	slices.SortStableFunc(all, func(x, y Op) int { return x.Pos.Offset - y.Pos.Offset })
	out := all[:0]
	end := 0
	for _, op := range all {
		if op.Pos.Offset < end && op.End > op.Pos.Offset {
			continue
		}
		out = append(out, op)
		end = max(end, op.End)
	}
	return out
}
