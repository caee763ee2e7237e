package rules_test

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/rules/event"
)

func compile(t *testing.T, c rules.Content) *rules.Program {
	t.Helper()
	program, problems := rules.Compile(c)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	return program
}

// ladder returns n rules. Each is started by the write of the rule before it.
func ladder(n int) rules.Content {
	var list []rules.Rule
	for i := range n {
		r := rules.Rule{
			ID:      fmt.Sprint(i + 1),
			Trigger: &rules.Trigger{Type: rules.StateChange, VariableID: fmt.Sprintf("v%d", i)},
			Actions: effect.Actions{set(fmt.Sprintf("v%d", i+1), effect.Set, "1")},
		}
		list = append(list, r)
	}
	return rules.Content{Rules: list}
}

// The cut of a chain is reported, but only if it has prevented something (RU-23).
func TestCut(t *testing.T) {
	t.Parallel()
	start := []event.Event{event.Changed("v0", tree.Int(0), tree.Int(1))}
	for _, c := range []struct {
		rungs, hops, fired int
		cut                bool
	}{{5, 0, 5, false}, {6, 0, 5, true}, {6, 6, 6, false}, {3, 1, 1, true},
		{3, rules.NoHops, 0, true}, {0, rules.NoHops, 0, false}} {
		o := compile(t, ladder(c.rungs)).Run(rules.State{}, start, rules.Options{MaxHops: c.hops})
		if len(o.Fired()) != c.fired || (o.Cut != nil) != c.cut {
			t.Errorf("%d rungs, %d hops: fired %v, cut %v", c.rungs, c.hops, o.Fired(), o.Cut)
		}
	}
}

// A manual rule fires only by hand: for the host, or for a different rule (RU-09).
func TestManualRules(t *testing.T) {
	t.Parallel()
	program := compile(t, rules.Content{Rules: []rules.Rule{
		{ID: "m", Trigger: &rules.Trigger{Type: rules.Manual}, Actions: effect.Actions{set("n",
			effect.Add, "1")},
			CooldownTurns: new(1)},
		{ID: "caller", Trigger: &rules.Trigger{Type: rules.EveryTurn},
			Actions: effect.Actions{effect.TriggerRule{ID: "m"}}},
	}})
	o := program.Run(rules.State{}, []event.Event{event.TurnComplete(1)}, rules.Options{})
	if got := fmt.Sprint(o.Fired(), o.State.Variables, o.Emitted); got != `[caller m] {"n":1} []` {
		t.Error(got)
	}
	o = program.Run(o.State, []event.Event{event.TriggerByHand("m")}, rules.Options{})
	if len(o.Fired()) != 0 {
		t.Error("a trigger by hand went past the cooldown")
	}
	o.State.Turn++
	if o = program.Run(o.State, []event.Event{event.TriggerByHand("m")},
		rules.Options{}); len(o.Fired()) != 1 {
		t.Error("a trigger by hand did not fire")
	}
}

// A trigger by hand without a rule id fires nothing, even if a rule has no id.
func TestTriggerWithoutID(t *testing.T) {
	t.Parallel()
	program, _ := rules.Compile(rules.Content{Rules: []rules.Rule{
		{Trigger: &rules.Trigger{Type: rules.Manual}, Actions: effect.Actions{}},
	}})
	for _, e := range []event.Event{event.New(event.TypeTrigger), event.TriggerByHand("")} {
		if o := program.Run(rules.State{}, []event.Event{e}, rules.Options{}); len(o.Fired()) > 0 {
			t.Errorf("%s fired a rule", e)
		}
	}
}

