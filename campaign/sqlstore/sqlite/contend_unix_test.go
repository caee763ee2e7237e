//go:build unix

package sqlite_test

import (
	"path/filepath"
	"testing"

	"github.com/talewright/talewright/campaign/sqlstore/internal/crash"
	"github.com/talewright/talewright/campaign/sqlstore/sqlite"
)

// TestContend lets two engines in processes of their own play the same campaigns of one
// file, and kills and stops them: no turn that was acknowledged is lost or there twice, and
// every campaign replays to what is stored: ST-04. TALEWRIGHT_CRASH=300 kills so often.
func TestContend(t *testing.T) {
	path := filepath.Join(t.TempDir(), "contend.db")
	store := open(t, path, sqlite.Options{Lend: true})
	kills := crash.Kills(t)
	crash.Contend(t, store, crash.Contest{Where: path, Workers: 2, Kills: kills, Pauses: kills})
	if err := store.Check(t.Context()); err != nil {
		t.Error(err)
	}
}

// TestServe posts to campaigns of one file, which three processes serve that are killed: each post
// is played once and in order. TALEWRIGHT_CRASH=300 kills half so often.
func TestServe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "serve.db")
	crash.Serve(t, open(t, path, sqlite.Options{Lend: true}), path)
}

// TestHolder kills and stops a process that holds a campaign, at each place of a turn: another
// one plays the turn, which is committed once, and paid for once where the answer had
// arrived (ST-06).
func TestHolder(t *testing.T) {
	path := filepath.Join(t.TempDir(), "holder.db")
	crash.Hold(t, open(t, path, sqlite.Options{Lend: true}), path)
}
