package conflict

import (
	"slices"
	"strings"

	"github.com/talewright/talewright/campaign/conflict/internal/lexicon"
	"github.com/talewright/talewright/campaign/conflict/internal/parse"
)

// signs reads claims of life and death by their signs: a pulse that stops or returns, a lost mind,
// darkness that takes a character, and a character who is revived.
func signs(p *parse.Passage) []life {
	var out []life
	for _, w := range p.Words.All(lexicon.LifeSign) {
		if s, ok := signTells(p, w, lexicon.SignStops); ok {
			out = append(out, life{s, "dead", signOf(p, w)})
		}
		if s, ok := signTells(p, w, lexicon.SignBack); ok {
			out = append(out, life{s, "alive", signOf(p, w)})
		}
	}
	for _, w := range p.Words.All(lexicon.MindSign) {
		s, ok := signTells(p, w, lexicon.MindGoes)
		if !ok {
			continue
		}
		who := signOf(p, w)
		// consciousness leaves you
		if last := p.WordBefore(w.Start, s.End); len(who) == 0 && last.Start < last.End {
			if m, ok := p.NamedAt(last.Start); ok {
				who = m.IDs
			}
		}
		out = append(out, life{s, "downed", who})
	}
	for _, w := range p.Words.All(lexicon.SinksInto) {
		if s, ok := sinks(p, w); ok {
			out = append(out, life{s, "downed", sinkerOf(p, w)})
		}
	}
	for _, w := range p.Words.All(lexicon.Breath) {
		if s, state, ok := breath(p, w); ok {
			out = append(out, life{s, state, lifeSubject(p, s.Start).IDs})
		}
	}
	for _, w := range p.Words.All(lexicon.Rises) {
		if s, ok := p.Words.At(lexicon.Risen, p.SkipSpace(p.SkipWords(w.End, lexicon.Filler))); ok {
			out = append(out, life{lexicon.Between(w.Start, s.End), "alive", lifeSubject(p, w.Start).IDs})
		}
	}
	for _, w := range p.Words.All(lexicon.MindTaken) {
		m, ok := p.CalledAt(w.End)
		if mind, is := p.Words.At(lexicon.MindSign, m.End); ok && is {
			out = append(out, life{lexicon.Between(w.Start, mind.End), "downed", m.IDs})
		}
	}
	for _, w := range p.Words.All(lexicon.Overcomes) {
		m, ok := p.NamedAt(p.SkipSpace(w.End))
		if ok && !m.Owner && (p.EndsClause(m.End) || endsOrTime(p, m.End) && !p.WordIs(p.SkipSpace(m.End), "as")) {
			out = append(out, life{lexicon.Between(w.Start, m.End), "downed", m.IDs})
		}
	}
	for _, w := range p.Words.All(lexicon.Raises) {
		m, ok := p.NamedAt(p.SkipSpace(w.End))
		if !ok || m.Owner {
			continue
		}
		if back, is := p.Words.At(lexicon.Risen, p.SkipSpace(m.End)); is && p.EndsClause(back.End) && !p.WordBeforeIs(w.Start, "to") {
			out = append(out, life{lexicon.Between(w.Start, back.End), "alive", m.IDs})
		}
	}
	return out
}

// The maximum distances, in characters, between a sign of life and the word for its end or return.
const (
	maxSign        = 12
	maxEnglishSign = 44
)

// signTells returns the claim of a clause about a sign of life, if it ends in a word of the class:
// directly after the sign, or after an earlier event (gave one last beat and stopped).
func signTells(p *parse.Passage, sign lexicon.Span, t lexicon.Class) (lexicon.Span, bool) {
	han := lexicon.IsHan(p.Chars[sign.Start])
	limit := sign.End + maxEnglishSign
	if han {
		limit = sign.End + maxSign
	}
	k := p.SentenceAt(sign.Start)
	if k < 0 {
		return lexicon.Span{}, false
	}
	limit = min(limit, p.Sentences[k].End)
	for _, w := range p.Words.All(t)[p.Words.From(t, sign.End):] {
		if w.Start >= limit {
			break
		}
		if lexicon.IsHan(p.Chars[w.Start]) != han || !signReaches(p, sign, w) {
			continue
		}
		return lexicon.Between(sign.Start, w.End), !momentary(p, w.End) && !forMoment(p, p.Sentences[k].Start) && !p.Is(w.End, '的') && !goesOnActing(p, w) && !startled(p, w.End)
	}
	return lexicon.Span{}, false
}

