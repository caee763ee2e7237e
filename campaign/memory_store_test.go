package campaign_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/storetest"
)

// TestStore runs the store tests on the store in memory: ST-01.
func TestStore(t *testing.T) {
	storetest.Run(t, func(*testing.T) campaign.Store { return &campaign.MemoryStore{} }, storetest.Options{Forgets: true})
}

// TestStoreWithEndedContext: no method reads or writes after the end of its context.
func TestStoreWithEndedContext(t *testing.T) {
	t.Parallel()
	s := &campaign.MemoryStore{}
	if err := s.Append(t.Context(), "cave", campaign.Entry{Version: 1, Data: []byte("{}")}, nil); err != nil {
		t.Fatal(err)
	}
	for key, at := range map[string]time.Time{"a": noon, "b": noon.Add(-time.Hour), "c": {}} {
		if _, err := s.PutPost(t.Context(), "cave", campaign.InboxPost{Key: key, At: at}); err != nil {
			t.Fatal(err)
		}
	}
	ended, end := context.WithCancel(t.Context())
	end()
	for name, do := range map[string]func(ctx context.Context) error{
		"Append": func(ctx context.Context) error {
			return s.Append(ctx, "cave", campaign.Entry{Version: 2, Data: []byte("{}")}, nil)
		},
		"Find":       func(ctx context.Context) error { _, err := s.Find(ctx, "cave", "a"); return err },
		"Load":       func(ctx context.Context) error { _, err := s.Load(ctx, "cave"); return err },
		"Records":    func(ctx context.Context) error { _, err := listOf(s.Records(ctx, "cave", 0)); return err },
		"List":       func(ctx context.Context) error { _, err := s.List(ctx, campaign.Page{}); return err },
		"Stats":      func(ctx context.Context) error { _, err := s.Stats(ctx); return err },
		"Acquire":    func(ctx context.Context) error { _, err := s.Acquire(ctx, "cave", "a", time.Hour); return err },
		"Renew":      func(ctx context.Context) error { return s.Renew(ctx, "cave", 0, time.Hour) },
		"Release":    func(ctx context.Context) error { return s.Release(ctx, "cave", 0) },
		"SaveAnswer": func(ctx context.Context) error { return s.SaveAnswer(ctx, "cave", 0, "a", nil) },
		"Answer":     func(ctx context.Context) error { _, err := s.Answer(ctx, "cave", "a"); return err },
		"PutPost": func(ctx context.Context) error {
			_, err := s.PutPost(ctx, "cave", campaign.InboxPost{Key: "b"})
			return err
		},
		"OldestPost":  func(ctx context.Context) error { _, _, err := s.OldestPost(ctx, "cave"); return err },
		"FinishPost":  func(ctx context.Context) error { return s.FinishPost(ctx, "cave", 0, "a", nil) },
		"ListInboxes": func(ctx context.Context) error { _, err := s.ListInboxes(ctx, "", 0); return err },
		"Trim":        func(ctx context.Context) error { return s.Trim(ctx, "cave") },
		"Delete":      func(ctx context.Context) error { return s.Delete(ctx, "cave") },
	} {
		if err := do(ended); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if st, err := s.Stats(t.Context()); err != nil || st.Campaigns != 1 || st.Posts != 3 || !st.Oldest.Equal(noon.Add(-time.Hour)) {
		t.Errorf("the store has %+v, %v", st, err)
	}
}
