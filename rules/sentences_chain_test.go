package rules_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/reactions"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/event"
)

// TestEvaluationAsDescribed has a row for each documented sentence about events, hops and chains
// (RU-20 to RU-23). Rules are abbreviated: {T} is the trigger of every turn.
func TestEvaluationAsDescribed(t *testing.T) {
	t.Parallel()
	turn := []event.Event{event.TurnComplete(1)}
	ping := func(names ...string) (list []event.Event) {
		for _, n := range names {
			list = append(list, event.New(n))
		}
		return list
	}
	for _, c := range []struct {
		reason    string
		rules     string
		reactions string
		vars      string
		events    []event.Event
		opts      rules.Options
		want      string
	}{
		{"by priority, the higher first, and then by place", `
			{"id":"a","conditions":[],"trigger":{T},"actions":[]},{"id":"b","conditions":[],"trigger":{T},"actions":[],"priority":5},
			{"id":"c","conditions":[],"trigger":{T},"actions":[],"priority":-1},{"id":"d","conditions":[],"trigger":{T},"actions":[]}`,
			"", `{}`, turn, rules.Options{}, "fired [b a d c]"},
		{"rules come before handlers of one priority", `{"id":"r","conditions":[],"trigger":{T},"actions":[]}`,
			`{"id":"h","conditions":[],"when":{"eventType":"turn:complete"},"then":[]},{"id":"k","conditions":[],"when":{"eventType":"turn:complete"},"priority":1,"then":[]}`,
			`{}`, turn, rules.Options{}, "fired [k r h]"},
		{"a rule of high priority cannot prevent a lower one in the same hop", `
			{"id":"first","priority":9,"conditions":[],"trigger":{T},"actions":[{"type":"modify-variable","variableId":"gold","operation":"set","value":0},
				{"type":"toggle-rule","ruleId":"second","enabled":false}]},
			{"id":"second","trigger":{T},"conditions":[{"variableId":"gold","operator":"gte","value":5}],"actions":[]}`,
			"", `{"gold":5}`, turn, rules.Options{}, "fired [first second]; gold 0"},
		{"two rules can both spend the same coins", `
			{"id":"a","trigger":{T},"conditions":[{"variableId":"gold","operator":"gte","value":5}],"actions":[{"type":"modify-variable","variableId":"gold","operation":"subtract","value":5}]},
			{"id":"b","trigger":{T},"conditions":[{"variableId":"gold","operator":"gte","value":5}],"actions":[{"type":"modify-variable","variableId":"gold","operation":"subtract","value":5}]}`,
			"", `{"gold":5}`, turn, rules.Options{}, "fired [a b]; gold 0; gold -5"},
		{"for a later event of the hop what has fired is not considered", "",
			`{"id":"h","conditions":[],"when":{"eventType":"a"},"then":[]},{"id":"k","conditions":[],"when":{"eventType":"b"},"then":[]},{"id":"h2","priority":9,"conditions":[],"when":{"eventType":"b"},"then":[]}`,
			`{}`, ping("a", "a", "b"), rules.Options{}, "fired [h h2 k]"},
		{"effects are applied as collected: what is removed and then injected stays", `
			{"id":"a","conditions":[],"trigger":{T},"actions":[{"type":"inject-directive","directiveId":"d","content":"old"},
				{"type":"remove-directive","directiveId":"d"},{"type":"inject-directive","directiveId":"d","content":"new"}]}`,
			"", `{}`, turn, rules.Options{}, `fired [a]; directive d auto "new"`},
		{"notices, sounds and context keep their order", `
			{"id":"a","conditions":[],"trigger":{T},"actions":[{"type":"play-audio","trackId":"x"},{"type":"notify-player","message":"1"},
				{"type":"send-context","message":"c"},{"type":"notify-player","message":"2"}]}`,
			"", `{}`, turn, rules.Options{}, `fired [a]; {"type":"play-audio","trackId":"x","action":"play"}; ` +
				`{"type":"notify-player","message":"1","style":"info"}; {"type":"notify-player","message":"2","style":"info"}; system: c`},
		{"two rules that feed each other fire once each", "",
			`{"id":"h","conditions":[],"when":{"eventType":"a"},"then":[{"type":"emit","event":{"type":"b"}}]},
			 {"id":"k","conditions":[],"when":{"eventType":"b"},"then":[{"type":"emit","event":{"type":"a"}}]}`,
			`{}`, ping("a"), rules.Options{}, "fired [h k]"},
		{"emitted events come before changes in the next hop", `
			{"id":"start","conditions":[],"trigger":{T},"actions":[{"type":"modify-variable","variableId":"x","operation":"set","value":1}]},
			{"id":"onchange","conditions":[],"trigger":{"type":"state-change","variableId":"x"},"actions":[]}`,
			`{"id":"emit","conditions":[],"when":{"eventType":"turn:complete"},"then":[{"type":"emit","event":{"type":"b"}}]},
			 {"id":"onemit","conditions":[],"when":{"eventType":"b"},"then":[]}`,
			`{}`, turn, rules.Options{}, "fired [start emit onemit onchange]; x 1"},
		{"an else message is a warning, and no firing", `
			{"id":"a","trigger":{T},"conditions":[{"variableId":"gold","operator":"gte","value":5}],"elseMessage":" Too poor. ","actions":[]}`,
			"", `{"gold":1}`, turn, rules.Options{}, `{"type":"notify-player","message":"Too poor.","style":"warning","quiet":true}`},
		{"but not where a later gate failed", `
			{"id":"a","conditions":[],"trigger":{T},"maxFireCount":0,"elseMessage":"no","actions":[]}`,
			"", `{}`, turn, rules.Options{}, ""},
		{"a stop condition on what is missing stops nothing", `
			{"id":"a","conditions":[],"trigger":{T},"stopConditions":[{"variableId":"none","operator":"neq","value":1}],"actions":[]}`,
			"", `{}`, turn, rules.Options{}, "fired [a]"},
		{"one that holds does", `
			{"id":"a","conditions":[],"trigger":{T},"stopConditions":[{"variableId":"x","operator":"eq","value":1},{"variableId":"y","operator":"eq","value":1}],"actions":[]}`,
			"", `{"x":1,"y":2}`, turn, rules.Options{}, ""},
		{"a failed chance spends no cooldown", `
			{"id":"a","conditions":[],"trigger":{T},"chance":50,"cooldownTurns":3,"actions":[]}`,
			"", `{}`, turn, rules.Options{Random: func() float64 { return 0.5 }}, ""},
		{"a bound of 0 is the usual one", "",
			`{"id":"h","conditions":[],"when":{"eventType":"a"},"then":[{"type":"emit","event":{"type":"b"}}]},
			 {"id":"k","conditions":[],"when":{"eventType":"b"},"then":[{"type":"emit","event":{"type":"c"}}]},
			 {"id":"l","conditions":[],"when":{"eventType":"c"},"then":[]}`,
			`{}`, ping("a"), rules.Options{MaxHops: 0}, "fired [h k l]"},
		{"a bound of one hop", "",
			`{"id":"h","conditions":[],"when":{"eventType":"a"},"then":[{"type":"emit","event":{"type":"b"}}]},{"id":"k","conditions":[],"when":{"eventType":"b"},"then":[]}`,
			`{}`, ping("a"), rules.Options{MaxHops: 1}, "fired [h]; cut b"},
	} {
		list, problems := rules.Parse([]byte("[" + strings.ReplaceAll(c.rules, "{T}", `{"type":"every-turn"}`) + "]"))
		handlers, more := reactions.Parse([]byte("[" + c.reactions + "]"))
		if len(problems)+len(more) > 0 {
			t.Fatal(c.reason, problems, more)
		}
		program := compile(t, rules.Content{Rules: list, Handlers: reactions.Handlers(handlers)})
		o := program.Run(load(t, c.vars), c.events, c.opts)
		got := seen(o)
		for _, e := range o.Cut {
			got += "; cut " + e.Type
		}
		if got != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.reason, got, c.want)
		}
	}
}

