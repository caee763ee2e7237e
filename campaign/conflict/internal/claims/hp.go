package claims

import (
	"github.com/talewright/talewright/campaign/conflict/internal/lexicon"
	"github.com/talewright/talewright/campaign/conflict/internal/reading"
)

// An HP is what a text says about somebody's hit points.
type HP struct {
	lexicon.Span
	// Delta is the change told, or 0 for a value.
	Delta int
	// Value and Max are the hit points told; Max is 0 if not told.
	Value, Max int
	// target is the mention that the claim names itself (heals Su for 4); nil
	// if the subject is to be found.
	target *reading.Mention
	Vague  bool
	Listed bool // in the short form of panels, HP-3
	// victim: damage told without a verb for the one who suffers it.
	victim bool
	dealt  bool // and it is told as dealt, so that who acts is not who suffers
}

// HitPoints returns what a text tells as a fact about hit points, in its order.
func HitPoints(p *reading.Passage) []HP {
	return told(p, hpClaims(p), func(c HP) lexicon.Span { return c.Span })
}

// Who returns whose hit points a claim is about.
func (claim HP) Who(p *reading.Passage) reading.Subject {
	if claim.target != nil {
		return reading.Subject{IDs: claim.target.IDs, Party: claim.target.Party}
	}
	if claim.victim {
		return victim(p, claim)
	}
	who := p.Subject(claim.Start)
	short := claim.Listed || claim.Max != 0
	if k := p.SentenceAt(claim.Start); short && k >= 0 {
		if _, named := p.LastMention(p.Sentences[k].Start, claim.Start); !named {
			if of, ok := p.PanelSubject(claim.Start); ok {
				return of
			}
			return reading.Subject{IDs: who.IDs, Doubtful: true}
		}
	}
	if len(who.IDs) > 0 && !who.Doubtful {
		return who
	}
	if short || p.InPanel(claim.Start) {
		if of, ok := p.PanelSubject(claim.Start); ok {
			return of
		}
		if short {
			return reading.Subject{IDs: who.IDs, Doubtful: true}
		}
	}
	return who
}
