package draft

import (
	"slices"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/internal/utf8text"
	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/memvars/command"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/effect"
)

// PlayerCommands carries out the variable commands in the player's line.
func (s *Stage) PlayerCommands(line string) {
	s.commands(s.Game.OpenOps(s.Game.Vars().Parse(line)), line, memvars.User)
	s.playerCommands = len(s.Staged.Commands)
}

// EndVariables carries out what a finished turn does to the variables by itself: time,
// summaries, what is shown; nil: it has ended before. Of what the player's own commands did the
// model hears nothing.
func (s *Stage) EndVariables(turn *memvars.Turn) {
	p := &s.Staged
	var notes []memvars.Note
	if turn != nil {
		doc, state, result := s.writers().EndTurn(p.State.Variables, p.State.VariableState, *turn)
		p.State.VariableState, notes = state, result.Notes
		s.tookVariables(doc, result)
	}
	p.State.Feedback = s.Game.Vars().Feedback(p.Commands[s.playerCommands:])
	p.note(notes)
}

// Writers is the variable system for all who write commands into texts, as of a state.
func Writers(g *game.Game, s *state.State, turn int) *memvars.System {
	return g.Vars().With(g.Gate(s, turn))
}

// ScopeOf is what dialects may know of a state.
func ScopeOf(g *game.Game, s *state.State, turn int) game.Scope {
	scope := g.Scope()
	scope.State, scope.Document = g.RuleState(s, turn), s.Variables
	return scope
}

// writers is the variable system for all who write commands into texts.
func (s *Stage) writers() *memvars.System { return Writers(s.Game, s.joined(), s.Number) }

// maxNotes bounds the notes of one turn's end.
const maxNotes = 16

// note warns of what the end of the turn left alone, such as a clock that stands still
// because the date cannot be read.
func (p *Progress) note(notes []memvars.Note) {
	for _, n := range notes[:min(len(notes), maxNotes)] {
		p.Warn("variables: %s", utf8text.Cut(n.String(), MaxText))
	}
	if more := len(notes) - maxNotes; more > 0 {
		p.Warn("variables: and %d notes more", more)
	}
}

// commands carries out commands of a text. Each is carried out or refused as a
// whole, and says so.
func (s *Stage) commands(ops []command.Op, text string, actor memvars.Actor) {
	p := &s.Staged
	doc, result := s.writers().ApplyOps(p.State.Variables, ops, actor, text)
	p.Commands = append(p.Commands, result.Calls...)
	s.tookVariables(doc, result)
}

// tookVariables takes over a new document, with the formulas that follow, and tells the rules
// what changed: each declared variable under its id, once and with its whole old and new value,
// and every other node that was written under its path.
func (s *Stage) tookVariables(doc tree.Document, result memvars.Result) {
	p := &s.Staged
	before := p.State.Variables
	p.State.Variables = doc
	changes := result.Changes
	if len(changes) > 0 {
		state, followed := s.Game.Rules().Follow(s.rules())
		p.State.Variables = state.Variables
		changes = slices.Concat(changes, followed)
	}
	p.Changes = append(p.Changes, changes...)
	p.events = append(p.events, s.Game.Rules().Heard(before, p.State.Variables, changes)...)
	for _, e := range result.Effects {
		s.backup(e)
	}
}

// backup keeps a branch that a command cleared. The host gets all of it, the world book what a
// model may see: an entry stands in prompts.
func (s *Stage) backup(e memvars.Effect) {
	p := &s.Staged
	branch := e.Data
	for i := len(e.Path) - 1; i >= 0; i-- {
		branch = tree.Object(tree.Member{Key: e.Path[i], Value: branch})
	}
	whole := effect.BackupBranch{Path: e.Path, World: e.World, Data: e.Data}
	if doc, err := tree.NewDocument(branch); err == nil {
		seen := whole
		seen.Data = s.writers().Visible(doc).Lookup(e.Path)
		if seen.Data.Exists() {
			s.book(byCommands).add(backupEntry(seen))
		}
	}
	p.Host = append(p.Host, effect.By(byCommands, whole)...)
}
