package sqlite_test

import (
	"path/filepath"
	"testing"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/sqlstore/sqlite"
	"github.com/talewright/talewright/campaign/storetest"
)

func open(t testing.TB, path string, o sqlite.Options) *sqlite.Store {
	t.Helper()
	s, err := sqlite.Open(t.Context(), path, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// TestStore runs the tests for stores, with a second store on the same file (ST-02).
func TestStore(t *testing.T) {
	for name, o := range map[string]sqlite.Options{"full": {Shared: true}, "relaxed": {Relaxed: true}} {
		t.Run(name, func(t *testing.T) {
			paths := map[campaign.Store]string{}
			at := func(t *testing.T, path string) campaign.Store {
				s := open(t, path, o)
				paths[s] = path
				return s
			}
			storetest.Run(t, func(t *testing.T) campaign.Store {
				return at(t, filepath.Join(t.TempDir(), "战役 #1?%20.db"))
			}, storetest.Options{
				Reopen: func(t *testing.T, s campaign.Store) campaign.Store {
					if err := s.(*sqlite.Store).Close(); err != nil {
						t.Fatal(err)
					}
					return at(t, paths[s])
				},
				Beside: func(t *testing.T, s campaign.Store) campaign.Store { return at(t, paths[s]) },
			})
		})
	}
}
