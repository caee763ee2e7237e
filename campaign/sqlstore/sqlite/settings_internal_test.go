package sqlite

import (
	"database/sql"
	"path/filepath"
	"testing"
)

// TestSettingsOfConnections: commits are synced to the disk unless they need not be, and only one
// connection writes: ST-04.
func TestSettingsOfConnections(t *testing.T) {
	const normal, full = 1, 2
	for _, c := range []struct {
		relaxed bool
		writes  int64
	}{{false, full}, {true, normal}} {
		s, err := Open(t.Context(), filepath.Join(t.TempDir(), "a.db"), Options{Relaxed: c.relaxed, Readers: 3})
		if err != nil {
			t.Fatal(err)
		}
		for _, db := range []struct {
			name        string
			db          *sql.DB
			synchronous int64
			connections int
		}{{"writes", s.writes, c.writes, 1}, {"reads", s.reads, c.writes, 3}, {"leases", s.leases, normal, 1}} {
			var synchronous, busy int64
			var journal string
			for text, into := range map[string]any{"synchronous": &synchronous, "journal_mode": &journal, "busy_timeout": &busy} {
				if err := db.db.QueryRowContext(t.Context(), "PRAGMA "+text).Scan(into); err != nil {
					t.Fatal(err)
				}
			}
			if n := db.db.Stats().MaxOpenConnections; synchronous != db.synchronous || journal != "wal" || busy != busyMillis || n != db.connections {
				t.Errorf("relaxed %t, %s: synchronous %d, %s, busy for %d ms, %d connections", c.relaxed, db.name, synchronous, journal, busy, n)
			}
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}
