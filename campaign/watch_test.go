package campaign_test

import (
	"context"
	"errors"
	"iter"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
)

// silentStore is a store without notices, whose connection breaks sometimes.
type silentStore struct {
	campaign.Store
	breaks int // the number of reads that end after one entry
}

func (s *silentStore) Records(ctx context.Context, id string, after int64) iter.Seq2[campaign.Entry, error] {
	return func(yield func(campaign.Entry, error) bool) {
		broken := s.breaks > 0
		s.breaks--
		for entry, err := range s.Store.Records(ctx, id, after) {
			if !yield(entry, err) {
				return
			}
			if broken {
				break
			}
		}
		if broken {
			yield(campaign.Entry{}, errCut)
		}
	}
}

// TestWatchFromAnotherProcess: Watch yields each record once, in order and as committed by a
// different process, also if the store has no notices or breaks off. The records, applied in order,
// give the campaign: ST-05.
func TestWatchFromAnotherProcess(t *testing.T) {
	for _, c := range []struct {
		reason string
		breaks int
		own    bool // a store without notices
	}{
		{"with notices", 0, false},
		{"a store that gives none", 0, true},
		{"a connection that breaks", 4, true},
	} {
		synctest.Test(t, func(t *testing.T) {
			shared := &campaign.MemoryStore{}
			player := newEngine(t, campaign.Config{Store: shared, Model: scripted("0", "1", "2", "3", "4", "5")})
			seen := campaign.Store(shared)
			if c.own {
				seen = &silentStore{Store: shared, breaks: c.breaks}
			}
			watcher := another(t, seen)
			turnOf(t, player, turn.Submit{Text: "I wait."})
			go func() {
				for range 5 {
					synctest.Wait() // the watcher has everything
					turnOf(t, player, turn.Submit{Text: "I wait."})
				}
			}()
			var texts []string
			var followed state.Campaign
			broken := 0
			for rec, err := range watcher.Watch(t.Context(), "cave", 0) {
				if errors.Is(err, campaign.ErrUnavailable) {
					broken++
					continue
				}
				if err != nil {
					t.Fatal(err)
				}
				if rec.Version != followed.Version+1 {
					t.Fatalf("%s: version %d after %d", c.reason, rec.Version, followed.Version)
				}
				if followed, err = turn.Follow(followed, one(rec)); err != nil {
					t.Fatal(err)
				}
				if rec.Turn != nil {
					texts = append(texts, rec.Turn.Text)
				}
				if len(texts) == 6 {
					break
				}
			}
			if want := []string{"0", "1", "2", "3", "4", "5"}; !slices.Equal(texts, want) || broken != c.breaks {
				t.Errorf("%s: texts %q and %d errors, want %q and %d", c.reason, texts, broken, want, c.breaks)
			}
			if jsonOf(t, followed) != jsonOf(t, campaignOf(t, player)) {
				t.Errorf("%s: what was followed is another campaign", c.reason)
			}
		})
	}
}

func one(rec turn.Record) iter.Seq2[turn.Record, error] {
	return func(yield func(turn.Record, error) bool) { yield(rec, nil) }
}

// TestWatchEnds: with the context, with the campaign, and at once for an unknown campaign.
func TestWatchEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &campaign.MemoryStore{}
		e := newEngine(t, campaign.Config{Store: store, Model: scripted()})
		last := func(ctx context.Context, id string) (records int, last error) {
			for _, err := range e.Watch(ctx, id, 0) {
				if last = err; err == nil {
					records++
				}
			}
			return records, last
		}
		if n, err := last(t.Context(), "nowhere"); n != 0 || !errors.Is(err, campaign.ErrNotFound) {
			t.Errorf("an unknown campaign: %d records, %v", n, err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		if n, err := last(ctx, "cave"); n != 1 || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("the end of the context: %d records, %v", n, err)
		}
		go func() {
			synctest.Wait()
			if err := store.Delete(t.Context(), "cave"); err != nil {
				t.Error(err)
			}
		}()
		begun := time.Now()
		if n, err := last(t.Context(), "cave"); n != 1 || !errors.Is(err, campaign.ErrDeleted) || time.Since(begun) > 0 {
			t.Errorf("the end of the campaign: %d records, %v after %s", n, err, time.Since(begun))
		}
	})
}
