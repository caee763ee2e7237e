package conflict

import (
	"slices"
	"sort"
)

// maxPlaceGap is how many characters may stand between a Chinese verb and the
// area.
const maxPlaceGap = 8

// maxPlaceWords is how many English words may stand there.
const maxPlaceWords = 4

// detectLocation reports arrivals and presences in known areas where the
// character is not.
func detectLocation(r *Reading) []Conflict {
	var out []Conflict
	arrived := map[string]bool{} // characters whose settled arrival was told
	lastPlace := map[string]int{}
	for _, claim := range r.placeClaims() {
		if !r.asserted(claim.span) || claim.target == nil && r.thingThere(claim) {
			continue
		}
		who := r.placeSubject(claim)
		ids := who.ids
		// A party is where its acting member is: one answer, not one for each.
		if who.party {
			ids = r.actor
		}
		for _, id := range ids {
			c := r.character(id)
			// Without a place in the state there is nothing to contradict.
			if c == nil || c.AreaID == "" {
				continue
			}
			if _, ok := lastPlace[id]; !ok {
				lastPlace[id] = r.lastPlace(c)
			}
			// 你站在城门下，随后走进大厅: after a move the first half is about the
			// time before, as long as the new place is still to come.
			leaving := !arrived[id] && claim.end <= lastPlace[id]
			if r.placeSupports(c, claim, leaving) {
				arrived[id] = arrived[id] || claim.arrival
				continue
			}
			found := r.placeConflict(c, claim)
			if who.doubtful {
				found.Severity = Warn
			}
			out = append(out, found)
		}
	}
	return out
}

func (r *Reading) placeSubject(claim placeClaim) subject {
	if claim.target != nil {
		return subject{ids: claim.target.ids, party: claim.target.party}
	}
	return r.subjectOf(claim.start, false)
}

// thingThere reports whether a claim is about a thing: of
// another area (地窖位于…) or of what somebody put there (把钥匙留在…).
func (r *Reading) thingThere(claim placeClaim) bool {
	pos := claim.start
	i := sort.Search(len(r.places), func(i int) bool { return r.places[i].end >= pos })
	if !claim.arrival && i < len(r.places) && r.places[i].end == pos {
		return true
	}
	for p := pos - 1; p >= max(0, pos-12) && !isBreak(r.text[p]); p-- {
		if r.isOneOf(p, "把将") {
			return true
		}
	}
	return false
}

// chinesePlace reads the verb of arrival or presence before the i-th place.
func (r *Reading) chinesePlace(i int) (placeClaim, bool) {
	p := r.places[i]
	from := p.start - maxPlaceGap
	// Of two areas after one verb only the first is reached: 走进大厅旁的地窖.
	if i > 0 {
		from = max(from, r.places[i-1].end)
	}
	var verb span
	isArrival := false
	// The verb nearest to the area wins: 爬上梯子进入地窖 enters it.
	for _, t := range []tag{arrival, presence, inPlace} {
		for _, w := range r.words[t][r.words.from(t, from-5):] {
			if w.start >= p.start {
				break
			}
			if w.end >= from && w.end <= p.start && w.start >= verb.end && isHan(r.text[w.start]) &&
				(t != inPlace || w.end == p.start) {
				verb, isArrival = w, t == arrival
			}
		}
	}
	if verb.end == 0 || !r.clean(verb.end, p.start) || r.placed(verb.end, p.start) {
		return placeClaim{}, false
	}
	return placeClaim{span: span{verb.start, p.end}, areas: p.ids, arrival: isArrival}, true
}

// placed reports whether a phrase of place is complete between a verb and the
// area: 站在窗边俯瞰大厅.
func (r *Reading) placed(start, end int) bool {
	for p := start; p < end; p++ {
		if w, ok := r.words.at(localizer, p); ok && w.end < end && !r.is(w.end, '的') {
			return true
		}
	}
	return false
}

// englishPlace reads the verb before the i-th place, at most maxPlaceWords words
// away, articles not counted.
func (r *Reading) englishPlace(i int) (placeClaim, bool) {
	p := r.places[i]
	gap := placeGap{}
	for pos, n := p.start, 0; n <= maxPlaceWords+2 || (gap.joined || gap.path > 0) && n <= maxPlaceWords+7; n++ {
		w := r.wordBefore(0, pos)
		if w.start == w.end {
			break
		}
		if i > 0 && w.start < r.places[i-1].end {
			break
		}
		// "find yourself" is two words, the verb is read from the first.
		start := w.start
		if r.word(w) == "yourself" {
			start = r.wordBefore(0, w.start).start
		}
		if r.is(start-1, '\'') {
			start-- // you're, Su's
		}
		if v, ok := r.words.endsAt(arrival, w.end); ok {
			start = v.start // made your way
		}
		// follows Su into: who goes along stands between.
		if m, named := r.namedAt(start); named && m.end == w.end && gap.motion {
			if v := r.wordBefore(0, start); r.words.hasAt(follows, v.start) && v.start < v.end {
				return placeClaim{span: span{v.start, p.end}, areas: p.ids, arrival: true}, true
			}
		}
		if t, ok := r.placeVerb(start, gap); ok {
			return placeClaim{span: span{start, p.end}, areas: p.ids, arrival: t != presence}, true
		}
		if !gap.add(r, w) {
			break
		}
		pos = w.start
	}
	return placeClaim{}, false
}

