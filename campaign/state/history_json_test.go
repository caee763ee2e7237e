package state_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/campaign/internal/filltest"
	"github.com/talewright/talewright/campaign/state"
)

// TestJSONKeepsEverything: pages that a host sends as JSON have every member and read back
// unchanged.
func TestJSONKeepsEverything(t *testing.T) {
	roundTrip[state.HistoryTurn](t)
	roundTrip[state.HistoryBranch](t)
}

func roundTrip[T any](t *testing.T) {
	t.Helper()
	want := filltest.Full[T]()
	data, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	var got T
	if err := json.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	again, err := json.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(data), string(again)); diff != "" {
		t.Errorf("%T (-first +second)\n%s", want, diff)
	}
	for _, name := range []string{"others", "id", "present"} {
		var members map[string]json.RawMessage
		if err := json.Unmarshal(data, &members); err != nil {
			t.Fatal(err)
		}
		_, turn := any(want).(state.HistoryTurn)
		if _, there := members[name]; there == (turn != (name == "others")) {
			t.Errorf("%T: member %s: %t", want, name, there)
		}
	}
}
