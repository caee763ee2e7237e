package conflict

import (
	"slices"
	"sort"
)

// A mention is a name, an alias or a pronoun of the second person in a text.
type mention struct {
	span
	// ids are the characters meant. Empty: somebody untracked, or a name that
	// several characters share.
	ids   []string
	party bool // 你们, the party: its place is the acting character's
	// owner: a possessive whose card or hit points are spoken of.
	owner bool
	you   bool // the English word you
	// pronoun: 他, she and their like, resolved to the ids where somebody fits.
	pronoun bool
}

// A place is the name of a known area in a text.
type place struct {
	span
	ids []string // the areas of that name
}

// A name in the dictionary of a view.
type name struct {
	text       []rune
	characters []string
	areas      []string
}

// names is the dictionary of a view, by first character, longest names first.
type names map[rune][]name

func namesOf(v *View) names {
	dict := names{}
	known := map[string]int{} // where a name stands in its list
	for i := range v.Characters {
		c := &v.Characters[i]
		dict.add(known, c.Name, func(n *name) { n.characters = appendNew(n.characters, c.ID) })
		for _, alias := range c.Aliases {
			dict.add(known, alias, func(n *name) { n.characters = appendNew(n.characters, c.ID) })
		}
	}
	for i := range v.Areas {
		a := &v.Areas[i]
		dict.add(known, a.Name, func(n *name) { n.areas = appendNew(n.areas, a.ID) })
		for _, alias := range a.Aliases {
			dict.add(known, alias, func(n *name) { n.areas = appendNew(n.areas, a.ID) })
		}
	}
	// Longest first, so that 大厅守卫 is not read as 大厅; those of one length by their
	// characters, to be searched for. Lists are sorted one by one: the order of the map
	// does not matter.
	dict.sort()
	return dict
}

func (dict names) sort() {
	for _, list := range dict {
		slices.SortFunc(list, func(a, b name) int { return compareNames(a, b.text) })
	}
}

// appendNew adds an id unless it was the last to be added.
func appendNew(ids []string, id string) []string {
	if n := len(ids); n > 0 && ids[n-1] == id {
		return ids
	}
	return append(ids, id)
}

// compareNames is the order of a list of names.
func compareNames(a name, text []rune) int {
	if d := len(text) - len(a.text); d != 0 {
		return d
	}
	return slices.Compare(a.text, text)
}

func (dict names) add(known map[string]int, text string, mark func(*name)) {
	runes, _ := runesOf(text)
	s, ok := trimmed(runes, span{0, len(runes)})
	if !ok {
		return
	}
	runes = runes[s.start:s.end]
	list := dict[runes[0]]
	i, ok := known[string(runes)]
	if !ok {
		i = len(list)
		known[string(runes)] = i
		list = append(list, name{text: runes})
	}
	mark(&list[i])
	dict[runes[0]] = list
}

// at returns the longest name that stands at pos, ASCII names as whole words.
func (dict names) at(text []rune, pos int) *name {
	if pos > 0 && joined(text[pos-1], text[pos]) {
		return nil
	}
	list := dict[text[pos]]
	for len(list) > 0 {
		size := len(list[0].text)
		end := pos + size
		if end <= len(text) && (end == len(text) || !joined(text[end-1], text[end])) {
			if i, ok := slices.BinarySearchFunc(list, text[pos:end], compareNames); ok {
				return &list[i]
			}
		}
		shorter := func(i int) bool { return len(list[i].text) < size }
		list = list[sort.Search(len(list), shorter):]
	}
	return nil
}

// find returns the places of all names in a text.
func (dict names) find(text []rune) []span {
	var out []span
	for pos := 0; pos < len(text); pos++ {
		if n := dict.at(text, pos); n != nil {
			out = append(out, span{pos, pos + len(n.text)})
			pos += len(n.text) - 1
		}
	}
	return out
}

// findNames fills in the mentions and places of the reading.
func (r *Reading) findNames() {
	dict := namesOf(&r.View)
	r.words.outside(dict.find(r.text))
	for pos := 0; pos < len(r.text); pos++ {
		n := dict.at(r.text, pos)
		if n == nil {
			m, ok := r.secondPerson(pos)
			if !ok {
				var g gender
				if m, g, ok = r.thirdPersonAt(pos); ok {
					m.ids = r.antecedent(pos, g)
				}
			}
			if ok {
				r.addMention(m)
				pos = m.end - 1
			}
			continue
		}
		s := span{pos, pos + len(n.text)}
		if len(n.areas) > 0 {
			r.places = append(r.places, place{s, n.areas})
		}
		if len(n.characters) > 0 {
			// A name that two characters share points to nobody; it still keeps the
			// mention before it from being the subject.
			m := mention{span: s}
			if len(n.characters) == 1 {
				m.ids = n.characters
			}
			r.called = append(r.called, m)
			r.addMention(m)
		}
		pos = s.end - 1
	}
}

// secondPerson reads 你, you and the words for the party at pos.
func (r *Reading) secondPerson(pos int) (mention, bool) {
	if w, ok := r.words.at(partyWord, pos); ok {
		m := mention{span: w, party: true}
		if !r.strangeParty(w) {
			m.ids = r.View.Party
		}
		return m, true
	}
	switch r.text[pos] {
	case '玩', '主':
		if r.is(pos, '玩') && r.is(pos+1, '家') || r.is(pos, '主') && r.is(pos+1, '角') {
			return mention{span: span{pos, pos + 2}, ids: r.actor}, !r.isOneOf(pos+2, "们")
		}
	case '你', '您', '妳':
		if r.is(pos+1, '们') {
			return mention{span: span{pos, pos + 2}, ids: r.View.Party, party: true}, true
		}
		return mention{span: span{pos, pos + 1}, ids: r.actor}, true
	case 'y':
		w := r.wordAt(pos)
		switch r.word(w) {
		case "you", "your", "yours", "yourself":
			return mention{span: w, ids: r.actor, you: true}, true
		}
	}
	return mention{}, false
}

