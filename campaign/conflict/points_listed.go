package conflict

import (
	"github.com/talewright/talewright/campaign/conflict/internal/lexicon"
	"github.com/talewright/talewright/campaign/conflict/internal/parse"
	"github.com/talewright/talewright/campaign/conflict/internal/tokenize"
)

// listedClaims reads values that panels, reports and logs list after a name: Damage: Kessa, 6;
// Aldous, 4; HP 变化：程默 7 → 4; 程默 HP 3; 血条只有三分之一：10/28; two points of damage to Kessa, four to
// Aldous.
func listedClaims(p *parse.Passage) []pointsClaim {
	var out []pointsClaim
	for _, m := range p.Named {
		if c, ok := damageOf(p, m); ok {
			out = append(out, c)
		}
		if c, ok := shiftOf(p, m); ok {
			out = append(out, c)
		}
		if c, ok := countOf(p, m); ok {
			out = append(out, c)
		}
	}
	for _, w := range p.Words.All(lexicon.HPWord) {
		if c, ok := plainValue(p, w); ok {
			out = append(out, c)
		}
		if c, ok := ratioAfter(p, w); ok {
			out = append(out, c)
		}
	}
	for _, w := range p.Words.All(lexicon.Damage) {
		out = append(out, sharedDamage(p, w)...)
	}
	return out
}

// maxReport is the maximum distance of the heading of a report before a name.
const maxReport = 120

// damageOf reads a number after a name in a report of damage.
func damageOf(p *parse.Passage, m parse.Mention) (pointsClaim, bool) {
	pos := p.SkipSpace(m.End)
	if len(m.IDs) != 1 || m.Pronoun {
		return pointsClaim{}, false
	}
	if p.IsOneOf(pos, ":，,") {
		pos++
	} else if pos == m.End { // Damage: Su 3, Lin 2
		return pointsClaim{}, false
	}
	n, ok := p.Digits(p.SkipSpace(pos))
	if !ok || n.Value == 0 {
		return pointsClaim{}, false
	}
	end := p.SkipSpace(n.End)
	if p.Is(end, '点') {
		end++
	}
	if end < len(p.Chars) && !p.IsOneOf(end, ";；\n.。(（,，") {
		return pointsClaim{}, false
	}
	for _, w := range p.Words.All(lexicon.Damage)[p.Words.From(lexicon.Damage, m.Start-maxReport):] {
		if w.Start >= m.Start {
			break
		}
		if headsReport(p, w.End, m.Start) {
			who := m
			return pointsClaim{Span: lexicon.Between(m.Start, n.End), Delta: -n.Value, target: &who, Listed: true}, true
		}
	}
	return pointsClaim{}, false
}

// headsReport reports whether the word for damage at pos is the heading of a list: a colon, a
// bracket or the end of the line comes before the list, and no full sentence is between them.
func headsReport(p *parse.Passage, pos, end int) bool {
	for i := pos; i < end; i++ {
		switch {
		case p.IsOneOf(i, ":\n]】〕)）"):
			for ; i < end; i++ {
				if p.IsOneOf(i, "。！!") {
					return false
				}
			}
			return true
		case i-pos > 10:
			return false
		}
	}
	return false
}

// shiftOf reads a name and two values with an arrow between them, in a line about hit points.
func shiftOf(p *parse.Passage, m parse.Mention) (pointsClaim, bool) {
	n, ok := p.Digits(p.SkipSpace(m.End))
	if !ok || len(m.IDs) != 1 || m.Pronoun {
		return pointsClaim{}, false
	}
	pos, ok := tokenize.Arrow(p.Text, p.SkipSpace(n.End))
	if !ok || !p.Words.Has(p.LineStart(m.Start), m.Start, lexicon.HPWord) {
		return pointsClaim{}, false
	}
	c, ok := valueAt(p, m.Start, p.SkipSpace(pos))
	who := m
	c.target, c.Listed = &who, true
	return c, ok
}

// countOf reads a name and a number in a line that begins with a word for hit points and contains
// only such a list: 生命值：苏晴4，林远7; HP: Su 4, Lin 7.
func countOf(p *parse.Passage, m parse.Mention) (pointsClaim, bool) {
	n, ok := p.Digits(p.SkipSpace(m.End))
	if !ok || len(m.IDs) != 1 || m.Pronoun || n.End < len(p.Chars) && !p.IsOneOf(n.End, ",，;；、\n。|｜ ") {
		return pointsClaim{}, false
	}
	start := p.LineStart(m.Start)
	w, ok := p.Words.Within(lexicon.HPWord, start, m.Start)
	if !ok || !p.Is(p.SkipSpace(w.End), ':') || p.StrangeText(start, w.Start) > 0 {
		return pointsClaim{}, false
	}
	for pos := w.End; pos < m.Start; {
		other, named := p.NamedAt(pos)
		switch {
		case named:
			pos = other.End
		case lexicon.IsDigit(p.Chars[pos]) || p.IsOneOf(pos, " :,，;；、/"):
			pos++
		default:
			return pointsClaim{}, false
		}
	}
	who := m
	return pointsClaim{Span: lexicon.Between(m.Start, n.End), Value: n.Value, target: &who, Listed: true}, true
}

