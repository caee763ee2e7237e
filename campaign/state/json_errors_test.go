package state_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign/state"
)

// jsonTypes returns the types of package state that read their JSON form themselves, in the forms of
// the given types.
func jsonTypes(roots ...any) (list []reflect.Type) {
	seen := map[reflect.Type]bool{}
	var visit func(t reflect.Type)
	visit = func(t reflect.Type) {
		if seen[t] {
			return
		}
		seen[t] = true
		if own := t.PkgPath() == reflect.TypeFor[state.Turn]().PkgPath(); own && reflect.PointerTo(t).Implements(reflect.TypeFor[json.Unmarshaler]()) {
			list = append(list, t)
		}
		switch t.Kind() {
		case reflect.Map, reflect.Slice, reflect.Pointer, reflect.Array:
			visit(t.Elem())
		case reflect.Struct:
			for f := range t.Fields() {
				visit(f.Type)
			}
		}
	}
	for _, root := range roots {
		visit(reflect.TypeOf(root))
	}
	return list
}

// TestWrongJSON: each type refuses JSON of a wrong kind, and does not write unknown members that are
// no JSON.
func TestWrongJSON(t *testing.T) {
	t.Parallel()
	list := jsonTypes(state.Campaign{}, state.Setup{}, state.HistoryTurn{}, state.HistoryBranch{}, state.ConflictReport{},
		state.RouteDecision{}, state.Character{}, state.StoredConflict{}, state.Alternatives{})
	if len(list) < 25 {
		t.Errorf("there are %d types: %v", len(list), list)
	}
	for _, typ := range list {
		v := reflect.New(typ)
		if err := v.Interface().(json.Unmarshaler).UnmarshalJSON([]byte(`"wrong"`)); err == nil {
			t.Errorf("%s is read from a text", typ)
		}
		extra := v.Elem()
		if typ.Kind() == reflect.Struct {
			extra = extra.FieldByName("Extra")
		}
		bad := reflect.ValueOf(map[string]json.RawMessage{"unknown": json.RawMessage("{")})
		if !extra.IsValid() || extra.Type() != bad.Type() {
			continue
		}
		extra.Set(bad)
		if data, err := v.Interface().(json.Marshaler).MarshalJSON(); err == nil {
			t.Errorf("%s becomes %s", typ, data)
		}
	}
}

// TestWrongMembersOfHistory: members that a turn or a branch of a history adds have their own types.
func TestWrongMembersOfHistory(t *testing.T) {
	t.Parallel()
	for text, into := range map[string]any{
		`{"others": 1}`: &state.HistoryTurn{}, `{"id": 1}`: &state.HistoryBranch{}, `{"id": "b", "present": 1}`: &state.HistoryBranch{},
		`[{"ref": "a"}]`: &state.Snapshots{}, `[{"ref": "a", "state": {"variables": {}}, "delta": 5}]`: &state.Snapshots{},
		`[{"ref": 1}]`: &state.Snapshots{}, `[1]`: &state.Snapshots{}, `{}`: &state.Snapshots{}, `[{"ref": "a", "state": 1}]`: &state.Snapshots{},
		`[{"ref": "a", "state": {"variables": {}}}, {"ref": "b", "delta": [{"path": ["x", "y"], "value": 1}]}]`: &state.Snapshots{},
	} {
		if err := json.Unmarshal([]byte(text), into); err == nil {
			t.Errorf("%T is read from %s", into, text)
		}
	}
	bad := map[string]json.RawMessage{"unknown": json.RawMessage("{")}
	if data, err := json.Marshal(state.HistoryTurn{Others: []state.Turn{{Extra: bad}}}); err == nil {
		t.Errorf("an alternative becomes %s", data)
	}
	if data, err := json.Marshal(state.Snapshots{"a": {Extra: bad}}); err == nil {
		t.Errorf("a snapshot becomes %s", data)
	}
	for _, c := range []struct{ text, want string }{
		{`{"id":"b","present":true,"unknown":1}`, `"unknown":1`}, {`{"id":"b","present":true}`, `"present":true`},
	} {
		var b state.HistoryBranch
		if err := json.Unmarshal([]byte(c.text), &b); err != nil || b.ID != "b" || !b.Present || (b.Extra == nil) == strings.Contains(c.text, "unknown") {
			t.Errorf("%s becomes %+v, %v", c.text, b, err)
		}
		data, err := json.Marshal(b)
		if err != nil || !strings.Contains(string(data), c.want) {
			t.Errorf("%s becomes %s, %v", c.text, data, err)
		}
	}
	var b state.HistoryBranch
	if err := json.Unmarshal([]byte(`{"head_turn_id":"turn_0003"}`), &b); err != nil || b.HeadTurnID != "turn_0003" || b.ID != "" || b.Present {
		t.Errorf("a branch without id and present: %+v, %v", b, err)
	}
	b = state.HistoryBranch{}
	var h state.HistoryTurn
	for text, into := range map[string]any{`{"id": "b", "present": 1}`: &b, `{"turn_id": "t", "others": 1}`: &h} {
		if err := json.Unmarshal([]byte(text), into); err == nil || b.ID != "" || h.ID != "" {
			t.Errorf("%s changes something: %v", text, err)
		}
	}
	var none state.Snapshots
	if err := json.Unmarshal([]byte("null"), &none); err != nil || none != nil {
		t.Errorf("null: %v, %v", none, err)
	}
}

// TestStoredFormErrors: a state whose unknown members are no JSON has no stored form.
func TestStoredFormErrors(t *testing.T) {
	t.Parallel()
	bad := map[string]json.RawMessage{"unknown": json.RawMessage("{")}
	base := state.Campaign{ID: "cave"}
	head, err := base.HeadValue()
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]state.Campaign{
		"campaign":  {ID: "cave", Extra: bad},
		"state":     {ID: "cave", State: state.State{Extra: bad}},
		"character": {ID: "cave", State: state.State{Characters: []state.Character{{Extra: bad}}}},
		"branch":    {ID: "cave", Branches: map[string]state.Branch{"main": {Extra: bad}}},
	} {
		if v, err := c.HeadValue(); err == nil {
			t.Errorf("%s: the value %s", name, v)
		}
		if _, _, err := c.AsStored(base, head); err == nil {
			t.Errorf("%s: it has a stored form", name)
		}
		if _, _, err := c.AsStored(base, base.State.Summary.Facts); err == nil {
			t.Errorf("%s: it has a stored form without a base", name)
		}
	}
	if _, err := (state.Turn{Extra: bad}).AsStored(); err == nil {
		t.Error("a turn has a stored form")
	}
}

// TestNoBranches: a snapshot that has lost its branches can be left.
func TestNoBranches(t *testing.T) {
	t.Parallel()
	c := state.Campaign{BranchID: "main", Version: 1}
	c.SwitchBranch("b", 10, state.State{})
	if c.BranchID != "b" || len(c.Branches) != 2 {
		t.Errorf("%+v", c)
	}
}
