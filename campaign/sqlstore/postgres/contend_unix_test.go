//go:build unix

package postgres

import (
	"fmt"
	"testing"

	"github.com/talewright/talewright/campaign/sqlstore/internal/crash"
)

// TestContend lets engines in separate processes play the same campaigns on one server. It kills
// and stops them, and restarts the server. No acknowledged turn may be lost or doubled, and every
// campaign must replay to the stored state. TALEWRIGHT_CRASH=300 sets the number of kills, with two
// to eight processes.
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

// TestServe posts to campaigns on one server while three processes serve them and are killed. Each
// post is played once and in order. TALEWRIGHT_CRASH=300 means 150 kills.
func TestServe(t *testing.T) {
	config := server(t)
	crash.Serve(t, connect(t, config), config.RuntimeParams["search_path"])
}

// TestHolder kills and stops a process that holds a lease, at each point of a turn. A second
// process plays the turn. The turn is committed once, and paid for once if the answer had arrived
// (ST-06).
func TestHolder(t *testing.T) {
	config := server(t)
	crash.Hold(t, connect(t, config), config.RuntimeParams["search_path"])
}

// TestApprovalByTwoProcesses lets two processes answer one question at once. One answer takes
// effect, once. The other is refused with a code, or its error names the lost race (CA-41, ST-03).
func TestApprovalByTwoProcesses(t *testing.T) {
	config := server(t)
	crash.Answer(t, connect(t, config), config.RuntimeParams["search_path"])
}
