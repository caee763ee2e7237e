package rules_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/rules/event"
)

// session plays the steps of a chain case.
type session struct {
	t       *testing.T
	program *rules.Program
	content rules.Content
	st      rules.State
	opts    rules.Options
	saving  bool // save and load after every step
}

func (c conformanceCase) runChain(t *testing.T) string { return c.play(t, false) }

// TestSavingChangesNothing plays the recorded chains again, and saves and loads the game after
// every step. The saved state must contain the whole game (RU-22).
func TestSavingChangesNothing(t *testing.T) {
	t.Parallel()
	played := 0
	for _, c := range allCases(t) {
		if c.Kind != "chain" || c.Verdict == "info" {
			continue
		}
		played++
		if d := c.play(t, true); d != "" {
			t.Errorf("%s (%s)\n%s", c.ID, c.Title, d)
		}
	}
	if played == 0 {
		t.Error("no chain was played")
	}
}

// play runs the steps of a case and describes the difference.
func (c conformanceCase) play(t *testing.T, saving bool) string {
	t.Helper()
	random, left := c.Given.source(t)
	s := &session{t: t, content: c.Given.content(t), saving: saving,
		opts: rules.Options{Random: random, ExpandNotices: true}}
	s.program, _ = rules.Compile(s.content)
	s.st = fresh(s.content, c.Given.State)
	want, strict := c.want()
	wantSteps, _ := want["steps"].([]any)
	out := ""
	if strict && len(wantSteps) != len(c.Steps) {
		out = fmt.Sprintf("%d steps have %d results\n", len(c.Steps), len(wantSteps))
	}
	for i, step := range c.Steps {
		got := s.step(step)
		if s.saving {
			s.reload()
		}
		if i >= len(wantSteps) {
			continue
		}
		w, _ := wantSteps[i].(map[string]any)
		if dropped, ok := got["aiDropped"].([]any); ok {
			got["aiDropped"] = droppedAs(w["aiDropped"], dropped)
		}
		d := ""
		if strict {
			d = diff(w, got, "fired", "hops", "changes", "notifications", "context", "audio",
				"emitted",
				"aiChanges", "aiDropped", "aiAudio", "expired", "on", "off", "active")
		} else {
			d = diff(w, got)
		}
		if d != "" {
			out += fmt.Sprintf("step %d (%s): %s\n", i+1, step.Op, d)
		}
	}
	if final, ok := want["final"].(map[string]any); ok {
		out += s.diffFinal(final, strict)
	}
	if n := left(); strict && n > 0 {
		out += fmt.Sprintf("%d random numbers are left\n", n)
	}
	return out
}

// fresh returns the initial state of recorded games. Variables have their defaults, also if a
// formula gives them a different value with the first batch of writes.
func fresh(content rules.Content, st rules.State) rules.State {
	content.Variables = slices.Clone(content.Variables)
	for i := range content.Variables {
		content.Variables[i].Formula = ""
	}
	program, _ := rules.Compile(content)
	return program.Restore(st)
}

// droppedAs converts refused writes to the recorded form: effects, or only the path if the case has
// only that.
func droppedAs(want any, dropped []any) []any {
	list, _ := want.([]any)
	out := partly(want, dropped)
	for i := range min(len(list), len(out)) {
		if _, isPath := list[i].(string); isPath {
			out[i] = out[i].(map[string]any)["path"]
		}
	}
	return out
}

