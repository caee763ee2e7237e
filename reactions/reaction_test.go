package reactions_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/reactions"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/rules/event"
)

func happened(t *testing.T, text string) rules.Event {
	t.Helper()
	var e rules.Event
	if err := e.UnmarshalJSON([]byte(text)); err != nil {
		t.Fatal(err)
	}
	return e
}

// A reaction needs a pattern and effects, nothing else; what it does not know, and what
// cannot be read, survives (RE-01).
func TestReactionKeepsEverything(t *testing.T) {
	t.Parallel()
	const source = `{"id":"r","name":"n","when":{"eventType":"e","match":{"a":{"operator":"eq",
		"value":1,"note":"x"}},"zone":"z"},` +
		`"conditions":[],"conditionLogic":"any","then":[{"type":"set","path":"a","operation":"add",
			"value":1,"hint":2},` +
		`{"type":"emit","event":{"type":"x","y":1},"delay":3},"broken",{"type":"set"},
			{"type":"dance"}],` +
		`"priority":1,"enabled":true,"cooldownTurns":2,"maxFireCount":3,"chance":50,
			"maxChainDepth":4,` +
		`"elseMessage":"no","worldbookId":"w","code":"run()","color":"red"}`
	var r reactions.Reaction
	if err := json.Unmarshal([]byte(source), &r); err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var want, got map[string]any
	_ = json.Unmarshal([]byte(source), &want)
	_ = json.Unmarshal(data, &got)
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	_, problems := reactions.Compile([]reactions.Reaction{r})
	var places []string
	for _, p := range problems {
		places = append(places, p.Path)
	}
	if got, want := fmt.Sprint(places), "[reactions[0].code reactions[0].then[2] reactions[0].then[3]]"; got != want {
		t.Errorf("problems at %s, want %s", got, want)
	}
}

