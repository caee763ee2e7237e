package conflict

// A placeClaim tells where somebody is.
type placeClaim struct {
	span
	areas   []string // the areas that the name may mean
	arrival bool     // got there, as against being there
	// target is the mention that the claim names itself (brings you to …); nil if the
	// subject is to be found.
	target *mention
}

// placeClaims returns the claims about known areas in the order of the text.
func (r *Reading) placeClaims() []placeClaim {
	var out []placeClaim
	readers := []func(i int) (placeClaim, bool){
		r.chinesePlace, r.chineseBrought, r.chineseAlight, r.plainlyIn, r.englishBrought, r.englishPlace,
		r.beingThere, r.setting, r.receives, r.whenThere, r.placePanel,
	}
	for i, p := range r.places {
		if r.words.hasAt(notTheArea, r.skipSpace(p.end)) || r.words.hasAt(notTheArea, p.end) {
			continue
		}
		for _, read := range readers {
			if claim, ok := read(i); ok {
				out = append(out, claim)
				break
			}
		}
	}
	return out
}

// chineseBrought reads 被押进义庄 and 把你拖进义庄: taken there by others.
func (r *Reading) chineseBrought(i int) (placeClaim, bool) {
	p := r.places[i]
	for _, w := range r.words[brought][r.words.from(brought, p.start-maxPlaceGap):] {
		if w.start >= p.start {
			break
		}
		if w.end > p.start || !r.clean(w.end, p.start) || r.placed(w.end, p.start) {
			continue
		}
		for q := w.start - 1; q >= max(0, w.start-14) && !isStop(r.text[q]); q-- {
			switch r.text[q] {
			case '被':
				return placeClaim{span: span{w.start, p.end}, areas: p.ids, arrival: true}, true
			case '把', '将':
				m, ok := r.calledAt(q + 1)
				return placeClaim{span{w.start, p.end}, p.ids, true, &m}, ok && !r.isPossessor(m)
			}
		}
		// 推着你进…, 带你到…: whom one takes along stands inside the verb.
	}
	return placeClaim{}, false
}

// chineseAlight reads 在渡口下了船: got there.
func (r *Reading) chineseAlight(i int) (placeClaim, bool) {
	p := r.places[i]
	if !r.isOneOf(p.start-1, "在于") {
		return placeClaim{}, false
	}
	w, ok := r.words.within(alight, p.end, min(p.end+8, len(r.text)))
	if !ok || !r.clean(p.end, w.start) || r.isOneOf(p.end, "的") {
		return placeClaim{}, false
	}
	return placeClaim{span: span{p.start - 1, w.end}, areas: p.ids, arrival: true}, true
}

// plainlyIn reads a mention, adverbs, 在 and the area: 小满在渡口朝你挥手.
func (r *Reading) plainlyIn(i int) (placeClaim, bool) {
	p := r.places[i]
	if !r.is(p.start-1, '在') {
		return placeClaim{}, false
	}
	m, ok := r.lastMention(max(0, p.start-12), p.start-1)
	if !ok || m.owner || !r.opens(m.end, p.start-1) || r.isOneOf(p.end, "的") {
		return placeClaim{}, false
	}
	// The mention must open its clause: 你看见小满在… is seen.
	if c := r.clauseAt(m.start); c < 0 || !r.opens(r.clauses[c].start, m.start) {
		return placeClaim{}, false
	}
	return placeClaim{span: span{p.start - 1, p.end}, areas: p.ids}, true
}

// placePanel reads 位置：义庄 and "Location: Old Church".
func (r *Reading) placePanel(i int) (placeClaim, bool) {
	p := r.places[i]
	end := p.start
	for end > 0 && (r.text[end-1] == ' ' || r.text[end-1] == '【' || r.text[end-1] == '[') {
		end--
	}
	if !r.is(end-1, ':') {
		return placeClaim{}, false
	}
	w := r.wordBefore(0, end-1)
	label := r.word(w) == "location" || r.word(w) == "position" || r.word(w) == "area" ||
		r.word(w) == "place" || r.word(w) == "whereabouts"
	if q := end - 1; q >= 2 && (r.text[q-2] == '位' && r.text[q-1] == '置' ||
		r.text[q-2] == '地' && r.text[q-1] == '点' || r.text[q-2] == '所' && r.text[q-1] == '在') {
		label, w = true, span{q - 2, q}
	}
	if !label {
		return placeClaim{}, false
	}
	who, ok := r.panelSubject(w.start)
	if !ok || len(who.ids) == 0 {
		return placeClaim{}, false
	}
	m := mention{span: w, ids: who.ids, party: who.party}
	return placeClaim{span{w.start, p.end}, p.ids, false, &m}, true
}

// maxTowards is how many words may stand between a verb and the area that somebody is
// brought to.
const maxTowards = 6

// prepositionBefore returns the preposition of place before the i-th area, past its
// article and at most three words that describe it.
func (r *Reading) prepositionBefore(i int) (span, bool) {
	pos := r.places[i].start
	for range 5 {
		w := r.wordBefore(0, pos)
		if w.start == w.end || i > 0 && w.start < r.places[i-1].end {
			return span{}, false
		}
		if r.words.hasAt(inPlace, w.start) && isLetter(r.text[w.start]) {
			return w, true
		}
		switch r.word(w) {
		case "of", "for", "from", "and", "or", "near", "toward", "towards", "outside", "by", "past",
			"around", "about", "with", "behind", "beside", "beyond", "over", "under", "below", "above":
			return span{}, false
		}
		pos = w.start
	}
	return span{}, false
}

