package draft

import (
	"errors"
	"testing"

	"github.com/talewright/talewright/campaign/state"
)

// TestLocksOfUnknownPlaces: the refusal names what the map does not have, and nothing changes.
func TestLocksOfUnknownPlaces(t *testing.T) {
	t.Parallel()
	locked := map[string]state.MapLock{"a": {Locked: true}, "x": {Locked: true}}
	for _, c := range []struct {
		to   Locks
		want state.Refusal
	}{
		{Locks{Areas: locked}, state.Refusal{Code: state.UnknownArea, Detail: `no area "x"`}},
		{Locks{Paths: locked}, state.Refusal{Code: state.UnknownPath, Detail: `no path "x"`}},
	} {
		s := state.State{Map: state.Map{Areas: []state.MapArea{{ID: "a"}}, Paths: []state.MapPath{{ID: "a"}}}}
		err := SetLocks(&s, c.to)
		if r, ok := errors.AsType[*state.Refusal](err); !ok || r.Code != c.want.Code || r.Detail != c.want.Detail || s.Map.Areas[0].Locked || s.Map.Paths[0].Locked {
			t.Errorf("%v, %+v", err, s.Map)
		}
	}
}
