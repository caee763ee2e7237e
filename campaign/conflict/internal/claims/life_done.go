package claims

import (
	"github.com/talewright/talewright/campaign/conflict/internal/lexicon"
	"github.com/talewright/talewright/campaign/conflict/internal/reading"
)

// doneTo reads what somebody does to a tracked character: the poison kills Su, knocks you
// out, 杀死了苏晴, 打晕了你.
func doneTo(p *reading.Passage) []Life {
	var out []Life
	for _, w := range p.Words[lexicon.Slays] {
		if m, ok := victimOf(p, w); ok {
			out = append(out, Life{lexicon.Between(w.Start, m.End), "dead", m.IDs})
		}
	}
	for _, w := range p.Words[lexicon.TakesLife] {
		// 要了苏晴的命
		m, ok := p.CalledAt(w.End)
		if !ok || len(m.IDs) != 1 {
			continue
		}
		end := m.End
		if p.Is(end, '的') {
			end++
		}
		if p.Is(end, '命') || p.Is(end+1, '命') && p.IsOneOf(end, "性生") {
			out = append(out, Life{lexicon.Between(w.Start, end), "dead", m.IDs})
		}
	}
	for _, w := range p.Words[lexicon.Fells] {
		m, ok := victimOf(p, w)
		if !ok {
			continue
		}
		if lexicon.IsHan(p.Chars[w.Start]) {
			out = append(out, Life{lexicon.Between(w.Start, m.End), "downed", m.IDs})
			continue
		}
		// The state stands behind the victim: knocks you out, leaves Su dead.
		pos := p.SkipSpace(m.End)
		if s, ok := p.Words.At(lexicon.Lifeless, pos); ok {
			state := "downed"
			if word := p.Word(s); word == "dead" || word == "lifeless" || word == "stone dead" {
				state = "dead"
			}
			out = append(out, Life{lexicon.Between(w.Start, s.End), state, m.IDs})
		}
	}
	return out
}

// victimOf returns the mention right behind a verb, if all of it is meant.
func victimOf(p *reading.Passage, w lexicon.Span) (reading.Mention, bool) {
	m, ok := p.NamedAt(p.SkipSpace(w.End))
	if !ok || len(m.IDs) != 1 || m.Owner || p.Is(m.End, '的') {
		return reading.Mention{}, false
	}
	return m, !p.Words.HasAt(lexicon.NotTheArea, m.End)
}
