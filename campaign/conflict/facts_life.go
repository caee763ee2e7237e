package conflict

import (
	"slices"

	"github.com/talewright/talewright/campaign/conflict/internal/lexicon"
	"github.com/talewright/talewright/campaign/conflict/internal/parse"
	"github.com/talewright/talewright/campaign/conflict/internal/tokenize"
)

// A life is a claim that characters are dead, downed or alive.
type life struct {
	lexicon.Span
	State string
	IDs   []string // of the characters
}

// predicate reports whether a word of life and death states an event, and is not part of a noun or
// an idiom.
func predicate(p *parse.Passage, w lexicon.Span) bool {
	if lexicon.IsHan(p.Chars[w.Start]) {
		return chinesePredicate(p, w)
	}
	if p.Words.HasAt(lexicon.Lifeless, w.Start) && !p.Passive(w.Start) {
		return afterCollapse(p, w) || fallsLifeless(p, w)
	}
	// drowned the fire: the object is a thing.
	if p.Is(w.Start, 'd') && p.Is(w.Start+1, 'r') && p.Words.HasAt(lexicon.Determiner, p.SkipSpace(w.End)) {
		return false
	}
	// the drowned men: the word describes people.
	if before := p.WordBefore(0, w.Start); before.Start < before.End && p.Words.HasAt(lexicon.Determiner, before.Start) {
		return false
	}
	if n := w.End - w.Start; n > 5 && p.Word(lexicon.Between(w.End-4, w.End)) == "gone" {
		k := p.SentenceAt(w.Start)
		return k >= 0 && endsOrTime(p, w.End) && p.Words.Has(p.Sentences[k].Start, w.Start, lexicon.Deadly)
	}
	switch p.Word(w) {
	case "lives", "lived", "breathes", "breathed", "is back", "was back": // lives in the tower
		return p.EndsClause(w.End)
	}
	if p.Word(w) == "knocked out" && !p.Passive(w.Start) || p.Word(w) == "faint" && !plural(p, w.Start) {
		return false
	}
	return !figurative(p, w.End)
}

// plural reports whether the subject before pos fits a verb without an ending: you faint, but not
// Su felt faint.
func plural(p *parse.Passage, pos int) bool {
	switch before := p.WordBefore(0, pos); p.Word(before) {
	case "you", "they", "we", "i", "and", "then", "both", "all":
		return true
	}
	return false
}

// momentary reports whether the stop at pos is only short: 心跳停了一拍, her heart stopped for a moment.
func momentary(p *parse.Passage, pos int) bool {
	if p.Is(pos, '了') {
		pos++
	}
	if p.IsOneOf(pos, "一半片几") && p.IsOneOf(pos+1, "拍瞬下刻刹秒息") {
		return true
	}
	return forMoment(p, p.SkipSpace(pos))
}

// manyTimes reports whether a number of times is at pos: no one dies three times, 死了五回.
func manyTimes(p *parse.Passage, pos int) bool {
	if p.WordIs(pos, "twice") || p.WordIs(pos, "a") && p.Words.HasAt(lexicon.Times, p.SkipSpace(pos+1)) || p.Words.HasAt(lexicon.Times, pos) {
		return true
	}
	for p.IsOneOf(pos, "了过好") {
		pos++
	}
	n, ok := p.NumberAt(pos)
	return ok && n.Value != 1 && (p.IsOneOf(n.End, "次回遍") || p.WordIs(p.SkipSpace(n.End), "times"))
}

// forMoment reports whether "for" at pos begins a short time: for a heartbeat.
func forMoment(p *parse.Passage, pos int) bool {
	word := p.WordAt(pos)
	if p.Word(word) != "for" {
		return false
	}
	for pos, n := word.End, 0; n < 4; n++ {
		w := p.WordAt(p.SkipSpace(pos))
		switch p.Word(w) {
		case "moment", "second", "seconds", "instant", "beat", "heartbeat", "minute", "breath":
			return true
		}
		pos = w.End
	}
	return false
}

// partBefore reports whether a part of the body is directly before pos: 右腿失去知觉, 冻得手指失去了知觉.
func partBefore(p *parse.Passage, pos int) bool {
	for i := pos - 1; i >= max(0, pos-4); i-- {
		if p.IsOneOf(i, "腿脚手指臂舌唇脸耳趾肢膝") {
			return true
		}
	}
	return false
}

// endsOrTime reports whether a clause ends at pos or continues with a time: gone before ….
func endsOrTime(p *parse.Passage, pos int) bool {
	switch w := p.WordAt(p.SkipSpace(pos)); p.Word(w) {
	case "before", "by", "when", "in", "within", "and", "while", "for", "till", "until", "as":
		return true
	}
	return p.EndsClause(pos)
}

