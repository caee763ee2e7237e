package conflict

import (
	"strconv"
	"strings"

	"github.com/talewright/talewright/campaign/conflict/internal/lexicon"
	"github.com/talewright/talewright/campaign/conflict/internal/parse"
	"github.com/talewright/talewright/campaign/conflict/internal/tokenize"
)

// The claims files read the claims of a text about the state of a campaign, except hit points:
// places, life and death, rolls, cards, rules, the map and the goal. For each kind of claim, one
// function takes a passage and returns values. The detectors compare these with the state.

// A card is a claim that a field of a character's card has changed.
type card struct {
	lexicon.Span
	Field string
	Value string // the claimed new value, empty if there is none
}

// attributes maps Chinese and long names of card labels to the standard ones.
var attributes = map[string]string{
	"力量": "strength", "敏捷": "dexterity", "智力": "intelligence", "体质": "constitution",
	"感知": "wisdom", "魅力": "charisma", "等级": "level", "生命上限": "max_hp",
	"生命值上限": "max_hp", "最大生命值": "max_hp", "max hp": "max_hp", "maximum hp": "max_hp",
	"maximum hit points": "max_hp",
}

// cards returns the asserted claims of a text about cards, in order: labels with a verb of change,
// fixed phrases, learned skills. If two overlap, the first one is used.
func cards(p *parse.Passage) []card {
	var out []card
	for _, w := range p.Words.All(lexicon.CardLabel) {
		if c, ok := labelFact(p, w); ok {
			out = append(out, c)
		}
	}
	for _, w := range p.Words.All(lexicon.CardPhrase) {
		n, numbered := p.NumberAt(p.SkipSpace(w.End))
		switch {
		case numbered:
			w.End = n.End
		case wantsNumber(p.Word(w)):
			continue
		case leavesCard(p, w.End): // as in: name is now on the list
			continue
		}
		out = append(out, card{Span: w, Field: "card"})
	}
	// 学会了火球术技能, gains a new skill: the learned skill is between the two words.
	for _, w := range p.Words.All(lexicon.Learns) {
		limit := min(w.End+14, len(p.Chars))
		if lexicon.IsLetter(p.Chars[w.Start]) {
			limit = min(w.End+32, len(p.Chars))
		}
		if s, ok := p.Words.Within(lexicon.Learned, w.End, limit); ok && p.Clean(w.End, s.Start) &&
			taught(p, w, s) {
			out = append(out, card{Span: lexicon.Between(w.Start, s.End), Field: "skills"})
		}
	}
	at := func(c card) lexicon.Span { return c.Span }
	return parse.Told(p, parse.InOrder(out, at), at)
}

// wantsNumber reports whether a phrase is incomplete without a number: "reach level …", but not
// "gain a level".
func wantsNumber(phrase string) bool {
	return strings.HasSuffix(phrase, "level") && !strings.HasSuffix(phrase, "a level")
}

// fieldOf returns the name of the field of a label.
func fieldOf(p *parse.Passage, label lexicon.Span) string {
	field := strings.ToLower(p.Quote(label))
	if standard, ok := attributes[field]; ok {
		return standard
	}
	return field
}

// taught reports whether the text between "learns" and "skill" is the learned skill, at most four
// words.
func taught(p *parse.Passage, verb, noun lexicon.Span) bool {
	if lexicon.IsHan(p.Chars[verb.Start]) {
		return noun.End-verb.End > 1 && !p.IsOneOf(noun.End, "师士")
	}
	spaces := 0
	for _, c := range p.Chars[verb.End:noun.Start] {
		if c == ' ' {
			spaces++
		}
	}
	return spaces <= 5 && !p.Words.Has(verb.End, noun.Start, lexicon.Preposition)
}

