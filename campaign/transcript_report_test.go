package campaign_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/memvars/tree"
)

// report prints the place of the machine and its question.
func (d *desk) report(err error) string {
	var out strings.Builder
	if err != nil {
		text := err.Error()
		if r, ok := errors.AsType[*state.Refusal](err); ok {
			text = strings.TrimPrefix(r.Error(), "campaign: ")
		}
		fmt.Fprintf(&out, "error: %s\n", text)
	}
	where := string(d.m.Phase())
	if d.m.Phase() != turn.Idle {
		where += " at " + string(d.m.Stop())
	}
	fmt.Fprintln(&out, where)
	if err == nil {
		if rec := d.m.Todo().Commit; rec != nil {
			d.record = rec
		}
		writeIndented(&out, "  ", d.m.Todo().String())
	}
	return out.String()
}

// kinds lists the messages of a request by kind, system blocks by their block.
func kinds(messages []question.Message) []string {
	var out []string
	for _, m := range messages {
		if m.Kind == question.KindSystemBlock {
			out = append(out, m.Block)
		} else {
			out = append(out, string(m.Kind))
		}
	}
	return out
}

func writeIndented(out *strings.Builder, indent, text string) {
	for line := range strings.Lines(text) {
		fmt.Fprintf(out, "%s%s\n", indent, strings.TrimSuffix(line, "\n"))
	}
}

// request prints messages of the last request: all, or only the given kinds and blocks.
func (d *desk) request(c testkit.Case) string {
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
		writeIndented(&out, "      | ", m.Message.Text)
	}
	return out.String()
}

// showRecord prints members of the turn in the last record.
func (d *desk) showRecord(c testkit.Case) string {
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

// wholeRecord prints the last record without its inputs, a line for each part.
func (d *desk) wholeRecord() string {
	if d.record == nil {
		return "no record"
	}
	var out strings.Builder
	for name, part := range value(d.t, jsonOf(d.t, d.record)).Members() {
		if name != "inputs" {
			writeFlat(&out, name, part, 160)
		}
	}
	return out.String()
}

// state prints the authoritative state and its surroundings.
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

// writeExtras prints the parts of a campaign that are usually empty.
func (d *desk) writeExtras(out *strings.Builder, c state.Campaign) {
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
