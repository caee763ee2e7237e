package command

import (
	"slices"
	"strings"
)

// Passage is a part of a message that is written for the engine: a command, or a
// command block with all that stands in it, or a lone tag of one.
type Passage struct {
	From, To int // in bytes
	// Ops are the commands that begin in the passage. A call that cannot be read has a
	// passage of its own of length 0, for where it ends is not known.
	Ops []Op
}

// Shown returns a message as players are to read it: without its passages, and without the
// lines that held nothing else. Calls that cannot be read stay: their end is not known.
//
// Reasoning is left as it is; it is not for this package to know who may read it.
func Shown(text string, passages []Passage) string {
	var gone []stretch
	for _, p := range passages {
		if p.To > p.From {
			gone = append(gone, stretch{p.From, p.To})
		}
	}
	if len(gone) == 0 {
		return text
	}
	return withoutLines(text, gone)
}

// Passages finds what of a message is for the engine alone: the commands that [Reader.Parse]
// found in it, and command blocks with what else stands in them (the block tags of
// the reader, patches, <Analysis>). A tag without its partner is a passage alone. The
// passages are in the order of the text and do not overlap.
func (r *Reader) Passages(text string, ops []Op) []Passage {
	gone := r.blocks(text)
	for _, op := range ops {
		if op.Fault == nil && op.End > op.Pos.Offset && op.End <= len(text) {
			gone = append(gone, stretch{op.Pos.Offset, op.End})
		}
	}
	slices.SortStableFunc(gone, func(a, b stretch) int { return a.from - b.from })
	var out []Passage
	for _, g := range gone {
		if n := len(out); n > 0 && g.from < out[n-1].To {
			out[n-1].To = max(out[n-1].To, g.to)
			continue
		}
		out = append(out, Passage{From: g.from, To: g.to})
	}
	var alone []Passage
	i := 0
	for _, op := range ops {
		for i < len(out) && out[i].To <= op.Pos.Offset {
			i++
		}
		if i < len(out) && out[i].From <= op.Pos.Offset {
			out[i].Ops = append(out[i].Ops, op)
			continue
		}
		alone = append(alone, Passage{From: op.Pos.Offset, To: op.Pos.Offset, Ops: []Op{op}})
	}
	if len(alone) > 0 {
		out = append(out, alone...)
		slices.SortStableFunc(out, func(a, b Passage) int { return a.From - b.From })
	}
	return out
}

// blocks returns the command blocks of a message, and the tags that have no partner.
func (r *Reader) blocks(text string) []stretch {
	found := tags(text, append(slices.Clone(r.BlockTags), "analysis", "jsonpatch", "json_patch"))
	var out []stretch
	for i := 0; i < len(found); i++ {
		t := found[i]
		part := stretch{t.from, t.to}
		if !t.closing {
			end := slices.IndexFunc(found[i+1:], func(c tag) bool { return c.name == t.name })
			if end >= 0 && found[i+1+end].closing {
				i += 1 + end
				part.to = found[i].to
			}
		}
		out = append(out, part)
	}
	return out
}

// withoutLines cuts ordered stretches out of a text, and the lines that they emptied.
func withoutLines(text string, gone []stretch) string {
	var out, line strings.Builder
	cut := false // something of the present line is gone
	put := func(part string) {
		for piece := range strings.Lines(part) {
			line.WriteString(piece)
			if strings.HasSuffix(piece, "\n") {
				if !cut || strings.TrimSpace(line.String()) != "" {
					out.WriteString(line.String())
				}
				line.Reset()
				cut = false
			}
		}
	}
	at := 0
	for _, g := range gone {
		if g.from > at {
			put(text[at:g.from])
		}
		at, cut = max(at, g.to), true
	}
	put(text[at:])
	if !cut || strings.TrimSpace(line.String()) != "" {
		out.WriteString(line.String())
	}
	return out.String()
}
