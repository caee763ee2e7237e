package sqlite_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/sqlstore/internal/crash"
	"github.com/talewright/talewright/campaign/sqlstore/sqlite"
)

func TestMain(m *testing.M) {
	crash.Main(func(ctx context.Context, where string) (campaign.Store, error) {
		return sqlite.Open(ctx, where, sqlite.Options{Shared: true})
	})
	os.Exit(m.Run())
}

// TestCrash kills processes that write to one file. No acknowledged entry may be lost or doubled,
// and the file must be valid (ST-04). TALEWRIGHT_CRASH=300 sets the number of kills.
func TestCrash(t *testing.T) {
	path := filepath.Join(t.TempDir(), "crash.db")
	crash.Run(t, path,
		func() campaign.Store { return open(t, path, sqlite.Options{}) },
		func(s campaign.Store) error { return s.(*sqlite.Store).Check(t.Context()) })
}
