package main

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/event"
)

func Example() {
	main()
	// Output:
	// dig      {"depth":2,"stamina":4,"oil":3,"gold":5,"light":true,"over":false}
	// rest     {"depth":2,"stamina":6,"oil":3,"gold":5,"light":true,"over":false}
	// dig      {"depth":3,"stamina":4,"oil":2,"gold":11,"light":true,"over":false}
	// rest     {"depth":3,"stamina":6,"oil":2,"gold":11,"light":true,"over":false}
	// dig      {"depth":4,"stamina":4,"oil":1,"gold":14,"light":true,"over":false}
	// buy-oil  {"depth":4,"stamina":4,"oil":4,"gold":5,"light":true,"over":false}
	// dig      {"depth":5,"stamina":2,"oil":3,"gold":11,"light":true,"over":false}
	// dig      {"depth":6,"stamina":0,"oil":2,"gold":17,"light":true,"over":true}
	//          You collapse at depth 6.
}

// compiled returns the game's program. A problem in its content fails the test.
func compiled(t *testing.T) *rules.Program {
	t.Helper()
	program, problems := compile(mine)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	return program
}

// at returns a game with some given variables.
func at(t *testing.T, variables string) *game {
	t.Helper()
	g := newGame(compiled(t), 1)
	doc, err := tree.ParseDocument([]byte(variables))
	if err != nil {
		t.Fatal(err)
	}
	g.state.Variables = doc
	g.state = g.program.Restore(g.state) // other variables get their defaults
	return g
}

// get returns a variable as text.
func (g *game) get(id string) string {
	value, _ := g.program.Declared(g.state.Variables, id)
	return value.String()
}

// TestRules checks the mechanics one by one: the effect of a button in a situation, and the
// messages to the player.
func TestRules(t *testing.T) {
	for _, c := range []struct {
		name, reason string
		given        string
		button       string
		price        int64 // of a button that has a price
		want         map[string]string
		told         string
	}{
		{name: "digging costs", reason: "each level is paid in oil and strength",
			given: `{"oil": 4, "stamina": 6}`, button: "dig",
			want: map[string]string{"depth": "2", "oil": "3", "stamina": "4"}},
		{name: "no light, no digging", reason: "conditions stop the rule, and it says so",
			given: `{"oil": 0}`, button: "dig",
			want: map[string]string{"depth": "1"}, told: "It is too dark to dig."},
		{name: "the lamp goes out", reason: "a rule hears what another one changed",
			given: `{"oil": 1}`, button: "dig",
			want: map[string]string{"light": "false"}, told: "Your lamp goes out."},
		{name: "collapse", reason: "stamina cannot go below its minimum, and the game ends",
			given: `{"stamina": 1}`, button: "dig",
			want: map[string]string{"stamina": "0", "over": "true"}, told: "You collapse at depth 2."},
		{name: "after the end", reason: "nothing works any more", given: `{"over": true}`, button: "rest",
			want: map[string]string{"stamina": "6", "over": "true"}},
		{name: "rest", reason: "bounded by the maximum", given: `{"stamina": 5}`, button: "rest",
			want: map[string]string{"stamina": "6"}},
		{name: "oil", reason: "the price comes with the button",
			given: `{"gold": 9, "oil": 0}`, button: "buy-oil", price: 9,
			want: map[string]string{"gold": "0", "oil": "3", "light": "true"}},
		{name: "too expensive", reason: "and is compared with what the player has",
			given: `{"gold": 8, "oil": 0}`, button: "buy-oil", price: 9,
			want: map[string]string{"gold": "8", "oil": "0"}, told: "You cannot pay 9 gold."},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := at(t, c.given)
			var params []tree.Member
			if c.price != 0 {
				params = append(params, tree.Member{Key: "price", Value: tree.Int(c.price)})
			}
			if told := strings.Join(g.press(c.button, params...), " "); told != c.told {
				t.Errorf("told %q, want %q: %s", told, c.told, c.reason)
			}
			for id, want := range c.want {
				if got := g.get(id); got != want {
					t.Errorf("%s is %s, want %s: %s", id, got, want, c.reason)
				}
			}
		})
	}
}

// TestRestRests checks that cooldowns are part of the state, so a saved game has them.
func TestRestRests(t *testing.T) {
	g := at(t, `{"stamina": 0}`)
	g.press("rest")
	saved, err := json.Marshal(g.state)
	if err != nil {
		t.Fatal(err)
	}
	loaded := newGame(g.program, 1)
	if err := json.Unmarshal(saved, &loaded.state); err != nil {
		t.Fatal(err)
	}
	if loaded.press("rest"); loaded.get("stamina") != "3" {
		t.Errorf("stamina is %s after two rests in a row, want 3", loaded.get("stamina"))
	}
	if loaded.press("rest"); loaded.get("stamina") != "6" {
		t.Errorf("stamina is %s after another rest, want 6", loaded.get("stamina"))
	}
}

// TestWhatFires checks only decisions: nothing is applied, and the trace says why a rule did not
// fire.
func TestWhatFires(t *testing.T) {
	g := at(t, `{"oil": 0}`)
	e := g.program.Evaluate(g.state, []event.Event{event.ActionFired("dig", tree.Value{})}, rules.Options{Explain: true})
	if len(e.Fired) != 0 {
		t.Errorf("%v fired", e.IDs())
	}
	i := slices.IndexFunc(e.Trace, func(trace rules.Trace) bool { return trace.ID == "dig" })
	if i < 0 || !strings.Contains(e.Trace[i].String(), "light false eq true") {
		t.Errorf("the trace does not say why: %v", e.Trace)
	}
}

// TestMistakesOfAuthors checks that mistakes in a file are returned as a list before the game
// begins.
func TestMistakesOfAuthors(t *testing.T) {
	_, problems := compile([]byte(`{"variables": [{"id": "hp", "type": "number"}], "rules": [
		{"id": "a", "trigger": {"type": "every-trun"}, "conditions": [], "actions": []},
		{"id": "b", "trigger": {"type": "every-turn"}, "conditions": [],
			"actions": [{"type": "modify-variable", "variableId": "hq", "value": 1}]}]}`))
	for _, want := range []string{`did you mean "every-turn"?`, `"hq"`} {
		if !strings.Contains(problems.Error(), want) {
			t.Errorf("no word of %s in\n%v", want, problems)
		}
	}
	if _, problems := compile([]byte(`{`)); problems.Err() == nil {
		t.Error("half a file has rules")
	}
}
