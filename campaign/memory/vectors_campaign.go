package memory

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/talewright/talewright/internal/tokens"
)

// Vectors find passages by meaning. An [Embedder] converts passages to vectors. A query finds the
// passages whose vectors are near the vectors of its texts. Turns of one campaign are remembered one
// after the other. Vectors are safe for concurrent use. Create them with
// [OpenVectors].
type Vectors struct {
	config VectorConfig
	files  *folder

	mu        sync.Mutex
	campaigns map[string]*campaignVectors
}

// campaignVectors is the data of one campaign.
type campaignVectors struct {
	*embeddings
	writing sync.Mutex // locked while a turn is remembered, which may take seconds

	mu      sync.RWMutex
	lineage Lineage
	turns   map[string]vectorTurn
	order   []string // IDs of turns, in the order in which they were remembered
	oldest  int      // index in order of the first turn whose passages are kept
	kept    int      // number of passages that are kept, of all turns
}

// vectorTurn is the data of a turn except the text of its passages.
type vectorTurn struct {
	hash, summary string
	index         int
	witnesses     []string
	docs          []string // IDs of its passages, empty if they were deleted
	pruned        bool     // its passages were deleted because of the limit
}

// Remember adds a turn to a campaign. Remember its parent before it. A turn with a known ID is
// replaced. If the turn is unchanged, the embedder is not asked. The error comes from the context,
// the embedder or the folder.
func (m *Vectors) Remember(ctx context.Context, campaign string, turn Turn) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	s, err := m.ofCampaign(campaign)
	if err != nil {
		return err
	}
	s.writing.Lock()
	defer s.writing.Unlock()
	s.mu.RLock()
	old, known := s.turns[turn.ID]
	s.mu.RUnlock()
	next := vectorTurn{hash: turn.Hash(), summary: turn.Summary, index: turn.Index, witnesses: slices.Clone(turn.Witnesses)}
	if known && old.hash == next.hash && old.summary == next.summary {
		next.docs, next.pruned = old.docs, old.pruned
		s.publish(turn, next)
		return nil
	}
	docs := documents(turn, next.hash)
	if next.pruned = old.pruned; next.pruned {
		docs = nil // the limit still excludes this turn
	}
	if err := s.put(ctx, docs); err != nil {
		return fmt.Errorf("campaign %q, turn %q: %w", campaign, turn.ID, err)
	}
	for _, d := range docs {
		next.docs = append(next.docs, d.ID)
	}
	s.publish(turn, next)
	return s.prune(old, next, m.config.Passages)
}

// documents returns the passages of a turn. Their IDs depend on their text, so a changed text does
// not affect a query that runs at the same time.
func documents(turn Turn, hash string) []document {
	var out []document
	for _, p := range turn.Passages() {
		out = append(out, document{ID: fmt.Sprintf("%s of %q", hash, p.ID), Turn: turn.ID, Passage: p.ID, Text: p.Text})
	}
	return out
}

// publish makes a turn visible to queries.
func (s *campaignVectors) publish(turn Turn, r vectorTurn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	old, known := s.turns[turn.ID]
	if !known {
		s.lineage.Add(turn.ID, turn.Parent)
		s.order = append(s.order, turn.ID)
	}
	s.kept += len(r.docs) - len(old.docs)
	s.turns[turn.ID] = r
}

// prune deletes the passages of a turn that were replaced. If there are more passages than limit, it
// deletes the passages of the oldest turns.
func (s *campaignVectors) prune(old, next vectorTurn, limit int) error {
	gone := slices.DeleteFunc(slices.Clone(old.docs), func(id string) bool { return slices.Contains(next.docs, id) })
	s.mu.Lock() // until the vectors are deleted: the number of vectors must not change during a query
	defer s.mu.Unlock()
	for s.kept > limit && s.oldest < len(s.order) {
		id := s.order[s.oldest]
		r := s.turns[id]
		gone = append(gone, r.docs...)
		s.kept -= len(r.docs)
		r.docs, r.pruned = nil, true
		s.turns[id] = r
		s.oldest++
	}
	if len(gone) == 0 {
		return nil
	}
	if err := s.texts.delete(gone); err != nil {
		return fmt.Errorf("memory: delete vectors: %w", err)
	}
	return nil
}

