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

// unread ignores the members as they were read.
var unread = cmpopts.IgnoreUnexported(tavern.Preset{}, tavern.PromptOrder{}, tavern.Entry{}, tavern.Prompt{})

// TestRoundTripBuilt writes and reads presets that a host built.
func TestRoundTripBuilt(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		var before, after tavern.Preset
		testkit.Random(reflect.ValueOf(&before).Elem(), r.IntN, 5)
		if r.IntN(2) == 0 { // members of older versions
			before.Extra = map[string]json.RawMessage{"main_prompt": []byte(`"old"`), "names_in_completion": []byte("true")}
		}
		data, err := json.Marshal(before)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(data, &after); err != nil {
			t.Fatalf("%v\n%s", err, data)
		}
		if diff := cmp.Diff(before, after, unread, cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("(-before +after):\n%s\n%s", diff, data)
		}
	}
}