// Patterns: types, wildcards, shorthand, clauses, derived crossings (RE-02, RE-14).
func TestPatterns(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		reason, when, event string
		want                bool
	}{
		{"an area and everything below it", `{"eventType":"quest:*"}`, `{"type":"quest:a:b"}`,
			true},
		{"an area with nothing behind the colon", `{"eventType":"quest:*"}`, `{"type":"quest:"}`,
			true},
		{"the area itself is no member", `{"eventType":"quest:*"}`, `{"type":"quest"}`, false},
		{"a deeper area", `{"eventType":"quest:a:*"}`, `{"type":"quest:a:b"}`, true},
		{"types are case-sensitive", `{"eventType":"Quest:*"}`, `{"type":"quest:a"}`, false},
		{"everything", `{"eventType":"*"}`, `{"type":"anything"}`, true},
		{"no type at all", `{}`, `{"type":""}`, false},
		{"shorthand of any field", `{"eventType":"e","mood":"calm"}`, `{"type":"e","mood":"calm"}`,
			true},
		{"shorthand wants the value", `{"eventType":"e","mood":"calm"}`, `{"type":"e"}`, false},
		{"shorthand beside match", `{"eventType":"e","match":{"n":{"operator":"gt","value":1}},
			"m":true}`, `{"type":"e","n":2,"m":true}`, true},
		{"lists compare deeply", `{"eventType":"e","match":{"l":{"operator":"eq","value":[1,
			{"a":2}]}}}`, `{"type":"e","l":[1,{"a":2}]}`, true},
		{"a clause that is none", `{"eventType":"e","match":{"n":5}}`, `{"type":"e","n":5}`, false},
		{"a match that is none", `{"eventType":"e","match":"n"}`, `{"type":"e"}`, false},
		{"null equals null", `{"eventType":"e","match":{"n":{"operator":"eq","value":null}}}`,
			`{"type":"e","n":null}`, true},
		{"null is not missing", `{"eventType":"e","match":{"n":{"operator":"eq","value":null}}}`,
			`{"type":"e"}`, false},
		{"every with a numeric text", `{"eventType":"turn:complete",
			"match":{"turnCount":{"operator":"every","value":"3"}}}`,
			`{"type":"turn:complete","turnCount":6}`, true},
		{"every pushes other clauses aside", `{"eventType":"turn:complete",
			"match":{"turnCount":{"operator":"every","value":3},"x":{"operator":"eq","value":1}}}`,
			`{"type":"turn:complete","turnCount":3}`, true},
		{"every 0", `{"eventType":"turn:complete","match":{"turnCount":{"operator":"every",
			"value":0}}}`, `{"type":"turn:complete","turnCount":3}`, false},
		{"every elsewhere is unknown", `{"eventType":"e","match":{"turnCount":{"operator":"every",
			"value":3}}}`, `{"type":"e","turnCount":3}`, false},
		{"a crossing either way", `{"eventType":"state:crossed",
			"match":{"threshold":{"operator":"eq","value":5}}}`,
			`{"type":"state:changed","variableId":"a","oldValue":9,"newValue":1}`, true},
		{"a crossing of another variable", `{"eventType":"state:crossed",
			"match":{"threshold":{"operator":"eq","value":5},"variableId":{"operator":"eq",
			"value":"b"}}}`, `{"type":"state:changed","variableId":"a","oldValue":9,"newValue":1}`,
			false},
		{"a crossing without threshold", `{"eventType":"state:crossed",
			"match":{"variableId":{"operator":"eq","value":"a"}}}`,
			`{"type":"state:changed","variableId":"a","oldValue":9,"newValue":1}`, false},
		{"a crossing inside a variable", `{"eventType":"state:crossed",
			"match":{"threshold":{"operator":"eq","value":5},"variableId":{"operator":"eq",
			"value":"npc.trust"}}}`,
			`{"type":"state:changed","variableId":"npc","oldValue":{"trust":4},
			"newValue":{"trust":6}}`, true},
		{"a crossing in shorthand",
			`{"eventType":"state:crossed","variableId":"a","threshold":5,
			"direction":"drops-below"}`,
			`{"type":"state:changed","variableId":"a","oldValue":9,"newValue":1}`, true},
		{"a crossing in shorthand, the other way",
			`{"eventType":"state:crossed","variableId":"a","threshold":5,
			"direction":"rises-above"}`,
			`{"type":"state:changed","variableId":"a","oldValue":9,"newValue":1}`, false},
		{"shorthand of an explicit crossing",
			`{"eventType":"state:crossed","variableId":"a","threshold":5}`,
			`{"type":"state:crossed","variableId":"a","threshold":5}`, true},
		{"a crossing of a variable that is no name",
			`{"eventType":"state:crossed","match":{"threshold":{"operator":"eq","value":5},
			"variableId":{"operator":"eq","value":7}}}`,
			`{"type":"state:changed","variableId":"a","oldValue":9,"newValue":1}`, false},
		{"only the value of a crossing counts",
			`{"eventType":"state:crossed","match":{"threshold":{"operator":"gt","value":5}}}`,
			`{"type":"state:changed","variableId":"a","oldValue":5,"newValue":1}`, true},
		{"a threshold that is a text",
			`{"eventType":"state:crossed","match":{"threshold":{"operator":"eq","value":"5"}}}`,
			`{"type":"state:changed","variableId":"a","oldValue":9,"newValue":1}`, false},
		{"every behind a wildcard",
			`{"eventType":"turn:*","match":{"turnCount":{"operator":"every","value":2}}}`,
			`{"type":"turn:complete","turnCount":4}`, true},
		{"every behind a wildcard, another event",
			`{"eventType":"*","match":{"turnCount":{"operator":"every","value":2}}}`,
			`{"type":"e","turnCount":4}`, false},
		{"every needs a turn above 0",
			`{"eventType":"turn:complete","match":{"turnCount":{"operator":"every","value":2}}}`,
			`{"type":"turn:complete","turnCount":0}`, false},
		{"every of less than a turn",
			`{"eventType":"turn:complete","match":{"turnCount":{"operator":"every","value":-2}}}`,
			`{"type":"turn:complete","turnCount":4}`, false},
		{"the type is a field too",
			`{"eventType":"*","match":{"type":{"operator":"contains","value":"zone, door"}}}`,
			`{"type":"spatial:zone-enter"}`, true},
		{"the type as shorthand", `{"eventType":"spatial:*","type":"spatial:exit"}`,
			`{"type":"spatial:enter"}`, false},
		{"fields have no dot paths", `{"eventType":"e","match":{"p.q":{"operator":"eq",
			"value":1}}}`, `{"type":"e","p":{"q":1}}`, false},
		{"a clause without value is unequal to everything",
			`{"eventType":"e","match":{"n":{"operator":"neq"}}}`, `{"type":"e","n":1}`, true},
		{"full-width commas between alternatives",
			`{"eventType":"e","match":{"t":{"operator":"contains","value":"剑，刀、ÄXT"}}}`,
			`{"type":"e","t":"eine äxt"}`, true},
	} {
		t.Run(c.reason, func(t *testing.T) {
			t.Parallel()
			var p reactions.Pattern
			if err := json.Unmarshal([]byte(c.when), &p); err != nil {
				t.Fatal(err)
			}
			e := happened(t, c.event)
			if got := p.Matches(e, 0); got != c.want {
				t.Errorf("matches %v, want %v", got, c.want)
			}
			list := []reactions.Reaction{{ID: "r", When: p}}
			if got := len(reactions.Evaluate(list, []rules.Event{e}, nil)) == 1; got != c.want {
				t.Errorf("the index says %v, want %v", got, c.want)
			}
		})
	}
}

