package conflict

import (
	"slices"
	"strings"

	"github.com/talewright/talewright/campaign/conflict/internal/lexicon"
	"github.com/talewright/talewright/campaign/conflict/internal/parse"
	"github.com/talewright/talewright/campaign/conflict/internal/tokenize"
)

// doingThere reads an action in an area or into it, with any verb: Toby pops out of the dumbwaiter
// in the Village Hall, you drag yourselves up the last steps of the Tower. The clause must begin
// with the acting character, with no other person before the area.
func doingThere(p *parse.Passage, i int) (claimsStay, bool) {
	here := p.Places[i]
	if lexicon.IsHan(p.Chars[here.Start]) {
		return claimsStay{}, false
	}
	prep, ok := prepositionOf(p, i)
	if !ok {
		return claimsStay{}, false
	}
	k := p.ClauseAt(prep.Start)
	if k < 0 {
		return claimsStay{}, false
	}
	c := p.Clauses[k]
	m, ok := p.Opener(c.Span)
	if !ok { // a portal opens and you tumble …
		m, ok = p.LastMention(c.Start, prep.Start)
		before := p.WordBefore(c.Start, m.Start)
		ok = ok && len(m.IDs) > 0 && (p.Word(before) == "and" || p.Word(before) == "so" || p.Word(before) == "then")
	}
	if !ok || m.Owner || m.End > prep.Start || i > 0 && p.Places[i-1].Start > m.End {
		return claimsStay{}, false
	}
	if and := p.WordAt(p.SkipSpace(m.End)); p.Word(and) == "and" { // Lin and Su make camp
		if second, ok := p.NamedAt(p.SkipSpace(and.End)); ok && second.End < prep.Start {
			m.IDs, m.End = slices.Concat(m.IDs, second.IDs), second.End
		}
	}
	stay := claimsStay{Span: lexicon.Between(min(p.SkipFillers(m.End, prep.Start), prep.Start), here.End), Areas: here.IDs, target: &m}
	switch p.Word(prep) {
	case "by":
		if isBeing(p.Word(p.WordAt(p.SkipFillers(m.End, prep.Start)))) || isBeing(p.Word(p.WordAt(p.SkipSpace(m.End)))) {
			return claimsStay{}, false // driven to despair by the bells of the Tower
		}
		return stay, actsIn(p, m.End, prep.Start)
	case "in", "inside", "within", "throughout", "on", "at", "beside", "under", "behind", "against", "beneath", "near", "among", "between":
		return stay, actsIn(p, m.End, prep.Start)
	case "into", "onto", "up", "down", "through":
		stay.Arrival = true
		return stay, movesTo(p, m.End, prep.Start)
	}
	return claimsStay{}, false
}

// prepositionOf returns the preposition before the i-th area, also before a part of it. "On the
// millstone of the Windmill" counts as in the area, "at its gate" does not.
func prepositionOf(p *parse.Passage, i int) (lexicon.Span, bool) {
	pos, part := p.Places[i].Start, false
	for range 8 {
		w := p.WordBefore(0, pos)
		word := p.Word(w)
		switch {
		case w.Start == w.End, word == "outside", word == "opposite", word == "facing":
			return lexicon.Span{}, false
		case word == "of" && !part:
			part = true
		case part && isOutside(word):
			return lexicon.Span{}, false
		case isPlacePreposition(word), part && isBeside(word):
			return w, true
		case p.Words.HasAt(lexicon.Preposition, w.Start), word == "and", word == "or", word == "that", word == "who",
			p.Words.HasAt(lexicon.Unreal, w.Start), p.Words.HasAt(lexicon.Perception, w.Start):
			return lexicon.Span{}, false
		}
		pos = w.Start
	}
	return lexicon.Span{}, false
}

func isPlacePreposition(word string) bool {
	switch word {
	case "in", "inside", "within", "throughout", "into", "onto", "up", "down", "through":
		return true
	}
	return false
}

// isBeside reports whether a preposition before a part of an area means a position in the area: by
// the fire of the Flagon.
func isBeside(word string) bool {
	switch word {
	case "on", "at", "by", "beside", "under", "behind", "against", "beneath", "near", "among", "between":
		return true
	}
	return false
}

