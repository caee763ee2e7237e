package rules_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/rules/event"
)

// BenchmarkEvaluateOriginal is the recorded workload of a different engine: 1,000 rules and 50
// events, with the recorded result.
func BenchmarkEvaluateOriginal(b *testing.B) {
	w := readWorkload(b)
	program, _ := rules.Compile(rules.Content{Variables: w.Variables, Rules: w.Rules})
	st := program.Restore(rules.State{Turn: w.TurnCount})
	if d := w.check(program, st); d != "" {
		b.Fatal(d)
	}
	b.Run("part=evaluate", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if e := program.Evaluate(st, w.Events, rules.Options{}); len(e.Fired) != 365 {
				b.Fatalf("%d fired", len(e.Fired))
			}
		}
	})
	b.Run("part=chain", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if o := program.Run(st, w.Events, rules.Options{}); len(o.Fired()) != 205 {
				b.Fatalf("%d fired", len(o.Fired()))
			}
		}
	})
	b.Run("part=compile", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			rules.Compile(rules.Content{Variables: w.Variables, Rules: w.Rules})
		}
	})
}

// times repeats the workload's rules under other ids.
func (w workload) times(n int) workload {
	var list []rules.Rule
	for k := range n {
		for _, r := range w.Rules {
			r.ID = fmt.Sprintf("%s-%d", r.ID, k)
			list = append(list, r)
		}
	}
	w.Rules = list
	return w
}

// BenchmarkChain shows that the cost of a chain grows with the rules that fire, not with
// their square.
func BenchmarkChain(b *testing.B) {
	for _, n := range []int{1, 5} {
		w := readWorkload(b).times(n)
		program, _ := rules.Compile(rules.Content{Variables: w.Variables, Rules: w.Rules})
		st := program.Restore(rules.State{Turn: w.TurnCount})
		b.Run(fmt.Sprintf("rules=%d", len(w.Rules)), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if o := program.Run(st, w.Events, rules.Options{}); len(o.Hops[0]) < 195*n {
					b.Fatalf("%d fired", len(o.Hops[0]))
				}
			}
		})
	}
}

// spread makes rules of all triggers over a hundred variables, with words that few messages
// contain.
func spread(n int) rules.Content {
	random := rand.New(rand.NewPCG(1, 2))
	content := rules.Content{Variables: []rules.Variable{}}
	for i := range 100 {
		content.Variables = append(content.Variables, rules.Variable{
			ID: fmt.Sprintf("v%d", i), Type: rules.TypeNumber, Default: tree.Int(int64(i)),
		})
	}
	variable := func() string { return fmt.Sprintf("v%d", random.IntN(100)) }
	for i := range n {
		t := rules.Trigger{}
		switch i % 6 {
		case 0:
			t.Type, t.Keywords = rules.Keyword, []string{fmt.Sprintf("word%dx", i),
				fmt.Sprintf("other%dx", i)}
		case 1:
			limit := float64(random.IntN(100000))
			t.Type, t.VariableID, t.Threshold = rules.VariableCrossed, variable(), &limit
			t.Direction = rules.RisesAbove
		case 2:
			t.Type, t.VariableID = rules.StateChange, fmt.Sprintf("v%d.p%d", random.IntN(100), i)
		case 3:
			at := float64(i + 1000)
			t.Type, t.AtTurn = rules.TurnCount, &at
		case 4:
			t.Type, t.ActionID = rules.OnAction, fmt.Sprintf("act%d", i)
		case 5:
			t.Type = rules.Manual
		}
		content.Rules = append(content.Rules, rules.Rule{
			ID: fmt.Sprintf("r%d", i), Trigger: &t,
			Actions: effect.Actions{effect.SetVariable{
				Path: variable(), Operation: effect.Add, Value: tree.Int(1),
			}},
		})
	}
	// Ten rules that every turn concerns, for any number of rules.
	for i := range 10 {
		content.Rules = append(content.Rules, rules.Rule{
			ID: fmt.Sprintf("turn%d", i), Trigger: &rules.Trigger{Type: rules.EveryTurn},
			Conditions: []rules.Condition{{VariableID: "v50", Operator: rules.Gte,
				Value: tree.Int(int64(45 + i))}},
			Actions: effect.Actions{},
		})
	}
	return content
}

// BenchmarkEvaluate measures the cost per event for sets of different size. The same few rules are
// concerned in each set.
func BenchmarkEvaluate(b *testing.B) {
	for _, n := range []int{100, 1000, 10000} {
		program, problems := rules.Compile(spread(n))
		if len(problems) > 0 {
			b.Fatal(problems[0])
		}
		st := program.Restore(rules.State{Turn: 3})
		for _, bench := range evaluateBenches() {
			b.Run(fmt.Sprintf("rules=%d/event=%s", n, bench.name), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if e := program.Evaluate(st, bench.events,
						rules.Options{}); len(e.Fired) != bench.fired {
						b.Fatalf("%d fired, want %d", len(e.Fired), bench.fired)
					}
				}
			})
		}
	}
}

type evaluateBench struct {
	name   string
	events []event.Event
	fired  int
}

func evaluateBenches() []evaluateBench {
	const said = "The innkeeper wipes the counter and asks whether word0x or nothing will do for tonight."
	changed := event.Changed("v7", tree.Int(-5), tree.Int(-2))
	return []evaluateBench{
		{"turn", []event.Event{
			event.PlayerMessage(said), event.ModelMessage("He nods."), event.TurnComplete(3),
			changed,
			changed, changed, changed, changed,
		}, 7},
		{"changed", []event.Event{changed}, 0},
		{"text", []event.Event{event.PlayerMessage(said)}, 1},
		{"tick", []event.Event{event.TurnComplete(3)}, 6},
		{"none", []event.Event{event.New("weather:rain")}, 0},
	}
}

// TestEvaluateAllocatesNothing: an event that fires nothing costs no memory (RU-22).
func TestEvaluateAllocatesNothing(t *testing.T) {
	w := readWorkload(t)
	w.Rules = append(w.Rules, rules.Rule{
		ID: "path", Trigger: &rules.Trigger{Type: rules.StateChange, VariableID: "watched.a.b"},
	})
	program, _ := rules.Compile(rules.Content{Variables: w.Variables, Rules: w.Rules})
	st := program.Restore(rules.State{Turn: 3})
	for name, e := range map[string]event.Event{
		"unknown type": event.New("weather:rain"),
		"text":         event.PlayerMessage("nothing that any rule waits for"),
		"change":       event.Changed("v3", tree.Int(5), tree.Int(5)),
		"action":       event.ActionFired("no such control", tree.Value{}),
		"inside":       event.Changed("watched", tree.Object(), tree.Object()),
	} {
		events := []event.Event{e}
		if fired := program.Evaluate(st, events, rules.Options{}).Fired; len(fired) > 0 {
			t.Fatalf("%s: fired %v", name, fired)
		}
		allocs := testkit.Allocs(100, func() {
			program.Evaluate(st, events,
				rules.Options{})
		})
		if allocs > 0 {
			t.Errorf("%s: %v allocations", name, allocs)
		}
	}
}
