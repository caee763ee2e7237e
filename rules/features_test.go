package rules_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/rules/event"
)

// feature is one statement of the documentation, shown by rules as authors write them.
type feature struct {
	id, reason string
	rules      string        // JSON
	events     []event.Event // of one chain
	chains     int           // how often, each on the next turn; 0: once
	want       string        // see seen
}

// seen prints the results of the last chain that are not empty.
func seen(o rules.Outcome) string {
	var parts []string
	add := func(name string, n int, v any) {
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%s %v", name, v))
		}
	}
	add("fired", len(o.Fired()), o.Fired())
	for _, c := range o.Changes {
		parts = append(parts, fmt.Sprintf("%s %s", c.Path, c.New))
	}
	for _, c := range o.Host {
		data, _ := effect.Marshal(c.Effect)
		parts = append(parts, string(data))
	}
	for _, d := range o.State.Ledger.Directives {
		parts = append(parts, fmt.Sprintf("directive %s %s %q", d.ID, d.Position, d.Content))
	}
	add("entries", len(o.State.Ledger.Entries), o.State.Ledger.Entries)
	for _, p := range o.State.Ledger.Pending {
		parts = append(parts, fmt.Sprintf("%s: %s", p.Role, p.Message))
	}
	return strings.Join(parts, "; ")
}

