package campaign

import (
	"testing"
	"time"
)

// TestCampaignsDoNotWaitForOneAnother: calls for one campaign need no lock of a different part of
// the store.
func TestCampaignsDoNotWaitForOneAnother(t *testing.T) {
	s := &MemoryStore{}
	for i := range s.shards {
		if p := &s.shards[i]; p != s.shardOf("mill") {
			p.mu.Lock()
			defer p.mu.Unlock()
		}
	}
	ctx := t.Context()
	if err := s.Append(ctx, "mill", Entry{Version: 1, Key: "a"}, []byte("whole")); err != nil {
		t.Fatal(err)
	}
	fence, err := s.Acquire(ctx, "mill", "ann", time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		what string
		do   func() error
	}{
		{"Load", func() error { _, err := s.Load(ctx, "mill"); return err }},
		{"Find", func() error { _, err := s.Find(ctx, "mill", "a"); return err }},
		{"Renew", func() error { return s.Renew(ctx, "mill", fence, time.Hour) }},
		{"SaveAnswer", func() error { return s.SaveAnswer(ctx, "mill", fence, "a", nil) }},
		{"Answer", func() error { _, err := s.Answer(ctx, "mill", "a"); return err }},
		{"PutPost", func() error { _, err := s.PutPost(ctx, "mill", InboxPost{Key: "a"}); return err }},
		{"OldestPost", func() error { _, _, err := s.OldestPost(ctx, "mill"); return err }},
		{"Release", func() error { return s.Release(ctx, "mill", fence) }},
		{"Trim", func() error { return s.Trim(ctx, "mill") }},
		{"Delete", func() error { return s.Delete(ctx, "mill") }},
	} {
		if err := c.do(); err != nil {
			t.Errorf("%s: %v", c.what, err)
		}
	}
}
