package rules_test

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"slices"
	"testing"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/reactions"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/rules/event"
)

// content compiles the content of a case. Its worlds always have a schema.
func (w conformanceWorld) content(t *testing.T) rules.Content {
	t.Helper()
	vars := []rules.Variable{}
	if len(w.Variables) > 0 && w.Variables[0] == '[' {
		if err := json.Unmarshal(w.Variables, &vars); err != nil {
			t.Fatal(err)
		}
	}
	return rules.Content{
		Variables: vars,
		Modules:   w.Modules,
		Rules:     w.Rules,
		Handlers:  reactions.Handlers(w.Reactions),
	}
}

// source returns the random numbers of a case.
func (w conformanceWorld) source(t *testing.T) (random func() float64, left func() int) {
	t.Helper()
	numbers := w.Random
	random = func() float64 {
		if len(numbers) == 0 {
			t.Error("more random numbers drawn than the case gives")
			return 0
		}
		next := numbers[0]
		numbers = numbers[1:]
		return next
	}
	return random, func() int { return len(numbers) }
}

func (c conformanceCase) runEvaluate(t *testing.T) string {
	program, _ := rules.Compile(c.Given.content(t))
	random, left := c.Given.source(t)
	st := c.Given.State
	e := program.Evaluate(st, c.Events, rules.Options{Random: random, ExpandNotices: true})
	// The result of the effects, with a schema without variables.
	empty, _ := rules.Compile(rules.Content{Variables: []rules.Variable{}})
	applied := empty.Apply(st, e.Effects, rules.Options{})
	got := map[string]any{
		"fired":         e.IDs(),
		"effects":       collected(e.Effects),
		"emitted":       ownEvents(applied.Events),
		"notifications": notices(applied.Host),
		"context":       applied.State.Ledger.Pending,
	}
	want, strict := c.want()
	if strict {
		if n := left(); n > 0 {
			t.Errorf("%d random numbers are left", n)
		}
		return diff(want, got, "fired", "effects", "notifications", "context", "emitted")
	}
	return diff(want, got)
}

// collected are the effects in the form of reactions, without the notices of failed
// conditions and the events with a built-in meaning.
func collected(effects []effect.Attributed) []any {
	var out []any
	for _, c := range effects {
		if n, ok := c.Effect.(effect.Notify); ok && n.Quiet {
			continue
		}
		as := reactions.FromRule(rules.Rule{Actions: effect.Actions{c.Effect}}).Then
		if e, ok := as[0].(effect.Emit); ok && len(ownEvents([]event.Event{e.Event})) == 0 {
			continue
		}
		out = append(out, plain(as).([]any)...)
	}
	return out
}

// ownEvents leaves out the events that are listed as notices, audio and context.
func ownEvents(events []event.Event) []event.Event {
	return slices.DeleteFunc(slices.Clone(events), func(e event.Event) bool {
		switch e.Type {
		case event.TypeNotification, event.TypeAudio, event.TypeContext, event.TypeStateChanged:
			return true
		}
		return false
	})
}

func notices(host []effect.Attributed) []any {
	var out []any
	for _, c := range host {
		if n, ok := c.Effect.(effect.Notify); ok {
			n.Quiet = false
			out = append(out, plain(n))
		}
	}
	return out
}

func audio(host []effect.Attributed) []any {
	var out []any
	for _, c := range host {
		if a, ok := c.Effect.(effect.PlayAudio); ok {
			a.Channel = ""
			out = append(out, plain(a))
		}
	}
	return out
}

func changes(list []tree.Change) []any {
	var out []any
	// A change is named as its event names it: by the id of the variable.
	for i, e := range event.OfTurn("", "", 2, list)[3:] {
		out = append(out, map[string]any{
			"variableId": e.Get("variableId").Any(),
			"oldValue":   list[i].Old.Any(), "newValue": list[i].New.Any(),
		})
	}
	return out
}

func (c conformanceCase) runMatch(t *testing.T) string {
	var checks []struct {
		Event event.Event   `json:"event"`
		When  rules.Pattern `json:"when"`
	}
	if err := strictly(c.Checks, &checks); err != nil {
		return err.Error()
	}
	var matches []bool
	for i, check := range checks {
		matches = append(matches, check.When.Matches(check.Event, c.Given.State.Turn))
		program, _ := rules.Compile(rules.Content{Handlers: reactions.Handlers([]reactions.Reaction{{ID: "r", When: check.When}})})
		fired := program.Evaluate(c.Given.State, []event.Event{check.Event}, rules.Options{}).Fired
		if (len(fired) > 0) != matches[i] {
			t.Errorf("check %d: the index says %v, the pattern %v", i, len(fired) > 0, matches[i])
		}
	}
	want, _ := c.want()
	return diff(want, map[string]any{"matches": matches})
}

