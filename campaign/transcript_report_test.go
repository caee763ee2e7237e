package campaign_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/internal/datatest"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
)

// report says where the machine stands and what it wants.
func (d *desk) report(err error) string {
	var out strings.Builder
	if err != nil {
		text := err.Error()
		if r, ok := errors.AsType[*campaign.Refusal](err); ok {
			text = strings.TrimPrefix(r.Error(), "campaign: ")
		}
		fmt.Fprintf(&out, "error: %s\n", text)
	}
	fmt.Fprintf(&out, "%s\n", d.m.Phase())
	if err == nil {
		d.writeQuestion(&out, d.m.Todo())
		d.writeEnd(&out, d.m.Todo())
	}
	return out.String()
}

func (d *desk) writeQuestion(out *strings.Builder, todo campaign.Todo) {
	switch {
	case todo.Route != nil:
		fmt.Fprintf(out, "  route %q manual %s known %s\n", todo.Route.Input, todo.Route.Manual,
			strings.Join(todo.Route.Known, " "))
	case todo.Hooks != nil:
		fmt.Fprintf(out, "  hooks %s %s\n", todo.Hooks.Event.Type, todo.Hooks.Event.Payload)
	case todo.Generate != nil:
		d.writeGeneration(out, todo.Generate)
	case todo.Judge != nil:
		fmt.Fprintf(out, "  judge %q\n", todo.Judge.Narration)
		writeConflicts(out, "finding", todo.Judge.Findings)
	case todo.Commit != nil:
		d.writeRecord(out, todo.Commit)
	}
}

// writeGeneration prints the kinds of a first request, and of a later one what it
// appends.
func (d *desk) writeGeneration(out *strings.Builder, g *campaign.Generation) {
	fmt.Fprintf(out, "  generate attempt %d", g.Attempt)
	if g.Retry != "" {
		fmt.Fprintf(out, " because of %s", g.Retry)
	}
	if !g.Intercept {
		out.WriteString(" shown at once")
	}
	out.WriteString("\n")
	if g.Attempt == 1 {
		fmt.Fprintf(out, "    %s\n", strings.Join(kinds(g.Request.Messages), " "))
	} else {
		for _, m := range g.Request.Messages[min(d.told, len(g.Request.Messages)):] {
			fmt.Fprintf(out, "    + %s\n", m.Kind)
			writeIndented(out, m.Message.Text)
		}
	}
	d.told = len(g.Request.Messages)
}

// kinds names the messages of a request, system blocks by their block.
func kinds(messages []campaign.RequestMessage) []string {
	var out []string
	for _, m := range messages {
		if m.Kind == campaign.KindSystemBlock {
			out = append(out, m.Block)
		} else {
			out = append(out, string(m.Kind))
		}
	}
	return out
}

func writeIndented(out *strings.Builder, text string) {
	for line := range strings.Lines(text) {
		fmt.Fprintf(out, "      | %s\n", strings.TrimSuffix(line, "\n"))
	}
}

func (d *desk) writeRecord(out *strings.Builder, r *campaign.Record) {
	d.record = r
	var inputs []string
	for _, in := range r.Inputs {
		inputs = append(inputs, strings.TrimPrefix(fmt.Sprintf("%T", in), "campaign."))
	}
	fmt.Fprintf(out, "  commit version %d: %s\n    inputs %s\n", r.Version, r.Kind,
		strings.Join(inputs, " "))
	for _, p := range r.Delta {
		text := p.Value.String()
		if !p.Value.Exists() {
			text = "(removed)"
		}
		fmt.Fprintf(out, "    %s = %s\n", p.Path, clip(text))
	}
}

// clip shortens what would not fit on a line.
func clip(text string) string {
	const limit = 90
	if runes := []rune(text); len(runes) > limit {
		return string(runes[:limit]) + "…"
	}
	return text
}

// writeEnd prints what is left to do when an instruction has ended.
func (d *desk) writeEnd(out *strings.Builder, todo campaign.Todo) {
	if todo.Show != nil {
		fmt.Fprintf(out, "  show %q\n", todo.Show.Text)
		for _, m := range todo.Show.Messages {
			fmt.Fprintf(out, "  message %q\n", m)
		}
	}
	for _, c := range todo.Host {
		data, err := rules.MarshalEffect(c.Effect)
		if err != nil {
			d.t.Error(err)
		}
		fmt.Fprintf(out, "  host %s: %s\n", c.By, data)
	}
	if todo.Outcome != nil {
		writeOutcome(out, *todo.Outcome)
	}
	if todo.Summarize != nil {
		fmt.Fprintf(out, "  summarize %d turns\n", len(todo.Summarize.Turns))
	}
}

func writeOutcome(out *strings.Builder, o campaign.Outcome) {
	fmt.Fprintf(out, "  outcome %s", o.Status)
	if o.Reason != "" {
		fmt.Fprintf(out, " %s", o.Reason)
	}
	if o.Replayed {
		out.WriteString(" replayed")
	}
	if o.Turn != nil {
		fmt.Fprintf(out, " %s", o.Turn.ID)
	}
	if o.DialogType != "" && (o.DialogTypeSource != "manual" || o.DialogType != "scene") {
		fmt.Fprintf(out, " in %s by %s", o.DialogType, o.DialogTypeSource)
	}
	if o.RetriesUsed > 0 {
		fmt.Fprintf(out, " after %d retries", o.RetriesUsed)
	}
	out.WriteString("\n")
	if o.Turn != nil {
		for _, a := range o.Turn.Applied {
			fmt.Fprintf(out, "    applied %s %s %s\n", a.ID, a.Tool, a.Result)
		}
		if len(o.Turn.Unresolved) > 0 {
			fmt.Fprintf(out, "    unresolved %s\n", strings.Join(o.Turn.Unresolved, " "))
		}
		writeConflicts(out, "overridden", o.Turn.Overridden)
	}
	if o.Report != nil {
		writeReport(out, *o.Report)
	}
}

