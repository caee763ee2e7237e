package turnlog

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/memvars/tree"
)

// TestBehaviourOfRecords: a record keeps the number of the behaviour that it was played with.
func TestBehaviourOfRecords(t *testing.T) {
	t.Parallel()
	for _, n := range []int{1, 2} {
		data, err := Write(turn.Record{Version: 3, Kind: turn.RecordTurn, Behaviour: n})
		if err != nil {
			t.Fatal(err)
		}
		if r, err := Read(data); err != nil || r.Behaviour != n || r.Version != 3 {
			t.Errorf("behaviour %d: %s is read as %+v, %v", n, data, r, err)
		}
	}
}

// TestBrokenForms: bytes that have their checksum, but no form of a record, a snapshot or a value, are
// refused.
func TestBrokenForms(t *testing.T) {
	t.Parallel()
	now := func(rest string) []byte { return Sum(append(slices.Clone(presentPrefix), rest...)) }
	record := func(data []byte) error { _, err := Read(data); return err }
	snapshot := func(data []byte) error { _, _, err := ReadSnapshot(data); return err }
	value := func(data []byte) error { return ReadValue(data, new(int)) }
	for name, c := range map[string]struct {
		read func([]byte) error
		data []byte
		want error // nil: any error
	}{
		"a behaviour that is no number": {record, Sum([]byte(`{"layout":1,"lib":"x","version":3,"kind":"turn"}`)), nil},
		"texts without an end":          {record, now(`"texts":["a"}`), ErrDamaged},
		"a text without a beginning":    {record, now(`"texts":[5"],"version":3,"kind":"turn"}`), ErrDamaged},
		"an input without a name":       {snapshot, now(`"inputs":[""],"campaign":{"campaign_id":"mill"}}`), state.ErrSnapshot},
		"a campaign with a layout":      {snapshot, []byte(`{"layout":9,"campaign_id":"mill"}`), state.ErrSnapshot},
		"a snapshot of a new layout":    {snapshot, Sum([]byte(`{"layout":9,"campaign":{"campaign_id":"mill"}}`)), turn.ErrNewerLayout},
		"a snapshot of no campaign":     {snapshot, now(`"campaign":{"campaign_id":5}}`), state.ErrSnapshot},
		"a value of a different type":   {value, Sum([]byte(`{"value":"x"}`)), nil},
		"a value that has changed":      {value, bytes.Replace(Sum([]byte(`{"value":1}`)), []byte("1"), []byte("2"), 1), state.ErrChecksum},
		"a value without a checksum":    {value, []byte(`{"value":1}`), state.ErrChecksum},
	} {
		err := c.read(c.data)
		if err == nil || c.want != nil && !errors.Is(err, c.want) || errors.Is(err, turn.ErrNewerLayout) && !strings.HasPrefix(err.Error(), "campaign: snapshot: ") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if data, err := WriteValue(json.RawMessage("{")); err == nil {
		t.Errorf("a value without a JSON form is written as %s", data)
	}
	broken := state.Campaign{Extra: map[string]json.RawMessage{"x": json.RawMessage("{")}}
	if v, err := visibleState(nil, broken, ""); err == nil {
		t.Errorf("a campaign without a JSON form is seen as %s", v)
	}
}

// TestBookkeepingOfStates: a change of a whole state is not hidden as bookkeeping.
func TestBookkeepingOfStates(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]bool{"": false, "turn_count": true, "goal.text": false} {
		p, err := tree.ParsePath(path)
		if path != "" && err != nil {
			t.Fatal(err)
		}
		if got := isBookkeeping(p); got != want {
			t.Errorf("%q: %t", path, got)
		}
	}
}

// TestSubmissionsOfATurn: a turn came with its own ID and with the IDs of its continuations.
func TestSubmissionsOfATurn(t *testing.T) {
	t.Parallel()
	one := state.Turn{ClientTurnID: "a", Continued: []state.Continuation{{}, {ClientTurnID: "b"}}}
	for id, want := range map[string]bool{"a": true, "b": true, "c": false} {
		if got := hasClientTurnID(one, id); got != want {
			t.Errorf("%s: %t", id, got)
		}
	}
	start := turn.Record{Version: 1, Kind: turn.RecordCreate,
		Campaign: []byte(`{"campaign_id":"mill","version":1,"turns":[{"turn_id":"turn_0001"},{"turn_id":"turn_0002","client_turn_id":"b"}]}`)}
	s := new(TurnIndex)
	if err := s.indexBeginning(ClientTurnLog{Log: logOf(0, start)}, 1); err != nil || len(s.entries) != 1 || s.entries[0].hash != uint32(hashOf("b")) {
		t.Errorf("the index is %v, %v", s.entries, err)
	}
}
