package sqlite_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/memvars/tree"
)

// TestEverythingSurvivesRestarts plays a campaign in a program that ends after each instruction.
// The next program has the branches, checkpoints, a conflict report and the outcome of a submission
// (ST-07). At the end the log replays to the same bytes.
func TestEverythingSurvivesRestarts(t *testing.T) {
	path := filepath.Join(t.TempDir(), "campaigns.db")
	// run does one thing in a new program and returns the outcome.
	run := func(do func(e *campaign.Engine) (turn.Outcome, error), replies ...string) string {
		t.Helper()
		e, end := program(t, path, 3, replies...)
		defer end()
		o, err := do(e)
		if err != nil {
			return err.Error()
		}
		words := []string{string(o.Status), string(o.Reason)}
		if o.Turn != nil {
			words = append(words, o.Turn.ID, o.Turn.Text)
		}
		if o.Report != nil {
			words = append(words, fmt.Sprint(len(o.Report.Conflicts), " conflict"))
		}
		if o.Replayed {
			words = append(words, "replayed")
		}
		return strings.Join(strings.Fields(strings.Join(words, " ")), " ")
	}
	instruct := func(in turn.Input) func(*campaign.Engine) (turn.Outcome, error) {
		return func(e *campaign.Engine) (turn.Outcome, error) { return e.Do(t.Context(), "mill", in) }
	}
	create := func(e *campaign.Engine) (turn.Outcome, error) {
		ann := state.Character{ID: "ann", Name: "Ann", HP: state.HP{Current: 10, Max: 10}}
		_, err := e.Create(t.Context(), state.Setup{ID: "mill", Characters: []state.Character{ann},
			Settings: setting.Snapshot{"retry.max_retries": tree.Int(0)}})
		return turn.Outcome{}, err
	}
	wound := turn.Submit{Text: "I fall.", ClientTurnID: "fall"}
	for _, c := range []struct {
		what    func(*campaign.Engine) (turn.Outcome, error)
		want    string
		replies []string
	}{
		{create, "", nil},
		{instruct(turn.Submit{Text: "One", ClientTurnID: "1"}), "completed turn_0001 Rain.", []string{"Rain."}},
		{instruct(turn.MakeCheckpoint{Label: "rain"}), "completed", nil},
		{instruct(turn.Submit{Text: "Two"}), "completed turn_0002 Sun.", []string{"Sun."}},
		{instruct(turn.Submit{Text: "One", ClientTurnID: "1"}), "completed turn_0001 Rain. replayed", nil},
		{instruct(turn.RollBack{To: "turn_0001"}), "completed", nil},
		{instruct(turn.UndoRollBack{}), "completed", nil},
		{instruct(turn.RollBack{To: "turn_0001"}), "completed", nil},
		{instruct(turn.Submit{Text: "Two again"}), "completed turn_0003 Fog.", []string{"Fog."}},
		{instruct(wound), "conflict 1 conflict", []string{"You take 3 points of damage."}},
		{instruct(wound), "conflict 1 conflict replayed", nil},
		{instruct(turn.ResolveConflict{Decision: state.DecideDiscard}), "discarded", nil},
		{instruct(turn.SwitchBranch{BranchID: "main"}), "completed", nil},
		{instruct(turn.RollBack{To: "turn_0000"}), "completed", nil},
		{instruct(turn.UndoRollBack{}), "completed", nil},
	} {
		if got := run(c.what, c.replies...); got != c.want {
			t.Fatalf("got %q, want %q", got, c.want)
		}
	}
	run(func(e *campaign.Engine) (turn.Outcome, error) {
		c, err := e.Rebuild(t.Context(), "mill")
		if err != nil {
			t.Fatal(err)
		}
		loaded, err := e.Campaign(t.Context(), "mill")
		if err != nil {
			t.Fatal(err)
		}
		a, _ := json.Marshal(c)
		b, _ := json.Marshal(loaded)
		if string(a) != string(b) || c.State.HeadTurnID != "turn_0002" || len(c.Turns) != 3 || len(c.Branches) != 2 {
			t.Errorf("at the end: head %s, %d turns, %d branches", c.State.HeadTurnID, len(c.Turns), len(c.Branches))
		}
		return turn.Outcome{}, nil
	})
}