// labelFact reads a label, an optional 值 or 点数, and a verb of change.
func labelFact(p *parse.Passage, w lexicon.Span) (card, bool) {
	field := fieldOf(p, w)
	if c, ok := labelShift(p, w, field); ok {
		return c, true
	}
	v, ok := labelVerb(p, w)
	if !ok {
		return card{}, false
	}
	claim := card{Span: lexicon.Between(w.Start, v.End), Field: field}
	pos := p.SkipWords(v.End, lexicon.AmountFiller)
	if n, ok := p.NumberAt(pos); ok {
		claim.End = n.End
		claim.Value = becomes(p, v, n)
	} else if p.Is(v.Start, '+') || leavesCard(p, pos) {
		return card{}, false
	} else if p.IsOneOf(pos, "为到至成") {
		if n, ok := p.NumberAt(pos + 1); ok {
			claim.End = n.End
			claim.Value = strconv.Itoa(n.Value)
		}
	}
	return claim, true
}

// labelShift reads a label and two values with an arrow between them: 意志 9 → 6.
func labelShift(p *parse.Passage, w lexicon.Span, field string) (card, bool) {
	pos := p.SkipSpace(w.End)
	if p.Is(pos, ':') {
		pos = p.SkipSpace(pos + 1)
	}
	was, ok := p.Digits(pos)
	if !ok {
		return card{}, false
	}
	if pos, ok = tokenize.Arrow(p.Text, p.SkipSpace(was.End)); !ok {
		return card{}, false
	}
	now, ok := p.Digits(p.SkipSpace(pos))
	return card{Span: lexicon.Between(w.Start, now.End), Field: field, Value: strconv.Itoa(now.Value)}, ok && now.Value != was.Value
}

// labelVerb returns the verb of change whose subject is a label.
func labelVerb(p *parse.Passage, w lexicon.Span) (lexicon.Span, bool) {
	pos := w.End
	switch {
	case p.Is(pos, '值'):
		pos++
		if p.Is(pos, '数') {
			pos++
		}
	case p.Is(pos, '点') && p.Is(pos+1, '数'):
		pos += 2
	}
	if p.IsOneOf(pos, "从由自") {
		if n, ok := p.NumberAt(pos + 1); ok {
			pos = n.End
		}
	}
	// Try the verb itself first: some verbs begin with an adverb (永久提升, is now).
	v, ok := p.Words.At(lexicon.CardVerb, p.SkipSpace(pos))
	if !ok {
		pos = p.SkipFillers(pos, min(pos+8, len(p.Chars)))
		v, ok = p.Words.At(lexicon.CardVerb, pos)
	}
	if !ok || !p.Unbroken(w.End, v.Start) {
		return v, false
	}
	return v, !p.Is(v.End, '了') || !lexicon.IsHan(p.Chars[v.Start]) || countsOrEnds(p, v.End+1)
}

// countsOrEnds reports whether 提升了 is followed by a number, a vague amount or the end, and not by
// an object: 力量增加了勇气 is about courage.
func countsOrEnds(p *parse.Passage, pos int) bool {
	if _, ok := p.NumberAt(p.SkipSpace(pos)); ok {
		return true
	}
	return p.EndsClause(pos) || p.IsOneOf(pos, "很不一许大些好整足几数")
}

// leavesCard reports whether the text after an English verb of change shows that it is not about a
// number: strength drops from her arms.
func leavesCard(p *parse.Passage, pos int) bool {
	w := p.WordAt(p.SkipSpace(pos))
	switch p.Word(w) {
	case "from": // rises from 12 to 14
		_, ok := p.NumberAt(p.SkipSpace(w.End))
		return !ok
	case "in", "through", "with", "into", "out", "away", "off", "under", "within", "at", "of", "like", "as", "on",
		"known", "part":
		return true
	}
	return false
}

// becomes returns the new value if the verb states a value and not a difference.
func becomes(p *parse.Passage, verb lexicon.Span, n tokenize.Number) string {
	switch string(p.Chars[verb.Start:verb.End]) {
	case "变为", "变成", "升到", "升至", "达到", "涨到", "提升到", "提升至", "降到", "降至",
		"becomes", "is now":
		return strconv.Itoa(n.Value)
	}
	return ""
}
