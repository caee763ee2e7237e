package rules_test

import (
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/rules"
)

// loopRule is a rule as a plain loop sees it.
type loopRule struct {
	trigger   rules.TriggerType
	variable  string
	threshold float64
	at        int
	action    string
	keywords  []string
	least     map[string]float64 // conditions: variable >= value
}

// loopEvent is an event as a plain loop sees it.
type loopEvent struct {
	typ      string
	variable string
	from, to float64
	turn     int
	action   string
	text     string
}

// plainLoop is the yardstick: every rule for every event, typed values in a map.
func plainLoop(list []loopRule, events []loopEvent, vars map[string]float64) int {
	fired := 0
	for _, e := range events {
		for i := range list {
			if list[i].matches(e) && list[i].holds(vars) {
				fired++
			}
		}
	}
	return fired
}

func (r *loopRule) matches(e loopEvent) bool {
	switch r.trigger {
	case rules.Keyword:
		if e.typ == rules.TypePlayerMessage {
			for _, k := range r.keywords {
				for at := 0; at+len(k) <= len(e.text); at++ {
					if e.text[at:at+len(k)] == k {
						return true
					}
				}
			}
		}
	case rules.VariableCrossed:
		return e.typ == rules.TypeStateChanged && e.variable == r.variable && e.from <= r.threshold && e.to > r.threshold
	case rules.StateChange:
		return e.typ == rules.TypeStateChanged && e.variable == r.variable
	case rules.TurnCount:
		return e.typ == rules.TypeTurnComplete && e.turn == r.at
	case rules.OnAction:
		return e.typ == rules.TypeActionFired && e.action == r.action
	case rules.EveryTurn:
		return e.typ == rules.TypeTurnComplete
	}
	return false
}

func (r *loopRule) holds(vars map[string]float64) bool {
	for id, least := range r.least {
		if v, ok := vars[id]; !ok || v < least {
			return false
		}
	}
	return true
}

// asLoop gives content the form of the plain loop.
func asLoop(c rules.Content) ([]loopRule, map[string]float64) {
	var list []loopRule
	for _, r := range c.Rules {
		l := loopRule{
			trigger: r.Trigger.Type, variable: r.Trigger.VariableID, action: r.Trigger.ActionID,
			keywords: r.Trigger.Keywords, least: make(map[string]float64),
		}
		if r.Trigger.Threshold != nil {
			l.threshold = *r.Trigger.Threshold
		}
		if r.Trigger.AtTurn != nil {
			l.at = int(*r.Trigger.AtTurn)
		}
		for _, cond := range r.Conditions {
			l.least[cond.VariableID], _ = cond.Value.AsFloat()
		}
		list = append(list, l)
	}
	vars := make(map[string]float64)
	for _, v := range c.Variables {
		vars[v.ID], _ = v.Default.AsFloat()
	}
	return list, vars
}

func loopTurn() []loopEvent {
	text := "the innkeeper wipes the counter and asks whether word0x or nothing will do for tonight."
	changed := loopEvent{typ: rules.TypeStateChanged, variable: "v7", from: -5, to: -2}
	return []loopEvent{
		{typ: rules.TypePlayerMessage, text: text}, {typ: rules.TypeModelMessage, text: "he nods."},
		{typ: rules.TypeTurnComplete, turn: 3}, changed, changed, changed, changed, changed,
	}
}

// BenchmarkEvaluateLoop is the yardstick for [BenchmarkEvaluate] with event=turn.
func BenchmarkEvaluateLoop(b *testing.B) {
	for _, n := range []int{100, 1000, 10000} {
		list, vars := asLoop(spread(n))
		b.Run(fmt.Sprintf("rules=%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if fired := plainLoop(list, loopTurn(), vars); fired != 7 {
					b.Fatalf("%d fired", fired)
				}
			}
		})
	}
}

// fastest returns the least time of some runs.
func fastest(f func()) time.Duration {
	best := time.Hour
	for range 20 {
		start := time.Now()
		f()
		best = min(best, time.Since(start))
	}
	return best
}

// TestPerfRatios compares with the yardstick on this machine; it runs with PERF=1.
func TestPerfRatios(t *testing.T) {
	if os.Getenv("PERF") == "" || testing.Short() || raceEnabled {
		t.Skip("set PERF=1 to measure")
	}
	turn := evaluateBenches()[0].events
	for n, least := range map[int]float64{1000: 20, 10000: 40} {
		content := spread(n)
		program, _ := rules.Compile(content)
		st := program.Restore(rules.State{Turn: 3})
		list, vars := asLoop(content)
		loop := fastest(func() { plainLoop(list, loopTurn(), vars) })
		ours := fastest(func() { program.Evaluate(st, turn, rules.Options{}) })
		ratio := float64(loop) / float64(ours)
		t.Logf("%d rules: loop %v, index %v, %.0f times", n, loop, ours, ratio)
		if ratio < least {
			t.Errorf("%d rules: %.0f times faster than the loop, want %.0f", n, ratio, least)
		}
	}
	chain, fired := chainTime(t, 1)
	five, firedToo := chainTime(t, 5)
	t.Logf("the recorded workload as a chain: %v for %d firings, with five times its rules %v for %d",
		chain, fired, five, firedToo)
	if chain > time.Millisecond || five > 5*time.Millisecond {
		t.Error("want at most 1 ms and 5 ms")
	}
	if float64(five)/float64(firedToo) > 1.5*float64(chain)/float64(fired) {
		t.Error("a firing costs more where there are more rules")
	}
	few, many := touched10(1000), touched10(100000)
	t.Logf("ten rules concerned: of 1,000 %v, of 100,000 %v", few, many)
	if many > 2*few {
		t.Errorf("the cost grows with the rules that exist: %v and %v", few, many)
	}
}

// chainTime measures the recorded workload with n times its rules.
func chainTime(t *testing.T, n int) (time.Duration, int) {
	w := readWorkload(t).times(n)
	program, _ := rules.Compile(rules.Content{Variables: w.Variables, Rules: w.Rules})
	st := program.Restore(rules.State{Turn: w.TurnCount})
	fired := len(program.Run(st, w.Events, rules.Options{}).Fired())
	return fastest(func() { program.Run(st, w.Events, rules.Options{}) }), fired
}

// touched10 measures an event that concerns ten rules of n, each of which reads variables
// of its own.
func touched10(n int) time.Duration {
	content := spread(n)
	for i := range content.Rules[:n] {
		content.Rules[i].Conditions = []rules.Condition{
			{VariableID: fmt.Sprintf("v1.q%d", i), Operator: rules.Eq, Value: memvars.Int(1)},
		}
	}
	program, _ := rules.Compile(content)
	st := program.Restore(rules.State{Turn: 3})
	events := []rules.Event{rules.TurnComplete(3), rules.Changed("zz", memvars.Int(1), memvars.Int(2))}
	return fastest(func() {
		for range 50 {
			program.Evaluate(st, events, rules.Options{})
		}
	})
}
