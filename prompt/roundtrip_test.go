package prompt_test

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/prompt"
)

// TestRoundTripStored writes and reads random values of every type that a host may store as JSON:
// nothing is lost.
func TestRoundTripStored(t *testing.T) {
	t.Parallel()
	for _, zero := range []any{
		prompt.Input{}, prompt.Layout{}, prompt.Budget{}, prompt.Scene{}, prompt.Result{}, prompt.Report{},
		prompt.Block{}, prompt.Line{}, prompt.AuthorNote{}, prompt.Injection{}, prompt.Directive{}, prompt.HookPlace{},
		prompt.Lore{}, prompt.BudgetError{}, prompt.ExampleTurn{},
		prompt.Shaped{}, prompt.ShapeRules{},
	} {
		kind := reflect.TypeOf(zero)
		r := rand.New(rand.NewPCG(1, 2))
		for range 200 {
			before, after := reflect.New(kind), reflect.New(kind)
			testkit.Random(before.Elem(), r.IntN, 4)
			data, err := json.Marshal(before.Interface())
			if err != nil {
				t.Fatalf("%s: %v", kind, err)
			}
			if err := json.Unmarshal(data, after.Interface()); err != nil {
				t.Fatalf("%s: %v\n%s", kind, err, data)
			}
			if diff := cmp.Diff(before.Interface(), after.Interface(), cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("%s (-before +after):\n%s\n%s", kind, diff, data)
				break
			}
		}
	}
}
