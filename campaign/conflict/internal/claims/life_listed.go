package claims

import (
	"github.com/talewright/talewright/campaign/conflict/internal/lexicon"
	"github.com/talewright/talewright/campaign/conflict/internal/reading"
)

// livesListed appends the states of life that panels list behind a name: 夏可【死亡】,
// "Toby — dead (0/10)". Nothing but labels and numbers may stand on the line before.
func livesListed(p *reading.Passage, out []Life) []Life {
	for _, w := range p.Words[lexicon.LifeLabel] {
		if !listed(p, w) {
			continue
		}
		m, ok := p.LastCalled(p.LineStart(w.Start), w.Start)
		if !ok || len(m.IDs) != 1 || p.IsPossessor(m) || m.Pronoun ||
			p.StrangeText(p.LineStart(w.Start), m.Start) > 0 || p.StrangeText(m.End, w.Start) > 0 {
			continue
		}
		state := "downed"
		switch string(p.Chars[w.Start:w.End]) {
		case "死亡", "已死亡", "已死", "阵亡", "已阵亡", "身亡", "已身亡", "dead", "deceased", "killed", "slain":
			state = "dead"
		}
		out = append(out, Life{lexicon.Between(m.Start, w.End), state, m.IDs})
	}
	return out
}

// listed reports whether a mark of a panel stands before a word, and its part ends with it.
func listed(p *reading.Passage, w lexicon.Span) bool {
	before := w.Start - 1
	for p.IsOneOf(before, " *_") {
		before--
	}
	if !p.IsOneOf(before, "—–-·|｜:：[【(（") {
		return false
	}
	after := w.End
	for p.IsOneOf(after, " *_") {
		after++
	}
	return after == len(p.Chars) || p.IsOneOf(after, "\n|｜]】)）(（")
}

// corpses appends whose corpse a text tells of: 老魏的尸体, Pip's corpse.
func corpses(p *reading.Passage, out []Life) []Life {
	for _, w := range p.Words[lexicon.Corpse] {
		m, ok := p.LastCalled(max(0, w.Start-24), w.Start)
		if ok && len(m.IDs) == 1 && p.IsPossessor(m) && p.SkipSpace(m.End) == w.Start {
			if claim := lexicon.Between(m.Start, w.End); p.Asserted(claim) {
				out = append(out, Life{claim, "dead", m.IDs})
			}
		}
	}
	return out
}
