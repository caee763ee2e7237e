//go:build unix

package postgres

import (
	"fmt"
	"testing"

	"github.com/talewright/talewright/campaign/sqlstore/internal/crash"
)

// TestContend lets engines in processes of their own play the same campaigns on one server,
// kills and stops them, and restarts the server: no turn that was acknowledged is lost or
// there twice, and every campaign replays to what is stored. TALEWRIGHT_CRASH=300 kills so
// often, with two to eight processes.
func TestContend(t *testing.T) {
	kills := crash.Kills(t)
	own := startServer(t)
	dsn := "host=" + own.folder + " user=postgres dbname=postgres"
	workers := []int{2, 5}
	if kills > 10 {
		workers = []int{2, 3, 4, 5, 6, 7, 8}
	}
	for _, n := range workers {
		t.Run(fmt.Sprintf("%d workers", n), func(t *testing.T) {
			config := schema(t, dsn)
			store := connect(t, config)
			kills := (kills + len(workers) - 1) / len(workers)
			crash.Contend(t, store, crash.Contest{Where: config.RuntimeParams["search_path"], Env: []string{envServer + "=" + dsn},
				Workers: n, Kills: kills, Pauses: kills, Restarts: 1 + kills/8,
				Restart: func() { own.run("pg_ctl", "restart", "-w", "-m", "immediate") }})
			if err := store.Check(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestServe posts to campaigns on one server, which three processes serve that are killed: each post
// is played once and in order. TALEWRIGHT_CRASH=300 kills half so often.
func TestServe(t *testing.T) {
	config := server(t)
	crash.Serve(t, connect(t, config), config.RuntimeParams["search_path"])
}

// TestHolder kills and stops a process that holds a campaign, at each place of a turn: another
// one plays the turn, which is committed once, and paid for once where the answer had
// arrived (ST-06).
func TestHolder(t *testing.T) {
	config := server(t)
	crash.Hold(t, connect(t, config), config.RuntimeParams["search_path"])
}

// TestApprovalByTwoProcesses: two processes answer one question at once. One of the answers counts, once; the other one is
// refused with a code, or has lost a race that its error names (CA-41, ST-03).
func TestApprovalByTwoProcesses(t *testing.T) {
	config := server(t)
	crash.Answer(t, connect(t, config), config.RuntimeParams["search_path"])
}
