package reactions_test

import (
	"encoding/json"
	"testing"

	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/reactions"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/event"
)

// FuzzReactions loads any JSON as reactions: nothing panics, what is loaded compiles and
// runs, and writing it gives what was read.
func FuzzReactions(f *testing.F) {
	f.Add([]byte(forest))
	f.Add([]byte(`[{"id":"r","when":{"eventType":"*","match":{"a":{"operator":"every","value":"2"}},
		"zone":1},` +
		`"then":[{"type":"set","path":"@prompt.directive.x","value":{"content":"c","duration":2.5}},
			null,` +
		`{"type":"emit","event":{}},{"type":"set","path":"a[0].b","valueRandom":{"kind":"list",
			"candidates":[1,"b"]}}]}]`))
	f.Fuzz(func(t *testing.T, data []byte) {
		list, _ := reactions.Parse(data)
		program, _ := reactions.Compile(list)
		zone := event.New("spatial:zone-enter", tree.Member{Key: "zone",
			Value: tree.Text("forest")})
		program.Run(rules.State{}, []rules.Event{zone, event.TurnComplete(2)},
			rules.Options{Explain: true})
		first, err := json.Marshal(list)
		if err != nil {
			t.Fatalf("what was loaded cannot be written: %v", err)
		}
		again, _ := reactions.Parse(first)
		second, err := json.Marshal(again)
		if err != nil {
			t.Fatal(err)
		}
		if string(first) != string(second) {
			t.Errorf("not stable:\n%s\n%s", first, second)
		}
	})
}
