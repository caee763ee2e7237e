package sqlite_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/repair"
	"github.com/talewright/talewright/campaign/sqlstore/sqlite"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/llm/llmtest"
)

// TestDamagedFilesAreRepaired: where rows of the file were cut, emptied, changed or lost their snapshot, a campaign goes on
// after a repair, in the same file, with and without leases (CA-55).
func TestDamagedFilesAreRepaired(t *testing.T) {
	g, problems := game.Compile(game.Content{})
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		reason, damage string
		from, reached  int64
		turns          int // that the campaign goes on with
	}{
		{"the last record was cut", `UPDATE talewright_record SET data = substr(data, 1, 100) WHERE version = 6`, 6, 5, 4},
		{"the last record is empty", `UPDATE talewright_record SET data = x'' WHERE version = 6`, 6, 5, 4},
		{"a record before the snapshot was cut", `UPDATE talewright_record SET data = substr(data, 1, 100) WHERE version = 3`, 3, 6, 5},
		{"a record was cut and the snapshot with it", `UPDATE talewright_record SET data = substr(data, 1, 100) WHERE version = 3;
			UPDATE talewright_snapshot SET data = substr(data, 1, 100)`, 3, 2, 1},
		{"the snapshots are gone and the last record too", `UPDATE talewright_record SET data = x'7b' WHERE version = 6; DELETE FROM talewright_snapshot`, 6, 5, 4},
	} {
		for _, lend := range []bool{false, true} {
			path := filepath.Join(t.TempDir(), "a.db")
			engine := func(texts ...string) *campaign.Engine {
				var replies []llmtest.Reply
				for _, text := range texts {
					replies = append(replies, llmtest.Text(text))
				}
				e, err := campaign.NewEngine(campaign.Config{Game: g, Store: open(t, path, sqlite.Options{Lend: lend}), SnapshotEvery: 4,
					Model: llmtest.NewScripted(replies...)})
				if err != nil {
					t.Fatal(err)
				}
				return e
			}
			play := func(e *campaign.Engine, n int) {
				t.Helper()
				for i := range n {
					o, err := e.Turn(t.Context(), "mill", turn.Submit{ActorID: "ann", Text: fmt.Sprintf("I wait %d.", i)})
					if err != nil || o.Err() != nil {
						t.Fatalf("%s: %v, %v", c.reason, err, o.Err())
					}
				}
			}
			e := engine("Rain.", "Wind.", "Fog.", "Hail.", "Snow.")
			if _, err := e.Create(t.Context(), state.Setup{ID: "mill", Characters: []state.Character{{ID: "ann", Name: "Ann"}}}); err != nil {
				t.Fatal(err)
			}
			play(e, 5)
			exec(t, raw(t, path), c.damage)

			e = engine("Sun.", "Moon.")
			_, err := e.Rebuild(t.Context(), "mill")
			if d, ok := errors.AsType[*repair.Damage](err); !ok || d.Version != c.from {
				t.Errorf("%s: %v", c.reason, err)
			}
			note, err := e.Repair(t.Context(), "mill", repair.Logged)
			if err != nil || note == nil || note.Cause != repair.Damaged || note.From != c.from || note.Reached != c.reached {
				t.Fatalf("%s: %+v, %v", c.reason, note, err)
			}
			if got, err := e.Campaign(t.Context(), "mill"); err != nil || got.State.TurnCount != c.turns {
				t.Errorf("%s: %d turns, %v", c.reason, got.State.TurnCount, err)
			}
			play(e, 2)
			if _, err := engine().Rebuild(t.Context(), "mill"); err != nil {
				t.Errorf("%s: rebuilt: %v", c.reason, err)
			}
		}
	}
}