// TestGatesSeeOneStatePerHop: a module that a hop opens is active from the next hop on. A switch in
// hop n has its effect in hop n+1. An evaluation outside of a chain fires one rule for each event
// (RU-20, RU-21).
func TestGatesSeeOneStatePerHop(t *testing.T) {
	t.Parallel()
	list, _ := rules.Parse([]byte(`[
		{"id":"open","trigger":{"type":"every-turn"},"conditions":[],"actions":[
			{"type":"modify-variable","variableId":"door","operation":"set","value":true},
			{"type":"toggle-rule","ruleId":"asleep","enabled":true},
			{"type":"toggle-rule","ruleId":"awake","enabled":false}]},
		{"id":"inside","worldbookId":"m","trigger":{"type":"every-turn"},"conditions":[],"actions":[]},
		{"id":"hall","worldbookId":"m","trigger":{"type":"state-change","variableId":"door"},"conditions":[],"actions":[]},
		{"id":"asleep","enabled":false,"trigger":{"type":"state-change","variableId":"door"},"conditions":[],"actions":[]},
		{"id":"awake","trigger":{"type":"state-change","variableId":"door"},"conditions":[],"actions":[]}]`))
	program := compile(t, rules.Content{Rules: list, Modules: []rules.Module{{ID: "m", Activation: rules.Activation{
		Mode: rules.ModeConditions, Conditions: []rules.Condition{{VariableID: "door", Operator: "eq", Value: tree.Bool(true)}},
	}}}})
	turn := []event.Event{event.TurnComplete(1)}
	o := program.Run(load(t, `{"door":false}`), turn, rules.Options{})
	var hops []string
	for _, hop := range o.Hops {
		hops = append(hops, fmt.Sprint(rules.Evaluation{Fired: hop}.IDs()))
	}
	if got := strings.Join(hops, " "); got != "[open] [hall asleep]" {
		t.Errorf("hops %s", got)
	}
	twice := program.Evaluate(load(t, `{"door":true}`), append(turn, turn...), rules.Options{})
	if got := fmt.Sprint(twice.IDs()); got != "[open inside open inside]" {
		t.Errorf("outside of a chain: %s", got)
	}
}