func (s *session) diffFinal(want map[string]any, strict bool) string {
	l := s.st.Ledger
	// A set is not ordered.
	if list, ok := want["disabledRules"].([]any); ok {
		want = maps.Clone(want)
		list = slices.Clone(list)
		slices.SortFunc(list, func(a, b any) int { return cmp.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
		want["disabledRules"] = slices.Compact(list)
	}
	var off []string
	for id, on := range l.Enabled {
		if !on {
			off = append(off, id)
		}
	}
	slices.Sort(off)
	got := map[string]any{
		"variables":        s.st.Variables,
		"turnCount":        s.st.Turn,
		"disabledRules":    off,
		"directives":       l.Directives,
		"cooldowns":        l.Cooldowns,
		"fireCounts":       l.FireCounts,
		"toggledEntries":   l.Entries,
		"toggledVariables": l.Variables,
		"toggledModules":   l.Books,
		"pendingContext":   l.Pending,
	}
	if !strict {
		return prefixed("final: ", diff(want, got))
	}
	return prefixed("final: ", diff(want, got, "disabledRules", "directives", "cooldowns",
		"fireCounts",
		"toggledEntries", "toggledVariables", "toggledModules",
		"pendingContext"))
}

func prefixed(prefix, s string) string {
	if s == "" {
		return ""
	}
	return prefix + s
}

func (s *session) step(step conformanceStep) map[string]any {
	switch step.Op {
	case "turn":
		return s.turn(step)
	case "events":
		opts := s.opts
		opts.MaxHops = step.MaxDepth
		return s.chain(step.Events, opts)
	case "action":
		return s.chain([]event.Event{event.ActionFired(step.ActionID, step.Params)}, s.opts)
	case "apply":
		applied := s.program.Apply(s.st, causedBy("case", step.Effects), s.opts)
		s.st = applied.State
		return map[string]any{"changes": changes(applied.Changes)}
	case "nextTurn":
		s.st.Turn++
		return nil
	case "expire":
		var expired []string
		s.st.Ledger, expired = s.st.Ledger.Expire(step.Turn)
		return map[string]any{"expired": expired}
	case "consumeContext":
		var pending []effect.SendContext
		s.st.Ledger, pending = s.st.Ledger.TakePending()
		return map[string]any{"context": pending}
	case "say":
		var on, off []string
		s.st, on, off = s.program.ActivateModules(s.st, step.Text)
		return map[string]any{"on": on, "off": off, "active": s.program.ActiveModules(s.st)}
	case "reload":
		s.reload()
		return nil
	}
	s.t.Fatalf("no step %q", step.Op)
	return nil
}

func causedBy(id string, list []conformanceEffect) []effect.Attributed {
	var out []effect.Attributed
	for _, e := range list {
		out = append(out, effect.Attributed{Source: id, Effect: e.effect()})
	}
	return out
}

func (s *session) reload() {
	data, err := json.Marshal(s.st)
	if err != nil {
		s.t.Fatal(err)
	}
	var st rules.State
	if err := json.Unmarshal(data, &st); err != nil {
		s.t.Fatal(err)
	}
	s.st = s.program.Restore(st)
}

// turn plays a turn as a host does.
func (s *session) turn(step conformanceStep) map[string]any {
	s.st.Ledger, _ = s.st.Ledger.TakePending()
	s.st.Turn++
	reply, writes := step.AI, causedBy("ai", step.Effects)
	parsed := rules.DirectiveResult{}
	var dropped []any
	if step.AIText != nil {
		parsed = rules.ParseDirectives(*step.AIText, rules.DirectiveOptions{})
		var refusals []effect.Refusal
		reply = parsed.Text
		writes, refusals = s.program.FilterWrites(s.st, parsed.Writes("ai"))
		for _, r := range refusals {
			e, _ := r.Effect.(effect.SetVariable)
			dropped = append(dropped, map[string]any{
				"path": e.Path, "operation": e.Operation, "value": e.Value.Any(),
				"variableId": e.Path, "reason": r.Reason,
			})
		}
	}
	applied := s.program.Apply(s.st, writes, s.opts)
	s.st = applied.State
	s.st.Ledger, _ = s.st.Ledger.Expire(s.st.Turn)
	got := s.chain(event.OfTurn(step.User, reply, s.st.Turn, applied.Changes), s.opts)
	got["aiChanges"] = changes(applied.Changes)
	got["aiDropped"] = dropped
	got["aiAudio"] = parsed.Audio()
	got["cleanText"] = reply
	return got
}

func (s *session) chain(events []event.Event, opts rules.Options) map[string]any {
	o := s.program.Run(s.st, events, opts)
	s.st = o.State
	var hops []any
	for _, hop := range o.Hops {
		var ids []string
		for _, f := range hop {
			ids = append(ids, f.ID)
		}
		hops = append(hops, ids)
	}
	if len(hops) < 2 {
		hops = nil
	}
	var requests []any
	for _, r := range o.Requests() {
		requests = append(requests, plain(r))
	}
	var system []any
	for _, c := range o.Host {
		if e, ok := c.Effect.(effect.System); ok {
			system = append(system, plain(e))
		}
	}
	return map[string]any{
		"fired":         o.Fired(),
		"hops":          hops,
		"changes":       changes(o.Changes),
		"notifications": notices(o.Host),
		"context":       o.Context,
		"audio":         audio(o.Host),
		"emitted":       ownEvents(o.Emitted),
		"aiRequests":    requests,
		"system":        system,
	}
}
