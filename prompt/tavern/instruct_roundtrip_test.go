package tavern_test

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/prompt/tavern"
)

// TestRoundTripBuiltInstruct writes and reads presets that a host built, with members of older
// versions.
func TestRoundTripBuiltInstruct(t *testing.T) {
	t.Parallel()
	unread := cmpopts.IgnoreUnexported(tavern.InstructTemplate{}, tavern.ContextTemplate{}, tavern.SystemPrompt{})
	old := map[string]json.RawMessage{"names": []byte("true"), "separator_sequence": []byte(`"sep"`),
		"system_sequence_prefix": []byte(`"[s]"`), "names_force_groups": []byte("true")}
	for _, zero := range []any{tavern.InstructTemplate{}, tavern.ContextTemplate{}, tavern.SystemPrompt{}} {
		kind := reflect.TypeOf(zero)
		r := rand.New(rand.NewPCG(1, 2))
		for range 500 {
			before, after := reflect.New(kind), reflect.New(kind)
			testkit.Random(before.Elem(), r.IntN, 4)
			if r.IntN(2) == 0 {
				before.Elem().FieldByName("Extra").Set(reflect.ValueOf(old))
			}
			data, err := json.Marshal(before.Interface())
			if err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal(data, after.Interface()); err != nil {
				t.Fatalf("%s: %v\n%s", kind, err, data)
			}
			if diff := cmp.Diff(before.Interface(), after.Interface(), unread, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("%s (-before +after):\n%s\n%s", kind, diff, data)
				break
			}
		}
	}
}
