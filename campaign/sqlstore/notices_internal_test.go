package sqlstore

import (
	"path/filepath"
	"testing"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/storetest"
)

// TestStoreOfAnyDriver runs the tests for stores on a database that was opened by the host,
// together with a second process.
func TestStoreOfAnyDriver(t *testing.T) {
	paths := map[campaign.Store]string{}
	open := func(t *testing.T, path string) campaign.Store {
		db := databaseAt(t, path)
		s, err := New(t.Context(), db, SQLite, Options{})
		if err != nil {
			t.Fatal(err)
		}
		paths[s] = path
		return s
	}
	again := func(t *testing.T, s campaign.Store) campaign.Store { return open(t, paths[s]) }
	storetest.Run(t, func(t *testing.T) campaign.Store { return open(t, filepath.Join(t.TempDir(), "a.db")) },
		storetest.Options{Beside: again, Reopen: func(t *testing.T, s campaign.Store) campaign.Store {
			if err := s.(*Store).writes.Close(); err != nil {
				t.Fatal(err)
			}
			return again(t, s)
		}})
}