func writeReport(out *strings.Builder, r campaign.ConflictReport) {
	fmt.Fprintf(out, "    report: %d attempts of at most %d; options", r.Attempts, r.MaxRetries+1)
	for _, o := range r.Options {
		fmt.Fprintf(out, " %s", o)
	}
	out.WriteString("\n")
	writeConflicts(out, "conflict", r.Conflicts)
	for _, f := range r.FailedCalls {
		fmt.Fprintf(out, "    failed %s %s %s %s\n", f.ID, f.Tool, f.Status, f.Reason)
	}
	for i, a := range r.History {
		var what []string
		for _, c := range a.Conflicts {
			what = append(what, c.Kind)
		}
		for _, f := range a.FailedCalls {
			what = append(what, f.Reason)
		}
		if a.NoProgress {
			what = append(what, "(no progress)")
		}
		fmt.Fprintf(out, "    attempt %d: %s\n", i+1, strings.Join(what, " "))
	}
}

func writeConflicts(out *strings.Builder, label string, list []conflict.Conflict) {
	for _, c := range list {
		fmt.Fprintf(out, "    %s %s %s %s %q\n", label, c.Kind, c.Severity, c.EntityID, c.Quote)
	}
}

// request prints messages of the last request: all, or those of the given kinds
// and blocks.
func (d *desk) request(c datatest.Case) string {
	g := d.m.Todo().Generate
	if g == nil {
		return "no request"
	}
	var out strings.Builder
	for i, m := range g.Request.Messages {
		name := kinds(g.Request.Messages[i : i+1])[0]
		if len(c.Words) > 0 && !slices.Contains(c.Words, name) {
			continue
		}
		fmt.Fprintf(&out, "%s %s\n", m.Message.Role, name)
		writeIndented(&out, m.Message.Text)
	}
	return out.String()
}

// showRecord prints members of the turn in the last record.
func (d *desk) showRecord(c datatest.Case) string {
	if d.record == nil || d.record.Turn == nil {
		return "no turn"
	}
	turn := value(d.t, jsonOf(d.t, d.record.Turn))
	var out strings.Builder
	for _, name := range c.Words {
		path, err := tree.ParsePath(name)
		if err != nil {
			d.t.Fatalf("%s: %v", c.Pos, err)
		}
		v := turn.Lookup(path)
		if !v.IsArray() {
			fmt.Fprintf(&out, "%s: %s\n", name, v)
			continue
		}
		fmt.Fprintf(&out, "%s:\n", name)
		for _, e := range v.Elements() {
			fmt.Fprintf(&out, "  %s\n", e)
		}
	}
	return out.String()
}

// state prints the authoritative state and what surrounds it.
func (d *desk) state() string {
	c := d.m.Campaign()
	s := c.State
	var out strings.Builder
	fmt.Fprintf(&out, "version %d %s on %s, %d turns, %s acts\n", c.Version, s.HeadTurnID,
		c.BranchID, s.TurnCount, s.Selected.ActorID)
	for _, ch := range s.Characters {
		fmt.Fprintf(&out, "  %s hp %d/%d %s at %s\n", ch.ID, ch.HP.Current, ch.HP.Max,
			ch.Status.AliveState, ch.AreaID)
	}
	var marks []string
	for _, cp := range c.Checkpoints {
		mark := cp.TurnID
		if cp.Label != "" {
			mark += ":" + cp.Label
		}
		marks = append(marks, mark)
	}
	fmt.Fprintf(&out, "  checkpoints %s\n", strings.Join(marks, " "))
	d.writeExtras(&out, c)
	return out.String()
}

// writeExtras prints the parts of a campaign that are mostly empty.
func (d *desk) writeExtras(out *strings.Builder, c campaign.Campaign) {
	s := c.State
	if s.Variables.Root().Len() > 0 {
		fmt.Fprintf(out, "  variables %s\n", s.Variables)
	}
	if len(c.Settings) > 0 || c.SettingsRevision > 0 {
		fmt.Fprintf(out, "  settings revision %d %s\n", c.SettingsRevision, jsonOf(d.t, c.Settings))
	}
	if p := c.RollbackPending; p.IsPending {
		fmt.Fprintf(out, "  rolled back from %s to %s, may undo: %t\n", p.FromTurnID, p.ToTurnID,
			p.CanUndo)
	}
	for _, id := range sortedKeys(c.Branches) {
		if b := c.Branches[id]; len(c.Branches) > 1 {
			fmt.Fprintf(out, "  branch %s of %q at %q, left at %q\n", id, b.Parent, b.ForkTurnID,
				b.HeadTurnID)
		}
	}
	if m := s.Milestone; m.Value > 0 || m.TokensSince > 0 {
		fmt.Fprintf(out, "  milestone %v at turn %d, %d tokens since\n", m.Value,
			m.LastAdvancedAtTurn, m.TokensSince)
	}
	if s.Summary.Version > 0 {
		fmt.Fprintf(out, "  summary %d through %s: %s\n", s.Summary.Version, s.Summary.CoversThrough,
			s.Summary.Text)
	}
	if s.Lifecycle.Ended {
		fmt.Fprintf(out, "  ended %s\n", s.Lifecycle.Reason)
	}
	if c.PendingConflict != nil {
		fmt.Fprintf(out, "  pending conflict about %q\n", c.PendingConflict.UserInput)
	}
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
