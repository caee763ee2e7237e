package campaign

import (
	"slices"
	"strings"

	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/memvars/command"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
)

// Declared variables have one gate, whoever writes or reads. Rules, reactions, hooks and tools
// pass it in package rules, which knows their schema; everybody else writes by the variable
// system that is bound to it here, and what a model reads comes from the document for a viewer.
// Authors see everything: their conditions, macros and formulas read the document itself.

// gate is what is declared about the variables of a state.
func (g *Game) gate(s *State, turn int) memvars.Gate { return g.rules.Gate(g.ruleState(s, turn)) }

// writers is the variable system for all who write commands into texts.
func (t *turn) writers() *memvars.System {
	return t.game.vars.With(t.game.gate(&t.staged.state, t.number()))
}

// shown is the document as a model may read it, for a prompt; empty if there is nothing.
func (t *turn) shown() string {
	text := t.writers().Render(t.staged.state.Variables, t.game.content.Render)
	if strings.TrimSpace(text) == "{}" {
		return ""
	}
	return text
}

// complete gives the variables that a state lacks their defaults, and formulas their values.
// Nobody hears of it: nothing has happened.
func (g *Game) complete(s State) tree.Document {
	if len(g.content.Variables) == 0 {
		return s.Variables
	}
	return g.rules.Complete(g.ruleState(&s, s.TurnCount)).Variables
}

// setUp brings the variables of a setup within their declarations, as a host's own writes, and
// reports those that cannot be.
func (g *Game) setUp(s State, report func(string, ...any)) tree.Document {
	doc := s.Variables
	gate := g.gate(&s, 0)
	if gate == nil {
		return doc
	}
	edit := doc.Edit()
	for place := range gate.Near(nil) {
		given := g.vars.Read(doc, place)
		if !given.Exists() {
			continue
		}
		v, refusal := gate.Judge(memvars.Write{Actor: memvars.Host, Path: place, New: given})
		switch {
		case refusal != nil && refusal.Code == command.ReadonlyDerived: // it is computed anyway
		case refusal != nil:
			report("variables: %s: %s", place, refusal.Text)
		case !v.Equal(given):
			if edit.Kind(place) == tree.KindArray { // of a pair the value
				place = place.Child("0")
			}
			_ = edit.Set(place, v) // it was just read there
		}
	}
	return edit.Document()
}

// tookVariables takes over a new document, with the formulas that follow, and tells the rules
// what changed: each declared variable under its id, once and with its whole old and new value,
// and every other node that was written under its path.
func (t *turn) tookVariables(doc tree.Document, result memvars.Result) {
	p := &t.staged
	before := p.state.Variables
	p.state.Variables = doc
	changes := result.Changes
	if len(changes) > 0 {
		state, followed := t.game.rules.Follow(t.game.ruleState(&p.state, t.number()))
		p.state.Variables = state.Variables
		changes = slices.Concat(changes, followed)
	}
	p.changes = append(p.changes, changes...)
	p.events = append(p.events, t.game.rules.Heard(before, p.state.Variables, changes)...)
	for _, e := range result.Effects {
		t.backup(e)
	}
}

// keepSetup carries over, into an older state that is restored, what the variables of scope
// setup hold now.
func (g *Game) keepSetup(now, restored State) tree.Document {
	return g.rules.Rollback(rules.State{Variables: now.Variables},
		rules.State{Variables: restored.Variables}).Variables
}

// backup keeps a branch that a command cleared. The host gets all of it, the world book what a
// model may see: an entry stands in prompts.
func (t *turn) backup(e memvars.Effect) {
	p := &t.staged
	branch := e.Data
	for i := len(e.Path) - 1; i >= 0; i-- {
		branch = tree.Object(tree.Member{Key: e.Path[i], Value: branch})
	}
	whole := rules.BackupBranch{Path: e.Path, World: e.World, Data: e.Data}
	if doc, err := tree.NewDocument(branch); err == nil {
		seen := whole
		seen.Data = t.writers().Visible(doc).Lookup(e.Path)
		if seen.Data.Exists() {
			p.addEntry(backupEntry(seen), byCommands)
		}
	}
	p.host = append(p.host, rules.By(byCommands, whole)...)
}