func (c conformanceCase) runCondition(t *testing.T) string {
	var vars map[string]any
	if err := json.Unmarshal(c.Given.Variables, &vars); err != nil {
		t.Fatal(err)
	}
	doc, err := tree.ParseDocument(c.Given.Variables)
	if err != nil {
		t.Fatal(err)
	}
	var checks []struct {
		Conditions []rules.Condition `json:"conditions"`
		Logic      rules.Logic       `json:"logic"`
	}
	if err := strictly(c.Checks, &checks); err != nil {
		return err.Error()
	}
	want, _ := c.want()
	results, _ := want["results"].([]any)
	if len(results) != len(checks) {
		return fmt.Sprintf("%d checks have %d results", len(checks), len(results))
	}
	out := ""
	for i, check := range checks {
		loose := rules.ConditionsHold(check.Conditions, check.Logic, rules.VarMap(vars))
		list := []rules.Rule{{
			ID: "r", Trigger: &rules.Trigger{Type: rules.EveryTurn},
			Conditions: check.Conditions, ConditionLogic: check.Logic,
		}}
		program, _ := rules.Compile(rules.Content{Variables: []rules.Variable{}, Rules: list})
		e := program.Evaluate(rules.State{Variables: doc}, []event.Event{event.TurnComplete(1)},
			rules.Options{})
		if compiled := len(e.Fired) == 1; compiled != loose {
			out += fmt.Sprintf("check %d: compiled %v, by itself %v\n", i, compiled, loose)
		}
		for _, expected := range c.results(results[i]) {
			if expected != loose {
				out += fmt.Sprintf("check %d: want %v, got %v\n", i, expected, loose)
			}
		}
	}
	return out
}

// results are the answers to one check. A case has the answer of a rule and the answer of a gate.
// Here rule and gate are the same, so both answers must match, unless the case is about their
// difference.
func (c conformanceCase) results(of any) []any {
	both, ok := of.(map[string]any)
	if !ok {
		return []any{of}
	}
	if c.Verdict == "quirk" && c.Recommend == nil {
		return []any{both["rule"]}
	}
	var out []any
	for _, key := range []string{"rule", "gate"} {
		if result, ok := both[key]; ok {
			out = append(out, result)
		}
	}
	return out
}

func (c conformanceCase) runApply(t *testing.T) string {
	program, _ := rules.Compile(c.Given.content(t))
	var effects []effect.Attributed
	for _, e := range c.Effects {
		effects = append(effects, effect.Attributed{Source: "case", Effect: e.effect()})
	}
	applied := program.Apply(fresh(c.Given.content(t), c.Given.State), effects, rules.Options{})
	var rejected, blocked []any
	for _, r := range applied.Refused {
		switch r.Reason {
		case effect.StructureGuard, effect.WrongType:
			rejected = append(rejected, map[string]any{"variableId": r.Path,
				"value": r.Value.Any()})
		case effect.OnceTrue:
			blocked = append(blocked, map[string]any{
				"variableId": r.Path, "reason": "once-true", "attemptedValue": r.Value.Any(),
			})
		}
	}
	got := map[string]any{
		"variables": applied.State.Variables,
		"changes":   changes(applied.Changes),
		"rejected":  rejected,
		"blocked":   blocked,
	}
	want, strict := c.want()
	if strict {
		return diff(want, got, "changes", "blocked", "rejected")
	}
	return diff(want, got)
}

