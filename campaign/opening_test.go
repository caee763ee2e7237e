package campaign_test

import (
	"context"
	"iter"
	"testing"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/internal/testkit"
)

// openedStore counts the reads of a log.
type openedStore struct {
	*campaign.MemoryStore
	loaded, read int
}

func (s *openedStore) Load(ctx context.Context, id string) (campaign.Saved, error) {
	saved, err := s.MemoryStore.Load(ctx, id)
	s.loaded += len(saved.Entries)
	return saved, err
}

func (s *openedStore) Records(ctx context.Context, id string, after int64) iter.Seq2[campaign.Entry, error] {
	return func(yield func(campaign.Entry, error) bool) {
		for entry, err := range s.MemoryStore.Records(ctx, id, after) {
			if s.read++; !yield(entry, err) {
				return
			}
		}
	}
}

// TestOpeningReadsTheTail: ST-10. A process that opens a campaign and plays a turn reads the newest
// snapshot and the entries after it, however long the campaign is.
func TestOpeningReadsTheTail(t *testing.T) {
	testkit.WithoutRace(t)
	t.Parallel()
	for _, turns := range []int{63, 1023} { // as far after a snapshot as possible
		_, cfg := longGone(t, campaign.Config{}, turns)
		store := &openedStore{MemoryStore: cfg.Store.(*campaign.MemoryStore)}
		cfg.Store = store
		o := turnOf(t, fresh(t, cfg), turn.Submit{Text: "I wait."})
		if o.Status != turn.Completed || store.loaded > 31 || store.read > 0 {
			t.Errorf("%d turns: %s, %d entries were loaded and %d read", turns, o.Status, store.loaded, store.read)
		}
	}
}
