package embed

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/philippgille/chromem-go"

	"github.com/talewright/talewright/campaign/memory"
	"github.com/talewright/talewright/internal/tokens"
)

// Memory remembers campaigns by the vectors of their passages. It is safe for concurrent use;
// turns of one campaign are remembered one after the other. Make it with [New].
type Memory struct {
	config Config
	db     *chromem.DB

	mu        sync.Mutex
	campaigns map[string]*campaignVectors
}

// campaignVectors is what is known of one campaign.
type campaignVectors struct {
	*vectors
	writing sync.Mutex // held while a turn is remembered, which may take seconds

	mu      sync.RWMutex
	lineage memory.Lineage
	turns   map[string]record
	order   []string // ids of turns as they came
	oldest  int      // the first of order whose passages are not forgotten
	kept    int      // passages
}

// record is what is kept of a turn beside its passages.
type record struct {
	hash, summary string
	index         int
	witnesses     []string
	docs          []string // ids of its passages
	gone          bool     // they are forgotten
}

// Remember adds a turn to what is known of a campaign. Its parent is remembered before it. A turn
// that is known is replaced; the same one again asks the embedder nothing. The error is the
// context's, the embedder's, or that of the folder.
func (m *Memory) Remember(ctx context.Context, campaign string, turn memory.Turn) error {
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
	next := record{hash: turn.Hash(), summary: turn.Summary, index: turn.Index, witnesses: slices.Clone(turn.Witnesses)}
	if known && old.hash == next.hash && old.summary == next.summary {
		next.docs, next.gone = old.docs, old.gone
		s.keep(turn, next)
		return nil
	}
	docs := documents(turn, next.hash)
	if next.gone = old.gone; next.gone {
		docs = nil
	}
	if err := s.put(ctx, docs); err != nil {
		return fmt.Errorf("campaign %q, turn %q: %w", campaign, turn.ID, err)
	}
	for _, d := range docs {
		next.docs = append(next.docs, d.ID)
	}
	s.keep(turn, next)
	return s.prune(ctx, old, next, m.config.Passages)
}

// documents are the passages of a turn. Their ids hold the text that they are of, so that a new
// text takes nothing from a query that runs meanwhile.
func documents(turn memory.Turn, hash string) []chromem.Document {
	var out []chromem.Document
	for _, p := range turn.Passages() {
		out = append(out, chromem.Document{ID: fmt.Sprintf("%s of %q", hash, p.ID), Content: p.Text,
			Metadata: map[string]string{"turn": turn.ID, "id": p.ID}})
	}
	return out
}

// keep makes a turn what queries see.
func (s *campaignVectors) keep(turn memory.Turn, r record) {
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

// prune deletes what a turn has replaced, and what is too much.
func (s *campaignVectors) prune(ctx context.Context, old, next record, keep int) error {
	gone := slices.DeleteFunc(slices.Clone(old.docs), func(id string) bool { return slices.Contains(next.docs, id) })
	s.mu.Lock() // also against queries, which count what there is
	defer s.mu.Unlock()
	for s.kept > keep && s.oldest < len(s.order) {
		id := s.order[s.oldest]
		r := s.turns[id]
		gone = append(gone, r.docs...)
		s.kept -= len(r.docs)
		r.docs, r.gone = nil, true
		s.turns[id] = r
		s.oldest++
	}
	if len(gone) == 0 {
		return nil
	}
	if err := s.texts.Delete(context.WithoutCancel(ctx), nil, nil, gone...); err != nil {
		return fmt.Errorf("embed: delete vectors: %w", err)
	}
	return nil
}

// Recall returns what lies nearest to the texts of the query, nearest first; scores are cosines.
// A campaign that is not known has no memories. The error is the context's or the embedder's.
func (m *Memory) Recall(ctx context.Context, q memory.Query) ([]memory.Item, error) {
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
		return nil, nil // the embedder need not be asked
	}
	direction, err := s.direction(ctx, q.Texts)
	if err != nil || direction == nil {
		return nil, err
	}
	answer := answer{limit: q.Limit, told: map[string]bool{}}
	s.mu.RLock()
	defer s.mu.RUnlock()
	path := s.lineage.Path(q.Head)
	err = s.near(ctx, direction, func(group []chromem.Result) bool {
		var items []found
		for _, one := range group {
			turnID := one.Metadata["turn"]
			r := s.turns[turnID]
			if !slices.Contains(r.docs, one.ID) || !r.wanted(turnID, q, path) {
				continue
			}
			items = append(items, found{r.index, memory.Item{ID: one.Metadata["id"], TurnID: turnID, Hash: r.hash, Text: one.Content,
				Score: math.Round(float64(one.Similarity)*1e6) / 1e6, Witnesses: slices.Clone(r.witnesses)}})
		}
		slices.SortFunc(items, found.compare)
		return answer.take(items)
	})
	return answer.items, err
}

// holds reports whether there is anything that a query may find.
func (s *campaignVectors) holds(q memory.Query) bool {
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

// wanted reports whether a turn leads to the head, is not shown anyway, and was witnessed.
func (r record) wanted(id string, q memory.Query, path memory.Path) bool {
	return (q.Head == "" || path.Has(id)) && (q.Before <= 0 || r.index < q.Before) &&
		(q.Viewer == "" || len(r.witnesses) == 0 || slices.Contains(r.witnesses, q.Viewer))
}

// found is an item with the index of its turn.
type found struct {
	index int
	memory.Item
}

// compare orders what is equally near.
func (f found) compare(o found) int {
	return cmp.Or(cmp.Compare(o.index, f.index), cmp.Compare(o.TurnID, f.TurnID), cmp.Compare(f.ID, o.ID))
}

// answer collects items until there is no room.
type answer struct {
	items []memory.Item
	limit int // tokens that are left
	told  map[string]bool
}

// take adds items, and reports whether there is room for more.
func (a *answer) take(items []found) bool {
	for _, one := range items {
		key := fmt.Sprintf("%q %q", one.Text, one.Witnesses)
		if a.told[key] {
			continue
		}
		a.told[key] = true
		if a.limit -= tokens.Estimate(one.Text); a.limit < 0 || len(a.items) == memory.MaxItems {
			return false
		}
		a.items = append(a.items, one.Item)
	}
	return true
}

// Seen reports whether a turn was remembered by this Memory, even if its passages are forgotten by
// now. After a restart no turn was: remembered again, it finds its vectors in the folder and the
// embedder is asked nothing. The error is the context's.
func (m *Memory) Seen(ctx context.Context, campaign, turnID string) (bool, error) {
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

// Forget deletes a campaign and its vectors. The error is that of the folder.
func (m *Memory) Forget(campaign string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.campaigns, campaign)
	if err := m.db.DeleteCollection(m.collectionName("campaign", campaign)); err != nil {
		return fmt.Errorf("embed: forget %q: %w", campaign, err)
	}
	return nil
}

// ofCampaign returns what is known of a campaign, something new if that is nothing.
func (m *Memory) ofCampaign(campaign string) (*campaignVectors, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if s := m.campaigns[campaign]; s != nil {
		return s, nil
	}
	v, err := m.collection("campaign", campaign)
	if err != nil {
		return nil, err
	}
	s := &campaignVectors{vectors: v, turns: map[string]record{}}
	m.campaigns[campaign] = s
	return s, nil
}
