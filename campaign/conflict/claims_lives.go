package conflict

import (
	"strings"

	"github.com/talewright/talewright/campaign/conflict/internal/lexicon"
	"github.com/talewright/talewright/campaign/conflict/internal/parse"
)

// lives returns the asserted claims of a text about life and death: who died, was killed, fell, was
// made unconscious, or lives again.
func lives(p *parse.Passage) []life {
	out := livesTold(p, nil, lexicon.Dead, "dead")
	out = livesTold(p, out, lexicon.Killed, "dead")
	out = livesTold(p, out, lexicon.Downed, "downed")
	out = livesTold(p, out, lexicon.Fainted, "downed")
	out = livesListed(p, out)
	out = corpses(p, out)
	for _, claim := range append(doneTo(p), signs(p)...) {
		if p.Asserted(claim.Span) {
			out = append(out, claim)
		}
	}
	return livesTold(p, out, lexicon.Revived, "alive")
}

// livesTold appends the claims with words of a class, for the given state.
func livesTold(p *parse.Passage, out []life, t lexicon.Class, state string) []life {
	last := 0
	for _, w := range p.Words.All(t) {
		if w.Start < last {
			continue // it is the end of a longer phrase: is knocked out
		}
		last = w.End
		done := t == lexicon.Killed || t == lexicon.Fainted
		if done {
			if m, ok := handled(p, w); ok {
				if p.Asserted(w) {
					out = append(out, life{w, state, m.IDs})
				}
				continue
			}
		}
		if done && !suffered(p, w) || !predicate(p, w) || !p.Asserted(w) {
			continue
		}
		out = append(out, life{w, state, lifeSubject(p, w.Start).IDs})
	}
	return out
}

// doneTo reads actions on a tracked character: the poison kills Su, knocks you out, 杀死了苏晴, 打晕了你.
func doneTo(p *parse.Passage) []life {
	var out []life
	for _, w := range p.Words.All(lexicon.Slays) {
		if c := p.ClauseAt(w.Start); strings.HasSuffix(p.Word(w), "ing") && (c < 0 || p.Clauses[c].First || !p.Opens(p.Clauses[c].Start, w.Start)) {
			continue // …, killing her
		}
		if m, ok := victimOf(p, w); ok {
			out = append(out, life{lexicon.Between(w.Start, m.End), "dead", m.IDs})
		}
	}
	for _, w := range p.Words.All(lexicon.TakesLife) {
		if m, end, ok := lifeTaken(p, w); ok {
			out = append(out, life{lexicon.Between(w.Start, end), "dead", m.IDs})
		}
	}
	for _, w := range p.Words.All(lexicon.LifeGoes) {
		if m, ok := bodyOrSelf(p, w.End); ok {
			out = append(out, life{lexicon.Between(w.Start, m.End), "dead", m.IDs})
		}
	}
	for _, w := range p.Words.All(lexicon.LifeComes) {
		if m, ok := bodyOrSelf(p, w.End); ok {
			out = append(out, life{lexicon.Between(w.Start, m.End), "alive", m.IDs})
		}
	}
	for _, w := range p.Words.All(lexicon.Fells) {
		m, ok := victimOf(p, w)
		if !ok {
			continue
		}
		if lexicon.IsHan(p.Chars[w.Start]) {
			out = append(out, life{lexicon.Between(w.Start, m.End), "downed", m.IDs})
			continue
		}
		// The state is after the victim: knocks you out, leaves Su dead.
		pos := p.SkipSpace(m.End)
		if s, ok := p.Words.At(lexicon.Lifeless, pos); ok && !leavesSomehow(p, w, s) {
			state := "downed"
			if word := p.Word(s); word == "dead" || word == "lifeless" || word == "stone dead" {
				state = "dead"
			}
			out = append(out, life{lexicon.Between(w.Start, s.End), state, m.IDs})
		}
	}
	return out
}

// lifeTaken returns whose life a verb takes, and where the claim ends: 要了苏晴的命, took Su's life,
// costs Su her life.
func lifeTaken(p *parse.Passage, w lexicon.Span) (m parse.Mention, end int, ok bool) {
	m, ok = p.CalledAt(p.SkipSpace(w.End))
	if !ok || len(m.IDs) != 1 {
		return m, 0, false
	}
	end = m.End
	if lexicon.IsHan(p.Chars[w.Start]) {
		if p.Is(end, '的') {
			end++
		}
		switch {
		case p.Is(end, '命'):
			end++
		case p.Is(end+1, '命') && p.IsOneOf(end, "性生小"):
			end += 2
		default:
			return m, end, false
		}
		return m, end, p.EndsClause(end)
	}
	next := p.WordAt(p.SkipSpace(end))
	if isWhose(p.Word(next)) && !p.IsPossessor(m) {
		next = p.WordAt(p.SkipSpace(next.End))
	}
	if p.Word(next) == "own" {
		next = p.WordAt(p.SkipSpace(next.End))
	}
	what := "life"
	if verb := p.Word(w); strings.HasPrefix(verb, "still") || strings.HasPrefix(verb, "stop") {
		what = "heart"
	}
	if p.Word(next) == "head" { // takes Su's head clean off
		off := p.WordAt(p.SkipFillers(next.End, len(p.Chars)))
		switch p.Word(off) {
		case "clean", "right", "straight":
			off = p.WordAt(p.SkipSpace(off.End))
		}
		return m, off.End, p.Word(off) == "off" && p.EndsClause(off.End)
	}
	return m, next.End, p.Word(next) == what && (p.EndsClause(next.End) || endsOrTime(p, next.End))
}

