package campaigntest

import (
	"fmt"
	"strings"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/hooks/trace"
	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/effect"
)

// happened is what a step led to, as lines that stay the same as long as that does. None of
// them is empty.
func (m *moment) happened() string {
	var b strings.Builder
	put := func(format string, args ...any) {
		line := fmt.Sprintf(format, args...)
		b.WriteString(strings.TrimSpace(strings.ReplaceAll(line, "\n", "\n  | ")) + "\n")
	}
	if m.heard != nil {
		m.putHeard(put)
		return b.String()
	}
	if m.outcome == nil {
		return "nothing was carried out\n"
	}
	end := string(m.outcome.Status)
	if m.outcome.Reason != "" {
		end += " " + m.outcome.Reason
	}
	if m.outcome.RetriesUsed > 0 {
		end += " after " + count(m.outcome.RetriesUsed, "re-generation", "re-generations")
	}
	put("%s", end)
	m.putTurn(put)
	m.putChanges(put)
	return b.String()
}

// putHeard tells what a line gives.
func (m *moment) putHeard(put func(string, ...any)) {
	for _, l := range m.heard.why.Lore {
		if l.Active {
			put("lore %s", l)
		}
	}
	for _, r := range m.heard.why.Rules {
		if r.Gate == "fired" {
			put("rule %s", r.ID)
		}
	}
	put("blocks %s", listed(m.heard.blocks))
}

// putTurn tells of the turn itself.
func (m *moment) putTurn(put func(string, ...any)) {
	t := m.turn()
	for _, line := range m.whoSpeaks() {
		put("cast %s", line)
	}
	for _, r := range t.Replies {
		put("speaker %s: %s", r.Speaker, clip(r.Text, 200))
	}
	for _, who := range t.Dropped {
		put("dropped speaker %s", who)
	}
	if t.Text != "" {
		put("text %s", clip(t.Text, 1000))
	}
	for i, a := range m.attempts() {
		for _, what := range faultsOf(a) {
			put("refused of reply %d: %s", i+1, what)
		}
	}
	if q := m.after.PendingApproval; q != nil {
		for _, c := range q.Question.Calls {
			put("waits %s %s", c.Tool, c.Args)
		}
	}
	for _, a := range t.Approvals {
		put("decided %s %s %s %s", a.Verdict, a.Tool, a.Args, a.Reason)
	}
	for _, a := range t.Applied {
		put("applied %s %s", a.Tool, a.Result)
	}
	for _, l := range t.Trace.Lore {
		name := l.Comment
		if name == "" {
			name = l.ID
		}
		put("lore %s: %s", name, l.Why)
	}
	for _, f := range t.Trace.Fired {
		put("rule %s on %s", f.ID, f.Event.Type)
	}
	for _, h := range t.Trace.Hooks {
		if h.Status != trace.StatusSkipped {
			put("hook %s on %s: %s", h.HookID, h.EventType, h.Status)
		}
	}
	for _, text := range m.notices() {
		put("notice %s", text)
	}
	for _, e := range m.effects() {
		put("effect %s", effect.Name(e))
	}
	for _, r := range t.Trace.Refused {
		put("refused write of %s to %s: %s", r.By, r.Path, r.Reason)
	}
	for _, c := range t.Commands {
		if c.Status == memvars.Rejected {
			put("refused command %s", c)
		}
	}
	for _, w := range t.Trace.Warnings {
		put("warning %s", w)
	}
}

// putChanges tells what is otherwise than before.
func (m *moment) putChanges(put func(string, ...any)) {
	old, now := m.before.State, m.after.State
	for _, c := range now.Characters {
		was, there := old.Character(c.ID)
		if !there {
			put("character %s is there", c.ID)
			continue
		}
		putCharacter(put, was, c)
	}
	for _, c := range old.Characters {
		if _, there := now.Character(c.ID); !there {
			put("character %s is gone", c.ID)
		}
	}
	for _, c := range tree.Diff(old.Variables, now.Variables) {
		put("var %s: %s → %s", c.Path, shown(c.Old), shown(c.New))
	}
	if was, is := old.Milestone.Value, now.Milestone.Value; was != is {
		put("milestone %v → %v", was, is)
	}
	if was, is := old.Selected.ActorID, now.Selected.ActorID; was != is {
		put("acts %s → %s", was, is)
	}
	if was, is := m.before.BranchID, m.after.BranchID; was != is {
		put("branch %s → %s", was, is)
	}
	if now.Lifecycle.Ended && !old.Lifecycle.Ended {
		put("ended %s", now.Lifecycle.Reason)
	}
	if !now.Lifecycle.Ended && old.Lifecycle.Ended {
		put("goes on")
	}
}

// putCharacter tells what is otherwise about one.
func putCharacter(put func(string, ...any), was, is state.Character) {
	if was.HP != is.HP {
		put("hp %s: %d/%d → %d/%d", is.ID, was.HP.Current, was.HP.Max, is.HP.Current, is.HP.Max)
	}
	if was.AreaID != is.AreaID {
		put("in %s: %s → %s", is.ID, was.AreaID, is.AreaID)
	}
	if was.Status.AliveState != is.Status.AliveState {
		put("alive %s: %s → %s", is.ID, was.Status.AliveState, is.Status.AliveState)
	}
}

// shown is a value, "-" where there is none.
func shown(v tree.Value) string {
	if !v.Exists() {
		return "-"
	}
	return clip(v.String(), 200)
}
