package conflict

import (
	"slices"

	"github.com/talewright/talewright/campaign/conflict/internal/lexicon"
	"github.com/talewright/talewright/campaign/conflict/internal/parse"
	"github.com/talewright/talewright/campaign/conflict/internal/tokenize"
)

// tableClaims reads the hit points in tables with a column for them in the heading.
func tableClaims(p *parse.Passage) []pointsClaim {
	var out []pointsClaim
	column := -1
	for _, s := range p.Sentences {
		if !p.Is(s.Start, '|') {
			column = -1
			continue
		}
		cells := pointsCells(p, s.Span)
		if column < 0 {
			column = slices.IndexFunc(cells, func(c lexicon.Span) bool { return p.Words.Has(c.Start, c.End, lexicon.HPWord) })
			continue
		}
		if column >= len(cells) {
			continue
		}
		m, ok := p.LastCalled(cells[0].Start, cells[0].End)
		cell, filled := tokenize.Trimmed(p.Chars, cells[column])
		if !ok || !filled || len(m.IDs) == 0 {
			continue
		}
		if c, ok := valueAt(p, cell.Start, cell.Start); ok {
			c.target = &m
			out = append(out, c)
		}
	}
	return out
}

// pointsCells returns the cells between the bars of a line.
func pointsCells(p *parse.Passage, s lexicon.Span) []lexicon.Span {
	var out []lexicon.Span
	start := s.Start
	for i := s.Start; i <= s.End; i++ {
		if i < s.End && p.Chars[i] != '|' {
			continue
		}
		if i > start {
			out = append(out, lexicon.Between(start, i))
		}
		start = i + 1
	}
	return out
}
