package conflict

// anotherActs reports whether, within one clause, something else than m stands
// right before the claim at pos as its subject.
func (r *Reading) anotherActs(m mention, pos int) bool {
	if pos <= m.end {
		return false
	}
	// English marks the person of the verb, which Chinese does not.
	if m.you && r.thirdPerson(m, pos) {
		return true
	}
	if r.isOneOf(pos-1, "他她它") {
		return true
	}
	if isHan(r.text[pos-1]) {
		return r.creatureAfterTime(m.end, pos)
	}
	return r.nounPhraseBefore(m.end, pos)
}

// creatureAfterTime reports whether a creature stands right before the claim
// after a word of time or addition: 你挥剑后哥布林….
func (r *Reading) creatureAfterTime(from, pos int) bool {
	for p := max(from, pos-8); p < pos; p++ {
		w, ok := r.words.at(otherSubject, p)
		if ok && w.end <= pos && r.opens(w.end, pos) && r.isOneOf(p-1, "后时而和、") {
			return true
		}
	}
	return false
}

// thirdPerson reports whether the verb at pos follows "you" at once in the form
// for he and she, so that you is the object of another verb: hits you and loses.
func (r *Reading) thirdPerson(m mention, pos int) bool {
	if before := r.wordBefore(m.end, pos); before.start < before.end {
		if r.word(before) == "is" || r.word(before) == "has" {
			return true
		}
	}
	w := r.wordAt(pos)
	n := w.end - w.start
	return n > 1 && r.text[w.end-1] == 's' && r.text[w.end-2] != 's' // pass out
}

// isTakenObject reports whether m is the object of the verb before it, where the
// clause goes on with "and": the goblin attacks Su and dies.
func (r *Reading) isTakenObject(m mention, start int) bool {
	next := r.wordAt(r.skipSpace(m.end))
	if r.word(next) != "and" || r.opens(start, m.start) {
		return false
	}
	// A conjunction or nothing before the name: it may well be the subject. Any
	// other word is taken for the verb whose object it is.
	before := r.wordBefore(start, m.start)
	switch r.word(before) {
	case "", "and", "or", "but", "as", "when", "while", "because", "since", "after", "later", "now",
		"then", "so", "where":
		return false
	}
	return true
}

// nounPhraseBefore reports whether the words right before pos are a pronoun or
// an English noun phrase with its determiner.
func (r *Reading) nounPhraseBefore(from, pos int) bool {
	end := pos
	// At most three words and a determiner: "the wounded old goblin loses".
	for n := 0; n < 4; n++ {
		w := r.wordBefore(from, end)
		if w.start == w.end {
			return false
		}
		if _, ok := r.words.at(pronoun, w.start); ok {
			return n == 0 || r.skipFillers(w.end, pos) >= pos
		}
		if _, ok := r.words.at(determiner, w.start); ok {
			return n > 0
		}
		if r.word(w) == "and" {
			return false
		}
		end = w.start
	}
	return false
}

// wordBefore returns the ASCII word that ends right before end, with spaces
// between, empty if there is none after from; of a longer word than maxWord its end.
func (r *Reading) wordBefore(from, end int) span {
	for end > from && r.text[end-1] == ' ' {
		end--
	}
	start := end
	for start > from && end-start < maxWord && isWord(r.text[start-1]) {
		start--
	}
	return span{start, end}
}

// englishVerbPhrase reports whether the words from lead to pos, which open a
// clause, can belong to the subject of the clause before: they end in "and" and
// begin with no name.
func (r *Reading) englishVerbPhrase(lead, pos int) bool {
	w := r.wordBefore(lead, pos)
	if r.word(w) != "and" {
		return false
	}
	first := r.Narration[r.bytes.of(lead)]
	return 'a' <= first && first <= 'z'
}
