package parse

import "github.com/talewright/talewright/campaign/conflict/internal/lexicon"

// anotherActs reports whether, within one clause, a different subject than m is directly before the
// claim at pos.
func anotherActs(p *Passage, m Mention, pos int) bool {
	if pos <= m.End {
		return false
	}
	// English verbs show the person, Chinese verbs do not.
	if m.you && thirdPerson(p, pos) {
		return true
	}
	if p.IsOneOf(pos-1, "他她它") {
		return true
	}
	if lexicon.IsHan(p.Chars[pos-1]) {
		return false
	}
	return nounPhraseBefore(p, m.End, pos)
}

// thirdPerson reports whether the verb at pos directly follows "you" in the form for he and she.
// Then "you" is the object of an earlier verb: hits you and loses.
func thirdPerson(p *Passage, pos int) bool {
	w := p.WordAt(pos)
	n := w.End - w.Start
	return n > 1 && p.Chars[w.End-1] == 's' && p.Chars[w.End-2] != 's' // pass out
}

// IsTakenObject reports whether m is the object of the verb before it, in a clause that continues
// with "and": the goblin attacks Su and dies.
func (p *Passage) IsTakenObject(m Mention, start int) bool {
	next := p.WordAt(p.SkipSpace(m.End))
	if p.Word(next) != "and" || p.Opens(start, m.Start) {
		return false
	}
	// With a conjunction or nothing before the name, it may be the subject. Any other word counts
	// as the verb of which it is the object.
	before := p.WordBefore(start, m.Start)
	return before.Start < before.End && !p.Words.HasAt(lexicon.Connective, before.Start)
}

// nounPhraseBefore reports whether the words directly before pos are a pronoun or an English noun
// phrase with its determiner.
func nounPhraseBefore(p *Passage, from, pos int) bool {
	end := pos
	// At most three words and a determiner: "the wounded old goblin loses".
	for n := range 4 {
		w := p.WordBefore(from, end)
		if w.Start == w.End {
			return false
		}
		if n == 0 && p.Words.HasAt(lexicon.Preposition, w.Start) && p.Word(w) != "for" { // slides off the stool with five hit points
			return false
		}
		if n == 0 && p.Words.HasAt(lexicon.Creature, w.Start) { // has seen men die
			return true
		}
		if _, ok := p.Words.At(lexicon.Pronoun, w.Start); ok {
			return n == 0 || p.SkipFillers(w.End, pos) >= pos
		}
		if _, ok := p.Words.At(lexicon.Determiner, w.Start); ok {
			// out of the alley with: the object of a preposition is not a subject.
			before := p.WordBefore(from, w.Start)
			return n > 0 && (before.Start == before.End || !p.Words.HasAt(lexicon.Preposition, before.Start) && !p.Words.HasAt(lexicon.InPlace, before.Start))
		}
		if p.Word(w) == "and" {
			return false
		}
		end = w.Start
	}
	return false
}

// englishVerbPhrase reports whether the words from lead to pos, at the beginning of a clause, can
// belong to the subject of the clause before. They must end in "and" and not begin with a name.
func englishVerbPhrase(p *Passage, lead, pos int) bool {
	w := p.WordBefore(lead, pos)
	if p.Word(w) != "and" {
		return false
	}
	first := p.Source[p.Bytes.Of(lead)]
	return 'a' <= first && first <= 'z'
}