// strangeParty reports whether the words for a party mean somebody else's: 敌人
// 的队伍, 一支队伍, the party of goblins.
func (r *Reading) strangeParty(w span) bool {
	if r.word(r.wordAt(r.skipSpace(w.end))) == "of" {
		return true
	}
	if w.start == 0 {
		return false
	}
	// 一支队伍, 敌方小队: counted, or with the name of its side before it.
	switch r.text[w.start-1] {
	case '支', '队', '方', '军', '个', '商':
		return true
	case '的':
		before := r.text[max(0, w.start-3) : w.start-1]
		return !slices.Contains(before, '你') && !slices.Contains(before, '您')
	}
	return false
}

// addMention keeps a mention that can be a subject. A possessive (老王的…, Tom's
// …, your …) is kept only as the owner of a card or of hit points; otherwise it
// is remembered as a possessor.
func (r *Reading) addMention(m mention) {
	end, possessive := r.possessive(m)
	if !possessive {
		r.named = append(r.named, m)
		if !r.isObject(m) {
			r.mentions = append(r.mentions, m)
		}
		return
	}
	if r.ownsNext(end) {
		m.owner = true
		m.end = end
		r.mentions = append(r.mentions, m)
		return
	}
	m.end = end
	r.possessors = append(r.possessors, m)
}

// possessive returns the end of a possessive with its particle.
func (r *Reading) possessive(m mention) (end int, ok bool) {
	if m.you {
		return m.end, r.word(m.span) == "your"
	}
	if m.pronoun && isLetter(r.text[m.start]) {
		switch r.word(m.span) {
		case "his":
			return m.end, true
		case "her": // gave her 3 hp, but her hand
			next := r.wordAt(r.skipSpace(m.end))
			return m.end, next.start < next.end && isLetter(r.text[next.start]) &&
				!r.words.hasAt(preposition, next.start) && !r.words.hasAt(filler, next.start) &&
				!r.words.hasAt(connective, next.start)
		}
		return m.end, false
	}
	if r.is(m.end, '的') {
		return m.end + 1, !r.is(m.end+1, '确') // 你的确 is "you indeed"
	}
	if !r.is(m.end, '\'') || !r.is(m.end+1, 's') {
		return m.end, false
	}
	// Su's dead, Su's in the Hall: no possessive but a verb.
	for _, t := range []tag{presence, dead, downed} {
		if w, ok := r.words.at(t, m.end); ok && (t != presence || r.inWords(w.end)) {
			return m.end, false
		}
	}
	return m.end + 2, true
}

// inWords reports whether a preposition of place stands after pos.
func (r *Reading) inWords(pos int) bool {
	w := r.wordAt(r.skipSpace(pos))
	switch r.word(w) {
	case "in", "inside", "at", "within", "now", "still":
		return true
	}
	return false
}

// ownsNext reports whether a card or hp word follows a possessive, with at most
// a few characters or two English words between.
func (r *Reading) ownsNext(end int) bool {
	limit := end + 4 // 你的当前生命值
	pos := r.skipSpace(end)
	if pos < len(r.text) && isLetter(r.text[pos]) {
		limit = pos + 1
		for range 2 { // your remaining hit points
			w := r.wordAt(pos)
			pos = r.skipSpace(w.end)
			limit = max(limit, pos+1)
		}
	}
	for _, t := range []tag{hpWord, cardLabel, cardPhrase} {
		i := r.words.from(t, end)
		if i < len(r.words[t]) && r.words[t][i].start < limit {
			return r.unbroken(end, r.words[t][i].start)
		}
	}
	return false
}

// isObject reports whether a mention is the agent of a passive (被你) or the
// object of an English preposition, and so no subject.
func (r *Reading) isObject(m mention) bool {
	if m.start > 0 && r.text[m.start-1] == '被' {
		return true
	}
	if m.start < 2 || r.text[m.start-1] != ' ' {
		return false
	}
	_, ok := r.words.endsAt(preposition, m.start-1)
	return ok
}

// namedAt returns the mention that starts at pos, also one that is an object.
func (r *Reading) namedAt(pos int) (mention, bool) {
	i := sort.Search(len(r.named), func(i int) bool { return r.named[i].start >= pos })
	if i < len(r.named) && r.named[i].start == pos {
		return r.named[i], true
	}
	return mention{}, false
}

// lastMention returns the last mention that ends in [from, to].
func (r *Reading) lastMention(from, to int) (mention, bool) {
	i := sort.Search(len(r.mentions), func(i int) bool { return r.mentions[i].start >= to })
	if i > 0 && r.mentions[i-1].end > to {
		i--
	}
	if i == 0 || r.mentions[i-1].start < from {
		return mention{}, false
	}
	return r.mentions[i-1], true
}

// firstMention returns the first mention that lies in s.
func (r *Reading) firstMention(s span) (mention, bool) {
	i := sort.Search(len(r.mentions), func(i int) bool { return r.mentions[i].start >= s.start })
	if i == len(r.mentions) || r.mentions[i].end > s.end {
		return mention{}, false
	}
	return r.mentions[i], true
}
