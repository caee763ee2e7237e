package sqlite_test

import (
	"path/filepath"
	"testing"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/sqlstore/internal/crash"
	"github.com/talewright/talewright/campaign/sqlstore/sqlite"
)

// TestDamagedFilesAreRepaired damages rows of a file: they are cut, emptied, removed or changed, or
// their snapshot is deleted. After a repair the campaign continues in the same file, with and
// without leases (CA-55).
func TestDamagedFilesAreRepaired(t *testing.T) {
	for name, o := range map[string]sqlite.Options{"alone": {}, "shared": {Shared: true}} {
		t.Run(name, func(t *testing.T) {
			crash.Mend(t, func(t *testing.T) crash.Database {
				path := filepath.Join(t.TempDir(), "a.db")
				return crash.Database{Blob: "BLOB", Edit: `CAST(replace(CAST(data AS TEXT), 'Snow.', 'Hail.') AS BLOB)`, Open: func() campaign.Store { return open(t, path, o) },
					Exec: func(text string) { exec(t, raw(t, path), text) }}
			})
		})
	}
}
