package main

import (
	"fmt"
	"strings"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
)

// completed prints a committed turn: first the story, then the explanations.
func (s *session) completed(
	before state.Campaign, o campaign.Outcome, host []effect.Effect, messages []string,
) {
	t := o.Turn
	fmt.Fprintf(s.out, "\n%s\n\n", t.Text)
	s.noted = false
	for _, m := range messages {
		fmt.Fprintf(s.out, "  [%s]\n", m)
	}
	for _, l := range t.Trace.Lore {
		s.note(s.texts.lore, "%s (%s): %s", l.Comment, l.ID, l.Why)
	}
	s.promptSize(t.Trace.Prompt)
	s.secret(before, t)
	s.group() // above: the input of the model; below: its requests
	s.attempts(o.Attempts)
	for _, a := range t.Applied {
		s.note(a.Tool, "%s %s => %s", a.ID, brief(a.Args), brief(a.Result))
	}
	for _, c := range t.Commands {
		line := fmt.Sprintf("%s (%d:%d) %s", c.Op, c.Line, c.Col, c.Status)
		if c.Code != "" {
			line += " " + string(c.Code)
		}
		if c.Near != "" {
			line += ": " + c.Near
		}
		s.note(s.texts.command, "%s", line)
	}
	s.group() // the consequences
	for _, f := range t.Trace.Fired {
		s.note(s.texts.fired, "%s <- %s", f.ID, eventText(f.Event))
		for _, e := range f.Effects {
			s.note("", "  => %s", effectText(e))
		}
	}
	for _, h := range t.Trace.Hooks {
		s.note(s.texts.hooks, "%s <- %s: %s", h.HookName, h.EventType, h.Status)
	}
	for _, r := range t.Trace.Refused {
		s.note(s.texts.refused, "%s %s: %s", r.By, r.Path, r.Text)
	}
	for _, w := range t.Trace.Warnings {
		s.note("!", "%s", w)
	}
	s.hostEffects(host)
	for _, c := range t.Changes {
		s.note(s.texts.vars, "%s: %s -> %s (%s)", strings.Join(c.Path, "."),
			brief(c.Old), brief(c.New), c.By)
	}
	if s.out.gap || s.noted {
		fmt.Fprintln(s.out)
	}
	s.out.gap, s.noted = false, false
}

// promptSize prints the size of the prompt and the parts that were left out.
func (s *session) promptSize(blocks []state.TracePrompt) {
	if len(blocks) == 0 { // a person wrote the text
		return
	}
	kept, tokens := 0, 0
	for _, b := range blocks {
		if b.Status == "kept" || b.Status == "truncated" {
			kept++
			tokens += b.Tokens
			continue
		}
		s.note(s.texts.tokens, "%s: %s %s", b.Status, b.Key, b.Reason)
	}
	s.note(s.texts.tokens, "%d (%d tok)", kept, tokens)
}

// attempts prints what was wrong with the rejected outputs.
func (s *session) attempts(list []state.Attempt) {
	for i, a := range list {
		for _, f := range a.FailedCalls {
			line := fmt.Sprintf("%s: %s (%s)", f.Tool, f.Reason, f.Message)
			if f.Hint.Exists() {
				line += " " + f.Hint.String()
			}
			s.note(s.texts.refused, s.texts.attempts+": %s", i+1, line)
		}
		for _, c := range a.Conflicts {
			s.note(s.texts.conflict, s.texts.attempts+": %s %q", i+1,
				c.Kind, c.Quote)
		}
		if i > 0 && len(a.FailedCalls)+len(a.Conflicts) == 0 &&
			len(list[i-1].FailedCalls)+len(list[i-1].Conflicts) > 0 {
			s.note(s.texts.repaired, s.texts.attempts, i+1)
		}
	}
}

func (s *session) hostEffects(host []effect.Effect) {
	for _, e := range host {
		s.note(s.texts.host, "%s", effectText(e))
	}
}

// status prints hit points, place and life state of the party.
func (s *session) status(c state.Campaign) {
	for _, ch := range c.State.Characters {
		line := fmt.Sprintf("%s: HP %d/%d, %s", ch.Name, ch.HP.Current, ch.HP.Max, ch.Status.AliveState)
		if ch.AreaID != "" {
			line += ", " + ch.AreaID
		}
		fmt.Fprintf(s.out, "  %s\n", line)
	}
}

// summary prints the state of the campaign at the end.
func (s *session) summary(c state.Campaign) {
	fmt.Fprintln(s.out, s.out.paint(bold, fmt.Sprintf("=== %s: %d, %s %s ===", c.State.HeadTurnID,
		c.State.TurnCount, s.texts.fork, c.BranchID)))
	s.status(c)
	fmt.Fprintf(s.out, "  %s %v\n", s.texts.milestone, c.State.Milestone.Value)
	for _, ch := range c.State.Characters {
		if ch.Relationship.Exists() {
			fmt.Fprintf(s.out, "  %s: %s %s\n", ch.Name, ch.Mood, ch.Relationship)
		}
	}
}

// variableDiff prints the root variables that differ.
func (s *session) variableDiff(before, after state.Campaign) {
	for key, v := range after.State.Variables.Root().Members() {
		if old := before.State.Variables.Root().Get(key); !old.Equal(v) {
			s.note(s.texts.vars, "%s: %s -> %s", key, brief(old), brief(v))
		}
	}
}

// eventText describes an event in a few words.
func eventText(e rules.Event) string {
	var parts []string
	for key, v := range e.Fields.Members() {
		parts = append(parts, key+"="+brief(v))
	}
	return strings.TrimSpace(e.Type + " " + strings.Join(parts, " "))
}

// effectText returns an effect as JSON.
func effectText(e effect.Effect) string {
	data, err := effect.Marshal(e)
	if err != nil {
		return e.EffectType()
	}
	return string(data)
}

// brief shortens long values.
func brief(v tree.Value) string {
	if !v.Exists() {
		return "-"
	}
	const limit = 90
	text := []rune(v.String())
	if len(text) > limit {
		return string(text[:limit]) + "…"
	}
	return string(text)
}
