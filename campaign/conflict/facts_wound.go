package conflict

import (
	"github.com/talewright/talewright/campaign/conflict/internal/lexicon"
	"github.com/talewright/talewright/campaign/conflict/internal/parse"
)

// A wound is a claim of a wound or a recovery without numbers.
type wound struct {
	lexicon.Span
	Sign int // of the change: -1 for a wound, +1 for a recovery
}

// wounds returns the asserted wounds and recoveries of a text: first the wounds, then the
// recoveries.
func wounds(p *parse.Passage) []wound {
	return claimsWounds(p, claimsWounds(p, nil, lexicon.Wound, -1), lexicon.Recovery, +1)
}

func claimsWounds(p *parse.Passage, out []wound, t lexicon.Class, sign int) []wound {
	for _, w := range p.Words.All(t) {
		if !describes(p, w) && p.Asserted(w) {
			out = append(out, wound{w, sign})
		}
	}
	return out
}

// describes reports whether a word of wounds only describes a person: 受伤的村民, the wounded villager.
func describes(p *parse.Passage, w lexicon.Span) bool {
	before := p.WordBefore(0, w.Start)
	return p.Is(w.End, '的') || before.Start < before.End && p.Words.HasAt(lexicon.Determiner, before.Start)
}
