package memory

import (
	"cmp"
	"math"
	"slices"

	"github.com/talewright/talewright/internal/tokens"
	"github.com/talewright/talewright/internal/utf8text"
)

// The parameters of BM25, and other limits.
const (
	saturation = 1.2  // k1: how much repetitions of a term count
	shortness  = 0.75 // b: how much long passages are penalized
	scale      = 1e6  // scores are integers in this unit, so that their sum does not depend on the order
	relevant   = 4    // scores below the best score divided by this are left out
	maxTerms   = 256  // of a query
	maxTexts   = 16   // of a query; later texts would count less than a ten-thousandth
)

// scores is the scratch space of a query, one element for each passage.
type scores struct {
	visible []bool
	sums    []int64
	found   []uint32 // passages whose sum is not 0
}

// wanted is a term of a query.
type wanted struct {
	list   []posting
	weight float64
}

// recall answers a query.
func (s *campaignIndex) recall(q Query, room *scores) []Item {
	room.reset(len(s.docs))
	passages, length := s.look(q, room.visible)
	if passages == 0 {
		return nil
	}
	mean := float64(length) / float64(passages)
	for _, w := range s.wanted(q.Texts) {
		s.score(w, passages, mean, room)
	}
	return s.items(s.best(room), q.Limit)
}

func (r *scores) reset(n int) {
	if cap(r.visible) < n {
		r.visible, r.sums = make([]bool, n+n/4), make([]int64, n+n/4)
	}
	r.visible, r.sums, r.found = r.visible[:n], r.sums[:n], r.found[:0]
	clear(r.visible)
	clear(r.sums)
}

// look marks the passages that the query may find, and counts them and their terms.
func (s *campaignIndex) look(q Query, visible []bool) (passages, length int) {
	path := s.lineage.Path(q.Head)
	for i := range s.turns {
		r := &s.turns[i]
		if q.Head != "" && !path.has(r.place) || q.Before > 0 && r.index >= q.Before || !q.mayFind(r.witnesses) {
			continue
		}
		passages += r.to - r.from
		for d := r.from; d < r.to; d++ {
			visible[d] = true
			length += s.docs[d].terms
		}
	}
	return passages, length
}

// wanted returns the terms of the texts. All terms of a text together have half the weight of the
// terms of the text before it in the list. The lengths do not matter, so a player's line counts
// even next to a page of narration.
func (s *campaignIndex) wanted(texts []string) []wanted {
	var out []wanted
	known := map[string]int{} // places in out
	weight, left := 1.0, maxQueryBytes
	for _, text := range texts[:min(len(texts), maxTexts)] {
		text = utf8text.Cut(text, left)
		left -= len(text)
		own := distinct(text)
		for _, term := range own {
			at, ok := known[term]
			if !ok && len(out) == maxTerms {
				continue
			}
			if !ok {
				at = len(out)
				known[term] = at
				out = append(out, wanted{list: s.list(term)})
			}
			out[at].weight += weight / float64(len(own))
		}
		weight /= 2
	}
	return out
}

// distinct returns the terms of a text, each once.
func distinct(text string) []string {
	var out []string
	taken := map[string]bool{}
	terms(text, func(term []byte) {
		if !taken[string(term)] {
			out = append(out, string(term))
			taken[out[len(out)-1]] = true
		}
	})
	return out
}

// list returns the postings of a term.
func (s *campaignIndex) list(term string) []posting {
	if n, ok := s.terms[term]; ok {
		return s.lists[n]
	}
	return nil
}

// score adds the score of one term to each visible passage that contains it.
func (s *campaignIndex) score(w wanted, passages int, mean float64, room *scores) {
	having := 0
	for _, p := range w.list {
		if room.visible[p.doc] {
			having++
		}
	}
	rarity := w.weight * math.Log(1+(float64(passages-having)+0.5)/(float64(having)+0.5))
	for _, p := range w.list {
		if !room.visible[p.doc] {
			continue
		}
		if room.sums[p.doc] == 0 {
			room.found = append(room.found, p.doc)
		}
		// At least 1, so that no passage is added to found twice.
		room.sums[p.doc] += max(gain(rarity, float64(p.count), float64(s.docs[p.doc].terms)/mean), 1)
	}
}

// gain returns the score of a term in a passage. The conversions prevent processors from fusing two
// operations, which would round differently.
func gain(rarity, count, length float64) int64 {
	norm := float64(saturation * float64(1-shortness+float64(shortness*length)))
	return int64(math.Round(scale * rarity * float64(count*(saturation+1)) / float64(count+norm)))
}

// candidate is a passage with its score.
type candidate struct {
	*doc
	score int64
	turn  *record
}

// compare orders candidates, the best first.
func (c candidate) compare(o candidate) int {
	return cmp.Or(cmp.Compare(o.score, c.score), cmp.Compare(o.turn.index, c.turn.index),
		cmp.Compare(o.turn.id, c.turn.id), cmp.Compare(c.part, o.part))
}

// best returns the best passages with different texts, at most MaxItems, best first.
func (s *campaignIndex) best(room *scores) []candidate {
	best := make([]candidate, 0, MaxItems+1)
	for _, at := range room.found {
		d := &s.docs[at]
		c := candidate{d, room.sums[at], &s.turns[d.turn]}
		if len(best) == MaxItems && c.compare(best[MaxItems-1]) > 0 {
			continue
		}
		if twin := c.twin(best); twin >= 0 {
			if c.compare(best[twin]) > 0 {
				continue
			}
			best = slices.Delete(best, twin, twin+1)
		}
		i, _ := slices.BinarySearchFunc(best, c, candidate.compare)
		best = slices.Insert(best, i, c)
		best = best[:min(len(best), MaxItems)]
	}
	return best
}

// twin finds a candidate with the same text and witnesses, which has the same score. It returns -1
// if there is none.
func (c candidate) twin(list []candidate) int {
	i, _ := slices.BinarySearchFunc(list, c.score, func(o candidate, score int64) int { return cmp.Compare(score, o.score) })
	for ; i < len(list); i++ {
		if list[i].text == c.text && slices.Equal(list[i].turn.witnesses, c.turn.witnesses) {
			return i
		}
	}
	return -1
}

// items converts candidates into items, until their texts exceed limit tokens.
func (s *campaignIndex) items(best []candidate, limit int) []Item {
	var out []Item
	for _, c := range best {
		limit -= tokens.Estimate(c.text)
		if limit < 0 || c.score < best[0].score/relevant {
			break
		}
		out = append(out, Item{ID: passageID(c.turn.id, c.part), TurnID: c.turn.id, Hash: c.turn.hash, Text: c.text,
			Score: float64(c.score) / scale, Witnesses: slices.Clone(c.turn.witnesses)})
	}
	return out
}