// figurative reports whether the text after "is dead" or "dies" shows that it is not a death: dead
// tired, dies down.
func figurative(p *parse.Passage, pos int) bool {
	next := p.WordAt(p.SkipSpace(pos))
	switch p.Word(next) {
	case "tired", "silent", "set", "sure", "certain", "serious", "wrong", "calm", "quiet",
		"ahead", "center", "centre", "down", "away", "out", "off", "laughing", "inside",
		"weight", "end", "right", "certainly", "easy", "straight", "even", "keen", "drunk", "asleep", "broke", "beat":
		return true
	case "to": // dead to shame, succumbs to curiosity, but succumbed to the poison
		return p.WordBeforeIs(next.Start, "dead") || p.Words.HasAt(lexicon.Feeling, p.SkipWords(next.End, lexicon.Determiner))
	}
	if momentary(p, pos) || manyTimes(p, next.Start) {
		return true
	}
	after := p.WordAt(p.SkipSpace(next.End))
	if p.Word(next) == "a" && (p.Word(after) == "little" || p.Word(after) == "bit") {
		switch then := p.WordAt(p.SkipSpace(after.End)); p.Word(then) {
		case "before", "after", "later", "past": // died a little before dawn
		default:
			return true
		}
	}
	return p.Word(next) == "on" && p.Words.HasAt(lexicon.Determiner, after.Start) && p.Word(after) != "the"
}

// afterCollapse reports whether a bare "dead" or "unconscious" follows a verb of falling and a
// comma: Su collapses, dead.
func afterCollapse(p *parse.Passage, w lexicon.Span) bool {
	if figurative(p, w.End) {
		return false
	}
	end := w.Start
	for end > 0 && (p.Chars[end-1] == ' ' || p.Chars[end-1] == ',') {
		end--
	}
	// …slumps over the bar, unconscious: an apposition after words of falling.
	if i := p.ClauseAt(w.Start); i > 0 && !p.Clauses[i].First && p.Opens(p.Clauses[i].Start, w.Start) {
		return p.Words.Has(p.Clauses[i-1].Start, p.Clauses[i-1].End, lexicon.SelfHarm, lexicon.Falling, lexicon.StrikeVerb)
	}
	before := p.WordBefore(0, end)
	switch p.Word(before) {
	case "collapses", "collapse", "collapsed", "falls", "fall", "fell", "drops", "dropped",
		"ground", "floor", "over", "down":
		return p.ClauseAt(w.Start) != p.ClauseAt(before.Start)
	}
	return false
}

// fallsLifeless reports whether a word such as dead or insensible ends a clause with a verb of
// falling: lay there insensible, slid to the floor unconscious.
func fallsLifeless(p *parse.Passage, w lexicon.Span) bool {
	k := p.ClauseAt(w.Start)
	if k < 0 || figurative(p, w.End) || !endsOrTime(p, w.End) && !p.Words.HasAt(lexicon.Preposition, p.SkipSpace(w.End)) &&
		!p.Words.HasAt(lexicon.InPlace, p.SkipSpace(w.End)) {
		return false
	}
	switch before := p.WordBefore(0, w.Start); p.Word(before) {
	case "for", "half", "play", "plays", "played", "as", "the", "so", "brain", "or":
		return false
	}
	start := p.Clauses[k].Start
	m, named := p.LastCalled(start, w.Start)
	if named {
		start = m.End
	}
	return p.Words.Has(max(start, w.Start-40), w.Start, lexicon.Falling) && !p.Words.Has(start, w.Start, lexicon.Creature)
}

// suffered reports whether 被 is before a Chinese verb of killing and after the last mention, so
// that the mention is the victim.
func suffered(p *parse.Passage, w lexicon.Span) bool {
	if lexicon.IsLetter(p.Chars[w.Start]) {
		return p.Passive(w.Start) && !byFeeling(p, w.End)
	}
	for i := w.Start - 1; i >= max(0, w.Start-10) && !tokenize.IsBreak(p.Chars[i]); i-- {
		if p.Chars[i] == '被' {
			return true
		}
	}
	return false
}

