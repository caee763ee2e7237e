package rules_test

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/reactions"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/rules/event"
)

// world makes random content, states and events from few names, so that they often match.
type world struct{ *rand.Rand }

func newWorld(seed uint64) world { return world{rand.New(rand.NewPCG(seed, 7))} }

func pick[T any](w world, list ...T) T { return list[w.IntN(len(list))] }

func (w world) variable() string { return pick(w, "a", "b", "s", "bag.gold", "bag.gem", "no") }

func (w world) value() tree.Value {
	return pick(w, tree.Int(int64(w.IntN(8))), tree.Int(int64(w.IntN(8))), tree.Float(2.5),
		tree.Text(pick(w, "x", "y")), tree.Bool(true), tree.Null)
}

func (w world) conditions() []rules.Condition {
	var out []rules.Condition
	for range w.IntN(3) {
		c := rules.Condition{
			VariableID: w.variable(),
			Operator: pick(w, rules.Eq, rules.Neq, rules.Gt, rules.Gte, rules.Lt, rules.Lte,
				rules.Contains),
			Value: w.value(),
		}
		if w.IntN(6) == 0 {
			c.ValueRef = w.variable()
		}
		out = append(out, c)
	}
	return out
}

func (w world) trigger() *rules.Trigger {
	n := func(max int) *float64 { return new(float64(w.IntN(max))) }
	switch w.IntN(9) {
	case 0:
		return &rules.Trigger{Type: rules.VariableCrossed, VariableID: pick(w, "", "a", "b",
			"bag.gold"),
			Direction: pick(w, "", rules.RisesAbove, rules.DropsBelow), Threshold: n(8)}
	case 1:
		return &rules.Trigger{Type: rules.StateChange, VariableID: pick(w, "", "a", "bag",
			"bag.gold")}
	case 2:
		return &rules.Trigger{Type: rules.TurnCount, AtTurn: n(6), EveryNTurns: n(4)}
	case 3:
		return &rules.Trigger{Type: rules.OnSessionStart}
	case 4, 5:
		return &rules.Trigger{
			Type: pick(w, rules.Keyword, rules.AIKeyword),
			Keywords: []string{pick(w, "elf", "Wolf", "剑", " ", "/w.lf/", "c++"),
				pick(w, "inn", "he")},
			MatchWholeWords:   w.IntN(2) == 0,
			SecondaryKeywords: pick(w, nil, []string{"door"}, []string{"door", "key"}),
			SecondaryKeywordLogic: pick(w, "", rules.AndAny, rules.AndAll, rules.NotAny,
				rules.NotAll),
		}
	case 6:
		return &rules.Trigger{Type: rules.EveryTurn}
	case 7:
		return &rules.Trigger{Type: rules.OnAction, ActionID: pick(w, "", "buy", "sell")}
	}
	return &rules.Trigger{Type: pick(w, rules.Manual, rules.TriggerType("moon"))}
}

func (w world) pattern() rules.Pattern {
	p := rules.Pattern{EventType: pick(w, event.TypeStateChanged, event.TypeStateCrossed,
		event.TypeTurnComplete,
		event.TypeActionFired, "zone:enter", "zone:*", "*", "state:*")}
	for range w.IntN(3) {
		if p.Match == nil {
			p.Match = make(map[string]rules.Clause)
		}
		field := pick(w, "variableId", "turnCount", "actionId", "zoneId", "newValue", "threshold",
			"direction")
		p.Match[field] = rules.Clause{
			Operator: pick(w, rules.Eq, rules.Eq, rules.Neq, rules.Gt, rules.Contains, rules.Every),
			Value: pick(w, w.value(), tree.Text("a"), tree.Text("buy"),
				tree.Text("forest"),
				tree.Text("rises-above"), tree.Int(2)),
		}
	}
	if w.IntN(4) == 0 {
		p.Equal = pick(w,
			map[string]tree.Value{"zone": tree.Text("forest")},
			map[string]tree.Value{"type": tree.Text("zone:enter")},
			map[string]tree.Value{"threshold": tree.Int(4), "variableId": tree.Text("a")})
	}
	return p
}

func (w world) effects() effect.List {
	var out effect.List
	for range 1 + w.IntN(2) {
		out = append(out, pick[effect.Effect](w,
			effect.SetVariable{Path: w.variable(), Operation: pick(w, effect.Set, effect.Add,
				effect.Append), Value: w.value()},
			effect.Emit{Event: event.New("zone:enter", tree.Member{Key: "zoneId",
				Value: tree.Text("forest")})},
			effect.ToggleRule{ID: fmt.Sprintf("h%d", w.IntN(20)), Enabled: w.IntN(2) == 0},
			effect.TriggerRule{ID: fmt.Sprintf("h%d", w.IntN(20))},
			effect.InjectDirective{ID: pick(w, "d", "e"), Content: "look"},
			effect.Notify{Message: "n"},
		))
	}
	return out
}

