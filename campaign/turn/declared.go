package turn

import (
	"slices"
	"strings"

	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
)

// Declared variables have one gate, whoever writes or reads. Rules, reactions, hooks and tools
// pass it in package rules, which knows their schema; everybody else writes by the variable
// system that is bound to it here, and what a model reads comes from the document for a viewer.
// Authors see everything: their conditions, macros and formulas read the document itself.

// writers is the variable system for all who write commands into texts.
func (t *run) writers() *memvars.System {
	return t.game.Vars().With(t.game.Gate(&t.staged.state, t.number()))
}

// shown is the document as a model may read it, for a prompt; empty if there is nothing.
func (t *run) shown() string {
	text := t.writers().Render(t.staged.state.Variables, t.game.Content().Render)
	if strings.TrimSpace(text) == "{}" {
		return ""
	}
	return text
}

// tookVariables takes over a new document, with the formulas that follow, and tells the rules
// what changed: each declared variable under its id, once and with its whole old and new value,
// and every other node that was written under its path.
func (t *run) tookVariables(doc tree.Document, result memvars.Result) {
	p := &t.staged
	before := p.state.Variables
	p.state.Variables = doc
	changes := result.Changes
	if len(changes) > 0 {
		state, followed := t.game.Rules().Follow(t.game.RuleState(&p.state, t.number()))
		p.state.Variables = state.Variables
		changes = slices.Concat(changes, followed)
	}
	p.changes = append(p.changes, changes...)
	p.events = append(p.events, t.game.Rules().Heard(before, p.state.Variables, changes)...)
	for _, e := range result.Effects {
		t.backup(e)
	}
}

// backup keeps a branch that a command cleared. The host gets all of it, the world book what a
// model may see: an entry stands in prompts.
func (t *run) backup(e memvars.Effect) {
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
