package secret_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign/internal/secret"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
)

// TestSecretsOverTurns plays turns that different characters witness. After each turn,
// testdata/views.golden has the secrets of the state and what each viewer sees of them.
func TestSecretsOverTurns(t *testing.T) {
	t.Parallel()
	var got strings.Builder
	text := func(v any) string {
		data, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	now := *stateOf(t, `{"gold": 5, "diary": {"mon": "It rained."}}`)
	now.Characters = []state.Character{{ID: "mara", AreaID: "a1"}, {ID: "orrin", AreaID: "a1"}}
	now.Map.Areas = []state.MapArea{{ID: "a1", Name: "Yard"}}
	looks := func() {
		fmt.Fprintln(&got, "\tsecrets:", text(now.Secrets))
		for _, of := range []struct {
			name   string
			viewer state.Viewer
		}{{"nobody", state.Viewer{}}, {"mara", state.Viewer{Character: "mara"}}, {"orrin", state.Viewer{Character: "orrin"}}, {"both", state.Viewer{Shared: true, Group: []string{"mara", "orrin"}}}} {
			sight := secret.Of(&now, of.viewer)
			seen := *sight.State
			seen.Secrets = nil
			chat, global := sight.HiddenMacros()
			fmt.Fprintf(&got, "\t%s: %s\n\t\tlimited %t, macros %s %s\n", of.name, text(seen), sight.Limited(), text(tree.Object(chat...)), text(tree.Object(global...)))
			for path, witnesses := range sight.Variables() {
				fmt.Fprintf(&got, "\t\t%s is for %q\n", path, witnesses)
			}
			for _, said := range []string{"The password is swordfish.", "It rained.", "Look: The password is swordfish. Yes.", "nothing"} {
				fmt.Fprintf(&got, "\t\t%q: tells %t, hides %t, redacted %q\n", said, sight.Tells(said), sight.Hides(said), sight.RedactText(said))
			}
			value := tree.Object(tree.Member{Key: "The password is swordfish.", Value: tree.Int(1)}, tree.Member{Key: "a", Value: tree.Array(tree.Text("The password is swordfish."), tree.Text("b"))})
			fmt.Fprintf(&got, "\t\tredacted %s, withheld %s\n", sight.Redact(value), sight.Withhold(value))
		}
	}
	for _, turn := range []struct {
		what                string
		witnesses, byMacros []string
		change              func(*state.State)
	}{
		{"a note for everybody", nil, nil, func(s *state.State) {
			s.Variables = stateOf(t, `{"gold": 6, "diary": {"mon": "It rained."}}`).Variables
		}},
		{"a note of mara", []string{"mara"}, []string{"mara"}, func(s *state.State) {
			s.Variables = stateOf(t, `{"gold": 6, "diary": {"mon": "It rained.", "tue": "The password is swordfish."}, "list": ["open", "The password is swordfish."]}`).Variables
			s.Macros.Chat = tree.Object(tree.Member{Key: "told", Value: tree.Text("The password is swordfish.")})
			s.Ledger.Directives = []rules.Directive{{ID: "d1", Content: "Say swordfish."}}
			s.Injections = []effect.InjectPrompt{{Key: "i1", Content: "The password is swordfish."}}
		}},
		{"orrin repeats it", []string{"orrin"}, nil, func(s *state.State) {
			s.Variables = stateOf(t, `{"gold": 6, "diary": {"mon": "It rained.", "tue": "The password is swordfish.", "wed": "She wrote: The password is swordfish."}, "list": ["open"]}`).Variables
			s.Ledger.Pending = []effect.SendContext{{Message: "Orrin knows."}}
			s.Macros.Global = tree.Object(tree.Member{Key: "by", Value: tree.Text("orrin alone")})
		}},
		{"a copy by a rule", []string{"mara", "orrin"}, []string{"orrin"}, func(s *state.State) {
			s.Variables = stateOf(t, `{"gold": 6, "copy": "The password is swordfish.", "diary": {"mon": "It rained.", "tue": "The password is swordfish."}}`).Variables
			s.Macros.Chat = tree.Object(tree.Member{Key: "told", Value: tree.Text("The password is swordfish.")}, tree.Member{Key: "more", Value: tree.Text("for both")})
		}},
		{"mara's note is gone", []string{"mara"}, []string{"mara"}, func(s *state.State) {
			s.Variables = stateOf(t, `{"gold": 7, "copy": "The password is swordfish."}`).Variables
			s.Ledger.Directives, s.Injections = nil, nil
			s.Map.Areas = append(s.Map.Areas[:1:1], state.MapArea{ID: "a2", Name: "Cellar"})
			s.Map.Paths = []state.MapPath{{ID: "p", From: "a1", To: "a2"}}
			s.Entries = []effect.AddEntry{{ID: "e1", BookID: "b", Name: "entry name", Content: "entry text", Keywords: []string{"key"}}}
		}},
		{"everybody hears it", nil, nil, func(s *state.State) {
			s.Variables = stateOf(t, `{"gold": 7, "copy": "The password is swordfish.", "open": "The password is swordfish."}`).Variables
			s.Entries = []effect.AddEntry{{ID: "e1", BookID: "b", Name: "entry name", Content: "a text for everybody", Keywords: []string{"key"}}}
		}},
	} {
		before := now
		turn.change(&now)
		secret.Keep(&before, &now, turn.witnesses, turn.byMacros, func(to tree.Path) []tree.Path {
			if to.String() == "copy" {
				return []tree.Path{{"diary", "tue"}}
			}
			return nil
		})
		fmt.Fprintln(&got, turn.what)
		looks()
	}
	testkit.Golden(t, "testdata/views.golden", got.String())
}