func (w world) handlers(n int) []rules.Handler {
	var out []rules.Handler
	for i := range n {
		h := rules.Handler{
			ID: fmt.Sprintf("h%d", i), Conditions: w.conditions(), StopConditions: nil,
			ConditionLogic: pick(w, "", rules.All, rules.Any), Then: w.effects(),
			Priority: float64(w.IntN(3)),
		}
		if w.IntN(2) == 0 {
			h.Trigger = w.trigger()
		} else {
			h.When = w.pattern()
		}
		if w.IntN(5) == 0 {
			h.StopConditions = w.conditions()
		}
		h.Enabled = pick(w, nil, nil, nil, new(false), new(true))
		h.CooldownTurns = pick(w, nil, nil, new(2))
		h.MaxFireCount = pick(w, nil, nil, nil, new(1))
		out = append(out, h)
	}
	return out
}

func (w world) event() event.Event {
	text := pick(w, "The elf has a key", "Wolves at the door", "he draws a剑", "c++, and an inn", "",
		"cafés WOLF")
	switch w.IntN(7) {
	case 0:
		return event.PlayerMessage(text)
	case 1:
		return event.ModelMessage(text)
	case 2:
		return event.TurnComplete(w.IntN(6))
	case 3:
		return pick(w, event.SessionStart(), event.TriggerByHand(fmt.Sprintf("h%d", w.IntN(20))))
	case 4:
		return event.ActionFired(pick(w, "buy", "sell"), tree.Value{})
	case 5:
		return event.New("zone:enter", tree.Member{Key: pick(w, "zone", "zoneId", "x"),
			Value: tree.Text("forest")})
	}
	if w.IntN(3) == 0 {
		gold := func() tree.Value {
			return tree.Object(tree.Member{Key: "gold", Value: tree.Int(int64(w.IntN(8)))})
		}
		return event.Changed("bag", gold(), gold())
	}
	return event.Changed(pick(w, "a", "b", "bag.gold", "bag.gold.x"), w.value(), w.value())
}

func (w world) state() rules.State {
	members := []tree.Member{
		{Key: "a", Value: w.value()}, {Key: "b", Value: tree.Int(int64(w.IntN(8)))},
		{Key: "s", Value: tree.Text(pick(w, "x", "xy"))},
		{Key: "bag", Value: tree.Object(tree.Member{Key: "gold",
			Value: tree.Int(int64(w.IntN(8)))})},
	}
	doc, err := tree.NewDocument(tree.Object(members...))
	if err != nil {
		panic(err)
	}
	st := rules.State{Variables: doc, Turn: w.IntN(5)}
	for range w.IntN(4) {
		id := fmt.Sprintf("h%d", w.IntN(20))
		switch w.IntN(3) {
		case 0:
			st.Ledger.Enabled = map[string]bool{id: w.IntN(2) == 0}
		case 1:
			st.Ledger.Cooldowns = map[string]int{id: w.IntN(6)}
		default:
			st.Ledger.FireCounts = map[string]int{id: 1}
		}
	}
	return st
}

// slowly is the simple evaluator: every handler for every event, no index, no slots.
func slowly(list []rules.Handler, st rules.State, events []event.Event) []string {
	ordered := slices.Clone(list)
	slices.SortStableFunc(ordered, func(a,
		b rules.Handler) int {
		return int(b.Priority - a.Priority)
	})
	vars := rules.VarMap{}
	for k, v := range st.Variables.Root().Members() {
		vars[k] = v
	}
	var fired []string
	for _, e := range events {
		for _, h := range ordered {
			on, switched := st.Ledger.Enabled[h.ID]
			if !switched {
				on = h.Enabled == nil || *h.Enabled
			}
			matches := e.Type == event.TypeTrigger && e.Get("ruleId").Equal(tree.Text(h.ID))
			if h.Trigger != nil {
				matches = matches || triggered(h.Trigger, e, st.Turn)
			} else {
				matches = matches || h.When.Matches(e, st.Turn)
			}
			stopped := slices.ContainsFunc(h.StopConditions,
				func(c rules.Condition) bool { return c.Holds(vars) })
			switch {
			case !on || !matches || stopped || !rules.ConditionsHold(h.Conditions, h.ConditionLogic, vars):
			case st.Ledger.Cooldowns[h.ID] > st.Turn:
			case h.MaxFireCount != nil && st.Ledger.FireCounts[h.ID] >= *h.MaxFireCount:
			default:
				fired = append(fired, h.ID)
			}
		}
	}
	return fired
}

