package campaign_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/state"
)

// TestLogsOfOldAreRead: a log that an earlier form of this library wrote is read for ever. Its
// campaign has the state, the branches and the newest turns that it had, and its references lead to
// the states that they led to. Never write these files anew: a new form gets files of its own, see
// TestGoldenLogOfThisVersion.
func TestLogsOfOldAreRead(t *testing.T) {
	t.Parallel()
	logs, err := filepath.Glob("testdata/logs/*.jsonl")
	if err != nil || len(logs) == 0 {
		t.Fatal("no logs", err)
	}
	for _, path := range logs {
		t.Run(filepath.Base(path), func(t *testing.T) {
			t.Parallel()
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			whole, err := os.ReadFile(strings.TrimSuffix(path, ".jsonl") + ".campaign.json")
			if err != nil {
				t.Fatal(err)
			}
			var want state.Campaign
			if err := json.Unmarshal(whole, &want); err != nil {
				t.Fatal(err)
			}
			got, err := campaign.Restore(campaign.Saved{Entries: entriesOf(t, data)})
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(asJSON(t, want.State), asJSON(t, got.State)); d != "" {
				t.Errorf("the state: %s", d)
			}
			wantSameReferences(t, want, whole, got)
			if got.Version != want.Version || got.TurnCounter != want.TurnCounter {
				t.Errorf("version %d, %d turns; want %d, %d", got.Version, got.TurnCounter, want.Version, want.TurnCounter)
			}
			held := 0
			for one := range got.Back(got.State.HeadTurnID) {
				was, ok := want.Turn(one.ID)
				if !ok || was.Text != one.Text || was.UserInput != one.UserInput {
					t.Errorf("turn %s says %q to %q", one.ID, one.Text, one.UserInput)
				}
				held++
			}
			if held == 0 {
				t.Error("no turn is held")
			}
		})
	}
}

// wantSameReferences holds that checkpoints and branches are the same and lead to the same states. Those of a
// campaign of layout 1 are in its own JSON.
func wantSameReferences(t *testing.T, want state.Campaign, whole []byte, got state.Campaign) {
	t.Helper()
	var old struct {
		States state.Snapshots `json:"snapshots"`
	}
	if err := json.Unmarshal(whole, &old); err != nil {
		t.Fatal(err)
	}
	if want.BranchID != got.BranchID || len(want.Branches) != len(got.Branches) || len(want.Checkpoints) != len(got.Checkpoints) {
		t.Fatalf("%d branches and %d checkpoints, want %d and %d", len(got.Branches), len(got.Checkpoints),
			len(want.Branches), len(want.Checkpoints))
	}
	same := func(was, is string) {
		if len(old.States) == 0 {
			if is != was {
				t.Errorf("%s is called %s", was, is)
			}
		} else if _, ok := state.RefVersion(is); (is != "" || was != "") && (!ok && is != was || got.Snapshots[is] == nil ||
			cmp.Diff(asJSON(t, old.States[was]), asJSON(t, got.Snapshots[is])) != "") {
			t.Errorf("%s, now %s, leads elsewhere", was, is)
		}
	}
	checkpoints := func(was, is []state.Checkpoint) {
		for i := range was {
			if same(was[i].SnapshotRef, is[i].SnapshotRef); was[i].TurnID != is[i].TurnID || was[i].Label != is[i].Label {
				t.Errorf("a checkpoint is at %s, want %s", is[i].TurnID, was[i].TurnID)
			}
		}
	}
	checkpoints(want.Checkpoints, got.Checkpoints)
	for id, was := range want.Branches {
		is := got.Branches[id]
		same(was.SnapshotRef, is.SnapshotRef)
		checkpoints(was.Checkpoints, is.Checkpoints)
		if was.HeadTurnID != is.HeadTurnID || was.ForkTurnID != is.ForkTurnID || was.Parent != is.Parent {
			t.Errorf("branch %s: %+v, want %+v", id, is, was)
		}
	}
}

// entriesOf are the lines of a log, as a store gives them.
func entriesOf(t *testing.T, data []byte) (list []campaign.Entry) {
	t.Helper()
	for line := range bytes.Lines(data) {
		var r struct {
			Version int64
			Kind    string
			At      time.Time
			Turn    struct {
				ID string `json:"turn_id"`
			}
		}
		if err := json.Unmarshal(line, &r); err != nil {
			t.Fatal(err)
		}
		list = append(list, campaign.Entry{Version: r.Version, Kind: r.Kind, At: r.At, TurnID: r.Turn.ID, Data: bytes.TrimSpace(line)})
	}
	return list
}

// asJSON is a value as it is stored, in a form that can be compared.
func asJSON(t *testing.T, v any) any {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var out any
	if err := json.Unmarshal(data, &out); err != nil {
		t.Fatal(err)
	}
	return out
}