// signReaches reports whether the words between a sign of life and its end are about nothing else.
func signReaches(p *parse.Passage, sign, w lexicon.Span) bool {
	if p.Words.Has(sign.End, w.Start, lexicon.Negation, lexicon.Unreal, lexicon.Intention, lexicon.Doubt, lexicon.Creature, lexicon.Perception, lexicon.OtherSubject) {
		return false
	}
	if _, named := p.LastCalled(sign.End, w.Start); named {
		return false
	}
	if p.SkipFillers(sign.End, w.Start) >= w.Start {
		return true
	}
	if lexicon.IsHan(p.Chars[w.Start]) {
		return p.Unbroken(sign.End, w.Start) && !slices.ContainsFunc(p.Chars[sign.End:w.Start], func(c rune) bool { return strings.ContainsRune("的让令使", c) })
	}
	switch before := p.WordBefore(sign.End, w.Start); p.Word(before) {
	case "and", "then", "last", "finally", "has", "had", "have", "simply", "just":
		return true
	}
	return false
}

// goesOnActing reports whether only an action stops: stopped hammering.
func goesOnActing(p *parse.Passage, w lexicon.Span) bool {
	next := p.Word(p.WordAt(p.SkipSpace(w.End)))
	return len(next) > 4 && next[len(next)-3:] == "ing" && p.Is(w.Start, 's')
}

// startled reports whether a heart that stops at pos only means fear: when the floor creaked, at
// the sight of it.
func startled(p *parse.Passage, pos int) bool {
	word := p.WordAt(p.SkipSpace(pos))
	switch next := p.WordAt(p.SkipSpace(word.End)); p.Word(word) {
	case "when", "mid":
		return true
	case "at":
		noun := p.WordAt(p.SkipWords(next.Start, lexicon.Determiner))
		switch p.Word(noun) {
		case "sight", "sound", "thought", "words":
			return true
		}
	}
	return false
}

// signOf returns the owner of the sign of life at w.
func signOf(p *parse.Passage, w lexicon.Span) []string {
	if m, ok := p.LastCalled(max(0, w.Start-16), w.Start); ok && len(m.IDs) == 1 && (p.IsPossessor(m) || m.Owner) && p.Opens(m.End, w.Start) {
		return m.IDs
	}
	if p.WordBeforeIs(w.Start, "s") { // feels for the guard's pulse
		return nil
	}
	return lifeSubject(p, w.Start).IDs
}

// maxSinks is the maximum distance, in characters, between the verb of sinking and its target.
const maxSinks = 16

// sinks reads 沉入了无边的黑暗 and "slips away into unconsciousness".
func sinks(p *parse.Passage, w lexicon.Span) (lexicon.Span, bool) {
	limit := maxSinks
	if lexicon.IsHan(p.Chars[w.Start]) {
		limit = maxSinks / 2
	}
	limit = min(w.End+limit, len(p.Chars))
	d, ok := p.Words.Within(lexicon.Darkness, w.End, limit)
	if deeper, also := p.Words.Within(lexicon.Darkness, d.End, limit); ok && also { // 无意识的黑暗
		d = deeper
	}
	if !ok || !p.Unbroken(w.End, d.Start) || p.Is(d.End, '的') {
		return lexicon.Span{}, false
	}
	// falls into the darkness below: a place
	return lexicon.Between(w.Start, d.End), p.EndsClause(d.End) || endsOrTime(p, d.End)
}

// sinkerOf returns who sinks: the owner of the mentioned mind or eyes, or the subject.
func sinkerOf(p *parse.Passage, w lexicon.Span) []string {
	start := max(p.ClauseStart(w.Start), w.Start-maxSinks)
	if mind, ok := p.Words.Within(lexicon.MindSign, start, w.Start); ok {
		return signOf(p, mind)
	}
	if !p.Words.Has(w.Start, min(w.End+maxSinks, len(p.Chars)), lexicon.Lapse) {
		return nil // a cave may be dark
	}
	return lifeSubject(p, w.Start).IDs
}

// breath reads a last breath as death, and the first one of the dead as life.
func breath(p *parse.Passage, noun lexicon.Span) (lexicon.Span, string, bool) {
	pos := noun.Start
	for range 4 {
		pos = skipBack(p, pos)
		for _, t := range []lexicon.Class{lexicon.LastOf, lexicon.FirstOf} {
			of, ok := p.Words.EndsAt(t, pos)
			if !ok {
				continue
			}
			v, ok := p.Words.EndsAt(lexicon.Breathes, skipBack(p, of.Start))
			if !ok {
				return lexicon.Span{}, "", false
			}
			if t == lexicon.LastOf {
				return lexicon.Between(v.Start, noun.End), "dead", true
			}
			return lexicon.Between(v.Start, noun.End), "alive", true
		}
		w := p.WordBefore(0, pos)
		if w.Start == w.End && !p.Is(pos-1, ',') {
			break
		}
		if pos = w.Start; w.Start == w.End {
			pos--
		}
	}
	return lexicon.Span{}, "", false
}

// skipBack returns the position after the last character before pos that is not a space.
func skipBack(p *parse.Passage, pos int) int {
	for p.Is(pos-1, ' ') {
		pos--
	}
	return pos
}
