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

// TestLogsOfOldAreRead: a log of every layout and behaviour can be read. Its campaign has the same
// state, branches and newest turns as before. A new form gets separate files, see
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
			wantSameReferences(t, want, got)
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

// wantSameReferences checks that checkpoints and branches are the same.
func wantSameReferences(t *testing.T, want, got state.Campaign) {
	t.Helper()
	if want.BranchID != got.BranchID {
		t.Errorf("branch %s, want %s", got.BranchID, want.BranchID)
	}
	for what, pair := range map[string][2]any{"branches": {want.Branches, got.Branches}, "checkpoints": {want.Checkpoints, got.Checkpoints}} {
		if d := cmp.Diff(asJSON(t, pair[0]), asJSON(t, pair[1])); d != "" {
			t.Errorf("%s: %s", what, d)
		}
	}
}

// entriesOf returns the lines of a log as entries of a store.
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

// asJSON returns the stored form of a value, for comparison.
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
