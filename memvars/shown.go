package memvars

import (
	"slices"
	"strings"
)

// Shown returns a message as players are to read it: without its commands and those of
// the dialects, without command blocks and what else stands in them (the block tags of
// the options, patches, <Analysis>), and without the lines that held nothing else. A tag
// without its partner goes alone. Calls that cannot be read stay: their end is not known.
//
// Reasoning is left as it is; it is not for this package to know who may read it.
func (s *System) Shown(text string) string {
	ops := s.Parse(text)
	names := append(slices.Clone(s.blockTags), "analysis", "jsonpatch", "json_patch")
	found := tags(text, names)
	gone := make([]stretch, 0, len(ops)+len(found))
	for _, op := range ops {
		if op.Fault == nil && op.End > op.Pos.Offset && op.End <= len(text) {
			gone = append(gone, stretch{op.Pos.Offset, op.End})
		}
	}
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
		gone = append(gone, part)
	}
	if len(gone) == 0 {
		return text
	}
	slices.SortFunc(gone, func(a, b stretch) int { return a.from - b.from })
	return withoutLines(text, gone)
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
