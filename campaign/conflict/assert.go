package conflict

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
	case r.words.has(c.start, claim.start, negation, intention):
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