// An endless cooldown does not overflow at any turn number.
func TestLongCooldown(t *testing.T) {
	t.Parallel()
	program := compile(t, rules.Content{Rules: []rules.Rule{{
		ID: "once", Trigger: &rules.Trigger{Type: rules.EveryTurn}, CooldownTurns: new(math.MaxInt32),
		Actions: effect.Actions{},
	}}})
	st := rules.State{Turn: 1000}
	for i := range 2 {
		o := program.Run(st, []event.Event{event.TurnComplete(st.Turn)}, rules.Options{})
		if got := len(o.Fired()); got != 1-i {
			t.Errorf("turn %d: %d fired", st.Turn, got)
		}
		st = o.State
		st.Turn++
	}
}

// Draws are recorded, and the record replays the chain (RU-22, RU-24).
func TestDrawsReplay(t *testing.T) {
	t.Parallel()
	list, _ := rules.Parse([]byte(`[{"id":"r","trigger":{"type":"every-turn"},"conditions":[],
		"chance":80,"actions":[
	  {"type":"modify-variable","variableId":"hp","operation":"add","valueRandom":{"kind":"dice",
		"count":3,"sides":6,"modifier":1}},
	  {"type":"modify-variable","variableId":"who","valueRandom":{"kind":"list","candidates":["a",
		"b","",7],"weights":[0,1,5,1]}},
	  {"type":"modify-variable","variableId":"x","valueRandom":{"kind":"list",
		"candidatesVar":"none"}},
	  {"type":"modify-variable","variableId":"y","valueRandom":{"kind":"list","candidates":["a"],
		"historyVar":"h","cooldown":1,"onExhausted":"keep"}}]}]`))
	program := compile(t, rules.Content{Rules: list})
	numbers := []float64{0.79, 0, 0.5, 0.999, 0.4}
	source := func(list []float64) func() float64 {
		return func() float64 {
			n := list[0]
			list = list[1:]
			return n
		}
	}
	turn := []event.Event{event.TurnComplete(1)}
	o := program.Run(load(t, `{"h":["a"]}`), turn, rules.Options{Random: source(numbers)})
	if got, want := o.State.Variables.String(), `{"h":["a"],"hp":12,"who":"b"}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if !slices.Equal(o.Draws, numbers) {
		t.Errorf("draws %v", o.Draws)
	}
	again := program.Run(load(t, `{"h":["a"]}`), turn, rules.Options{Random: source(o.Draws)})
	if !again.State.Variables.Equal(o.State.Variables) {
		t.Error("the record does not replay")
	}
	if o := program.Run(rules.State{}, turn,
		rules.Options{Random: source([]float64{0.8})}); len(o.Fired()) > 0 {
		t.Error("a chance of 80 fired at 0.8")
	}
}

// The trace says at which gate each rule stopped (RU-29).
func TestTrace(t *testing.T) {
	t.Parallel()
	list, _ := rules.Parse([]byte(`[
	  {"id":"off","enabled":false,"trigger":{"type":"every-turn"},"conditions":[],"actions":[]},
	  {"id":"deaf","trigger":{"type":"keyword","keywords":["x"]},"conditions":[],"actions":[]},
	  {"id":"poor","trigger":{"type":"every-turn"},"conditions":[{"variableId":"gold",
		"operator":"gte","value":1},
	    {"variableId":"hp","operator":"lt","value":20}],"actions":[]},
	  {"id":"any","trigger":{"type":"every-turn"},"conditionLogic":"any",
		"conditions":[{"variableId":"ghost","operator":"eq","value":1}],"actions":[]},
	  {"id":"ref","trigger":{"type":"every-turn"},"conditions":[{"variableId":"hp","operator":"gt",
		"valueRef":"max"}],"actions":[]},
	  {"id":"stop","trigger":{"type":"every-turn"},"conditions":[],
		"stopConditions":[{"variableId":"hp","operator":"eq","value":35}],"actions":[]},
	  {"id":"cool","trigger":{"type":"every-turn"},"conditions":[],"actions":[]},
	  {"id":"often","trigger":{"type":"every-turn"},"conditions":[],"maxFireCount":2,"actions":[]},
	  {"id":"luck","trigger":{"type":"every-turn"},"conditions":[],"chance":10,"actions":[]},
	  {"id":"away","trigger":{"type":"every-turn"},"conditions":[],"worldbookId":"unplaced",
		"actions":[]},
	  {"id":"yes","trigger":{"type":"every-turn"},"conditions":[],"actions":[]}]`))
	st := load(t, `{"gold":1,"hp":35,"max":40}`)
	st.Turn = 3
	st.Ledger = rules.Memory{Cooldowns: map[string]int{"cool": 5},
		FireCounts: map[string]int{"often": 2}}
	events := []event.Event{event.TurnComplete(3), event.TurnComplete(3)}
	o := compile(t, rules.Content{Rules: list}).Run(st, events, rules.Options{Explain: true})
	var lines []string
	for _, trace := range o.Trace {
		if trace.Event <= 0 || trace.ID == "yes" {
			lines = append(lines, trace.String())
		}
	}
	want := []string{
		"off on turn:complete: disabled",
		"poor on turn:complete: condition 2: hp 35 lt 20",
		"any on turn:complete: none of 1 conditions holds",
		"ref on turn:complete: condition 1: hp 35 gt max 40",
		"stop on turn:complete: stop condition 1: hp 35 eq 35",
		"cool on turn:complete: cooldown 2 left",
		"often on turn:complete: count 2 of 2",
		"luck on turn:complete: chance 10: not this time",
		"away on turn:complete: module not active",
		"yes on turn:complete: fired",
		"yes on turn:complete: once: it has fired in this chain",
		"deaf on turn:complete: pattern",
	}
	if !slices.Equal(lines, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(lines, "\n"), strings.Join(want, "\n"))
	}
	if silent := compile(t, rules.Content{Rules: list}).Run(st, events,
		rules.Options{}); silent.Trace != nil {
		t.Error("a trace that nobody asked for")
	}
}

// Parameters of an event are filled into every effect that has texts (RE-16).
func TestParameters(t *testing.T) {
	t.Parallel()
	program := compile(t, rules.Content{Rules: []rules.Rule{{
		ID:      "r",
		Trigger: &rules.Trigger{Type: rules.OnAction},
		Conditions: []rules.Condition{
			{VariableID: "gold", Operator: rules.Gte, ValueRef: "param.price"},
			{VariableID: "gold", Operator: rules.Neq, Value: tree.Text("{param.price}")},
		},
		Actions: effect.Actions{
			effect.SetVariable{Path: "gold", Operation: effect.Subtract, ValueRef: "参数.price"},
			effect.Notify{Message: "{param.item} for {参数.price}", Title: "{param.none}!"},
			effect.SendContext{Message: "bought {param.item}"},
			effect.PlayAudio{TrackID: "{param.item}"},
			effect.RequestAI{Prompt: "sell {param.item}"},
			effect.ShowMoment{Title: "{param.item}"},
			effect.Emit{Event: event.New("sold", tree.Member{Key: "n",
				Value: tree.Text("{param.price}")})},
		},
	}}})
	params := tree.Object(tree.Member{Key: "item", Value: tree.Text("rope")},
		tree.Member{Key: "price", Value: tree.Text("4")})
	o := program.Run(load(t, `{"gold":9}`), []event.Event{event.ActionFired("buy", params)},
		rules.Options{})
	got := fmt.Sprint(o.State.Variables, o.Notices()[0].Message, o.Notices()[0].Title,
		o.Context[0].Message,
		o.Audio()[0].TrackID, o.Requests()[0].Prompt, o.Notices()[1].Title, o.Emitted[len(o.Emitted)-1])
	want := `{"gold":5}rope for 4!bought roperopesell roperope{"type":"sold","n":4}`
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if o := program.Run(load(t, `{"gold":3}`), []event.Event{event.ActionFired("buy", params)},
		rules.Options{}); len(o.Fired()) > 0 {
		t.Error("3 gold paid for 4")
	}
}

// One Program serves any number of games at once.
func TestConcurrentUse(t *testing.T) {
	t.Parallel()
	w := readWorkload(t)
	program, _ := rules.Compile(rules.Content{Variables: w.Variables, Rules: w.Rules})
	st := program.Restore(rules.State{Turn: w.TurnCount})
	want := text(program.Run(st, w.Events, rules.Options{}).State)
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			for range 5 {
				if got := text(program.Run(st, w.Events, rules.Options{}).State); got != want {
					t.Error("another state than alone")
				}
			}
		})
	}
	wait.Wait()
}

// Restoring brings the whole past back, except the preparations of the player. Formulas of both are
// computed again.
func TestRollback(t *testing.T) {
	t.Parallel()
	program := compile(t, rules.Content{Variables: []rules.Variable{
		{ID: "hp", Type: rules.TypeNumber}, {ID: "bonus", Type: rules.TypeNumber, Scope: "setup"},
		{ID: "all", Type: rules.TypeNumber, Formula: "hp + bonus"},
	}})
	then := load(t, `{"hp":9,"bonus":1,"all":10}`)
	then.Ledger.FireCounts = map[string]int{"r": 1}
	now := load(t, `{"hp":1,"bonus":3,"all":4}`)
	back := program.Rollback(now, then)
	if got, want := text(back), `{"variables":{"hp":9,"bonus":3,"all":12},"turnCount":0,`+
		`"ruleState":{"fireCounts":{"r":1}}}`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// A saved state of any age loads, and unknown members survive.
func TestStateJSON(t *testing.T) {
	t.Parallel()
	var st rules.State
	if err := json.Unmarshal([]byte(`{"turnCount":"many","variables":7,"metadata":{"a":1},
		"ruleState":null}`), &st); err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(st)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"variables":{},"turnCount":0,"ruleState":{},"metadata":{"a":1}}`
	if string(data) != want {
		t.Errorf("got  %s\nwant %s", data, want)
	}
}

