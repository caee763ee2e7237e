package conflict

import "slices"

// detectMap reports that known areas are told destroyed or sealed, that two
// known areas without a path are told connected, and that the map is told
// changed.
func detectMap(r *Reading) []Conflict {
	if r.affected(FieldMap) {
		return nil
	}
	var out []Conflict
	add := func(claim span, field string, severity Severity, found string) {
		if !r.asserted(claim) {
			return
		}
		out = append(out, Conflict{
			Kind:        MapRewrite,
			Severity:    severity,
			Field:       field,
			Expected:    Facts{"changed": false},
			Found:       Facts{"claimed": found},
			Quote:       r.quote(claim),
			Instruction: r.instruction(MapRewrite),
		})
	}
	for i, p := range r.places {
		if !r.placeActs(p) {
			continue
		}
		field := "map.areas." + p.ids[0]
		if w, t, ok := r.ruin(p); ok && !(t == sealing && r.anyLocked(p.ids)) {
			add(span{p.start, w.end}, field, Block, "destroyed or sealed")
		}
		if i+1 == len(r.places) {
			continue
		}
		next := r.places[i+1]
		if severity, ok := r.opening(p, next); ok && !r.connected(p.ids, next.ids) {
			add(span{p.start, next.end}, "map.paths", severity, "connected")
		}
	}
	for i := 0; i+1 < len(r.places); i++ {
		a, b := r.places[i], r.places[i+1]
		if claim, ok := r.joining(a, b); ok && !r.connected(a.ids, b.ids) {
			add(claim, "map.paths", Block, "connected")
		}
	}
	for _, w := range r.words[mapNoun] {
		if claim, severity, ok := r.mapClaim(w); ok {
			add(claim, "map", severity, "the map changed")
		}
	}
	return out
}

// placeActs reports whether a place can be the subject of what follows: it is
// not where something is (在大厅, in the Hall).
func (r *Reading) placeActs(p place) bool {
	if r.isOneOf(p.start-1, "在从到往向进入出离于近开的") {
		return false
	}
	// The article hides the preposition: "in the Hall".
	before := r.wordBefore(0, p.start)
	if w := r.word(before); w == "the" {
		before = r.wordBefore(0, before.start)
	}
	return before.start == before.end || !r.words.hasAt(preposition, before.start) &&
		!r.words.hasAt(inPlace, before.start) && !r.words.hasAt(arrivalOf, before.start)
}

// ruin returns the word of destruction or sealing that follows an area, with
// nothing but adverbs, or a phrase such as 在巨响中, between.
func (r *Reading) ruin(p place) (span, tag, bool) {
	limit := min(p.end+maxLead, len(r.text))
	for _, t := range []tag{collapse, sealing} {
		w, ok := r.words.within(t, p.end, limit)
		if ok && r.unbroken(p.end, w.start) && r.opens(r.circumstance(p.end, w.start), w.start) {
			return w, t, !r.outOfSight(w)
		}
	}
	return span{}, 0, false
}

// outOfSight reports whether a place only disappears behind something or into the mist.
func (r *Reading) outOfSight(w span) bool {
	if !r.is(w.start, 'v') && !r.is(w.start, 'd') {
		return false
	}
	switch r.word(r.wordAt(r.skipSpace(w.end))) {
	case "behind", "from", "into", "around", "beneath", "in", "under", "below", "over", "beyond", "as", "round":
		return true
	}
	return false
}

// circumstance returns the end of 在…中 or 在…里 at pos, and pos if there is none.
func (r *Reading) circumstance(pos, limit int) int {
	start := r.skipFillers(pos, limit)
	if !r.is(start, '在') {
		return pos
	}
	for p := start; p < limit; p++ {
		if r.isOneOf(p, "中里下") {
			return p + 1
		}
	}
	return pos
}

func (r *Reading) anyLocked(ids []string) bool {
	return slices.ContainsFunc(ids, func(id string) bool {
		a := r.area(id)
		return a != nil && a.Locked
	})
}

// maxOpening is how many characters may stand between two areas told connected.
const maxOpening = 32

// opening reports whether the text between two areas says that a way leads from
// one to the other. Without 直接, 现在 or "now" it is scenery: a warning.
func (r *Reading) opening(a, b place) (Severity, bool) {
	if b.start-a.end > maxOpening {
		return Warn, false
	}
	w, ok := r.words.within(opensTo, a.end, b.start)
	if !ok || !r.isWay(a.end, w.start) {
		return Warn, false
	}
	// Nothing but an article or 到 may stand before the second area.
	rest := r.skipWords(w.end, determiner)
	if r.isOneOf(rest, "到至了着") {
		rest++
	}
	if rest != b.start {
		return Warn, false
	}
	if w.start > a.end+1 || r.isOneOf(w.start, "直ni") { // 直接, now, is now
		return Block, true
	}
	return Warn, true
}

