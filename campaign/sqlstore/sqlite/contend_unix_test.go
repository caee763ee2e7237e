//go:build unix

package sqlite_test

import (
	"path/filepath"
	"testing"

	"github.com/talewright/talewright/campaign/sqlstore/internal/crash"
	"github.com/talewright/talewright/campaign/sqlstore/sqlite"
)

// TestContend lets two engines in separate processes play the same campaigns of one file, and kills
// and stops them. No acknowledged turn may be lost or doubled. Every campaign must replay to the
// stored state (ST-04). TALEWRIGHT_CRASH=300 sets the number of kills.
func TestContend(t *testing.T) {
	path := filepath.Join(t.TempDir(), "contend.db")
	store := open(t, path, sqlite.Options{Shared: true})
	kills := crash.Kills(t)
	crash.Contend(t, store, crash.Contest{Where: path, Workers: 2, Kills: kills, Pauses: kills})
	if err := store.Check(t.Context()); err != nil {
		t.Error(err)
	}
}

// TestServe posts to campaigns of one file while three processes serve them and are killed. Each
// post is played once and in order. TALEWRIGHT_CRASH=300 means 150 kills.
func TestServe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "serve.db")
	crash.Serve(t, open(t, path, sqlite.Options{Shared: true}), path)
}

// TestHolder kills and stops a process that holds a lease, at each point of a turn. A second
// process plays the turn. The turn is committed once, and paid for once if the answer had arrived
// (ST-06).
func TestHolder(t *testing.T) {
	path := filepath.Join(t.TempDir(), "holder.db")
	crash.Hold(t, open(t, path, sqlite.Options{Shared: true}), path)
}
