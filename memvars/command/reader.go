package command

import (
	"slices"

	"github.com/talewright/talewright/internal/utf8text"
)

// Reader finds and reads the commands in messages. It is not to be changed while it is in
// use; then it is safe for concurrent use.
type Reader struct {
	// IgnoreTags hold the model's reasoning, in which there are no commands. Names of tags
	// are in lower case.
	IgnoreTags []string
	// BlockTags are those of command blocks; with BlocksOnly commands count only inside of
	// them.
	BlockTags  []string
	BlocksOnly bool
	// Prefixes may stand with a dot before a command.
	Prefixes []string
	// Repair mends almost-JSON; with JSONAsText an object that cannot be read is a text.
	Repair, JSONAsText bool
}

// Parse finds the commands in a message, in the order of their positions, and reads their
// arguments. Commands with mistakes in their text are among them, with a [Fault]. others are
// what further languages have found in it, each in order.
//
// Those count only where commands of this language would: not in the model's reasoning, and
// inside of the command blocks if the reader says so. Of two commands that overlap the one that
// begins first is kept.
//
// A byte that is not UTF-8 counts as a question mark: a document could not be
// written and read back with it.
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

// merge merges two lists by position. Of two overlapping commands the one
// that begins first is kept.
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
