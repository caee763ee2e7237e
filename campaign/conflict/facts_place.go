package conflict

import (
	"github.com/talewright/talewright/campaign/conflict/internal/tokenize"
	"sort"
	"unicode/utf8"

	"github.com/talewright/talewright/campaign/conflict/internal/lexicon"
	"github.com/talewright/talewright/campaign/conflict/internal/parse"
)

// stays returns the asserted claims of a text about who is where or arrives where, in order.
func stays(p *parse.Passage) []stay {
	return parse.Told(p, placeFacts(p), func(c stay) lexicon.Span { return c.Span })
}

// Who returns the characters of the claim. For the place of a thing it returns no one.
func (claim stay) Who(p *parse.Passage) parse.Subject {
	switch {
	case claim.target != nil:
		return parse.Subject{IDs: claim.target.IDs, Party: claim.target.Party}
	case thingThere(p, claim):
		return parse.Nobody
	}
	return p.SubjectOf(claim.Start, false)
}

// placeFacts returns the claims about known areas in the order of the text.
func placeFacts(p *parse.Passage) []stay {
	var out []stay
	readers := []func(p *parse.Passage, i int) (stay, bool){
		chinesePlace, englishPlace, placePanel,
	}
	for i, here := range p.Places {
		if p.Words.HasAt(lexicon.NotTheArea, p.SkipSpace(here.End)) || p.Words.HasAt(lexicon.NotTheArea, here.End) {
			continue
		}
		for _, read := range readers {
			if claim, ok := read(p, i); ok {
				out = append(out, claim)
				break
			}
		}
	}
	return out
}

// placePanel reads 位置：义庄 and "Location: Old Church".
func placePanel(p *parse.Passage, i int) (stay, bool) {
	here := p.Places[i]
	end := here.Start
	if the := p.WordBefore(0, end); p.Word(the) == "the" {
		end = the.Start
	}
	for p.IsOneOf(end-1, " 【[") {
		end--
	}
	if !p.Is(end-1, ':') {
		return stay{}, false
	}
	label, ok := placeLabel(p, end-1)
	if !ok {
		return stay{}, false
	}
	who, ok := p.PanelSubject(label.Start)
	if !ok || len(who.IDs) == 0 {
		return stay{}, false
	}
	m := parse.Mention{Span: label, IDs: who.IDs, Party: who.Party}
	return stay{Span: lexicon.Between(label.Start, here.End), Areas: here.IDs, target: &m}, true
}

// placeLabel returns the panel's word for a place that ends at a colon.
func placeLabel(p *parse.Passage, colon int) (lexicon.Span, bool) {
	for _, word := range []string{"位置", "地点", "所在", "坐标", "所在地", "区域", "所处", "方位", "场景"} {
		start := colon - utf8.RuneCountInString(word)
		if start >= 0 && string(p.Chars[start:colon]) == word {
			return lexicon.Between(start, colon), ofNow(p, start)
		}
	}
	w := p.WordBefore(0, colon)
	switch p.Word(w) {
	case "location", "position", "area", "place", "whereabouts", "coordinates", "zone":
		return w, ofNow(p, w.Start)
	}
	return w, false
}

// ofNow reports whether the label at pos is about the present place, unlike 目标位置 or last known
// location.
func ofNow(p *parse.Passage, pos int) bool {
	for p.Is(pos-1, ' ') {
		pos--
	}
	if pos == 0 || !lexicon.IsHan(p.Chars[pos-1]) && !lexicon.IsLetter(p.Chars[pos-1]) || p.IsOneOf(pos-1, "在处现") {
		return true
	}
	if m, ok := p.LastCalled(max(0, pos-maxLabelled), pos); ok && m.End == pos {
		return true
	}
	_, label := p.Words.EndsAt(lexicon.PanelLabel, pos)
	return label || p.WordBeforeIs(pos, "present")
}

// maxLabelled is the maximum length, in characters, of the name before a label.
const maxLabelled = 40

// maxPlaceGap is the maximum distance, in characters, between a Chinese verb and the area.
const maxPlaceGap = 8

// maxPlaceWords is the maximum number of English words between them.
const maxPlaceWords = 4

// thingThere reports whether a claim is about a thing: a different area (地窖位于…) or a thing that
// someone put there (把钥匙留在…).
func thingThere(p *parse.Passage, claim stay) bool {
	pos := claim.Start
	i := sort.Search(len(p.Places), func(i int) bool { return p.Places[i].End >= pos })
	if !claim.Arrival && i < len(p.Places) && p.Places[i].End == pos {
		return true
	}
	for at := pos - 1; at >= max(0, pos-12) && !tokenize.IsBreak(p.Chars[at]); at-- {
		if disposes(p, at) {
			return true
		}
	}
	return false
}

// disposes reports whether 把 or 将 at a position introduces the object that is moved; 火把 and 一把剑 do
// not count.
func disposes(p *parse.Passage, at int) bool {
	return p.Is(at, '将') || p.Is(at, '把') && !p.IsOneOf(at-1, "火拖一两几这那")
}