// handled returns the object of 把 or 将 before a Chinese verb of killing or stunning: 把苏晴劈晕了.
func handled(p *parse.Passage, w lexicon.Span) (parse.Mention, bool) {
	if !lexicon.IsHan(p.Chars[w.Start]) {
		return parse.Mention{}, false
	}
	for i := w.Start - 1; i >= max(0, w.Start-10) && !tokenize.IsBreak(p.Chars[i]); i-- {
		if disposes(p, i) {
			m, ok := p.NamedAt(i + 1)
			if !ok || len(m.IDs) == 0 || m.Owner { // 把守卫打晕
				return parse.Mention{}, true
			}
			return m, p.Unbroken(m.End, w.Start)
		}
	}
	return parse.Mention{}, false
}

// byFeeling reports whether the agent of a verb of killing is a feeling: devoured by curiosity.
func byFeeling(p *parse.Passage, pos int) bool {
	by := p.WordAt(p.SkipSpace(pos))
	return p.Word(by) == "by" && p.Words.HasAt(lexicon.Feeling, p.SkipWords(by.End, lexicon.Determiner))
}

// chinesePredicate reports whether the word states an event. It does not in 死亡的气息 and 昏迷中, nor
// after 杀死, 看着, 面对 and similar words.
func chinesePredicate(p *parse.Passage, w lexicon.Span) bool {
	if drunk(p, w) {
		return false
	}
	if d, ok := p.Words.Within(lexicon.Deadly, max(0, w.Start-8), w.Start); ok &&
		p.Unbroken(d.End, w.Start) {
		return false
	}
	if p.Is(w.End, '的') || momentary(p, w.End) || manyTimes(p, w.End) {
		return false
	}
	// 手指失去了知觉: only a part of the body.
	if p.Is(w.End-1, '觉') && partBefore(p, w.Start) {
		return false
	}
	switch string(p.Chars[w.Start:w.End]) {
	// 死亡 and 昏迷 are also nouns: 死亡的气息, 从昏迷中醒来.
	case "死亡":
		return p.EndsClause(w.End) && !p.IsOneOf(w.Start-1, "的亡着到")
	case "活着":
		return w.End == len(p.Chars) || tokenize.IsStop(p.Chars[w.End])
	case "晕了", "昏了", "醒了", "还活着", "活了":
		return p.EndsClause(w.End) || p.Is(w.End, '过')
	case "昏迷":
		return !p.IsOneOf(w.Start-1, "从自于") && !p.IsOneOf(w.End, "中术咒药")
	}
	return true
}

// drunk reports whether the sentence of w shows that the character only sleeps: 喝多了，趴在桌上不省人事，鼾声震天.
func drunk(p *parse.Passage, w lexicon.Span) bool {
	k := p.SentenceAt(w.Start)
	if k < 0 || w.End-w.Start < 4 || !p.Words.HasAt(lexicon.Downed, w.Start) {
		return false
	}
	s := p.Sentences[k]
	for i := s.Start; i < min(s.End, s.Start+maxDrunk)-1; i++ {
		switch string(p.Chars[i : i+2]) {
		case "喝多", "喝醉", "烂醉", "大醉", "酩酊", "醉倒", "醉得", "鼾声", "打鼾", "呼噜":
			return true
		}
	}
	return false
}

// maxDrunk is the number of characters of a sentence that are searched for words of drinking and
// snoring.
const maxDrunk = 120