// Unreadable parts of a save are dropped: if they were kept next to newer data, they would undo it
// at the next loading (RU-22).
func TestPlayOutlivesTheSaveItBeganWith(t *testing.T) {
	t.Parallel()
	program := compile(t, rules.Content{
		Variables: []rules.Variable{{ID: "hp", Type: rules.TypeNumber,
			Default: tree.Int(9)}},
		Modules: []rules.Module{{ID: "cellar",
			Activation: rules.Activation{Mode: rules.ModeManual}}},
		Rules: []rules.Rule{
			{ID: "hurt", Trigger: &rules.Trigger{Type: rules.EveryTurn},
				Actions: effect.Actions{
					effect.SetVariable{Path: "hp", Operation: effect.Subtract,
						Value: tree.Int(1)},
					effect.ToggleRule{ID: "off", Enabled: true},
					effect.ToggleEntry{ID: "e", Enabled: true},
					effect.ToggleBook{ID: "cellar", Enabled: false},
					effect.SendContext{Message: "m"},
					effect.InjectDirective{ID: "d", Content: "c", Persistent: true},
				}, CooldownTurns: new(2)},
		},
	})
	// The turn is 4 and not 0, so that the test fails if a save loses it.
	const played = `{"variables":{"hp":8},"turnCount":4,"ruleState":{` +
		`"enabledRules":{"off":true},"cooldowns":{"hurt":6},"fireCounts":{"hurt":1},` +
		`"activeDirectives":[{"id":"d","content":"c","position":"auto","persistent":true,` +
		`"injectedAtTurn":4}],"toggledEntries":{"e":true},` +
		`"toggledWorldbooks":{"cellar":false},` +
		`"pendingContext":[{"message":"m","role":"system"}]}}`
	for _, tc := range []struct{ reason, save string }{
		{"null parts", `{"variables":null,"ruleState":null,"activeGreetingId":null}`},
		{"parts of other types", `{"variables":[1],"ruleState":"x","activeGreetingId":5}`},
		{"null parts of the ledger", `{"ruleState":{"enabledRules":null,"cooldowns":null,
			"fireCounts":null,"activeDirectives":null,"toggledEntries":null,
			"toggledWorldbooks":null,"pendingContext":null}}`},
		{"parts of the ledger of other types", `{"ruleState":{"enabledRules":1,"cooldowns":[],
			"fireCounts":"none","activeDirectives":{},"toggledEntries":true,
			"toggledVariables":5,"toggledWorldbooks":"x","pendingContext":{}}}`},
		{"lists that are no lists of ids", `{"ruleState":{"enabledRules":["off",1],
			"disabledRules":["off",1],"toggledEntries":["e",{}]}}`},
		{"members of older programs", `{"ruleState":{"disabledRules":["off"],"directives":[],
			"toggledWorldbooks":{},"toggledModules":{"cellar":true}}}`},
	} {
		var st rules.State
		if err := json.Unmarshal([]byte(tc.save), &st); err != nil {
			t.Errorf("%s: %v", tc.reason, err)
			continue
		}
		st = program.Restore(st)
		st.Turn = 4
		st = program.Run(st, []event.Event{event.TurnComplete(4)}, rules.Options{}).State
		var again rules.State
		if err := json.Unmarshal([]byte(text(st)), &again); err != nil {
			t.Errorf("%s: %v", tc.reason, err)
			continue
		}
		if got := text(program.Restore(again)); got != played {
			t.Errorf("%s:\ngot  %s\nwant %s", tc.reason, got, played)
		}
	}
}

