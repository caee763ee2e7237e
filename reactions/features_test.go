package reactions_test

import (
	"fmt"
	"testing"

	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/reactions"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/event"
)

// TestFeatures has a row for each promise about effects, with the expected results.
func TestFeatures(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ id, reason, then, want string }{
		{"RE-03", "set is the default", `{"type":"set","path":"hp","value":7}`, `{"hp":7}`},
		{"RE-03", "other operations", `{"type":"set","path":"hp","operation":"add","value":2}`,
			`{"hp":12}`},
		{"RE-06", "a directive", `{"type":"set","path":"@prompt.directive.d","value":"Whisper."}`,
			`{"hp":10} d: Whisper.`},
		{"RE-06", "false removes it", `{"type":"set","path":"@prompt.directive.d","value":"x"},
			{"type":"set","path":"@prompt.directive.d","value":false}`, `{"hp":10}`},
		{"RE-06", "an entry", `{"type":"set","path":"@prompt.entry.cave","value":true}`,
			`{"hp":10} entries map[cave:true]`},
		{"RE-06", "a rule, inverted", `{"type":"set","path":"@rules.disabled.x","value":true}`,
			`{"hp":10} rules map[x:false]`},
		{"RE-07", "both names of the context", `{"type":"set","path":"@prompt.context","value":"A"},
			{"type":"set","path":"@ai.context","value":"B"}`, `{"hp":10} system: A system: B`},
		{"RE-08", "a notice", `{"type":"set","path":"@ui.notification","value":"Saved."}`,
			`{"hp":10} info: Saved.`},
		{"RE-08", "of the wrong type", `{"type":"set","path":"@ui.notification","value":5}`,
			`{"hp":10}`},
	} {
		list, problems := reactions.Parse([]byte(
			`[{"id":"r","when":{"eventType":"knock"},"then":[` + c.then + `]}]`))
		program, more := rules.Compile(rules.Content{
			Variables: []rules.Variable{{ID: "hp", Type: rules.TypeNumber,
				Default: tree.Int(10)}},
			Handlers: reactions.Handlers(list),
		})
		if ps := append(problems, more...); len(ps) > 0 {
			t.Fatal(ps)
		}
		o := program.Run(program.Restore(rules.State{}), []rules.Event{event.New("knock")},
			rules.Options{})
		ledger := o.State.Ledger
		got := o.State.Variables.String()
		for _, d := range ledger.Directives {
			got += " " + d.ID + ": " + d.Content
		}
		if len(ledger.Entries) > 0 {
			got += fmt.Sprint(" entries ", ledger.Entries)
		}
		if len(ledger.Enabled) > 0 {
			got += fmt.Sprint(" rules ", ledger.Enabled)
		}
		for _, p := range ledger.Pending {
			got += " " + p.Role + ": " + p.Message
		}
		for _, n := range o.Notices() {
			got += " " + n.Style + ": " + n.Message
		}
		if got != c.want {
			t.Errorf("%s, %s: got %s, want %s", c.id, c.reason, got, c.want)
		}
	}
}

// After a reply the events have one order, the session's start on the first turn only
// (RE-10).
func TestTurnEvents(t *testing.T) {
	t.Parallel()
	hp := []tree.Change{{Path: tree.Path{"hp"}, Old: tree.Int(2), New: tree.Int(1)}}
	for turn, want := range map[int]string{
		1: `[{"type":"message:user","content":"hit"} {"type":"message:ai","content":"ouch"} ` +
			`{"type":"turn:complete","turnCount":1} {"type":"session:start"} ` +
			`{"type":"state:changed","variableId":"hp","oldValue":2,"newValue":1}]`,
		2: `[{"type":"message:user","content":"hit"} {"type":"message:ai","content":"ouch"} ` +
			`{"type":"turn:complete","turnCount":2} ` +
			`{"type":"state:changed","variableId":"hp","oldValue":2,"newValue":1}]`,
	} {
		if got := fmt.Sprint(event.OfTurn("hit", "ouch", turn, hp)); got != want {
			t.Errorf("turn %d:\ngot  %s\nwant %s", turn, got, want)
		}
	}
}