// TestStateOfAnyAge: every part of a saved state may be missing. Restored values are adapted to the
// declarations.
func TestStateOfAnyAge(t *testing.T) {
	t.Parallel()
	program := compile(t, rules.Content{Variables: []rules.Variable{
		{ID: "hp", Type: rules.TypeNumber, Default: tree.Int(10)}, {ID: "name", Type: rules.TypeString, Default: tree.Text("Lu")},
	}})
	for _, c := range []struct{ reason, saved, want string }{
		{"nothing", `{}`, `{"variables":{"hp":10,"name":"Lu"},"turnCount":0,"ruleState":{}}`},
		{"undeclared keys go, those of lore stay", `{"variables":{"hp":3,"old":1,"__lore_bell":true}}`,
			`{"variables":{"hp":3,"name":"Lu","__lore_bell":true},"turnCount":0,"ruleState":{}}`},
		{"a turn count that is none", `{"turnCount":"many"}`, `{"variables":{"hp":10,"name":"Lu"},"turnCount":0,"ruleState":{}}`},
		{"a list of what was switched off", `{"ruleState":{"disabledRules":["r"]}}`,
			`{"variables":{"hp":10,"name":"Lu"},"turnCount":0,"ruleState":{"enabledRules":{"r":false}}}`},
		{"what nothing reads is kept", `{"ruleState":{"prevVars":{"hp":9}}}`,
			`{"variables":{"hp":10,"name":"Lu"},"turnCount":0,"ruleState":{"prevVars":{"hp":9}}}`},
		{"all switches", `{"ruleState":{"cooldowns":{"r":4},"fireCounts":{"r":2},"toggledEntries":{"e":false},"toggledVariables":{"hp":false},"toggledWorldbooks":{"m":true}}}`,
			`{"variables":{"hp":10,"name":"Lu"},"turnCount":0,"ruleState":{"cooldowns":{"r":4},"fireCounts":{"r":2},"toggledEntries":{"e":false},"toggledVariables":{"hp":false},"toggledWorldbooks":{"m":true}}}`},
	} {
		var st rules.State
		if err := json.Unmarshal([]byte(c.saved), &st); err != nil {
			t.Errorf("%s: %v", c.reason, err)
			continue
		}
		data, err := json.Marshal(program.Restore(st))
		if err != nil || !sameMembers(t, string(data), c.want) {
			t.Errorf("%s: %s %v", c.reason, data, err)
		}
	}
}