// placeVerb returns the class of the verb at pos, if the gap between it and the
// area suits it.
func (r *Reading) placeVerb(pos int, gap placeGap) (tag, bool) {
	// "enter the Hall" needs no preposition, "walk" does, and "stand" needs one
	// that is not of motion.
	switch {
	case gap.part, gap.path > 0:
		return 0, false
	case r.words.hasAt(arrivalOf, pos):
		return arrivalOf, true
	case r.words.hasAt(arrival, pos) && gap.preposition:
		return arrival, true
	case r.words.hasAt(presence, pos) && gap.preposition && !gap.motion:
		return presence, true
	}
	return 0, false
}

// A placeGap is what stands between an English verb and the area, read
// backwards from the area.
type placeGap struct {
	preposition bool // a preposition of place stands before the area
	part        bool // "of" does: only the top of, the middle of and such may follow
	path        int  // words that may still come before the preposition of a way
	joined      bool // "and" stands before it: hurries up the steps and into
	motion      bool // and it is one of motion: into, to, onto, through
}

// add takes the next word to the left and reports whether the phrase still
// speaks of going to, or being in, the area.
func (g *placeGap) add(r *Reading, w span) bool {
	word := r.word(w)
	// Read backwards: "at the top of the Tower" comes as of, the, top, the, at.
	if g.part {
		if word == "the" {
			return true
		}
		g.part = false
		return isInnerPart(word)
	}
	if word == "of" && !g.preposition {
		g.part = true
		return true
	}
	if g.path > 0 {
		// tumbles down the chute into: a way stands between.
		g.path--
		switch word {
		case "down", "up", "through", "over", "across", "along", "off", "past", "under", "between":
			g.path = 0
			return true
		}
		return g.path > 0 && !r.words.hasAt(pronoun, w.start)
	}
	if g.joined {
		return !r.words.hasAt(pronoun, w.start)
	}
	if g.preposition {
		g.joined = g.motion && word == "and"
		if !g.joined && !isPlaceAdverb(word) && g.motion && !r.words.hasAt(arrival, w.start) {
			g.path = 4
			return true
		}
		return g.joined || isPlaceAdverb(word)
	}
	if r.words.hasAt(inPlace, w.start) {
		g.preposition = true
		switch word {
		case "into", "to", "onto", "through", "upon":
			g.motion = true
		}
		return true
	}
	// What stands between a verb and its area should describe the area.
	switch word {
	case "and", "or", "not", "no", "never", "who", "that", "which", "when", "while", "as",
		"out", "away", "back", "his", "her", "on", "over", "down", "up":
		return false
	}
	return !r.words.hasAt(preposition, w.start) && !r.words.hasAt(unreal, w.start)
}

// isInnerPart reports whether the part of an area is inside it.
func isInnerPart(word string) bool {
	switch word {
	case "top", "middle", "center", "centre", "heart", "depths", "bottom", "midst":
		return true
	}
	return false
}

// isPlaceAdverb reports whether a word may stand between a verb of motion or
// presence and its preposition.
func isPlaceAdverb(word string) bool {
	switch word {
	case "back", "again", "down", "up", "out", "over", "on", "straight", "right", "now", "still",
		"already", "all", "both", "together", "then", "once", "more", "here", "alone", "deep",
		"currently", "standing", "in", "waiting", "sitting", "off", "first", "last",
		"ahead", "home", "clear", "by", "yourself", "himself", "herself", "through", "across",
		"past", "onward", "themselves", "yourselves", "away", "around", "at":
		return true
	}
	return len(word) > 4 && word[len(word)-2:] == "ly"
}

// placeSupports reports whether the turn supports a claim: the character is in
// the area or inside it; or went there this turn; or, for a presence told before
// a settled arrival (leaving), came from there.
func (r *Reading) placeSupports(c *Character, claim placeClaim, leaving bool) bool {
	if r.inside(c.AreaID, claim.areas) {
		return true
	}
	for _, a := range r.View.Actions {
		for _, m := range a.Moves {
			if m.CharacterID != c.ID {
				continue
			}
			if claim.arrival && r.inside(m.To, claim.areas) {
				return true
			}
			if !claim.arrival && leaving && r.inside(m.From, claim.areas) {
				return true
			}
		}
	}
	return false
}

// lastPlace returns where the text names the area of a character, or one around
// it, for the last time; -1 if it does not.
func (r *Reading) lastPlace(c *Character) int {
	for _, p := range slices.Backward(r.places) {
		if r.inside(c.AreaID, p.ids) {
			return p.start
		}
	}
	return -1
}

// inside reports whether area is one of the areas, or lies in one.
func (r *Reading) inside(area string, areas []string) bool {
	for range len(r.View.Areas) + 1 { // parents may be circular
		if slices.Contains(areas, area) {
			return true
		}
		a := r.area(area)
		if a == nil || a.Parent == "" {
			return false
		}
		area = a.Parent
	}
	return false
}

func (r *Reading) placeConflict(c *Character, claim placeClaim) Conflict {
	kind := LocationMismatch
	if claim.arrival {
		kind = LocationUnsettled
	}
	return Conflict{
		Kind:        kind,
		Severity:    Block,
		Field:       "area_id",
		EntityID:    c.ID,
		Expected:    Facts{"area_id": c.AreaID},
		Found:       Facts{"claimed_area_id": claim.areas[0]},
		Quote:       r.quote(claim.span),
		Instruction: r.instruction(kind),
	}
}
