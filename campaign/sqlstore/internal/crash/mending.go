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
	Open func() campaign.Store // opens the store as a new process does
	Exec func(text string)     // executes SQL statements
	Blob string                // the SQL type of bytes
	Edit string                // an SQL expression for the data with "Hail." instead of "Snow."
}

// damage is a case of damage to a campaign with six records and a snapshot of version 4.
type damage struct {
	reason  string
	sql     string // the statements that damage the database; see [Database] for {blob} and {edit}
	from    int64  // the first damaged record
	reached int64  // the version with which the repaired campaign continues
	turns   int    // the number of turns of the repaired campaign
	loads   bool   // the damaged campaign can still be loaded
}

var damages = []damage{
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
	for _, d := range damages {
		t.Run(d.reason, func(t *testing.T) {
			m := mendTest{T: t, damage: d, db: begin(t), game: g}
			m.damageDatabase()
			m.checkRepair()
			m.checkContinued()
		})
	}
}

// mendTest is the test of one case.
type mendTest struct {
	*testing.T
	damage
	db   Database
	game *game.Game
}

// mill is the ID of the damaged campaign.
const mill = "mill"

// engine opens the store with a model that gives the texts.
func (m *mendTest) engine(texts ...string) *campaign.Engine {
	m.Helper()
	model := llmtest.NewScripted()
	for _, text := range texts {
		model.Add(llmtest.Text(text))
	}
	e, err := campaign.New(campaign.Config{Game: m.game, Store: m.db.Open(), SnapshotEvery: 4, Model: model})
	if err != nil {
		m.Fatal(err)
	}
	return e
}

// play plays n turns.
func (m *mendTest) play(e *campaign.Engine, n int) {
	m.Helper()
	for i := range n {
		o, err := e.Turn(m.Context(), mill, turn.Submit{ActorID: "ann", Text: fmt.Sprintf("I wait %d.", i)})
		if err != nil || o.Err() != nil {
			m.Fatalf("%v, %v", err, o.Err())
		}
	}
}

// damageDatabase creates and plays the campaign, and damages it.
func (m *mendTest) damageDatabase() {
	m.Helper()
	e := m.engine("Rain.", "Wind.", "Fog.", "Hail.", "Snow.")
	setup := state.Setup{ID: mill, Characters: []state.Character{{ID: "ann", Name: "Ann"}}}
	if _, err := e.Create(m.Context(), setup); err != nil {
		m.Fatal(err)
	}
	m.play(e, 5)
	m.db.Exec(strings.NewReplacer("{blob}", m.db.Blob, "{edit}", m.db.Edit).Replace(m.sql))
}

// wantDamage checks that an error is about the first damaged record. what names the call.
func (m *mendTest) wantDamage(what string, err error) {
	m.Helper()
	if d, ok := errors.AsType[*state.LogDamage](err); !ok || d.Version != m.from {
		m.Errorf("%s: %v, want damage of record %d", what, err, m.from)
	}
}

// checkRepair checks that the damage is reported, repairs it, and plays two more turns.
func (m *mendTest) checkRepair() {
	m.Helper()
	e := m.engine("Sun.", "Moon.")
	_, err := e.Rebuild(m.Context(), mill)
	m.wantDamage("rebuilt", err)
	if _, err := e.Campaign(m.Context(), mill); !m.loads {
		m.wantDamage("opened", err)
	} else if err != nil {
		m.Errorf("opened: %v", err)
	}
	note, err := e.Repair(m.Context(), mill, state.KeepLogged)
	if err != nil || note == nil || note.Cause != state.CauseDamaged || note.From != m.from || note.Reached != m.reached {
		m.Fatalf("repaired: %+v, %v", note, err)
	}
	if got, err := e.Campaign(m.Context(), mill); err != nil || got.State.TurnCount != m.turns {
		m.Errorf("%d turns, %v", got.State.TurnCount, err)
	}
	m.play(e, 1)
	// A row of the campaign that is older than its log, for example from a backup, must not stop the
	// campaign.
	m.db.Exec(`UPDATE talewright_campaign SET head = head - 1`)
	m.play(m.engine("Moon."), 1)
}

// checkContinued checks that everything can be read after a repair and two more turns.
func (m *mendTest) checkContinued() {
	m.Helper()
	e := m.engine()
	if err := e.Check(m.Context(), mill); err != nil {
		m.Errorf("checked: %v", err)
	}
	if _, err := m.engine().Rebuild(m.Context(), mill); err != nil {
		m.Errorf("rebuilt: %v", err)
	}
	shown := 0
	for _, err := range m.engine().History(m.Context(), mill, state.HistoryPage{}) {
		if shown++; err != nil {
			m.Fatal(err)
		}
	}
	if shown != m.turns+2 {
		m.Errorf("%d turns are shown after two more", shown)
	}
	var file bytes.Buffer
	if err := e.Export(m.Context(), mill, &file); err != nil {
		m.Fatalf("exported: %v", err)
	}
	elsewhere, err := campaign.New(campaign.Config{Game: m.game, Store: &campaign.MemoryStore{}, Model: llmtest.NewScripted()})
	if err != nil {
		m.Fatal(err)
	}
	if got, err := elsewhere.Import(m.Context(), &file); err != nil || got.State.TurnCount != m.turns+2 {
		m.Errorf("imported elsewhere: %d turns, %v", got.State.TurnCount, err)
	}
}
