package crash

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/llm/llmtest"
)

// This file damages database rows of a campaign, and checks that the campaign is repaired and
// continues.

// Database is an empty database.
type Database struct {
	Open func() campaign.Store // like a process that starts
	Exec func(text string)     // runs statements
	Blob string                // the type of bytes
	Edit string                // an SQL expression for the data with "Hail." instead of "Snow."
}

// damages are cases of damage to a campaign with six records and a snapshot of version 4.
var damages = []struct {
	reason, text  string
	from, reached int64
	turns         int  // turns that the repaired campaign has
	opens         bool // the campaign can be loaded all the same
}{
	{"the last record was cut", `UPDATE talewright_record SET data = substr(data, 1, 100) WHERE version = 6`, 6, 5, 4, false},
	{"the last record is empty", `UPDATE talewright_record SET data = CAST('' AS {blob}) WHERE version = 6`, 6, 5, 4, false},
	{"a word of the last record was changed", `UPDATE talewright_record SET data = {edit} WHERE version = 6`, 6, 5, 4, false},
	{"a record before the snapshot was cut", `UPDATE talewright_record SET data = substr(data, 1, 100) WHERE version = 3`, 3, 6, 5, true},
	{"a record was cut and the snapshot with it", `UPDATE talewright_record SET data = substr(data, 1, 100) WHERE version = 3;
		UPDATE talewright_snapshot SET data = substr(data, 1, 100)`, 3, 2, 1, false},
	{"the snapshots are gone and the last record too", `UPDATE talewright_record SET data = CAST('{' AS {blob}) WHERE version = 6;
		DELETE FROM talewright_snapshot`, 6, 5, 4, false},
	{"a record is gone", `DELETE FROM talewright_record WHERE version = 2`, 2, 6, 5, true},
	{"the first record is gone", `DELETE FROM talewright_record WHERE version = 1`, 1, 6, 5, true},
	{"the snapshot is newer than the end of the log", `DELETE FROM talewright_record WHERE version > 3`, 4, 4, 3, false},
	{"the snapshot is newer than the log, and so says the campaign", `DELETE FROM talewright_record WHERE version > 3;
		UPDATE talewright_campaign SET head = 3`, 4, 4, 3, false},
	{"the snapshot is newer than the log, and cannot be read", `DELETE FROM talewright_record WHERE version > 3;
		UPDATE talewright_snapshot SET data = substr(data, 1, 100)`, 4, 3, 2, false},
	{"the end of the log is lost", `DELETE FROM talewright_record WHERE version > 4`, 5, 4, 3, true},
	{"the end of the log is lost, and the snapshots", `DELETE FROM talewright_record WHERE version > 4; DELETE FROM talewright_snapshot`, 5, 4, 3, true},
}

// Mend damages databases, one for each case.
func Mend(t *testing.T, begin func(t *testing.T) Database) {
	g, problems := game.Compile(game.Content{})
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	for _, c := range damages {
		t.Run(c.reason, func(t *testing.T) {
			db := begin(t)
			engine := func(texts ...string) *campaign.Engine {
				model := llmtest.NewScripted()
				for _, text := range texts {
					model.Add(llmtest.Text(text))
				}
				e, err := campaign.New(campaign.Config{Game: g, Store: db.Open(), SnapshotEvery: 4, Model: model})
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
						t.Fatalf("%v, %v", err, o.Err())
					}
				}
			}
			e := engine("Rain.", "Wind.", "Fog.", "Hail.", "Snow.")
			if _, err := e.Create(t.Context(), state.Setup{ID: "mill", Characters: []state.Character{{ID: "ann", Name: "Ann"}}}); err != nil {
				t.Fatal(err)
			}
			play(e, 5)
			db.Exec(strings.NewReplacer("{blob}", db.Blob, "{edit}", db.Edit).Replace(c.text))

			e = engine("Sun.", "Moon.")
			wantDamage := func(what string, err error) {
				t.Helper()
				if d, ok := errors.AsType[*state.LogDamage](err); !ok || d.Version != c.from {
					t.Errorf("%s: %v, want damage of record %d", what, err, c.from)
				}
			}
			_, err := e.Rebuild(t.Context(), "mill")
			wantDamage("rebuilt", err)
			if _, err := e.Campaign(t.Context(), "mill"); !c.opens {
				wantDamage("opened", err)
			} else if err != nil {
				t.Errorf("opened: %v", err)
			}
			note, err := e.Repair(t.Context(), "mill", state.KeepLogged)
			if err != nil || note == nil || note.Cause != state.CauseDamaged || note.From != c.from || note.Reached != c.reached {
				t.Fatalf("repaired: %+v, %v", note, err)
			}
			if got, err := e.Campaign(t.Context(), "mill"); err != nil || got.State.TurnCount != c.turns {
				t.Errorf("%d turns, %v", got.State.TurnCount, err)
			}
			play(e, 1)
			// A row of the campaign that is older than its log, for example from a backup, must not
			// stop the campaign.
			db.Exec(`UPDATE talewright_campaign SET head = head - 1`)
			e = engine("Moon.")
			play(e, 1)
			if err := e.Check(t.Context(), "mill"); err != nil {
				t.Errorf("checked: %v", err)
			}
			if _, err := engine().Rebuild(t.Context(), "mill"); err != nil {
				t.Errorf("rebuilt: %v", err)
			}
			shown := 0
			for _, err := range engine().History(t.Context(), "mill", state.HistoryPage{}) {
				if shown++; err != nil {
					t.Fatal(err)
				}
			}
			if shown != c.turns+2 {
				t.Errorf("%d turns are shown after two more", shown)
			}
			var file bytes.Buffer
			if err := e.Export(t.Context(), "mill", &file); err != nil {
				t.Fatalf("exported: %v", err)
			}
			elsewhere, err := campaign.New(campaign.Config{Game: g, Store: &campaign.MemoryStore{}, Model: llmtest.NewScripted()})
			if err != nil {
				t.Fatal(err)
			}
			if got, err := elsewhere.Import(t.Context(), &file); err != nil || got.State.TurnCount != c.turns+2 {
				t.Errorf("imported elsewhere: %d turns, %v", got.State.TurnCount, err)
			}
		})
	}
}
