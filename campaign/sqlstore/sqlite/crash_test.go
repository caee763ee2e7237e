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
		return sqlite.Open(ctx, where, sqlite.Options{Lend: true})
	})
	os.Exit(m.Run())
}

// TestCrash kills processes that write to one file: nothing that was acknowledged is
// lost, nothing is there twice, and the file is sound: ST-04. TALEWRIGHT_CRASH=300 kills
// so often.
func TestCrash(t *testing.T) {
	path := filepath.Join(t.TempDir(), "crash.db")
	crash.Run(t, path,
		func() campaign.Store { return open(t, path, sqlite.Options{}) },
		func(s campaign.Store) error { return s.(*sqlite.Store).Check(t.Context()) })
}
