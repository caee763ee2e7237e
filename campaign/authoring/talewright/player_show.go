package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/talewright/talewright/campaign/observe"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/memvars/tree"
)

// why explains the newest turn that the one who looks has heard.
func (p *player) why() error {
	heard, err := p.heard()
	if heard == nil || err != nil {
		return cmp.Or(err, errors.New(p.texts.NoTurn))
	}
	report, err := p.engine.Report(p.ctx, p.id, heard.ID)
	if err != nil {
		return err
	}
	return p.report(report.For(p.compiled, state.Campaign{}, p.lang))
}

// heard returns the newest turn that the one who looks has heard, nil without one.
func (p *player) heard() (*state.Turn, error) {
	now, err := p.engine.Campaign(p.ctx, p.id)
	for t := range now.Back(now.State.HeadTurnID) {
		if p.knows(t.Audience) {
			return t, err
		}
	}
	return nil, err
}

// state writes the characters and the variables, as far as the one who looks may know them.
func (p *player) state(w io.Writer) error {
	now, err := p.engine.Campaign(p.ctx, p.id)
	if err != nil {
		return err
	}
	names := map[string]string{}
	for _, a := range now.State.Map.Areas {
		names[a.ID] = a.Name
	}
	for _, v := range p.Content.Rules.Variables {
		names["variable "+v.ID] = v.Name
	}
	texts := p.compiled.Texts()
	for _, c := range now.State.Characters {
		life := cmp.Or(texts.Life[c.Status.AliveState], string(c.Status.AliveState))
		fmt.Fprintf(w, "  %s: %s %d/%d, %s", printable(c.Name), texts.HP, c.HP.Current, c.HP.Max, printable(life))
		if c.AreaID != "" && p.knows(now.State.Secrets.Witnesses(tree.Path{"area", c.AreaID})) {
			fmt.Fprintf(w, ", %s", printable(cmp.Or(names[c.AreaID], c.AreaID)))
		}
		fmt.Fprintf(w, "\n")
	}
	fmt.Fprintf(w, "  %s\n", p.texts.Variables)
	variables := now.State.Variables.Root()
	if p.actor != "" {
		variables = state.VisibleFacts(now.State.Secrets.Variables(now.State.Variables, p.knows).Root(), state.Viewer{Character: p.actor})
	}
	for key, v := range variables.Members() {
		fmt.Fprintf(w, "    %s: %s\n", printable(cmp.Or(names["variable "+key], key)), printable(v.String()))
	}
	return nil
}

// lore writes the lore of the last turn.
func (p *player) lore(w io.Writer) error {
	heard, err := p.heard()
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "  %s\n", p.texts.Lore)
	if heard != nil {
		report := observe.Of(*heard, turn.Explanation{}).For(p.compiled, state.Campaign{}, p.lang)
		for i, item := range report.Section("lore").Items[:len(heard.Trace.Lore)] { // these come first
			l := heard.Trace.Lore[i]
			fmt.Fprintf(w, "    %s (%s): %s\n", printable(l.Comment), printable(l.ID), printable(item.Text))
		}
	}
	return nil
}

// rollback goes back before a turn, or before the newest one.
func (p *player) rollback(to string) error {
	if to == "" {
		now, err := p.engine.Campaign(p.ctx, p.id)
		if err != nil {
			return err
		}
		turns := now.BranchTurns()
		if len(turns) == 0 {
			p.printf("  ! %s\n", p.texts.NothingToUndo)
			return nil
		}
		to = turns[len(turns)-1].ParentID
	}
	to, err := turnID(p.ctx, p.engine, p.id, to)
	if err != nil {
		return err
	}
	return p.move(turn.RollBack{To: to})
}

// move executes an instruction that leads to a different turn, and shows which one.
func (p *player) move(in turn.Input) error {
	if err := p.do(in); err != nil {
		return err
	}
	now, err := p.engine.Campaign(p.ctx, p.id)
	if err == nil {
		p.printf("  "+p.texts.MovedTo+"\n", now.State.HeadTurnID)
	}
	return err
}

// branch switches to a branch, or lists the branches.
func (p *player) branch(id string) error {
	if id != "" {
		return p.do(turn.SwitchBranch{BranchID: id})
	}
	p.printf("  %s\n", p.texts.Branches)
	for b, err := range p.engine.Branches(p.ctx, p.id, state.HistoryBranches{}) {
		if err != nil {
			return err
		}
		mark := " "
		if b.Present {
			mark = "*"
		}
		p.printf("  %s %s %s\n", mark, printable(b.ID), b.HeadTurnID)
	}
	return nil
}

// save exports the campaign to a file.
func (p *player) save(file string) error {
	file = cmp.Or(file, p.id+".talewright")
	var out bytes.Buffer
	if err := p.engine.Export(p.ctx, p.id, &out); err != nil {
		return err
	}
	if err := os.WriteFile(file, out.Bytes(), 0o600); err != nil {
		return err
	}
	p.printf("  "+p.texts.Saved+"\n", file)
	return nil
}