// plainValue reads a name, a word for hit points and a number at the end of a line of a panel: 程默
// HP 3.
func plainValue(p *parse.Passage, w lexicon.Span) (pointsClaim, bool) {
	n, ok := p.Digits(p.SkipSpace(w.End))
	if !ok || n.Start == w.End || n.End < len(p.Chars) && !p.IsOneOf(n.End, "\n|｜,，;；") {
		return pointsClaim{}, false
	}
	c := pointsClaim{Span: lexicon.Between(w.Start, n.End), Value: n.Value, Listed: true}
	colon := w.Start - 1
	for p.Is(colon, ' ') {
		colon--
	}
	if _, label := p.Words.EndsAt(lexicon.PanelLabel, colon); label && p.Is(colon, ':') { // 你看了一眼状态：生命 17，箭 4 支
		k := p.SentenceAt(colon)
		return c, k >= 0 && !p.Words.Has(p.Sentences[k].Start, colon, lexicon.Creature, lexicon.OtherSubject, lexicon.Perception)
	}
	start := p.LineStart(w.Start)
	m, ok := p.LastCalled(start, w.Start)
	if !ok || m.Pronoun || p.StrangeText(start, m.Start) > 0 || p.StrangeText(m.End, w.Start) > 0 {
		return pointsClaim{}, false
	}
	c.target = &m
	return c, true
}

// maxRatio is the maximum distance, in characters, between a word for hit points and N/M.
const maxRatio = 30

// ratioAfter reads N/M some words after a word for hit points, if M is the maximum of a character
// that the sentence names: 血条只有三分之一多一点：10/28, HP ▓▓▓░░ 5/10.
func ratioAfter(p *parse.Passage, w lexicon.Span) (pointsClaim, bool) {
	for i := w.End; i < min(w.End+maxRatio, len(p.Chars)); i++ {
		switch {
		case tokenize.IsStop(p.Chars[i]) || p.IsOneOf(i, "|｜/") || p.Words.HasAt(lexicon.HPWord, i):
			return pointsClaim{}, false
		case !lexicon.IsDigit(p.Chars[i]):
			if _, named := p.NamedAt(i); named { // [Nora 8/10 HP] [Will 4/10 HP]
				return pointsClaim{}, false
			}
			continue
		}
		c, ok := valueAt(p, w.Start, i)
		if !ok || c.Max == 0 {
			return pointsClaim{}, false
		}
		c.Listed = true
		who := c.Who(p)
		if len(who.IDs) != 1 || who.Doubtful {
			return pointsClaim{}, false
		}
		person := p.Cast.Person(who.IDs[0])
		return c, person != nil && person.MaxHP == c.Max
	}
	return pointsClaim{}, false
}

// sharedDamage reads damage for several characters: two points of poison damage to Kessa, four to
// Brother Aldous.
func sharedDamage(p *parse.Passage, w lexicon.Span) []pointsClaim {
	k := p.ClauseAt(w.Start)
	if k < 0 {
		return nil
	}
	n, _, ok := countBefore(p, p.Clauses[k].Start, w.Start)
	if !ok {
		n, ok = amount(p, p.Clauses[k].Start)
		if u, is := unitAfter(p, n, lexicon.Damage); !ok || !is || u != w {
			return nil
		}
	}
	var out []pointsClaim
	for pos := w.End; n.Value > 0; {
		to := p.WordAt(p.SkipSpace(pos))
		m, named := p.NamedAt(p.SkipSpace(to.End))
		if p.Word(to) != "to" || !named {
			break
		}
		out = append(out, pointsClaim{Span: lexicon.Between(n.Start, m.End), Delta: -n.Value, target: &m})
		pos = m.End
		for p.IsOneOf(pos, ", ") {
			pos++
		}
		if and := p.WordAt(pos); p.Word(and) == "and" {
			pos = p.SkipSpace(and.End)
		}
		if n, ok = p.NumberAt(pos); !ok {
			break
		}
		pos = n.End
	}
	return out
}
