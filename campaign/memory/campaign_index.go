package memory

import (
	"math"
	"slices"
	"sync"

	"github.com/talewright/talewright/internal/utf8text"
)

// maxTurns is the maximum number of turns of a campaign.
const maxTurns = 1 << 20

// campaignIndex is the index of one campaign.
type campaignIndex struct {
	used int64 // the time of the last use; guarded by the lock of the Index

	mu      sync.RWMutex
	lineage Lineage
	numbers map[string]int // of turns, by ID
	turns   []record       // in the order of their arrival
	oldest  int            // the first turn whose passages are kept
	docs    []doc          // passages; those of a turn are adjacent
	dead    int            // the number of docs that are replaced or removed
	terms   map[string]int // the number of each term
	lists   [][]posting    // the docs of each term, by its number, ascending
}

// record is the data of a turn other than its passages.
type record struct {
	id, hash, summary string
	index             int
	witnesses         []string
	place             place
	from, to          int // the range of its docs
}

// doc is a passage.
type doc struct {
	turn, part int    // the number of its turn, and its own number in the turn; negative for a summary
	terms      int    // the number of its terms
	text       string // "" if it is dead
}

// posting is the number of occurrences of a term in a doc.
type posting struct{ doc, count uint32 }

// remember adds or replaces a turn. If the campaign then has more than keep passages, it drops the
// passages of the oldest turns.
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
		for i, text := range pieces(t.storedText()) {
			s.write(doc{turn: n, part: i, text: text})
		}
		for i, text := range pieces(utf8text.Cut(t.Summary, maxTurnBytes)) {
			s.write(doc{turn: n, part: -1 - i, text: text})
		}
	}
	r.to = len(s.docs)
	for len(s.docs)-s.dead > keep {
		s.drop(s.oldest)
		s.oldest++
	}
	if s.dead > len(s.docs)/2 && s.dead > 1000 {
		s.sweep()
	}
	return nil
}

// add adds a record for a turn.
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

// drop marks the passages of a turn as dead. Their postings stay until the next sweep.
func (s *campaignIndex) drop(turn int) {
	r := &s.turns[turn]
	for i := r.from; i < r.to; i++ {
		s.docs[i] = doc{turn: turn}
	}
	s.dead += r.to - r.from
	r.from, r.to = 0, 0
}

// sweep removes dead docs. Its cost is proportional to the index. It runs when half of the docs are
// dead, so the amortized cost of a turn is constant.
func (s *campaignIndex) sweep() {
	newIndex := s.sweepDocs()
	terms := make(map[string]int, len(s.terms)/2)
	lists := make([][]posting, 0, len(s.lists)/2)
	for term, n := range s.terms {
		var list []posting
		for _, p := range s.lists[n] {
			if i := newIndex[p.doc]; i != deadDoc {
				list = append(list, posting{i, p.count})
			}
		}
		if len(list) > 0 {
			terms[term] = len(lists)
			lists = append(lists, list)
		}
	}
	s.terms, s.lists = terms, lists
}

// deadDoc is the new index of a doc that sweep removes.
const deadDoc = math.MaxUint32

// sweepDocs removes the dead docs. It returns the new index of each old doc.
func (s *campaignIndex) sweepDocs() (newIndex []uint32) {
	newIndex = make([]uint32, len(s.docs))
	docs := make([]doc, 0, len(s.docs)-s.dead)
	for i, d := range s.docs {
		if d.text == "" {
			newIndex[i] = deadDoc
			continue
		}
		newIndex[i] = uint32(len(docs))
		if r := &s.turns[d.turn]; r.from == i { // the first doc of its turn
			r.from, r.to = len(docs), len(docs)+r.to-r.from
		}
		docs = append(docs, d)
	}
	s.docs, s.dead = docs, 0
	return newIndex
}