// isOutside reports whether the part of an area is not inside it.
func isOutside(word string) bool {
	switch word {
	case "edge", "edges", "outskirts", "gate", "gates", "door", "doors", "doorstep", "entrance", "threshold", "foot", "front",
		"side", "sight", "view", "direction", "shadow", "north", "south", "east", "west", "rear", "border", "name", "map",
		"key", "keys", "picture", "painting", "story", "stories", "memory", "memories", "thought", "thoughts", "roof", "model",
		"owner", "smell", "sound", "talk", "news", "photograph", "drawing", "mouth", "wall", "walls", "lord", "out":
		return true
	}
	return false
}

// actsIn reports whether the words between the actor and a preposition of place describe an action
// there, by the actor alone. Knowing, owning or wanting something is not such an action.
func actsIn(p *parse.Passage, start, end int) bool {
	if !alone(p, start, end) {
		return false
	}
	verb := p.SkipFillers(start, end)
	for pos := p.SkipSpace(start); pos < end; {
		w := p.WordAt(pos)
		if w.Start == w.End {
			return false
		}
		if p.Words.HasAt(lexicon.Remote, pos) || p.Words.HasAt(lexicon.Staring, pos) {
			return false
		}
		for pos = p.SkipSpace(w.End); p.Is(pos, '-'); pos++ { // knee-deep
		}
	}
	return verb < end
}

// movesTo reports whether the words between the actor and a preposition of motion say where the
// actor goes. There must be no object that might go instead.
func movesTo(p *parse.Passage, start, end int) bool {
	verb := p.SkipFillers(start, end)
	w := p.WordAt(verb)
	if isBeing(p.Word(w)) { // was marching into
		verb = p.SkipFillers(w.End, end)
		if w = p.WordAt(verb); !strings.HasSuffix(p.Word(w), "ing") {
			return false
		}
	}
	if w.Start == w.End || w.End > end || p.Words.HasAt(lexicon.Remote, verb) || p.Words.HasAt(lexicon.Staring, verb) ||
		!alone(p, start, end) {
		return false
	}
	next := p.WordAt(p.SkipSpace(w.End))
	if next.Start >= end {
		return true
	}
	if m, ok := p.NamedAt(next.Start); ok && isSelf(p, m) || strings.HasSuffix(p.Word(next), "selves") {
		return true
	}
	return isWayWord(p.Word(next))
}

// isWayWord reports whether a word after a verb begins a way or an adverb and not an object.
func isWayWord(word string) bool {
	switch word {
	case "down", "up", "through", "over", "across", "along", "off", "past", "under", "out", "back", "on", "straight",
		"right", "deeper", "further", "farther", "headlong", "headfirst", "home", "in", "alone", "together", "with", "ashore", "aboard", "inside", "outside", "upstairs", "downstairs", "indoors", "outdoors", "forward",
		"forwards", "onward", "onwards", "inland", "upstream", "downstream", "ahead", "away", "around", "round", "backward", "backwards",
		"sideways", "uphill", "downhill", "aside", "north", "south", "east", "west", "overboard", "and":
		return true
	}
	return len(word) > 4 && strings.HasSuffix(word, "ly")
}

// alone reports whether [start, end) contains no other person, and no word that starts a clause
// about someone else.
func alone(p *parse.Passage, start, end int) bool {
	if !p.Unbroken(start, end) && start < end {
		return false
	}
	if m, other := p.LastMention(start, end); other && !isSelf(p, m) {
		// joins Lin in the Hall
		if joins := p.WordBefore(start, m.Start); !p.Words.HasAt(lexicon.Follows, joins.Start) || joins.Start == joins.End {
			return false
		}
	}
	return end-start <= maxDoing && !p.Words.Has(start, end, lexicon.Creature, lexicon.Perception, lexicon.Unreal, lexicon.Negation,
		lexicon.Intention, lexicon.Doubt, lexicon.Fiction)
}

// maxDoing is the maximum distance, in characters, between the actor and the place.
const maxDoing = 60

// interrupted reads a verb of motion, a phrase between commas and the way: drops, grinning, into
// the Vault.
func interrupted(p *parse.Passage, i int) (claimsStay, bool) {
	here := p.Places[i]
	prep, ok := prepositionBefore(p, i)
	k := p.ClauseAt(here.Start)
	if !ok || k < 2 || p.Clauses[k].First || p.Clauses[k-1].First || prep.Start != p.Clauses[k].Start || !isMotion(p.Word(prep)) {
		return claimsStay{}, false
	}
	aside := p.Clauses[k-1].Span
	verb, ok := p.Words.EndsAt(lexicon.Arrival, p.Clauses[k-2].End)
	if _, named := p.LastCalled(aside.Start, aside.End); !ok || named || aside.End-aside.Start > maxAside ||
		p.Words.Has(aside.Start, aside.End, lexicon.Creature, lexicon.Pronoun, lexicon.Determiner, lexicon.Unreal, lexicon.Negation, lexicon.Intention) {
		return claimsStay{}, false
	}
	return claimsStay{Span: lexicon.Between(verb.Start, here.End), Areas: here.IDs, Arrival: true}, true
}