// runCompile compares the compiled reactions member by member. It compares only the members that
// the case names, and only the kinds of effects that the case knows.
func (c conformanceCase) runCompile(t *testing.T) string {
	list, problems := rules.Parse(c.Rules)
	_, more := rules.Compile(rules.Content{Rules: list})
	problems = append(problems, more...)
	issues := make([]any, len(list))
	for i := range list {
		issues[i] = issueCodes(problems, fmt.Sprintf("rules[%d]", i))
	}
	want, strict := c.want()
	out := ""
	if _, ok := want["issues"]; ok || strict {
		out = diff(map[string]any{"issues": want["issues"]}, map[string]any{"issues": issues})
	}
	list = slices.DeleteFunc(list, func(r rules.Rule) bool { // the place of an element that is not a rule
		return reflect.DeepEqual(r, rules.Rule{})
	})
	wanted, _ := want["reactions"].([]any)
	if len(wanted) > 0 && len(wanted) != len(list) {
		return out + fmt.Sprintf("%d reactions are wanted, there are %d", len(wanted), len(list))
	}
	for i, w := range wanted {
		delete(w.(map[string]any), "_legacyTrigger") // private to the peer
		if when, ok := w.(map[string]any)["when"].(map[string]any); ok {
			delete(when, "_legacyTrigger")
		}
		reaction, _ := plain(reactions.FromRule(list[i])).(map[string]any)
		reaction["then"] = slices.DeleteFunc(reaction["then"].([]any), func(e any) bool {
			m, _ := e.(map[string]any)
			return m["type"] != "set" && m["type"] != "emit"
		})
		if d := diff(w.(map[string]any), reaction); d != "" {
			out += fmt.Sprintf("reaction %d: %s", i, d)
		}
	}
	return out
}

func issueCodes(problems talewright.Problems, path string) []any {
	codes := []any{}
	for _, code := range []talewright.Code{
		rules.Unreadable, rules.BadTrigger, rules.BadConditions, rules.BadActions,
	} {
		for _, p := range problems.Of(code) {
			if len(p.Path) >= len(path) && p.Path[:len(path)] == path && !slices.Contains(codes,
				any(string(code))) {
				codes = append(codes, string(code))
			}
		}
	}
	return codes
}

func (c conformanceCase) runKeyword(t *testing.T) string {
	var checks []struct {
		Text      string `json:"text"`
		Keyword   string `json:"keyword"`
		WholeWord bool   `json:"wholeWord"`
	}
	if err := strictly(c.Checks, &checks); err != nil {
		return err.Error()
	}
	var matches []bool
	for i, check := range checks {
		matches = append(matches, rules.MatchKeyword(check.Text, check.Keyword, check.WholeWord))
		list := []rules.Rule{{ID: "r", Trigger: &rules.Trigger{
			Type: rules.Keyword, Keywords: []string{check.Keyword}, MatchWholeWords: check.WholeWord,
		}}}
		fired := rules.Evaluate(list, []event.Event{event.PlayerMessage(check.Text)}, nil)
		if (len(fired) == 1) != matches[i] {
			t.Errorf("check %d: the index says %v, the keyword %v", i, len(fired) == 1, matches[i])
		}
	}
	want, _ := c.want()
	return diff(want, map[string]any{"matches": matches})
}

// workload is the content of bench-1000x50.json.
type workload struct {
	TurnCount int              `json:"turnCount"`
	Variables []rules.Variable `json:"variables"`
	Rules     []rules.Rule     `json:"rules"`
	Events    []event.Event    `json:"events"`
	Expect    map[string]any   `json:"expect"`
}

func readWorkload(tb testing.TB) workload {
	tb.Helper()
	data, err := os.ReadFile("testdata/conformance/bench-1000x50.json")
	if err != nil {
		tb.Fatal(err)
	}
	var w workload
	if err := json.Unmarshal(data, &w); err != nil {
		tb.Fatal(err)
	}
	return w
}

// workloadCase wraps the file of a workload as one case.
func workloadCase(t *testing.T, data []byte, name string) conformanceCase {
	t.Helper()
	return conformanceCase{ID: name, Title: "workload", Verdict: "must", Kind: "workload",
		Checks: data}
}

func (c conformanceCase) runWorkload(t *testing.T) string {
	var w workload
	if err := json.Unmarshal(c.Checks, &w); err != nil {
		t.Fatal(err)
	}
	program, _ := rules.Compile(rules.Content{Variables: w.Variables, Rules: w.Rules})
	st := program.Restore(rules.State{Turn: w.TurnCount})
	return w.check(program, st)
}

func (w workload) check(program *rules.Program, st rules.State) string {
	e := program.Evaluate(st, w.Events, rules.Options{})
	o := program.Run(st, w.Events, rules.Options{})
	var hops []any
	for _, hop := range o.Hops {
		hops = append(hops, len(hop))
	}
	var directives []string
	for _, d := range o.State.Ledger.Directives {
		directives = append(directives, d.ID)
	}
	return diff(w.Expect, map[string]any{
		"evaluateFired": e.IDs(),
		"chainFired":    o.Fired(),
		"hops":          hops,
		"variables":     o.State.Variables,
		"notifications": len(o.Notices()),
		"directives":    directives,
		"cooldowns":     len(o.State.Ledger.Cooldowns),
	})
}