func triggered(t *rules.Trigger, e event.Event, turn int) bool {
	content, _ := e.Get("content").AsText()
	switch {
	case t.Type == rules.EveryTurn:
		return e.Type == event.TypeTurnComplete
	case t.Type == rules.OnSessionStart:
		return e.Type == event.TypeSessionStart
	case t.Type == rules.OnAction && e.Type == event.TypeActionFired:
		return t.ActionID == "" || e.Get("actionId").Equal(tree.Text(t.ActionID))
	case t.Type == rules.TurnCount && e.Type == event.TypeTurnComplete:
		n, ok := e.Get("turnCount").AsFloat()
		if !ok {
			n = float64(turn)
		}
		return n == *t.AtTurn || *t.EveryNTurns > 0 && n > 0 && math.Mod(n, *t.EveryNTurns) == 0
	case t.Type == rules.Keyword && e.Type == event.TypePlayerMessage,
		t.Type == rules.AIKeyword && e.Type == event.TypeModelMessage:
		return spoken(t, content)
	case (t.Type == rules.StateChange || t.Type == rules.VariableCrossed) &&
		e.Type == event.TypeStateChanged:
		return touched(t, e)
	}
	return false
}

func spoken(t *rules.Trigger, text string) bool {
	has := func(k string) bool { return rules.MatchKeyword(text, k, t.MatchWholeWords) }
	if text == "" || !slices.ContainsFunc(t.Keywords, has) {
		return false
	}
	if len(t.SecondaryKeywords) == 0 {
		return true
	}
	n := 0
	for _, k := range t.SecondaryKeywords {
		if has(k) {
			n++
		}
	}
	switch t.SecondaryKeywordLogic {
	case rules.AndAll:
		return n == len(t.SecondaryKeywords)
	case rules.NotAny:
		return n == 0
	case rules.NotAll:
		return n < len(t.SecondaryKeywords)
	}
	return n > 0
}

func touched(t *rules.Trigger, e event.Event) bool {
	id, _ := e.Get("variableId").AsText()
	from, to := e.Get("oldValue"), e.Get("newValue")
	exact := t.VariableID == "" || t.VariableID == id
	if rest, ok := strings.CutPrefix(t.VariableID, id+"."); ok {
		from, to = from.Get(rest), to.Get(rest)
	} else if !exact {
		return t.Type == rules.StateChange && strings.HasPrefix(id, t.VariableID+".")
	}
	if t.Type == rules.StateChange {
		return exact || !from.Equal(to)
	}
	a, ok := from.AsFloat()
	b, too := to.AsFloat()
	rises := ok && too && a <= *t.Threshold && b > *t.Threshold
	drops := ok && too && a >= *t.Threshold && b < *t.Threshold
	return rises && t.Direction != rules.DropsBelow || drops && t.Direction != rules.RisesAbove
}

// cases is the number of random cases in the comparison with the simple evaluator.
var cases = flag.Int("cases", testkit.Cases(50000, 8000), "random cases for TestEvaluateAgainstSlowEvaluator")

// TestEvaluateAgainstSlowEvaluator compares random cases, each with its own state and events. A
// hundred cases share their content, because compiling is slow.
func TestEvaluateAgainstSlowEvaluator(t *testing.T) {
	t.Parallel()
	testkit.WithoutRace(t)
	const shared = 100
	fired := 0
	for seed := range uint64(*cases / shared) {
		w := newWorld(seed)
		list := w.handlers(20)
		program, _ := rules.Compile(rules.Content{Handlers: list})
		for n := range shared {
			st := w.state()
			events := []event.Event{w.event()}
			for w.IntN(3) == 0 {
				events = append(events, w.event())
			}
			got := program.Evaluate(st, events, rules.Options{Explain: n%4 == 0}).IDs()
			want := slowly(list, st, events)
			fired += len(want)
			if !slices.Equal(got, want) {
				t.Fatalf("seed %d, case %d, events %v:\ngot  %v\nwant %v", seed, n, events, got,
					want)
			}
		}
	}
	if 2*fired < *cases {
		t.Errorf("only %d firings: the worlds no longer meet their rules", fired)
	}
}

func runRandom(w world, list []rules.Handler) (rules.State, []event.Event, rules.Outcome) {
	program, _ := rules.Compile(rules.Content{Handlers: list})
	st := w.state()
	var events []event.Event
	for range 5 {
		events = append(events, w.event())
	}
	return st, events, program.Run(st, events, rules.Options{})
}

var sameJSON = cmp.Options{
	cmp.Comparer(tree.Document.Equal), cmp.Comparer(tree.Value.Equal),
}