// isWay reports whether only adverbs, 可以 and 能 stand in [start, end).
func (r *Reading) isWay(start, end int) bool {
	for start < end {
		next := r.skipFillers(start, end)
		if r.isOneOf(next, "可以能够") {
			next++
		}
		if next == start {
			return false
		}
		start = next
	}
	return true
}

// connected reports whether a path joins one of the areas a with one of b, in
// any direction, or one lies in the other.
func (r *Reading) connected(a, b []string) bool {
	for _, c := range r.View.Connections {
		if slices.Contains(a, c.From) && slices.Contains(b, c.To) ||
			slices.Contains(a, c.To) && slices.Contains(b, c.From) {
			return true
		}
	}
	// A room opens into the building that it is part of.
	for _, id := range a {
		if r.inside(id, b) {
			return true
		}
	}
	for _, id := range b {
		if r.inside(id, a) {
			return true
		}
	}
	return false
}

// newAfter returns the end of the word "new" within two words after pos, or -1.
func (r *Reading) newAfter(pos int) int {
	for range 3 {
		w := r.wordAt(r.skipSpace(pos))
		if r.word(w) == "new" {
			return w.end
		}
		pos = w.end
	}
	return -1
}

// mapClaim reads what is told of "the map": changed, redrawn, or showing
// something new.
func (r *Reading) mapClaim(w span) (span, Severity, bool) {
	limit := min(w.end+12, len(r.text))
	if isLetter(r.text[w.start]) {
		limit = min(w.end+24, len(r.text))
	}
	if c, ok := r.words.within(mapChanged, w.end, limit); ok && r.clean(w.end, c.start) {
		if isHan(r.text[w.start]) && r.is(c.start, '改') && !r.endsClause(c.end) {
			return span{w.start, c.end}, Warn, true // 地图改变了他的想法
		}
		return span{w.start, c.end}, Block, true
	}
	g, ok := r.words.within(mapGained, w.end, limit)
	if !ok || !r.clean(w.end, g.start) {
		return span{}, Warn, false
	}
	claim := span{w.start, g.end}
	from := g.end
	if isLetter(r.text[w.start]) {
		// "shows" says nothing without "new": a new area, two new rooms.
		from = r.newAfter(g.end)
		if from < 0 {
			return claim, Warn, false
		}
	}
	n, ok := r.words.within(placeNoun, from, min(from+16, len(r.text)))
	if ok && r.unbroken(from, n.start) {
		return span{w.start, n.end}, Block, true
	}
	return claim, Warn, true
}

// joining reads two areas with "and" or 与 between them that are told connected: a tunnel
// now connects the Hall with the Tower, 大厅与钟楼之间多了一条密道.
func (r *Reading) joining(a, b place) (span, bool) {
	gap := b.start - a.end
	if isHan(r.text[b.start]) || isHan(r.text[a.start]) {
		if gap > 3 || !r.isOneOf(a.end, "与和跟到同") {
			return span{}, false
		}
		w, ok := r.words.within(joinedNow, b.end, min(b.end+16, len(r.text)))
		return span{a.start, w.end}, ok && r.clean(b.end, w.start)
	}
	if gap > 16 || !r.unbroken(a.end, b.start) {
		return span{}, false
	}
	if w, ok := r.words.at(joinedNow, r.skipSpace(b.end)); ok {
		return span{a.start, w.end}, true
	}
	// … now connects A with B: "now" makes it news, and a way must be named or be new.
	for _, v := range r.words[joinVerb][r.words.from(joinVerb, a.start-24):] {
		if v.start >= a.start {
			break
		}
		if v.end > a.start || !r.unbroken(v.end, a.start) || r.skipWords(v.end, determiner) != a.start {
			continue
		}
		start := max(0, v.start-40)
		way, ok := r.words.within(wayNoun, start, v.start)
		if ok && r.unbroken(way.end, v.start) && (r.hasWord(start, v.start, "now") || r.hasWord(start, way.start, "new")) {
			return span{way.start, b.end}, true
		}
	}
	return span{}, false
}

// hasWord reports whether the ASCII word stands in [start, end).
func (r *Reading) hasWord(start, end int, word string) bool {
	for p := start; p+len(word) <= end; p++ {
		if r.ascii[p:p+len(word)] == word && (p == 0 || !isWord(r.text[p-1])) &&
			(p+len(word) == len(r.text) || !isWord(r.text[p+len(word)])) {
			return true
		}
	}
	return false
}