func isWhose(word string) bool {
	return word == "her" || word == "his" || word == "your" || word == "their"
}

// bodyOrSelf returns the character at pos: Su, or the owner of a part that shows life, as in the
// light fades from Su's eyes.
func bodyOrSelf(p *parse.Passage, pos int) (parse.Mention, bool) {
	m, ok := p.CalledAt(p.SkipSpace(pos))
	if !ok || len(m.IDs) != 1 {
		return m, false
	}
	if !p.IsPossessor(m) {
		return m, true
	}
	switch part := p.WordAt(p.SkipSpace(m.End)); p.Word(part) {
	case "eyes", "eye", "body", "limbs", "heart", "chest", "lungs", "face", "cheeks", "veins", "gaze", "lips", "frame", "bones":
		return m, true
	}
	return m, false
}

// leavesSomehow reports whether "out" or "cold" only describes a mood: leaves Su cold.
func leavesSomehow(p *parse.Passage, verb, state lexicon.Span) bool {
	if word := p.Word(state); word != "out" && word != "cold" {
		return false
	}
	return p.Is(verb.Start, 'l') && p.Is(verb.Start+1, 'e') || p.Is(verb.Start, 'p') || p.Is(verb.Start, 'r')
}

// victimOf returns the mention directly after a verb, if the person is meant and not a possession.
func victimOf(p *parse.Passage, w lexicon.Span) (parse.Mention, bool) {
	m, ok := p.NamedAt(p.SkipSpace(w.End))
	if !ok || len(m.IDs) != 1 || m.Owner || p.Is(m.End, '的') {
		return parse.Mention{}, false
	}
	return m, !p.Words.HasAt(lexicon.NotTheArea, m.End)
}

// livesListed appends the life states that panels list after a name: 夏可【死亡】, "Toby — dead (0/10)".
// The line before must contain nothing but labels and numbers.
func livesListed(p *parse.Passage, out []life) []life {
	for _, w := range p.Words.All(lexicon.LifeLabel) {
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
		out = append(out, life{lexicon.Between(m.Start, w.End), state, m.IDs})
	}
	return out
}

// listed reports whether a word is a separate part of a panel: a mark is before it, and the part
// ends with it; or brackets contain only a name and the word: 【程默 已死亡】.
func listed(p *parse.Passage, w lexicon.Span) bool {
	before := w.Start - 1
	for p.IsOneOf(before, " *_") {
		before--
	}
	after := w.End
	for p.IsOneOf(after, " *_") {
		after++
	}
	if !p.IsOneOf(before, "—–-·|｜:：[【(（") {
		m, ok := p.LastCalled(p.LineStart(w.Start), w.Start)
		return ok && m.End == before+1 && p.IsOneOf(m.Start-1, "[【") && p.IsOneOf(after, "]】")
	}
	return after == len(p.Chars) || p.IsOneOf(after, "\n|｜]】)）(（")
}

// identified returns the owner of the corpse that is mentioned directly before pos: 浮起一具尸首，正是高公公.
func identified(p *parse.Passage, pos int) (parse.Mention, bool) {
	if !p.IsOneOf(pos, "，,") || !p.IsOneOf(pos+1, "正竟就便") || !p.Is(pos+2, '是') {
		return parse.Mention{}, false
	}
	m, ok := p.NamedAt(pos + 3)
	return m, ok && len(m.IDs) == 1 && !m.Owner && p.EndsClause(m.End)
}

// corpses appends the owners of corpses in a text: 老魏的尸体, Pip's corpse.
func corpses(p *parse.Passage, out []life) []life {
	for _, w := range p.Words.All(lexicon.Corpse) {
		if m, ok := identified(p, w.End); ok && p.Asserted(w) {
			out = append(out, life{lexicon.Between(w.Start, m.End), "dead", m.IDs})
			continue
		}
		m, ok := p.LastCalled(max(0, w.Start-24), w.Start)
		if ok && len(m.IDs) == 1 && p.IsPossessor(m) && p.SkipSpace(m.End) == w.Start {
			if claim := lexicon.Between(m.Start, w.End); p.Asserted(claim) {
				out = append(out, life{claim, "dead", m.IDs})
			}
		}
	}
	return out
}
