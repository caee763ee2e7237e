package sqlite_test

import (
	"path/filepath"
	"testing"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/sqlstore/internal/crash"
	"github.com/talewright/talewright/campaign/sqlstore/sqlite"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/memvars/tree"
)

// TestApprovalInAnotherProcess reads, answers and continues a waiting turn in other programs while
// the program that began it still exists (CA-41).
func TestApprovalInAnotherProcess(t *testing.T) {
	path := filepath.Join(t.TempDir(), "campaigns.db")
	program := func(replies ...string) *campaign.Engine {
		t.Helper()
		e, end := program(t, path, 2, replies...)
		t.Cleanup(end)
		return e
	}
	want := func(o turn.Outcome, err error, status turn.OutcomeStatus) {
		t.Helper()
		if err != nil || o.Status != status {
			t.Fatalf("%s %v, want %s", o.Status, err, status)
		}
	}
	const wound = `{"text": "A bat bites.", "tool_calls": [{"tool": "hp_delta", "args": {"target_character_id": "ren", "delta": -3, "cause": "bat"}}]}`
	first := program(wound, "Dust falls.")
	_, err := first.Create(t.Context(), state.Setup{ID: "cave", Settings: setting.Snapshot{"tools.approval": tree.Text("all")},
		Characters: []state.Character{{ID: "ren", Name: "Ren", HP: state.HP{Current: 9, Max: 9}}}})
	if err != nil {
		t.Fatal(err)
	}
	o, err := first.Turn(t.Context(), "cave", turn.Submit{Text: "I go on."})
	want(o, err, turn.Waiting)

	second := program(wound)
	q, err := second.Pending(t.Context(), "cave")
	if err != nil || q == nil || q.Narration != "A bat bites." {
		t.Fatalf("%+v, %v", q, err)
	}
	o, err = second.Do(t.Context(), "cave", turn.Approve{Question: q.ID, Decisions: q.All(state.Deny, "Not now.")})
	want(o, err, turn.Waiting)

	third := program()
	if _, err := third.Do(t.Context(), "cave", turn.Approve{Question: q.ID, Decisions: q.All(state.Approve, "")}); err == nil {
		t.Error("an answer to the question of before")
	}
	q, err = third.Pending(t.Context(), "cave")
	if err != nil || q == nil {
		t.Fatal(q, err)
	}
	o, err = third.Do(t.Context(), "cave", turn.Approve{Question: q.ID, Decisions: q.All(state.Approve, ""), By: "Ada"})
	want(o, err, turn.Completed)

	o, err = first.Turn(t.Context(), "cave", turn.Submit{Text: "I wait."})
	want(o, err, turn.Completed)
	c, err := first.Rebuild(t.Context(), "cave")
	if err != nil {
		t.Fatal(err)
	}
	if hp := c.State.Characters[0].HP.Current; hp != 6 || len(c.Turns) != 2 || len(c.Turns[0].Approvals) != 2 {
		t.Errorf("hp %d after %d turns", hp, len(c.Turns))
	}
}

// TestApprovalByTwoProcesses lets two operating-system processes answer one question at once. One
// answer takes effect, once. The other is refused with a code, or its error names the lost race
// (CA-41, ST-03).
func TestApprovalByTwoProcesses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "answers.db")
	crash.Answer(t, open(t, path, sqlite.Options{Shared: true}), path)
}
