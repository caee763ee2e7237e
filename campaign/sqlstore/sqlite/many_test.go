package sqlite_test

import (
	"fmt"
	"path/filepath"
	"sync"
	"testing"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/sqlstore/sqlite"
)

// TestManyCampaigns lists ten thousand campaigns by pages while some are deleted. No page repeats
// or misses a campaign.
func TestManyCampaigns(t *testing.T) {
	const n, size = 10_000, 300
	path := filepath.Join(t.TempDir(), "a.db")
	s := open(t, path, sqlite.Options{})
	db := raw(t, path)
	exec(t, db, fmt.Sprintf(`WITH RECURSIVE c(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM c WHERE i < %d)
		INSERT INTO talewright_campaign (id, head, created, updated) SELECT printf('bot/%%05d', i), 1, '', '' FROM c`, n-1))
	exec(t, db, `INSERT INTO talewright_record (campaign, version, kind, at, turn, data, key)
		SELECT id, 1, 'create', '', '', CAST('x' AS BLOB), '' FROM talewright_campaign`)
	next := 0
	for page := (campaign.Page{Prefix: "bot/", Limit: size}); ; {
		listed, err := s.List(t.Context(), page)
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range listed {
			if want := fmt.Sprintf("bot/%05d", next); l.ID != want || l.Version != 1 {
				t.Fatalf("%+v stands where %s belongs", l, want)
			}
			next++
		}
		if len(listed) < size {
			break
		}
		page.After = listed[len(listed)-1].ID
		if err := s.Delete(t.Context(), page.After); err != nil { // the next page starts after it all the same
			t.Fatal(err)
		}
	}
	if next != n {
		t.Errorf("%d are listed", next)
	}
	if rest, err := s.List(t.Context(), campaign.Page{}); err != nil || len(rest) != n-n/size {
		t.Errorf("%d are left, %v", len(rest), err)
	}
	if err := s.Check(t.Context()); err != nil {
		t.Error(err)
	}
}

// TestCompactWhileWriting checks that commits wait for a compaction, and that no commit is lost.
func TestCompactWhileWriting(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "a.db"), sqlite.Options{})
	fill(t, s, "gone", 100)
	if err := s.Delete(t.Context(), "gone"); err != nil {
		t.Fatal(err)
	}
	const writers, each = 3, 30
	var all sync.WaitGroup
	for w := range writers {
		all.Go(func() {
			for v := int64(1); v <= each; v++ {
				if err := s.Append(t.Context(), fmt.Sprint("a", w), entry(v, "x"), nil); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	for range 5 {
		if err := s.Compact(t.Context()); err != nil {
			t.Error(err)
		}
	}
	all.Wait()
	if err := s.Check(t.Context()); err != nil {
		t.Error(err)
	}
	for w := range writers {
		if saved, err := s.Load(t.Context(), fmt.Sprint("a", w)); err != nil || len(saved.Entries) != each {
			t.Errorf("%d entries of writer %d, %v", len(saved.Entries), w, err)
		}
	}
}