// A rule with its own bound ends the chain that many hops after the hop in which it fires. In a
// rule and in the options, 0 means no bound.
func TestChainsEndWhereARuleSays(t *testing.T) {
	t.Parallel()
	link := func(from, to string, depth *int) rules.Handler {
		return rules.Handler{ID: from, When: rules.Pattern{EventType: from}, MaxChainDepth: depth,
			Then: effect.List{effect.Emit{Event: event.New(to)}}}
	}
	for _, c := range []struct {
		depth *int
		want  string
		cut   int
	}{
		{nil, "[a b c d e]", 1}, {new(0), "[a b c d e]", 1}, {new(-1), "[a b c d e]", 1},
		{new(1), "[a b]", 1}, {new(2), "[a b c]", 1}, {new(math.MaxInt), "[a b c d e]", 1},
	} {
		program, _ := rules.Compile(rules.Content{Handlers: []rules.Handler{
			link("a", "b", nil), link("b", "c", c.depth), link("c", "d", nil), link("d", "e", nil),
			link("e", "f", nil), link("f", "g", nil),
		}})
		o := program.Run(rules.State{}, []event.Event{event.New("a")}, rules.Options{MaxHops: 0})
		if got := fmt.Sprint(o.Fired()); got != c.want || len(o.Cut) != c.cut {
			t.Errorf("bound %v: fired %s, cut %v, want %s", c.depth, got, o.Cut, c.want)
		}
	}
}

// Ranges whose length is infinite still give numbers within them.
func TestRangesWithoutEnd(t *testing.T) {
	t.Parallel()
	for _, r := range []float64{0, 0.25, 0.999} {
		for _, whole := range []*bool{nil, new(false)} {
			e := effect.SetVariable{Path: "n", Random: &effect.Random{Kind: effect.RangeKind, Min: math.MaxFloat64,
				Max: -math.MaxFloat64, Integer: whole}}
			applied := (*rules.Program)(nil).Apply(rules.State{}, effect.By("x", e),
				rules.Options{Random: func() float64 { return r }})
			if v := applied.State.Variables.Root().Get("n"); v.Kind() != tree.KindNumber {
				t.Errorf("drew %s (%v)", v, applied.Refused)
			}
		}
	}
}
