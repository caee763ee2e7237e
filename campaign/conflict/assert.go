package conflict

import "slices"

// asserted reports whether a claim is told as a fact (spec of the reading, step
// 5 in the package comment).
func (r *Reading) asserted(claim span) bool {
	i := r.clauseAt(claim.start)
	if i < 0 {
		return false
	}
	c := r.clauses[i]
	s := r.sentences[c.sentence]
	switch {
	case s.question:
		return false
	case r.words.has(s.start, claim.start, unreal):
		return false
	case r.words.has(c.start, claim.start, negation, intention, doubt):
		return false
	case r.generalWhen(c):
		return false
	case r.fictional(c.sentence, claim.start), r.isChoice(c.sentence):
		return false
	}
	return !r.checked(claim.start) && !r.conditional(claim.end)
}

// checked reports whether a word right before pos takes the claim back: a modal
// word that ends there, one character earlier, or before adverbs (会立刻); or a
// word of declaration.
func (r *Reading) checked(pos int) bool {
	for end := pos; end > max(0, pos-6); end-- {
		w, ok := r.words.endsAt(modal, end)
		if !ok || !r.unbroken(end, pos) {
			continue
		}
		switch {
		case end == pos, end == pos-1 && !r.is(w.start, '不'), // 不 takes back only what follows
			end < pos-1 && r.opens(end, pos):
			return true
		}
	}
	if r.is(pos-1, ' ') {
		pos--
	}
	_, ok := r.words.endsAt(declared, pos)
	return ok
}

// conditional reports whether the claim that ends at pos is only a condition or
// a point of time: …时, …之前, …的话.
func (r *Reading) conditional(pos int) bool {
	for range 2 {
		if _, ok := r.words.at(conditional, pos); ok {
			return true
		}
		if !r.isOneOf(pos, "了里中后") {
			return false
		}
		pos++
	}
	return false
}

// clean reports whether the words between two parts of a claim leave it whole:
// no punctuation, and nothing that unmakes a claim.
func (r *Reading) clean(start, end int) bool {
	return start <= end && r.unbroken(start, end) &&
		!r.words.has(start, end, unreal, negation, intention, perception, modal)
}

// fictional reports whether a claim at pos in a sentence is told of a picture, a play or a
// dream, which may have begun in the sentence before.
func (r *Reading) fictional(sentence, pos int) bool {
	s := r.sentences[sentence]
	if r.words.has(s.start, pos, fiction) {
		return true
	}
	if sentence == 0 || r.words.has(s.start, pos, waking) {
		return false
	}
	before := r.sentences[sentence-1]
	w, ok := r.words.within(fiction, before.start, before.end)
	if !ok || r.words.has(w.end, before.end, waking) {
		return false
	}
	if slices.Contains(r.text[w.start:w.end], '梦') || r.is(w.start, 'd') || r.is(w.start, 'n') {
		return true
	}
	// In it …, 画里…: the sentence goes on about the picture.
	first := r.wordAt(s.start)
	second := r.wordAt(r.skipSpace(first.end))
	return r.word(first) == "in" && (r.word(second) == "it" || r.word(second) == "this")
}

// isChoice reports whether a sentence is one of a list of choices: A. …, (b) ….
func (r *Reading) isChoice(sentence int) bool {
	s := r.sentences[sentence]
	if r.optionLetter(s.start) {
		return true
	}
	if sentence == 0 {
		return false
	}
	before := r.sentences[sentence-1]
	return before.end-before.start <= 3 && r.optionLetter(before.start)
}

// optionLetter reports whether a letter from a to e stands at pos as the mark of a choice.
func (r *Reading) optionLetter(pos int) bool {
	if r.isOneOf(pos, "(（[【-•>") {
		pos = r.skipSpace(pos + 1)
	}
	return r.isOneOf(pos, "abcde") && (pos+1 == len(r.text) || r.isOneOf(pos+1, ".)）、]】:"))
}

// generalWhen reports whether a clause begins with "when" and speaks of any time.
func (r *Reading) generalWhen(c clause) bool {
	switch r.word(r.wordAt(c.start)) {
	case "when", "whenever", "once", "while", "if", "whoever", "anyone":
		return true
	}
	return false
}