// TestModesOfModules has a row for each mode with the effect of its switch, and rows for the words
// of keyword modules. For these, only the player's newest message counts.
func TestModesOfModules(t *testing.T) {
	t.Parallel()
	on := func(mode rules.ModuleMode, words, leave string, exclusive bool) rules.Activation {
		a := rules.Activation{Mode: mode, Exclusive: exclusive, GreetingIDs: []string{"g1", "g2"},
			Conditions: []rules.Condition{{VariableID: "x", Operator: "eq", Value: tree.Int(1)}}}
		if words != "" {
			a.Keywords, a.LeaveKeywords = strings.Split(words, ","), strings.Split(leave, ",")
		}
		return a
	}
	program := compile(t, rules.Content{Modules: []rules.Module{
		{ID: "always", Activation: on(rules.ModeAlways, "", "", false)},
		{ID: "manual", Activation: on(rules.ModeManual, "", "", false)},
		{ID: "when", Activation: on(rules.ModeConditions, "", "", false)},
		{ID: "opening", Activation: on(rules.ModeGreeting, "", "", false)},
		{ID: "inn", Activation: on(rules.ModeKeywords, "inn,客栈", "leave,离开", false)},
		{ID: "sea", Activation: on(rules.ModeKeywords, "sea", "shore", true)},
		{ID: "hill", Activation: on(rules.ModeKeywords, "hill", "down", true)},
	}})
	for _, c := range []struct{ reason, state, said, want string }{
		{"a new game", `{}`, "", "[always manual]"},
		{"a manual one is switched off", `{"ruleState":{"toggledWorldbooks":{"manual":false}}}`, "", "[always]"},
		{"always knows no switch", `{"ruleState":{"toggledWorldbooks":{"always":false}}}`, "", "[always manual]"},
		{"conditions", `{"variables":{"x":1}}`, "", "[always manual when]"},
		{"are not beaten by a switch", `{"ruleState":{"toggledWorldbooks":{"when":true}}}`, "", "[always manual]"},
		{"one of its openings", `{"activeGreetingId":"g2"}`, "", "[always manual opening]"},
		{"another opening", `{"activeGreetingId":"g3"}`, "", "[always manual]"},
		{"a word latches", `{}`, "To the INN!", "[always manual inn]"},
		{"in Chinese", `{}`, "我走进客栈。", "[always manual inn]"},
		{"what is latched stays without a word", `{"ruleState":{"toggledWorldbooks":{"inn":true}}}`, "Rain.", "[always manual inn]"},
		{"a leave word latches off", `{"ruleState":{"toggledWorldbooks":{"inn":true}}}`, "我离开。", "[always manual]"},
		{"not beside an enter word", `{"ruleState":{"toggledWorldbooks":{"inn":true}}}`, "leave the inn", "[always manual inn]"},
		{"a leave word of what is off does nothing", `{}`, "leave", "[always manual]"},
		{"an exclusive one closes the others of its kind", `{"ruleState":{"toggledWorldbooks":{"sea":true,"inn":true}}}`, "up the hill", "[always manual inn hill]"},
		{"two that are hit together stay", `{"ruleState":{"toggledWorldbooks":{"sea":true}}}`, "from the hill to the sea", "[always manual sea hill]"},
	} {
		var st rules.State
		if err := json.Unmarshal([]byte(c.state), &st); err != nil {
			t.Fatal(err)
		}
		if c.said != "" {
			st, _, _ = program.ActivateModules(st, c.said)
		}
		if got := fmt.Sprint(program.ActiveModules(st)); got != c.want {
			t.Errorf("%s: %s, want %s", c.reason, got, c.want)
		}
	}
	members, _ := rules.Parse([]byte(`[
		{"id":"lost","worldbookId":"gone","trigger":{"type":"every-turn"},"conditions":[],"actions":[]},
		{"id":"kept out","worldbookId":"unplaced","trigger":{"type":"every-turn"},"conditions":[],"actions":[]}]`))
	open, _ := rules.Compile(rules.Content{Rules: members})
	if got := fmt.Sprint(open.Run(rules.State{}, []event.Event{event.TurnComplete(1)}, rules.Options{}).Fired()); got != "[lost]" {
		t.Errorf("members of an unknown module, and unplaced ones: %s", got)
	}
}