// lifeSubject returns who died or fell: the mention in the clause itself, or the opener of the
// clause before if the claim opens its own clause.
func lifeSubject(p *parse.Passage, pos int) parse.Subject {
	i := p.ClauseAt(pos)
	if i < 0 {
		return parse.Nobody
	}
	c := p.Clauses[i]
	if m, ok := vitalsOf(p, c, pos); ok {
		return parse.Subject{IDs: m.IDs}
	}
	if m, ok := p.LastMention(c.Start, pos); ok {
		// A creature in between is more likely the victim: 林远一剑刺去守卫当场毙命. After 被 it is the killer.
		other, found := p.Words.Within(lexicon.OtherSubject, m.End, pos)
		if _, object := p.Words.EndsAt(lexicon.Preposition, other.Start-1); found && (object || p.Word(other) == "one") {
			found = false // is crushed beneath it and dies
		}
		if !p.Governs(m, c, pos) || m.Owner || found && !p.Is(other.Start-1, '被') {
			return parse.Nobody
		}
		return parse.Subject{IDs: m.IDs, Party: m.Party}
	}
	if c.First || !p.Opens(c.Start, pos) && !p.GoesOn(c.Start, pos) {
		return parse.Nobody
	}
	opener, opens := p.Opener(p.Clauses[i-1].Span)
	// 云雀扯了扯你的袖子，就昏睡过去: the possessor is not the victim unless the text is about a part of the body.
	if m, ok := p.PossessorBefore(c); ok && (!opens || p.PartOfBody(p.SkipSpace(m.End))) {
		return parse.Subject{IDs: m.IDs}
	}
	if opens && !creatureActs(p, opener.End, pos) {
		return parse.Subject{IDs: opener.IDs, Party: opener.Party}
	}
	// 唐婆的手指动了动，接着睁开眼睛，活了过来: the sentence began with a part of her body.
	if m, ok := p.LastCalled(p.Sentences[c.Sentence].Start, pos); ok && len(m.IDs) > 0 && p.IsPossessor(m) &&
		(p.Opens(p.Sentences[c.Sentence].Start, m.Start) && p.Words.HasAt(lexicon.Vitals, p.SkipSpace(m.End)) || parse.Beholds(p, m, pos)) &&
		!p.Words.Has(m.End, pos, lexicon.Creature, lexicon.Perception) {
		return parse.Subject{IDs: m.IDs}
	}
	// …and Dolores slumps over the bar, unconscious: the last subject of the sentence. The opener
	// of a clause has priority over an object in it: 加雷斯看了你一眼，….
	m, ok := p.LastMention(p.Sentences[c.Sentence].Start, pos)
	named := p.ClauseAt(m.Start)
	if !ok || named < i-maxClausesBack {
		return parse.Nobody
	}
	for j := i - 1; j >= i-maxClausesBack && j >= 0 && p.Clauses[j].Sentence == c.Sentence; j-- {
		if opener, opens := p.Opener(p.Clauses[j].Span); opens {
			m, ok = opener, true
			break
		}
		if p.IsOneOf(p.Clauses[j].Start, "他她它") || j >= named && otherActs(p, p.Clauses[j].Span) {
			return parse.Nobody
		}
	}
	if ok && len(m.IDs) > 0 && !p.Words.Has(m.End, pos, lexicon.Creature, lexicon.Perception) &&
		!p.IsTakenObject(m, p.Clauses[i-1].Start) {
		return parse.Subject{IDs: m.IDs, Party: m.Party}
	}
	return parse.Nobody
}

// otherActs reports whether the subject of a clause is untracked: 硕鼠惨叫一声, 老鼠咬了你一口, the vole
// squeals.
func otherActs(p *parse.Passage, clause lexicon.Span) bool {
	m, called := p.LastCalled(clause.Start, clause.End)
	if !lexicon.IsHan(p.Chars[clause.Start]) {
		return !called && p.BeginsWithOther(clause.Start)
	}
	end := min(clause.End, clause.Start+maxNoun)
	if called {
		end = min(end, m.Start)
	}
	return p.BeginsWithOther(clause.Start) || !parse.NobodyElse(p, clause.Start, end)
}

// maxNoun is the maximum length, in characters, of a Chinese noun with its adjective at the
// beginning of a clause.
const maxNoun = 3

// maxClausesBack is the maximum number of clauses between a named person and a claim without a
// name.
const maxClausesBack = 20

// creatureActs reports whether [start, end) contains an untracked creature that is not the agent of
// a passive: 被那怪物一口吞下.
func creatureActs(p *parse.Passage, start, end int) bool {
	for _, w := range p.Words.All(lexicon.Creature)[p.Words.From(lexicon.Creature, start):] {
		if w.Start >= end {
			break
		}
		if by := slices.Index(p.Chars[max(start, w.Start-5):w.Start], '被'); by < 0 {
			return true
		}
	}
	return false
}

// vitalsOf returns the owner of the heart, pulse or eyes that begin a claim of life at pos.
func vitalsOf(p *parse.Passage, c tokenize.Clause, pos int) (parse.Mention, bool) {
	m, ok := p.LastCalled(c.Start, pos+1)
	if !ok || len(m.IDs) != 1 || pos-m.End > 12 {
		return parse.Mention{}, false
	}
	w, ok := p.Words.Within(lexicon.Vitals, m.End, min(pos+12, len(p.Chars)))
	if !ok || w.Start > p.SkipSpace(p.SkipWords(m.End, lexicon.Filler)) {
		return parse.Mention{}, false
	}
	return m, p.IsPossessor(m) || w.Start >= pos
}

// lives returns the asserted claims of a text about life and death: who died, was killed, fell, was
// made unconscious, or lives again.
func lives(p *parse.Passage) []life {
	out := livesTold(p, nil, lexicon.Dead, "dead")
	out = livesTold(p, out, lexicon.Killed, "dead")
	out = livesTold(p, out, lexicon.Downed, "downed")
	out = livesTold(p, out, lexicon.Fainted, "downed")
	out = livesListed(p, out)
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
