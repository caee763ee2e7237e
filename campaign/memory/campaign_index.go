package memory

import (
	"slices"
	"sync"

	"github.com/talewright/talewright/internal/utf8text"
)

// maxTurns is how many turns of a campaign can be told apart.
const maxTurns = 1 << 20

// campaignIndex is what is known of one campaign.
type campaignIndex struct {
	used int64 // when it was used last; belongs to the Index

	mu      sync.RWMutex
	lineage Lineage
	numbers map[string]int // of turns, by id
	turns   []record       // in the order in which they came
	oldest  int            // the first turn whose passages are not forgotten
	docs    []doc          // passages; those of a turn stand together
	dead    int            // how many of docs are replaced or forgotten
	terms   map[string]int // the number of each term
	lists   [][]posting    // where a term is, by its number; docs ascending
}

// record is what is kept of a turn beside its passages.
type record struct {
	id, hash, summary string
	index             int
	witnesses         []string
	place             place
	from, to          int // its docs
}

// doc is a passage.
type doc struct {
	turn, part int    // the number of its turn, and of itself in it; those of a summary are below 0
	terms      int    // how many it has
	text       string // "" if it is dead
}

// posting says how often a term is in a doc.
type posting struct{ doc, count uint32 }

// remember adds or replaces a turn. At most keep passages stay.
func (s *campaignIndex) remember(t Turn, keep int) error {
	n, known := s.numbers[t.ID]
	hash := t.Hash()
	switch {
	case known && s.turns[n].hash == hash && s.turns[n].summary == t.Summary:
		if !slices.Equal(s.turns[n].witnesses, t.Witnesses) {
			s.turns[n].witnesses = slices.Clone(t.Witnesses)
		}
		return nil
	case known:
		s.drop(n)
	case len(s.turns) >= maxTurns:
		return ErrTooManyTurns
	default:
		n = s.add(t)
	}
	r := &s.turns[n]
	r.hash, r.summary, r.index, r.witnesses = hash, t.Summary, t.Index, slices.Clone(t.Witnesses)
	r.from = len(s.docs)
	if n >= s.oldest {
		for i, text := range pieces(t.said()) {
			s.write(doc{turn: n, part: i, text: text})
		}
		for i, text := range pieces(utf8text.Cut(t.Summary, MaxTurnBytes)) {
			s.write(doc{turn: n, part: -1 - i, text: text})
		}
	}
	r.to = len(s.docs)
	for len(s.docs)-s.dead > keep && s.oldest < len(s.turns) {
		s.drop(s.oldest)
		s.oldest++
	}
	if s.dead > len(s.docs)/2 && s.dead > 1000 {
		s.sweep()
	}
	return nil
}

// add makes a record for a turn.
func (s *campaignIndex) add(t Turn) int {
	if s.numbers == nil {
		s.numbers, s.terms = map[string]int{}, map[string]int{}
	}
	n := len(s.turns)
	s.lineage.Add(t.ID, t.Parent)
	s.numbers[t.ID] = n
	s.turns = append(s.turns, record{id: t.ID, place: s.lineage.places[t.ID]})
	return n
}

// write adds a passage with its terms.
func (s *campaignIndex) write(d doc) {
	at := uint32(len(s.docs))
	terms(d.text, func(term []byte) {
		d.terms++
		n, known := s.terms[string(term)]
		if !known {
			n = len(s.lists)
			s.terms[string(term)] = n
			s.lists = append(s.lists, nil)
		}
		list := s.lists[n]
		if last := len(list) - 1; last >= 0 && list[last].doc == at {
			list[last].count++
			return
		}
		s.lists[n] = append(list, posting{at, 1})
	})
	s.docs = append(s.docs, d)
}

// drop makes the passages of a turn dead. Their postings stay until the next sweep.
func (s *campaignIndex) drop(turn int) {
	r := &s.turns[turn]
	for i := r.from; i < r.to; i++ {
		s.docs[i] = doc{turn: turn}
	}
	s.dead += r.to - r.from
	r.from, r.to = 0, 0
}

// sweep removes what is dead. It costs what the index holds, and is done when half of that is
// dead: each turn has paid for it before.
func (s *campaignIndex) sweep() {
	places := make([]uint32, len(s.docs)) // new ones, 0 for the dead, else one more
	docs := make([]doc, 0, len(s.docs)-s.dead)
	for i, d := range s.docs {
		if d.text == "" {
			continue
		}
		r := &s.turns[d.turn]
		if i == r.from {
			r.from, r.to = len(docs), len(docs)+r.to-r.from
		}
		docs = append(docs, d)
		places[i] = uint32(len(docs))
	}
	terms := make(map[string]int, len(s.terms)/2)
	lists := make([][]posting, 0, len(s.lists)/2)
	for term, n := range s.terms {
		var kept []posting
		for _, p := range s.lists[n] {
			if place := places[p.doc]; place > 0 {
				kept = append(kept, posting{place - 1, p.count})
			}
		}
		if len(kept) > 0 {
			terms[term] = len(lists)
			lists = append(lists, kept)
		}
	}
	s.docs, s.terms, s.lists, s.dead = docs, terms, lists, 0
}