// englishBrought reads "brings you to the Shrine", "drops Eli at the Depot", "takes the
// two of you into the Hall".
func (r *Reading) englishBrought(i int) (placeClaim, bool) {
	prep, ok := r.prepositionBefore(i)
	if !ok {
		return placeClaim{}, false
	}
	pos := prep.start
	for range maxTowards {
		w := r.wordBefore(0, pos)
		if w.start == w.end || r.words.hasAt(otherSubject, w.start) && !r.words.hasAt(brought, w.start) {
			return placeClaim{}, false
		}
		if v, ok := r.words.at(brought, w.start); ok {
			m, ok := r.namedAt(r.skipSpace(v.end))
			if !ok || m.end > prep.start || len(m.ids) == 0 || r.isSelf(m) {
				return placeClaim{}, false
			}
			return placeClaim{span{w.start, r.places[i].end}, r.places[i].ids, true, &m}, true
		}
		pos = w.start
	}
	return placeClaim{}, false
}

// beingThere reads a posture or an occupation and the area: is camped inside, lies on his
// back in, are still nursing the same rye in.
func (r *Reading) beingThere(i int) (placeClaim, bool) {
	prep, ok := r.prepositionBefore(i)
	if !ok {
		return placeClaim{}, false
	}
	switch r.word(prep) {
	case "in", "inside", "at", "within":
	default:
		return placeClaim{}, false
	}
	pos, occupied := prep.start, false
	for range maxTowards + 2 {
		w := r.wordBefore(0, pos)
		if w.start == w.end || !r.unbroken(w.end, prep.start) {
			break
		}
		start := w.start
		if r.is(start-1, '\'') {
			start--
		}
		switch {
		case r.words.hasAt(staring, start), r.words.hasAt(brought, start):
			return placeClaim{}, false
		case r.words.hasAt(presence, start) && (occupied || !isBeing(r.word(w))):
			return placeClaim{span: span{start, r.places[i].end}, areas: r.places[i].ids}, true
		case isBeing(r.word(w)) && !occupied:
			return placeClaim{}, false
		}
		word := r.word(w)
		if len(word) > 4 && (word[len(word)-3:] == "ing" || word[len(word)-2:] == "ed") {
			occupied = true
		}
		if word == "that" || word == "who" || word == "which" || word == "and" || word == "but" {
			break
		}
		pos = start
	}
	return placeClaim{}, false
}

// isSelf reports whether a mention is the subject again: yourself, himself.
func (r *Reading) isSelf(m mention) bool {
	word := r.word(m.span)
	return len(word) > 4 && word[len(word)-4:] == "self"
}

func isBeing(word string) bool {
	switch word {
	case "is", "are", "was", "were", "re", "s", "been", "be":
		return true
	}
	return false
}

// setting reads an area that sets the scene for somebody: 地窖里，苏晴缩在角落; In the
// Cellar, Su lights a lamp.
func (r *Reading) setting(i int) (placeClaim, bool) {
	p := r.places[i]
	k := r.clauseAt(p.start)
	if k < 0 || k+1 == len(r.clauses) || !r.clauses[k].first || r.clauses[k+1].first {
		return placeClaim{}, false
	}
	c, next := r.clauses[k], r.clauses[k+1]
	if p.end > c.end || !r.is(c.end, ',') && !r.is(c.end, '，') {
		return placeClaim{}, false
	}
	if isHan(r.text[p.start]) {
		if p.start != c.start || c.end-p.end > 3 {
			return placeClaim{}, false
		}
		switch string(r.text[p.end:c.end]) {
		case "里", "中", "内", "中央", "深处", "之中", "之内", "里头", "里面", "角落里", "一角":
		default:
			return placeClaim{}, false
		}
	} else {
		prep := r.wordAt(c.start)
		switch r.word(prep) {
		case "in", "inside", "at":
		default:
			return placeClaim{}, false
		}
		if r.skipWords(prep.end, determiner) != p.start || p.end != c.end {
			return placeClaim{}, false
		}
	}
	m, ok := r.opener(next.span)
	return placeClaim{span{p.start, p.end}, p.ids, false, &m}, ok && !m.owner
}

// receives reads what a place does to who arrives: the Mirewood closes around you.
func (r *Reading) receives(i int) (placeClaim, bool) {
	p := r.places[i]
	pos := r.skipSpace(p.end)
	w, ok := r.words.at(greets, pos)
	if !ok {
		return placeClaim{}, false
	}
	m, ok := r.namedAt(r.skipSpace(w.end))
	if !ok || len(m.ids) == 0 || !r.placeActs(p) {
		return placeClaim{}, false
	}
	return placeClaim{span{p.start, m.end}, p.ids, true, &m}, true
}

// whenThere reads an area that opens its sentence and who got there: Pier Nine smelled of
// fish when you got there.
func (r *Reading) whenThere(i int) (placeClaim, bool) {
	p := r.places[i]
	k := r.sentenceAt(p.start)
	if k < 0 || r.skipWords(r.sentences[k].start, determiner) != p.start {
		return placeClaim{}, false
	}
	w, ok := r.words.within(gotThere, p.end, r.sentences[k].end)
	if !ok {
		return placeClaim{}, false
	}
	m, ok := r.lastMention(p.end, w.start)
	if !ok || !r.opens(m.end, w.start) || len(m.ids) == 0 {
		return placeClaim{}, false
	}
	switch before := r.wordBefore(0, m.start); r.word(before) {
	case "when", "as", "time", "moment", "once":
		return placeClaim{span{p.start, w.end}, p.ids, true, &m}, true
	}
	return placeClaim{}, false
}