// maxAside is the maximum distance, in characters, between a verb of motion and its way.
const maxAside = 30

// whereupon reads a clause that gives the place for the opener of the next clause: Waist-deep in
// the black water of the Crypt, you …; Back in the Blue Room, Dolores ….
func whereupon(p *parse.Passage, i int) (claimsStay, bool) {
	here := p.Places[i]
	k := p.ClauseAt(here.Start)
	if k < 0 || k+1 >= len(p.Clauses) || !p.Clauses[k].First || p.Clauses[k+1].First || lexicon.IsHan(p.Chars[here.Start]) {
		return claimsStay{}, false
	}
	c, next := p.Clauses[k], p.Clauses[k+1]
	prep, ok := prepositionOf(p, i)
	if !ok || here.End != c.End || !p.Is(c.End, ',') || prep.Start < c.Start || prep.Start-c.Start > 24 ||
		p.Words.Has(c.Start, here.Start, lexicon.Remote, lexicon.Creature, lexicon.Staring, lexicon.Unreal, lexicon.Fiction) {
		return claimsStay{}, false
	}
	switch p.Word(prep) {
	case "in", "inside", "within":
	case "at", "on": // At the top of the Bell Tower, you …
		of := p.WordBefore(c.Start, here.Start)
		if p.Word(of) == "the" {
			of = p.WordBefore(c.Start, of.Start)
		}
		if part := p.WordBefore(c.Start, of.Start); p.Word(of) != "of" || !isInnerPart(p.Word(part)) {
			return claimsStay{}, false
		}
	default:
		return claimsStay{}, false
	}
	if _, named := p.LastCalled(c.Start, here.Start); named {
		return claimsStay{}, false
	}
	m, ok := p.Opener(next.Span)
	return claimsStay{Span: lexicon.Between(prep.Start, here.End), Areas: here.IDs, target: &m}, ok && !m.Owner
}

// chineseMotion reads any verb of one character and a direction directly before an area: 搬进了药房. It
// also reads a posture: 盘坐于藏剑阁. Verbs of seeing, speaking or moving things do not count.
func chineseMotion(p *parse.Passage, i int) (claimsStay, bool) {
	here := p.Places[i]
	end := here.Start
	if p.Is(end-1, '了') {
		end--
	}
	if end < 2 || !lexicon.IsHan(p.Chars[end-2]) || tokenize.IsBreak(p.Chars[end-2]) {
		return claimsStay{}, false
	}
	s := claimsStay{Span: lexicon.Between(end-2, here.End), Areas: here.IDs}
	switch {
	case p.IsOneOf(end-1, "进入到回至") && !p.IsOneOf(end-2, notMoving):
		s.Arrival = true
		return s, true
	case end == here.Start && p.IsOneOf(end-1, "在于") && !p.IsOneOf(end-2, notStaying):
		return s, true
	}
	return claimsStay{}, false
}

const (
	// Not before 到 and similar words: verbs of seeing, speaking, or moving things.
	notMoving = "有无话信以便再又就才则也都正仍已将把被给向往朝对于看听想提找得遇感说谈望直等轮传碰见收拿送抬带拖押扔塞放寄递投射打砸指照写画刻记归属联扯喊叫问查搜受遭谈聊猜梦忆念盼闻嗅觉察料认学悟卖买运搬拉推拽请派调吹飘洒照映没陷融混加注掺嵌插刺钻吸扫涌渗透漏流滴响从介收纳列计划不未难能会想要还没"
	// Not before 在: adverbs, and verbs with things as objects.
	notStaying = "不候存现正想要就都还也已仍没曾会能该应将可才又再便却只常总实内外旨重放写刻画挂贴埋藏建设印记绣落打砸照射撒摆堆搁装插钉刊载登响洒传飘吹生用对关属限至由等基源易难便利助忠善敢勇乐急忙苦归胜低高优次始终位"
)