// TestDisabledRuleChangesNothing adds rules that are off, to every place.
func TestDisabledRuleChangesNothing(t *testing.T) {
	t.Parallel()
	for seed := range uint64(300) {
		list := newWorld(seed).handlers(12)
		_, _, want := runRandom(newWorld(seed+1000), list)
		extra := newWorld(seed + 2000).handlers(3)
		for i := range extra {
			extra[i].ID = fmt.Sprintf("off%d", i)
			extra[i].Enabled = new(false)
		}
		_, _, got := runRandom(newWorld(seed+1000), slices.Insert(slices.Clone(list), int(seed%12),
			extra...))
		if d := cmp.Diff(want, got, sameJSON); d != "" {
			t.Fatalf("seed %d:\n%s", seed, d)
		}
	}
}

// TestShufflingPrioritiesChangesNothing: with all priorities different, the order of the
// list has no meaning.
func TestShufflingPrioritiesChangesNothing(t *testing.T) {
	t.Parallel()
	for seed := range uint64(300) {
		list := newWorld(seed).handlers(12)
		for i := range list {
			list[i].Priority = float64(i)
		}
		_, _, want := runRandom(newWorld(seed+1000), list)
		shuffled := slices.Clone(list)
		newWorld(seed).Shuffle(len(list), func(i, j int) {
			shuffled[i], shuffled[j] = shuffled[j],
				shuffled[i]
		})
		_, _, got := runRandom(newWorld(seed+1000), shuffled)
		if d := cmp.Diff(want, got, sameJSON); d != "" {
			t.Fatalf("seed %d:\n%s", seed, d)
		}
	}
}

// TestReplayingEffects: the effects of a chain, applied hop by hop, give its state and its changes.
// The initial state does not change.
func TestReplayingEffects(t *testing.T) {
	t.Parallel()
	for seed := range uint64(300) {
		list := newWorld(seed).handlers(12)
		st, _, o := runRandom(newWorld(seed+1000), list)
		again, _, _ := runRandom(newWorld(seed+1000), list)
		if d := cmp.Diff(again, st, sameJSON); d != "" {
			t.Fatalf("seed %d: the chain modified its input:\n%s", seed, d)
		}
		program, _ := rules.Compile(rules.Content{Handlers: list})
		var changes []tree.Change
		for _, hop := range o.Effects {
			applied := program.Apply(st, hop, rules.Options{})
			st, changes = applied.State, append(changes, applied.Changes...)
		}
		if d := cmp.Diff(o.Changes, changes, sameJSON); d != "" {
			t.Fatalf("seed %d: changes differ:\n%s", seed, d)
		}
		// Only the chain counts firings: they are not effects.
		o.State.Ledger.FireCounts, o.State.Ledger.Cooldowns = st.Ledger.FireCounts, st.Ledger.Cooldowns
		if d := cmp.Diff(o.State, st, sameJSON); d != "" {
			t.Fatalf("seed %d: states differ:\n%s", seed, d)
		}
	}
}

// TestRuleAsReaction: a rule and its reaction, saved and loaded, fire for the same events with the
// same outcome (RE-13).
func TestRuleAsReaction(t *testing.T) {
	t.Parallel()
	for seed := range uint64(300) {
		w := newWorld(seed)
		var list []rules.Rule
		var converted []reactions.Reaction
		for i := range 12 {
			r := rules.Rule{
				ID: fmt.Sprintf("h%d", i), Trigger: w.trigger(), Conditions: w.conditions(),
				Actions: effect.Actions(w.effects()), Priority: float64(w.IntN(3)), CooldownTurns: pick(w, nil, new(2)),
			}
			list = append(list, r)
			data, err := reactions.FromRule(r).MarshalJSON()
			if err != nil {
				t.Fatal(err)
			}
			var back reactions.Reaction
			if err := back.UnmarshalJSON(data); err != nil {
				t.Fatal(err)
			}
			converted = append(converted, back)
		}
		asRules, _ := rules.Compile(rules.Content{Rules: list})
		asReactions, _ := rules.Compile(rules.Content{Handlers: reactions.Handlers(converted)})
		st := w.state()
		events := []event.Event{w.event(), w.event(), w.event(), w.event()}
		want, got := asRules.Run(st, events, rules.Options{}), asReactions.Run(st, events,
			rules.Options{})
		if d := cmp.Diff(want.Fired(), got.Fired()); d != "" {
			t.Fatalf("seed %d: %s", seed, d)
		}
		if d := cmp.Diff(want.State, got.State, sameJSON); d != "" {
			t.Fatalf("seed %d: %s", seed, d)
		}
	}
}
