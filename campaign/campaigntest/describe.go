package campaigntest

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/internal/utf8text"
	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/effect"
)

// describe describes the results of a step in lines. The same results always give the same lines.
// No line is empty.
func (m *snapshot) describe() string {
	b := &description{m: m}
	if m.activated != nil {
		b.putActivated()
		return b.text.String()
	}
	if m.outcome == nil {
		return "nothing was carried out\n"
	}
	end := endText(m.outcome)
	if m.outcome.RetriesUsed > 0 {
		end += " after " + count(m.outcome.RetriesUsed, "re-generation", "re-generations")
	}
	b.put("%s", end)
	b.putOutput()
	b.putConsequences()
	b.putChanges()
	return b.text.String()
}

// description builds the description, line by line.
type description struct {
	m    *snapshot
	text strings.Builder
}

// put writes a line. Further lines of its text begin with a bar.
func (b *description) put(format string, args ...any) {
	line := utf8text.Visible(fmt.Sprintf(format, args...))
	b.text.WriteString(strings.TrimSpace(strings.ReplaceAll(line, "\n", "\n  | ")) + "\n")
}

// putActivated writes what a line activates.
func (b *description) putActivated() {
	for _, l := range b.m.activated.explanation.Lore {
		if l.Active {
			b.put("lore %s", l)
		}
	}
	for _, r := range b.m.activated.explanation.Rules {
		if r.Gate == "fired" {
			b.put("rule %s", r.ID)
		}
	}
	b.put("blocks %s", joinNames(b.m.activated.blocks))
}

// putOutput writes what the model said in the turn, and what was refused and approved of it.
func (b *description) putOutput() {
	t := b.m.turn()
	for _, line := range b.m.whoSpeaks() {
		b.put("cast %s", line)
	}
	for _, r := range t.Replies {
		b.put("speaker %s: %s", r.Speaker, utf8text.Clip(r.Text, 200))
	}
	for _, who := range t.Dropped {
		b.put("dropped speaker %s", who)
	}
	if t.Text != "" {
		b.put("text %s", utf8text.Clip(t.Text, 1000))
	}
	for i, a := range b.m.attempts() {
		for _, what := range faultsOf(a) {
			b.put("refused of reply %d: %s", i+1, what)
		}
	}
	if q := b.m.after.PendingApproval; q != nil {
		for _, c := range q.Question.Calls {
			b.put("waits %s %s", c.Tool, c.Args)
		}
		for _, r := range q.Question.Refused {
			b.put("refused decision about %s: %s %s", r.Tool, r.Reason, r.Message)
		}
	}
	for _, a := range t.Approvals {
		line := fmt.Sprintf("decided %s %s", a.Verdict, a.Tool)
		if a.Args.Exists() { // of an edit
			line += " " + a.Args.String()
		}
		b.put("%s %s", line, a.Reason)
	}
}

// putConsequences writes what took effect in the turn.
func (b *description) putConsequences() {
	t, trace := b.m.turn(), traceOf(b.m.outcome)
	for _, a := range t.Applied {
		b.put("applied %s %s", a.Tool, a.Result)
	}
	for _, l := range trace.Lore {
		b.put("lore %s: %s", cmp.Or(l.Comment, l.ID), l.Why)
	}
	for _, f := range trace.Fired {
		b.put("rule %s on %s", f.ID, f.Event.Type)
	}
	for _, h := range trace.Hooks {
		if h.Status != act.StatusSkipped {
			b.put("hook %s on %s: %s", h.HookID, h.EventType, h.Status)
		}
	}
	for _, text := range b.m.notices() {
		b.put("notice %s", text)
	}
	for _, e := range b.m.effects() {
		b.put("effect %s", effect.Name(e))
	}
	for _, r := range trace.Refused {
		b.put("refused write of %s to %s: %s", r.By, r.Path, r.Reason)
	}
	for _, c := range t.Commands {
		if c.Status == memvars.Rejected {
			b.put("refused command %s", c)
		}
	}
	for _, w := range trace.Warnings {
		b.put("warning %s", w)
	}
}

// putChanges writes the differences between the states before and after.
func (b *description) putChanges() {
	old, now := b.m.before.State, b.m.after.State
	for _, c := range now.Characters {
		if was, there := old.Character(c.ID); there {
			b.putCharacter(was, c)
		} else {
			b.put("character %s is there", c.ID)
		}
	}
	for _, c := range old.Characters {
		if _, there := now.Character(c.ID); !there {
			b.put("character %s is gone", c.ID)
		}
	}
	for _, c := range tree.Diff(old.Variables, now.Variables) {
		b.put("var %s: %s → %s", c.Path, shown(c.Old), shown(c.New))
	}
	for _, t := range now.Timers {
		if _, ran := old.Timers.Remaining(t.ID); !ran {
			b.put("timer %s: %v", t.ID, t.Remaining)
		}
	}
	for _, t := range old.Timers {
		if _, runs := now.Timers.Remaining(t.ID); !runs {
			b.put("timer %s: over", t.ID)
		}
	}
	if was, is := old.Milestone.Value, now.Milestone.Value; was != is {
		b.put("milestone %v → %v", was, is)
	}
	if was, is := old.Selected.ActorID, now.Selected.ActorID; was != is {
		b.put("acts %s → %s", was, is)
	}
	if was, is := b.m.before.BranchID, b.m.after.BranchID; was != is {
		b.put("branch %s → %s", was, is)
	}
	if was, is := old.Lifecycle.Ended, now.Lifecycle.Ended; is && !was {
		b.put("ended %s", now.Lifecycle.Reason)
	} else if was && !is {
		b.put("goes on")
	}
}

// putCharacter writes the differences of one character.
func (b *description) putCharacter(was, is state.Character) {
	if was.HP.Current != is.HP.Current || was.HP.Max != is.HP.Max {
		b.put("hp %s: %d/%d → %d/%d", is.ID, was.HP.Current, was.HP.Max, is.HP.Current, is.HP.Max)
	}
	if was.AreaID != is.AreaID {
		b.put("in %s: %s → %s", is.ID, was.AreaID, is.AreaID)
	}
	if was.Status.AliveState != is.Status.AliveState {
		b.put("alive %s: %s → %s", is.ID, was.Status.AliveState, is.Status.AliveState)
	}
}

// shown returns the text of a value, "-" if there is no value.
func shown(v tree.Value) string {
	if !v.Exists() {
		return "-"
	}
	return utf8text.Clip(v.String(), 200)
}