// TestFeatures has a row for each statement about triggers and actions without a test of its own.
func TestFeatures(t *testing.T) {
	t.Parallel()
	rule := func(id, trigger, rest string) string {
		return fmt.Sprintf(`{"id":%q,"trigger":{%s},"conditions":[],"actions":[]%s}`, id, trigger,
			rest)
	}
	do := func(actions string) string {
		return `[{"id":"r","trigger":{"type":"every-turn"},"conditions":[],"actions":[` + actions +
			`]}]`
	}
	on := func(condition string) string {
		return `[{"id":"r","trigger":{"type":"every-turn"},"actions":[],"conditions":[` +
			condition + `]}]`
	}
	turn := func(n int) []event.Event { return []event.Event{event.TurnComplete(n)} }
	for _, c := range []feature{
		{"RU-04", "atTurn fires at its turn", "[" + rule("r", `"type":"turn-count","atTurn":3`,
			"") + "]", turn(3), 0, "fired [r]"},
		{"RU-04", "and at no other", "[" + rule("r", `"type":"turn-count","atTurn":3`, "") + "]",
			turn(4), 0, ""},
		{"RU-04", "everyNTurns", "[" + rule("r", `"type":"turn-count","everyNTurns":2`, "") + "]",
			turn(6), 0, "fired [r]"},
		{"RU-04", "with both, either", "[" + rule("r",
			`"type":"turn-count","atTurn":3,"everyNTurns":2`, "") + "]", turn(3), 0, "fired [r]"},
		{"RU-05", "the session starts", "[" + rule("r", `"type":"session-start"`, "") + "]",
			event.OfTurn("hi", "ho", 1, nil), 0, "fired [r]"},
		{"RU-05", "once only", "[" + rule("r", `"type":"session-start"`, "") + "]",
			event.OfTurn("hi", "ho", 2, nil), 0, ""},
		{"RU-07", "every turn", "[" + rule("r", `"type":"every-turn"`, "") + "]", turn(1), 3,
			"fired [r]"},
		{"RU-08", "the control that it names", "[" + rule("r", `"type":"action","actionId":"pay"`,
			"") + "]",
			[]event.Event{event.ActionFired("pay", tree.Value{})}, 0, "fired [r]"},
		{"RU-08", "and no other", "[" + rule("r", `"type":"action","actionId":"pay"`, "") + "]",
			[]event.Event{event.ActionFired("run", tree.Value{})}, 0, ""},
		{"RU-10", "10 is not \"10\"", on(`{"variableId":"hp","operator":"eq","value":"10"}`),
			turn(1), 0, ""},
		{"RU-10", "at most", on(`{"variableId":"hp","operator":"lte","value":10}`), turn(1), 0,
			"fired [r]"},
		{"RU-10", "missing is false for neq too",
			on(`{"variableId":"none","operator":"neq","value":1}`), turn(1), 0, ""},
		{"RU-10", "an element of a list",
			on(`{"variableId":"bag.l","operator":"contains","value":2}`), turn(1), 0, "fired [r]"},
		{"RU-11", "subtract, with the bound",
			do(`{"type":"modify-variable","variableId":"hp","operation":"subtract","value":99}`),
			turn(1), 0, "fired [r]; hp 0"},
		{"RU-11", "toggle", do(`{"type":"modify-variable","variableId":"met",
			"operation":"toggle"}`), turn(1), 0, "fired [r]; met true"},
		{"RU-11", "append", do(`{"type":"modify-variable","variableId":"name","operation":"append",
			"value":"a"}`), turn(1), 0, `fired [r]; name "Luna"`},
		{"RU-12", "merge", do(`{"type":"modify-variable","variableId":"bag","operation":"merge",
			"value":{"k":1}}`),
			turn(1), 0, `fired [r]; bag {"l":[1,2],"k":1}`},
		{"RU-12", "push", do(`{"type":"modify-variable","variableId":"bag.l","operation":"push",
			"value":3}`), turn(1), 0, `fired [r]; bag {"l":[1,2,3]}`},
		{"RU-12", "delete", do(`{"type":"modify-variable","variableId":"bag","operation":"delete",
			"value":"l"}`), turn(1), 0, `fired [r]; bag {}`},
		{"RU-13", "the same id replaces",
			do(`{"type":"inject-directive","directiveId":"d","content":"old"},
			{"type":"inject-directive","directiveId":"d","content":"new"}`), turn(1), 0,
			`fired [r]; directive d auto "new"`},
		{"RU-13", "one turn, unless persistent",
			`[{"id":"r","trigger":{"type":"turn-count","atTurn":1},"conditions":[],"actions":[
			{"type":"inject-directive","directiveId":"short","content":"x"},
			{"type":"inject-directive","directiveId":"long","content":"x","persistent":true},
			{"type":"inject-directive","directiveId":"two","content":"x","duration":2}]}]`, nil, 2,
			`directive long auto "x"; directive two auto "x"`},
		{"RU-14", "the position is kept",
			do(`{"type":"inject-directive","directiveId":"d","content":"x",
			"position":"before_char"}`),
			turn(1), 0, `fired [r]; directive d before_char "x"`},
		{"RU-15", "what is removed is gone",
			do(`{"type":"inject-directive","directiveId":"d","content":"x"},
			{"type":"remove-directive","directiveId":"d"}`), turn(1), 0, "fired [r]"},
		{"RU-16", "a notice", do(`{"type":"notify-player","message":"Hit!","style":"danger"}`),
			turn(1), 0,
			`fired [r]; {"type":"notify-player","message":"Hit!","style":"danger"}`},
		{"RU-16", "a sound", do(`{"type":"play-audio","trackId":"rain"}`), turn(1), 0,
			`fired [r]; {"type":"play-audio","trackId":"rain","action":"play"}`},
		{"RU-17", "a world book entry",
			do(`{"type":"toggle-entry","entryId":"cave","enabled":true}`), turn(1), 0,
			"fired [r]; entries map[cave:true]"},
		{"RU-18", "a rule that was authored as off", `[` + rule("b", `"type":"every-turn"`,
			`,"enabled":false`) +
			`,{"id":"a","trigger":{"type":"every-turn"},"conditions":[],
				"actions":[{"type":"toggle-rule","ruleId":"b","enabled":true}]}]`,
			turn(1), 2, "fired [b a]"},
		{"RU-19", "one-shot context, from the system",
			do(`{"type":"send-context","message":"It rains."}`), turn(1), 0,
			"fired [r]; system: It rains."},
		{"RU-20", "higher first, ties as authored", "[" + rule("a", `"type":"every-turn"`, "") +
			"," +
			rule("b", `"type":"every-turn"`, `,"priority":5`) + "," + rule("c",
			`"type":"every-turn"`, "") + "]", turn(1), 0, "fired [b a c]"},
		{"RU-21", "a cooldown of 2 skips one turn", "[" + rule("r", `"type":"every-turn"`,
			`,"cooldownTurns":2`) + "]", turn(1), 2, ""},
		{"RU-21", "and is over then", "[" + rule("r", `"type":"every-turn"`, `,"cooldownTurns":2`) +
			"]", turn(1), 3, "fired [r]"},
		{"RU-21", "no more than the maximum", "[" + rule("r", `"type":"every-turn"`,
			`,"maxFireCount":1`) + "]", turn(1), 2, ""},
		{"RU-28", "why an action did nothing",
			`[{"id":"r","trigger":{"type":"action"},"elseMessage":"Too weak.","actions":[],
			"conditions":[{"variableId":"hp","operator":"gt","value":50}]}]`,
			[]event.Event{event.ActionFired("hit", tree.Value{})}, 0,
			`{"type":"notify-player","message":"Too weak.","style":"warning","quiet":true}`},
		{"RE-15", "an equal value is no change",
			`[{"id":"w","trigger":{"type":"state-change"},"conditions":[],"actions":[]},
			{"id":"r","trigger":{"type":"every-turn"},"conditions":[],"actions":[
			{"type":"modify-variable","variableId":"bag","operation":"merge","value":{}}]}]`,
			turn(1), 0, "fired [r]"},
	} {
		if got := c.play(t); got != c.want {
			t.Errorf("%s, %s:\ngot  %s\nwant %s", c.id, c.reason, got, c.want)
		}
	}
}

// play runs the chains, one a turn, and prints the last.
func (c feature) play(t *testing.T) string {
	t.Helper()
	list, problems := rules.Parse([]byte(c.rules))
	var vars []rules.Variable
	if err := json.Unmarshal([]byte(`[
		{"id":"hp","type":"number","defaultValue":10,"min":0,"max":20},
		{"id":"met","type":"boolean"}, {"id":"name","type":"string","defaultValue":"Lun"},
		{"id":"bag","type":"json","defaultValue":{"l":[1,2]}}]`), &vars); err != nil {
		t.Fatal(err)
	}
	program, more := rules.Compile(rules.Content{Variables: vars, Rules: list})
	if ps := append(problems, more...); len(ps) > 0 {
		t.Fatalf("%s: %v", c.id, ps)
	}
	st := program.Restore(rules.State{})
	got := ""
	for n := range max(c.chains, 1) {
		st.Turn = n + 1
		st.Ledger, _ = st.Ledger.Expire(st.Turn)
		events := c.events
		if events == nil {
			events = []event.Event{event.TurnComplete(st.Turn)}
		}
		o := program.Run(st, events, rules.Options{})
		st, got = o.State, seen(o)
	}
	return got
}
