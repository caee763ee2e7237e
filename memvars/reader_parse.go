package memvars

import (
	"slices"
	"strings"

	"github.com/talewright/talewright/internal/utf8text"
)

// parse finds the commands in a message, in the order of their positions, and reads their
// arguments. others are the commands of other languages in the message, each list in order. They
// count only at the places of commands of this language: not in the model's reasoning, and only
// inside command blocks if the reader requires it. If two commands overlap, the one that begins
// first is kept.
//
// A byte that is not UTF-8 is replaced by a question mark: a document with it could not be written
// and read back.
func (r *reader) parse(text string, others ...[]Op) []Op {
	text = utf8text.Mend(text)
	ops := r.find(text)
	for _, other := range others {
		ops = merge(ops, opsWithin(other, r.visible(text)))
	}
	return ops
}

// find returns the calls in text in the order of their positions.
func (r *reader) find(text string) []Op {
	f := &finder{text: text, options: r, pos: positions{text: text}, noComment: len(text), noHTML: len(text)}
	f.fuel = 16*len(text) + 1<<16
	done := 0
	for _, part := range r.visible(text) {
		part.from = max(part.from, done)
		done = f.scan(part)
	}
	return f.ops
}

// visible returns the stretches of a message in which calls may begin: outside the model's
// reasoning and, with blocksOnly, inside command blocks.
func (r *reader) visible(text string) []stretch {
	parts := []stretch{{0, len(text)}}
	if strings.IndexByte(text, '<') < 0 {
		if r.blocksOnly {
			return nil
		}
		return parts
	}
	parts = subtract(text, hiddenIn(tags(text, r.ignoreTags), len(text)))
	if r.blocksOnly {
		parts = intersect(parts, inside(tags(text, r.blockTags), len(text)))
	}
	return parts
}

// opsWithin returns the commands, in order, that begin within the stretches.
func opsWithin(ops []Op, parts []stretch) []Op {
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