// chinesePlace reads the verb of arrival or presence before the i-th place.
func chinesePlace(p *parse.Passage, i int) (stay, bool) {
	here := p.Places[i]
	from := here.Start - maxPlaceGap
	// Of two areas after one verb only the first is reached: 走进大厅旁的地窖.
	if i > 0 {
		from = max(from, p.Places[i-1].End)
	}
	var verb lexicon.Span
	isArrival := false
	// The verb nearest to the area is used: in 爬上梯子进入地窖 it is 进入.
	for _, t := range []lexicon.Class{lexicon.Arrival, lexicon.Presence, lexicon.InPlace} {
		for _, w := range p.Words.All(t)[p.Words.From(t, from-5):] {
			if w.Start >= here.Start {
				break
			}
			if w.End >= from && w.End <= here.Start && w.Start >= verb.End && lexicon.IsHan(p.Chars[w.Start]) &&
				(t != lexicon.InPlace || w.End == here.Start) {
				verb, isArrival = w, t == lexicon.Arrival
			}
		}
	}
	if verb.End == 0 || !p.Clean(verb.End, here.Start) || placed(p, verb.End, here.Start) {
		return stay{}, false
	}
	return stay{Span: lexicon.Between(verb.Start, here.End), Areas: here.IDs, Arrival: isArrival}, true
}

// placed reports whether a phrase of place is complete between a verb and the area: 站在窗边俯瞰大厅.
func placed(p *parse.Passage, start, end int) bool {
	for i := start; i < end; i++ {
		if w, ok := p.Words.At(lexicon.Localizer, i); ok && w.End < end && !p.Is(w.End, '的') {
			return true
		}
	}
	return false
}

// englishPlace reads the verb before the i-th place, at most maxPlaceWords words away, without
// articles.
func englishPlace(p *parse.Passage, i int) (stay, bool) {
	here := p.Places[i]
	gap := placeGap{}
	for pos, n := here.Start, 0; n <= maxPlaceWords+2 || (gap.joined || gap.path > 0) && n <= maxPlaceWords+7; n++ {
		w := tokenize.CompoundBefore(p.Text, 0, pos)
		if w.Start == w.End {
			break
		}
		if i > 0 && w.Start < p.Places[i-1].End {
			break
		}
		if tokenize.IsCompound(p.Text, w) { // sits cross-legged in, the rat-infested Cellar
			pos = w.Start
			continue
		}
		// ran all the way to the Hall
		if the := p.WordBefore(0, w.Start); p.Word(w) == "way" && gap.motion && p.Word(the) == "the" {
			if all := p.WordBefore(0, the.Start); p.Word(all) == "all" {
				pos = all.Start
				continue
			}
		}
		// "find yourself" is two words; the verb begins at the first one.
		start := w.Start
		if p.Word(w) == "yourself" {
			start = p.WordBefore(0, w.Start).Start
		}
		if p.Is(start-1, '\'') {
			start-- // you're, Su's
		}
		if v, ok := p.Words.EndsAt(lexicon.Arrival, w.End); ok {
			start = v.Start // made your way
		} else if v, ok := p.Words.EndsAt(lexicon.ArrivalOf, w.End); ok {
			start = v.Start // landed on
		}
		// follows Su into: the companion is between the words.
		if m, named := p.NamedAt(start); named && m.End == w.End && gap.motion {
			v := p.WordBefore(0, start)
			if word := p.Word(v); word == "after" || word == "behind" { // trots after you onto
				if goes := p.WordBefore(0, v.Start); p.Words.HasAt(lexicon.Arrival, goes.Start) && goes.Start < goes.End {
					return stay{Span: lexicon.Between(goes.Start, here.End), Areas: here.IDs, Arrival: true}, true
				}
			}
			if p.Words.HasAt(lexicon.Follows, v.Start) && v.Start < v.End {
				return stay{Span: lexicon.Between(v.Start, here.End), Areas: here.IDs, Arrival: true}, true
			}
		}
		if t, ok := placeVerb(p, start, gap); ok {
			return stay{Span: lexicon.Between(start, here.End), Areas: here.IDs, Arrival: t != lexicon.Presence}, true
		}
		if !gap.add(p, w) {
			break
		}
		pos = w.Start
	}
	return stay{}, false
}

// placeVerb returns the class of the verb at pos, if it fits the gap between it and the area.
func placeVerb(p *parse.Passage, pos int, gap placeGap) (lexicon.Class, bool) {
	// "enter the Hall" needs no preposition. "walk" needs one. "stand" needs one that is not a
	// preposition of motion.
	switch {
	case gap.path > 0 && gap.motion && p.Words.HasAt(lexicon.Follows, pos): // follow the music to
		return lexicon.Arrival, true
	case gap.part, gap.path > 0:
		return 0, false
	case p.Words.HasAt(lexicon.ArrivalOf, pos):
		return lexicon.ArrivalOf, true
	case p.Words.HasAt(lexicon.Arrival, pos) && gap.preposition:
		return lexicon.Arrival, true
	case p.Words.HasAt(lexicon.Presence, pos) && gap.preposition && !gap.motion:
		return lexicon.Presence, true
	}
	return 0, false
}

