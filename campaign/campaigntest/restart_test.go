package campaigntest_test

import (
	"encoding/json"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	. "github.com/talewright/talewright/campaign/campaigntest"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/internal/testkit"
)

// stories returns all scenarios of the game.
func stories(t *testing.T) (list []Scenario) {
	t.Helper()
	names, err := filepath.Glob("testdata/crypt/scenarios/*/*.txt")
	if err != nil || len(names) < 30 {
		t.Fatalf("%d scenarios, %v", len(names), err)
	}
	for _, name := range names {
		list = append(list, parsed(t, name))
	}
	return list
}

// TestEveryScenarioSurvivesRestarts checks that restarts change nothing: of the process after each
// step, and of the machine after each input.
func TestEveryScenarioSurvivesRestarts(t *testing.T) {
	testkit.WithoutRace(t)
	t.Parallel()
	content, setup := crypt(t)
	g, err := Prepare(content, setup)
	if err != nil {
		t.Fatal(err)
	}
	restarts := 0
	for _, s := range stories(t) {
		once, err := g.Verify(t.Context(), s)
		if err != nil || len(once.Faults) > 0 {
			t.Fatal(err, once.Faults)
		}
		often, err := g.VerifyRestarting(t.Context(), s)
		if diff := cmp.Diff(once, often); diff != "" || err != nil {
			t.Errorf("%s: %v\n%s", s.File, err, diff)
		}
		played, log, err := g.Log(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		m := turn.NewMachine(played, state.Campaign{})
		if err := m.Follow(log[0]); err != nil {
			t.Fatal(err)
		}
		for _, rec := range log[1:] {
			before := m.Campaign()
			for k := range rec.Inputs {
				if m.Phase() != turn.Idle {
					break // it waits for people: the steps above restart it
				}
				restarts++
				if err := restarted(rec, k, func() *turn.Machine { return turn.NewMachine(played, before) }); err != nil {
					t.Errorf("%s: version %d, restarted after %d of %d inputs: %v", s.File, rec.Version, k, len(rec.Inputs), err)
				}
			}
			if err := m.Replay(rec, nil); err != nil {
				t.Fatalf("%s: %v", s.File, err)
			}
		}
	}
	t.Logf("%d restarts within instructions", restarts)
	if restarts < 200 {
		t.Errorf("only %d restarts", restarts)
	}
}

// restarted plays a record with a machine that ends after k inputs, and continues from its journal
// with a second one.
func restarted(rec turn.Record, k int, fresh func() *turn.Machine) error {
	m := fresh()
	for _, in := range rec.Inputs[:k] {
		if err := m.Step(in); err != nil {
			return err
		}
	}
	data, err := json.Marshal(m.Journal())
	if err != nil {
		return err
	}
	var journal turn.Inputs
	if err := json.Unmarshal(data, &journal); err != nil {
		return err
	}
	m = fresh()
	for _, in := range append(journal, rec.Inputs[k:]...) {
		if err := m.Step(in); err != nil {
			return err
		}
	}
	return turn.Same(*m.Todo().Commit, rec)
}
