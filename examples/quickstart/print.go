package main

import (
	"fmt"
	"strings"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/rules"
)

// completed prints a committed turn: the story first, and below it why.
func (s *session) completed(
	before campaign.Campaign, o campaign.Outcome, host []rules.Effect, messages []string,
) {
	t := o.Turn
	if !s.live {
		fmt.Fprintf(s.out, "\n%s\n\n", t.Text)
	}
	for _, m := range messages {
		fmt.Fprintf(s.out, "  [%s]\n", m)
	}
	for _, l := range t.Trace.Lore {
		fmt.Fprintf(s.out, "  %-10s %s (%s): %s\n", s.texts.lore, l.Comment, l.ID, l.Why)
	}
	s.promptSize(t.Trace.Prompt)
	s.attempts(o.Attempts)
	for _, a := range t.Applied {
		fmt.Fprintf(s.out, "  %-10s %s %s => %s\n", a.Tool, a.ID, brief(a.Args), brief(a.Result))
	}
	for _, c := range t.Commands {
		line := fmt.Sprintf("%s (%d:%d) %s", c.Op, c.Line, c.Col, c.Status)
		if c.Code != "" {
			line += " " + string(c.Code)
		}
		if c.Near != "" {
			line += ": " + c.Near
		}
		fmt.Fprintf(s.out, "  %-10s %s\n", s.texts.command, line)
	}
	for _, f := range t.Trace.Fired {
		fmt.Fprintf(s.out, "  %-10s %s <- %s\n", s.texts.fired, f.ID, eventText(f.Event))
		for _, e := range f.Effects {
			fmt.Fprintf(s.out, "  %-10s   => %s\n", "", effectText(e))
		}
	}
	for _, h := range t.Trace.Hooks {
		fmt.Fprintf(s.out, "  %-10s %s <- %s: %s\n", s.texts.hooks, h.HookName, h.EventType, h.Status)
	}
	for _, r := range t.Trace.Refused {
		fmt.Fprintf(s.out, "  %-10s %s %s: %s\n", s.texts.refused, r.By, r.Path, r.Text)
	}
	for _, w := range t.Trace.Warnings {
		fmt.Fprintf(s.out, "  %-10s %s\n", "!", w)
	}
	s.hostEffects(host)
	for _, c := range t.Changes {
		fmt.Fprintf(s.out, "  %-10s %s: %s -> %s (%s)\n", s.texts.vars, strings.Join(c.Path, "."),
			brief(c.Old), brief(c.New), c.By)
	}
	fmt.Fprintln(s.out)
}

// promptSize prints how much of the prompt was kept, and what had to go.
func (s *session) promptSize(blocks []campaign.PromptTrace) {
	kept, tokens := 0, 0
	for _, b := range blocks {
		if b.Status == "kept" || b.Status == "truncated" {
			kept++
			tokens += b.Tokens
			continue
		}
		fmt.Fprintf(s.out, "  %-10s %s: %s %s\n", s.texts.tokens, b.Status, b.Key, b.Reason)
	}
	fmt.Fprintf(s.out, "  %-10s %d (%d tok)\n", s.texts.tokens, kept, tokens)
}

// attempts prints what was wrong with the outputs that did not pass.
func (s *session) attempts(list []campaign.Attempt) {
	for i, a := range list {
		for _, f := range a.FailedCalls {
			line := fmt.Sprintf("%s: %s (%s)", f.Tool, f.Reason, f.Message)
			if f.Hint.Exists() {
				line += " " + f.Hint.String()
			}
			fmt.Fprintf(s.out, "  %-10s "+s.texts.attempts+": %s\n", s.texts.refused, i+1, line)
		}
		for _, c := range a.Conflicts {
			fmt.Fprintf(s.out, "  %-10s "+s.texts.attempts+": %s %q\n", s.texts.conflict, i+1,
				c.Kind, c.Quote)
		}
		if i > 0 && len(a.FailedCalls)+len(a.Conflicts) == 0 &&
			len(list[i-1].FailedCalls)+len(list[i-1].Conflicts) > 0 {
			fmt.Fprintf(s.out, "  %-10s "+s.texts.attempts+"\n", s.texts.repaired, i+1)
		}
	}
}

func (s *session) hostEffects(host []rules.Effect) {
	for _, e := range host {
		fmt.Fprintf(s.out, "  %-10s %s\n", s.texts.host, effectText(e))
	}
}

// status prints hit points, place and life of the party.
func (s *session) status(c campaign.Campaign) {
	for _, ch := range c.State.Characters {
		line := fmt.Sprintf("%s: HP %d/%d, %s", ch.Name, ch.HP.Current, ch.HP.Max, ch.Status.AliveState)
		if ch.AreaID != "" {
			line += ", " + ch.AreaID
		}
		fmt.Fprintf(s.out, "  %s\n", line)
	}
}

// summary prints how the campaign stands at the end.
func (s *session) summary(c campaign.Campaign) {
	fmt.Fprintf(s.out, "=== %s: %d, %s %s ===\n", c.State.HeadTurnID, c.State.TurnCount, s.texts.fork,
		c.BranchID)
	s.status(c)
	fmt.Fprintf(s.out, "  %s %v\n", s.texts.milestone, c.State.Milestone.Value)
	for _, ch := range c.State.Characters {
		if ch.Relationship.Exists() {
			fmt.Fprintf(s.out, "  %s: %s %s\n", ch.Name, ch.Mood, ch.Relationship)
		}
	}
}

// variableDiff prints the root variables that differ.
func (s *session) variableDiff(before, after campaign.Campaign) {
	for key, v := range after.State.Variables.Root().Members() {
		if old := before.State.Variables.Root().Get(key); !old.Equal(v) {
			fmt.Fprintf(s.out, "  %-10s %s: %s -> %s\n", s.texts.vars, key, brief(old), brief(v))
		}
	}
}

// eventText is an event in a few words.
func eventText(e rules.Event) string {
	var parts []string
	for key, v := range e.Fields.Members() {
		parts = append(parts, key+"="+brief(v))
	}
	return strings.TrimSpace(e.Type + " " + strings.Join(parts, " "))
}

// effectText is an effect as the JSON that it is.
func effectText(e rules.Effect) string {
	data, err := rules.MarshalEffect(e)
	if err != nil {
		return e.EffectType()
	}
	return string(data)
}

// brief cuts long values.
func brief(v memvars.Value) string {
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
