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
		if c, ok := labelClaim(p, w); ok {
			out = append(out, c)
		}
	}
	for _, w := range p.Words.All(lexicon.CardLabel) {
		if c, ok := countedLabel(p, w); ok {
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
	out = append(out, levelClaims(p)...)
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

// countedLabel reads a gain or a loss whose amount is before the label: lose 1 point of strength,
// 失去了1点力量.
func countedLabel(p *parse.Passage, w lexicon.Span) (card, bool) {
	k := p.ClauseAt(w.Start)
	if k < 0 || p.Words.HasAt(lexicon.HPWord, w.Start) {
		return card{}, false
	}
	from := max(p.Clauses[k].Start, w.Start-24)
	for _, t := range []lexicon.Class{lexicon.LossVerb, lexicon.GainVerb} {
		for _, v := range p.Words.All(t)[p.Words.From(t, from):] {
			if v.Start >= w.Start {
				break
			}
			pos := p.SkipWords(v.End, lexicon.AmountFiller)
			signed := p.Is(pos, '+') || p.Is(pos, '-') // gains +1 Strength
			if signed {
				pos++
			}
			n, ok := p.NumberAt(pos)
			if signed && ok && p.SkipSpace(n.End) == w.Start {
				return card{Span: lexicon.Between(v.Start, w.End), Field: fieldOf(p, w)}, p.EndsClause(w.End)
			}
			if !ok || n.End > w.Start || n.Value == 0 || !pointsOf(p, n.End, w.Start) {
				continue
			}
			return card{Span: lexicon.Between(v.Start, w.End), Field: fieldOf(p, w)}, p.EndsClause(w.End)
		}
	}
	return card{}, false
}

// fieldOf returns the name of the field of a label.
func fieldOf(p *parse.Passage, label lexicon.Span) string {
	field := strings.ToLower(p.Quote(label))
	if standard, ok := attributes[field]; ok {
		return standard
	}
	return field
}

// pointsOf reports whether [start, end) contains only 点, "points of" or the like.
func pointsOf(p *parse.Passage, start, end int) bool {
	switch strings.TrimSpace(string(p.Chars[start:end])) {
	case "点", "点的", "point of", "points of", "point in", "points in":
		return true
	}
	return false
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

// labelClaim reads a label, an optional 值 or 点数, and a verb of change.
func labelClaim(p *parse.Passage, w lexicon.Span) (card, bool) {
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

// levelClaims reads 升级了 at the end of a clause and 升到N级.
func levelClaims(p *parse.Passage) []card {
	var out []card
	for _, w := range p.Words.All(lexicon.LevelUp) {
		if p.EndsClause(w.End) { // 升级了装备 is about equipment
			out = append(out, card{Span: w, Field: "level"})
		}
	}
	for i := range p.Chars {
		if c, ok := levelArrow(p, i); ok {
			out = append(out, c)
		}
	}
	for _, w := range p.Words.All(lexicon.LevelTo) {
		if n, ok := p.NumberAt(w.End); ok && p.Is(n.End, '级') {
			out = append(out, card{
				Span: lexicon.Between(w.Start, n.End+1), Field: "level", Value: strconv.Itoa(n.Value),
			})
		}
	}
	return out
}

// levelArrow reads "Lv.5 → Lv.6", "Level 5 -> 6" and 等级：5→6, beginning at i.
func levelArrow(p *parse.Passage, i int) (card, bool) {
	pos, ok := levelLabel(p, i)
	if !ok {
		return card{}, false
	}
	was, ok := p.Digits(pos)
	if !ok {
		return card{}, false
	}
	pos = p.SkipSpace(was.End)
	if pos, ok = tokenize.Arrow(p.Text, pos); !ok {
		return card{}, false
	}
	pos = p.SkipSpace(pos)
	if again, ok := levelLabel(p, pos); ok {
		pos = again
	}
	now, ok := p.Digits(pos)
	return card{Span: lexicon.Between(i, now.End), Field: "level", Value: strconv.Itoa(now.Value)}, ok && now.Value != was.Value
}

// levelLabel returns the start of the number of a level whose label is at i.
func levelLabel(p *parse.Passage, i int) (int, bool) {
	pos := i
	switch w := p.WordAt(i); {
	case w.Start == i && (p.Word(w) == "lv" || p.Word(w) == "lvl" || p.Word(w) == "level"):
		pos = w.End
	case p.Is(i, '等') && p.Is(i+1, '级'):
		pos = i + 2
	default:
		return i, false
	}
	for p.IsOneOf(pos, ".: ") {
		pos++
	}
	return pos, true
}
