package rules_test

import (
	"reflect"
	"testing"

	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
)

// Structs that embed an effect, and pointers to an effect, have its methods but are not effects.
func TestOnlyGenuineEffectsAreApplied(t *testing.T) {
	t.Parallel()
	type mine struct{ effect.ToggleRule }
	for _, e := range []effect.Effect{&effect.ToggleRule{ID: "r"}, mine{effect.ToggleRule{ID: "r"}}, (*effect.ToggleRule)(nil), nil} {
		out := (*rules.Program)(nil).Apply(rules.State{}, []effect.Attributed{{Source: "host", Effect: e}}, rules.Options{})
		if len(out.State.Ledger.Enabled) > 0 || len(out.Refused) != 1 || len(out.Host) > 0 {
			t.Errorf("%T: %+v", e, out)
		}
		if _, raises := effect.EventOf(e); raises || !reflect.DeepEqual(effect.AsData(e), e) {
			t.Errorf("%T has a meaning", e)
		}
	}
	if _, raises := effect.EventOf(effect.ToggleRule{}); raises {
		t.Error("a switch is no event")
	}
}
