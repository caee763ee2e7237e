package campaign

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/campaign/state"
)

// TestApart: the states whose names future records will use get new names, and only the campaign's
// own state is known of them.
func TestApart(t *testing.T) {
	t.Parallel()
	c := state.Campaign{Version: 6, State: state.State{HeadTurnID: "turn_0005"}, Snapshots: state.Snapshots{"state_2": {}, "state_5": {}, "state_6": {}},
		Checkpoints: []state.Checkpoint{{SnapshotRef: state.StateRef(2)}, {SnapshotRef: state.StateRef(5)}, {SnapshotRef: state.StateRef(6)}}}
	got, states := renameReusedStates(c, 4)
	var refs []string
	for _, cp := range got.Checkpoints {
		refs = append(refs, cp.SnapshotRef)
	}
	if diff := cmp.Diff([]string{"state_2", "repaired_4_2", "repaired_4_3"}, refs); diff != "" {
		t.Errorf("the names (-want +got):\n%s", diff)
	}
	for what, kept := range map[string]state.Snapshots{"the states": states, "the states of the campaign": got.Snapshots} {
		if own := kept["repaired_4_3"]; len(kept) != 1 || own == nil || own.HeadTurnID != "turn_0005" {
			t.Errorf("%s are %v", what, kept)
		}
	}
}
