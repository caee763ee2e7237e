package sqlite

import (
	"database/sql"
	"path/filepath"
	"testing"
	"time"
)

// TestSettingsOfConnections checks three settings (ST-04). Commits are synced to the disk unless
// Relaxed is set. Only one connection writes. No connection waits for a lock longer than the call's
// timeout.
func TestSettingsOfConnections(t *testing.T) {
	const normal, full = 1, 2
	for _, c := range []struct {
		relaxed bool
		timeout time.Duration
		writes  int64
		busy    time.Duration
	}{{false, 0, full, busy}, {true, time.Minute, normal, busy}, {false, 5 * time.Second, full, 5 * time.Second}} {
		s, err := Open(t.Context(), filepath.Join(t.TempDir(), "a.db"), Options{Relaxed: c.relaxed, Timeout: c.timeout, Readers: 3})
		if err != nil {
			t.Fatal(err)
		}
		for _, db := range []struct {
			name        string
			db          *sql.DB
			synchronous int64
			connections int
		}{{"writes", s.writes, c.writes, 1}, {"reads", s.reads, c.writes, 3}, {"leases", s.leases, normal, 1}} {
			var synchronous, wait int64
			var journal string
			for text, into := range map[string]any{"synchronous": &synchronous, "journal_mode": &journal, "busy_timeout": &wait} {
				if err := db.db.QueryRowContext(t.Context(), "PRAGMA "+text).Scan(into); err != nil {
					t.Fatal(err)
				}
			}
			if n := db.db.Stats().MaxOpenConnections; synchronous != db.synchronous || journal != "wal" || wait != c.busy.Milliseconds() || n != db.connections {
				t.Errorf("relaxed %t, %s: synchronous %d, %s, busy for %d ms, %d connections", c.relaxed, db.name, synchronous, journal, wait, n)
			}
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}