// Recall returns the passages nearest to the texts of the query, nearest first. Scores are cosines.
// An unknown campaign has no memories. The error comes from the context or the embedder.
func (m *Vectors) Recall(ctx context.Context, q Query) ([]Item, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	m.mu.Lock()
	s := m.campaigns[q.Campaign]
	m.mu.Unlock()
	if s == nil || q.Limit <= 0 {
		return nil, nil
	}
	if !s.holds(q) {
		return nil, nil // no need to ask the embedder
	}
	direction, err := s.direction(ctx, q.Texts)
	if direction == nil {
		return nil, err
	}
	answer := vectorAnswer{limit: q.Limit, returned: map[string]bool{}}
	s.mu.RLock()
	defer s.mu.RUnlock()
	path := s.lineage.Path(q.Head)
	matches, err := s.texts.near(ctx, direction, s.config.Least)
	matches = slices.DeleteFunc(matches, func(one match) bool {
		r := s.turns[one.Turn]
		return !slices.Contains(r.docs, one.ID) || !r.wanted(one.Turn, q, path)
	})
	slices.SortFunc(matches, func(a, b match) int {
		return cmp.Or(cmp.Compare(b.similarity, a.similarity), cmp.Compare(s.turns[b.Turn].index, s.turns[a.Turn].index),
			cmp.Compare(b.Turn, a.Turn), cmp.Compare(a.Passage, b.Passage))
	})
	for _, one := range matches {
		r := s.turns[one.Turn]
		if !answer.add(Item{ID: one.Passage, TurnID: one.Turn, Hash: r.hash, Text: one.Text,
			Score: math.Round(float64(one.similarity)*1e6) / 1e6, Witnesses: slices.Clone(r.witnesses)}) {
			break
		}
	}
	return answer.items, err
}

// holds reports whether there is a turn that the query may find.
func (s *campaignVectors) holds(q Query) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	path := s.lineage.Path(q.Head)
	for id, r := range s.turns {
		if len(r.docs) > 0 && r.wanted(id, q, path) {
			return true
		}
	}
	return false
}

// wanted reports whether a turn leads to the head, is old enough for the query, and was witnessed
// by those who will know the answer.
func (r vectorTurn) wanted(id string, q Query, path Path) bool {
	return (q.Head == "" || path.Has(id)) && (q.Before <= 0 || r.index < q.Before) && q.mayFind(r.witnesses)
}

// vectorAnswer collects items until the token limit is reached.
type vectorAnswer struct {
	items    []Item
	limit    int             // remaining tokens
	returned map[string]bool // texts with their witnesses, as %q
}

// add adds an item, if its text is new, and reports whether there is room for more.
func (a *vectorAnswer) add(one Item) bool {
	key := fmt.Sprintf("%q %q", one.Text, one.Witnesses)
	if a.returned[key] {
		return true
	}
	a.returned[key] = true
	if a.limit -= tokens.Estimate(one.Text); a.limit < 0 || len(a.items) == MaxItems {
		return false
	}
	a.items = append(a.items, one)
	return true
}

// Has reports whether a turn was remembered since these vectors were opened, even if its passages
// were deleted later. After a restart the result is false for every turn. Call [Vectors.Remember]
// again then: it finds the vectors in the folder and does not ask the embedder. The error comes from
// the context.
func (m *Vectors) Has(ctx context.Context, campaign, turnID string) (bool, error) {
	if err := ctx.Err(); err != nil {
		return false, err
	}
	m.mu.Lock()
	s := m.campaigns[campaign]
	m.mu.Unlock()
	if s == nil {
		return false, nil
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.lineage.Has(turnID), nil
}

// Forget deletes a campaign and its vectors. The error comes from the folder.
func (m *Vectors) Forget(campaign string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.campaigns, campaign)
	if err := m.files.remove(m.collectionName("campaign", campaign)); err != nil {
		return fmt.Errorf("memory: forget %q: %w", campaign, err)
	}
	return nil
}

// ofCampaign returns the data of a campaign, and creates it if there is none.
func (m *Vectors) ofCampaign(campaign string) (*campaignVectors, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if s := m.campaigns[campaign]; s != nil {
		return s, nil
	}
	v, err := m.collection("campaign", campaign)
	if err != nil {
		return nil, err
	}
	s := &campaignVectors{embeddings: v, turns: map[string]vectorTurn{}}
	m.campaigns[campaign] = s
	return s, nil
}