// Rules and reactions react to each other in one chain (RE-04, RE-11).
func TestRulesAndReactionsTogether(t *testing.T) {
	t.Parallel()
	list, _ := rules.Parse([]byte(`[{"id":"rule","trigger":{"type":"state-change",
		"variableId":"door"},"conditions":[],
	  "actions":[{"type":"notify-player","message":"creak"}]}]`))
	others, _ := reactions.Parse([]byte(`[
	  {"id":"open","when":{"eventType":"lever:pulled"},"then":[{"type":"set","path":"door",
		"value":true}]},
	  {"id":"hear","when":{"eventType":"ui:notification","message":"creak"},"then":[{"type":"set",
		"path":"heard","operation":"add","value":1}]}]`))
	program, problems := rules.Compile(rules.Content{Rules: list,
		Handlers: reactions.Handlers(others)})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	o := program.Run(rules.State{}, []rules.Event{event.New("lever:pulled")}, rules.Options{})
	got := fmt.Sprint(o.Fired(), o.State.Variables, len(o.Hops))
	if want := `[open rule hear] {"door":true,"heard":1} 3`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// A saved compiled rule loses nothing, with any trigger (RE-13).
func TestFromRuleKeepsEverything(t *testing.T) {
	t.Parallel()
	list, _ := rules.Parse([]byte(`[{"id":"r","description":"why","color":"red",
		"trigger":{"type":"keyword","keywords":["a"],"useFuzzyMatch":true},
	  "conditions":[],"actions":[{"type":"notify-player","message":"m","sound":"bell"},"broken",
	  {"type":"inject-directive","directiveId":"d","content":"c","position":"depth","depth":3,
		"duration":2}]}]`))
	data, err := json.Marshal(reactions.FromRule(list[0]))
	if err != nil {
		t.Fatal(err)
	}
	for _, kept := range []string{
		`"description":"why"`, `"color":"red"`, `"useFuzzyMatch":true`, `"sound":"bell"`,
		`"broken"`, `"depth":3`,
		`"duration":2`, `"persistent":false`,
	} {
		if !strings.Contains(string(data), kept) {
			t.Errorf("%s is lost: %s", kept, data)
		}
	}
	if list[0].Extra["description"] != nil {
		t.Error("the rule itself was changed")
	}
	var back reactions.Reaction
	if err := json.Unmarshal(data, &back); err != nil {
		t.Fatal(err)
	}
	fired := reactions.Evaluate([]reactions.Reaction{back}, []rules.Event{event.PlayerMessage("A")},
		nil)
	if len(fired) != 1 {
		t.Errorf("fired %v", fired)
	}
	var none *rules.Program
	applied := none.Apply(rules.State{Turn: 4}, effect.By("r", fired[0].Effects...), rules.Options{})
	want := []rules.Directive{{ID: "d", Content: "c", Position: "depth", Depth: new(3),
		Duration: new(2), InjectedAtTurn: 4}}
	if d := cmp.Diff(want, applied.State.Ledger.Directives); d != "" {
		t.Error(d)
	}
}

// Events of the host's own, with any fields, enter the same machine (RE-12).
func TestHostEvents(t *testing.T) {
	t.Parallel()
	list, _ := reactions.Parse([]byte(`[{"id":"crit","when":{"eventType":"dice:rolled",
		"match":{"sides":{"operator":"eq","value":20},
	  "value":{"operator":"gte","value":19}}},"then":[{"type":"set","path":"@ui.choices",
		"value":["a"]}]}]`))
	program, _ := reactions.Compile(list)
	o := program.Run(rules.State{}, []rules.Event{
		happened(t, `{"type":"dice:rolled","sides":20,"value":18}`), happened(t,
			`{"type":"dice:rolled","sides":20,"value":20}`),
	}, rules.Options{})
	want := []effect.Attributed{{Source: "crit", Effect: effect.System{Path: "@ui.choices",
		Value: tree.Array(tree.Text("a"))}}}
	if d := cmp.Diff(want, o.Host, cmp.Comparer(tree.Value.Equal)); d != "" {
		t.Error(d)
	}
}
