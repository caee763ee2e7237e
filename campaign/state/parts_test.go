package state_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/campaign/internal/filltest"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/memvars/tree"
)

// TestCommitByPartsIsTheWhole: storing only the changed members of a campaign gives the same as
// storing all of it, whichever member it is.
func TestCommitByPartsIsTheWhole(t *testing.T) {
	t.Parallel()
	for seed := range testkit.Cases(20, 5) {
		base, _, err := randomCampaign(2*seed).AsStored(state.Campaign{}, tree.Value{})
		if err != nil {
			t.Fatal(err)
		}
		other := randomCampaign(2*seed + 1)
		other.Extra, other.State.Extra = base.Extra, base.State.Extra
		if seed%5 == 4 { // unknown members have changed too
			other.Extra = randomCampaign(seed).Extra
		}
		for _, where := range []func(*state.Campaign) reflect.Value{
			func(c *state.Campaign) reflect.Value { return reflect.ValueOf(c).Elem() },
			func(c *state.Campaign) reflect.Value { return reflect.ValueOf(&c.State).Elem() },
		} {
			typ := where(&base).Type()
			for i := range typ.NumField() {
				next := base
				where(&next).Field(i).Set(where(&other).Field(i))
				checkParts(t, typ.Field(i).Name, base, next)
			}
		}
		checkParts(t, "nothing", base, base)
		checkParts(t, "everything", base, other)
	}
}

func randomCampaign(seed int) (c state.Campaign) {
	filltest.New(seed, false).Fill(reflect.ValueOf(&c).Elem(), 5)
	c.Turns, c.Snapshots = nil, nil
	return c
}

func checkParts(t *testing.T, what string, base, next state.Campaign) {
	t.Helper()
	got, gotValue, err := storedByParts(next, base)
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	want, wantValue, err := next.AsStored(state.Campaign{}, tree.Value{})
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	if got, want := gotValue.String(), wantValue.String(); got != want {
		t.Fatalf("%s: by parts\n%s\nthe whole\n%s", what, got, want)
	}
	got.Snapshots, want.Snapshots = nil, nil // these depend on the snapshots of the base
	if diff := cmp.Diff(jsonOf(t, want), jsonOf(t, got)); diff != "" {
		t.Fatalf("%s (-whole +parts):\n%s", what, diff)
	}
}

// storedByParts stores the changes of next since base, which is in its stored form.
func storedByParts(next, base state.Campaign) (state.Campaign, tree.Value, error) {
	head, err := base.HeadValue()
	if err != nil {
		return next, head, err
	}
	return next.AsStored(base, head)
}

func jsonOf(t *testing.T, v any) string {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestTurnAsStored: a turn has the form in which a store returns it, also in members that JSON
// changes.
func TestTurnAsStored(t *testing.T) {
	t.Parallel()
	broken := state.Turn{ID: "turn_0001", UserInput: "a\xffb", Text: "Dust.", Audience: []string{"re\xffn"}}
	got, err := broken.AsStored()
	data, unwritten := json.Marshal(broken)
	var want state.Turn
	if err := errors.Join(err, unwritten, json.Unmarshal(data, &want)); err != nil {
		t.Fatal(err)
	}
	if got.UserInput != want.UserInput || got.Audience[0] != want.Audience[0] || got.Text != want.Text {
		t.Errorf("got %q for %q, and %q for %q", got.UserInput, want.UserInput, got.Audience, want.Audience)
	}
}