// A placeGap is the text between an English verb and the area, read backwards from the area.
type placeGap struct {
	preposition bool // a preposition of place is before the area
	part        bool // "of" is before it: only the top of, the middle of and similar parts may follow
	within      bool // a part of the area that counts only with "into" and similar words
	path        int  // words that may still come before the preposition of a way
	joined      bool // "and" is before it: hurries up the steps and into
	motion      bool // the preposition is one of motion: into, to, onto, through
}

// add adds the next word to the left. It reports whether the phrase can still mean going to the
// area or being in it.
func (g *placeGap) add(p *parse.Passage, w lexicon.Span) bool {
	word := p.Word(w)
	switch {
	case g.part:
		// Read backwards: "at the top of the Tower" comes as of, the, top, the, at.
		g.part = word == "the"
		if !g.part && !isInnerPart(word) { // onto the sand of the Cove
			g.within = true
			return !isOutside(word)
		}
		return true
	case g.within:
		g.within = word == "the" || word == "a"
		g.preposition = g.preposition || isInto(word)
		g.motion = g.motion || isInto(word)
		return g.within || isInto(word)
	case word == "of" && !g.preposition:
		g.part = true
		return true
	case g.path > 0:
		return g.addToWay(word, p.Words.HasAt(lexicon.Pronoun, w.Start))
	case g.joined:
		return !p.Words.HasAt(lexicon.Pronoun, w.Start)
	case g.preposition && isPlaceAdverb(word):
		return true
	case g.motion && isMoving(p, w):
		return true
	case g.preposition:
		g.joined = g.motion && word == "and"
		if !g.joined && g.motion && !p.Words.HasAt(lexicon.Arrival, w.Start) {
			g.path = 4
		}
		return g.joined || g.path > 0
	case p.Words.HasAt(lexicon.InPlace, w.Start):
		g.preposition, g.motion = true, isMotion(word)
		return true
	}
	return !cutsPlace(word) && !p.Words.HasAt(lexicon.Preposition, w.Start) && !p.Words.HasAt(lexicon.Unreal, w.Start)
}

// isMoving reports whether a word says how a character comes or goes: comes barreling into.
func isMoving(p *parse.Passage, w lexicon.Span) bool {
	if word := p.Word(w); len(word) < 5 || word[len(word)-3:] != "ing" {
		return false
	}
	return p.Words.HasAt(lexicon.Arrival, p.WordBefore(0, w.Start).Start)
}

// addToWay adds a word of the way between a verb and its preposition: tumbles down the chute into.
func (g *placeGap) addToWay(word string, pronoun bool) bool {
	g.path--
	switch word {
	case "down", "up", "through", "over", "across", "along", "off", "past", "under", "between":
		g.path = 0
		return true
	}
	return g.path > 0 && !pronoun
}

// isInto reports whether a preposition of motion means a position inside the place after it.
func isInto(word string) bool { return word == "into" || word == "onto" || word == "through" }

// isMotion reports whether a preposition of place is one of motion.
func isMotion(word string) bool {
	switch word {
	case "into", "to", "onto", "through", "upon":
		return true
	}
	return false
}

// cutsPlace reports whether a word does not belong to the description of the area after it.
func cutsPlace(word string) bool {
	switch word {
	case "and", "or", "not", "no", "never", "who", "that", "which", "when", "while", "as",
		"out", "away", "back", "his", "her", "on", "over", "down", "up", "outside", "opposite", "facing":
		return true
	}
	return false
}

// isInnerPart reports whether the part of an area is inside it.
func isInnerPart(word string) bool {
	switch word {
	case "top", "middle", "center", "centre", "heart", "depths", "bottom", "midst", "nave", "aisle",
		"bar", "counter", "corner", "back", "floor", "platform":
		return true
	}
	return false
}

// isPlaceAdverb reports whether a word may be between a verb of motion or presence and its
// preposition.
func isPlaceAdverb(word string) bool {
	switch word {
	case "back", "again", "down", "up", "out", "over", "on", "straight", "right", "now", "still",
		"already", "all", "both", "together", "then", "once", "more", "here", "alone", "deep",
		"currently", "standing", "in", "waiting", "sitting", "off", "first", "last",
		"ahead", "home", "clear", "by", "yourself", "himself", "herself", "through", "across",
		"past", "onward", "themselves", "yourselves", "away", "around", "at", "asleep", "awake", "hidden", "trapped", "stuck",
		"ashore", "aboard", "inside", "upstairs", "downstairs", "indoors", "inland", "upstream", "downstream", "forward", "forwards",
		"onwards", "uphill", "downhill", "high", "low", "unseen", "unnoticed", "unharmed", "barefoot", "breathless", "dripping", "soaked",
		"round", "safe", "busy", "seated", "curled", "locked":
		return true
	}
	return len(word) > 4 && word[len(word)-2:] == "ly"
}

// A stay is a claim that a character is in a place or arrives there.
type stay struct {
	lexicon.Span
	Areas   []string // the areas that the name may mean
	Arrival bool     // an arrival, not a presence
	// target is the mention in the claim itself (brings you to …); nil if the subject must be
	// found.
	target *parse.Mention
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
