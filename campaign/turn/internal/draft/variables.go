package draft

import (
	"errors"
	"slices"
	"strings"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/internal/secret"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/internal/utf8text"
	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/prompt/template"
)

// PlayerCommands applies the variable commands in the player's line.
func (s *Stage) PlayerCommands(line string) {
	s.commands(s.Game.OpenOps(s.Game.Vars().Parse(line)), line, memvars.User)
	s.playerCommands = len(s.Pending.Commands)
}

// EndVariables applies the changes of variables that follow from the end of a turn: time,
// summaries, what is shown. The feedback for the model does not include the player's own commands.
// The replies of the turn are the texts whose requests were applied, in [Progress.Written].
func (s *Stage) EndVariables(turn memvars.Turn) {
	p := &s.Pending
	turn.Reply = strings.Join(p.Written, betweenReplies)
	doc, state, result := s.writers().EndTurn(p.State.Variables, p.State.VariableState, turn)
	doc = s.keepUnseen(doc, &state, &result)
	p.State.VariableState = state
	s.storeVariables(doc, result)
	s.giveFeedback()
	p.warnNotes(result.Notes)
}

// keepUnseen puts back the entries of the short memory that the end of the turn cleared and that the
// viewer of the turn does not know. The summary for which they were cleared cannot contain them.
func (s *Stage) keepUnseen(doc tree.Document, next *memvars.State, result *memvars.Result) tree.Document {
	secrets := s.Pending.State.Secrets
	if len(secrets) == 0 {
		return doc
	}
	profile := s.Game.Profile()
	small := append(tree.Path{profile.Assets}, profile.Small...)
	edit := doc.Edit()
	result.Changes = slices.DeleteFunc(result.Changes, func(c tree.Change) bool {
		isCleared := c.By == "summary" && !c.New.Exists() && len(c.Path) == len(small)+1 && c.Path.HasPrefix(small)
		return isCleared && !s.Viewer.Sees(secret.OfVariable(secrets, c.Path)) && edit.Set(c.Path, c.Old) == nil
	})
	doc = edit.Document()
	base := *next.Turn
	base.Small = doc.Lookup(small)
	next.Turn = &base
	return doc
}

// ContinueVariables does the same for a turn that has already ended and whose reply is longer now.
// Time and summaries do not advance again. The new text counts for what is shown.
func (s *Stage) ContinueVariables() {
	p := &s.Pending
	round, window := memvars.Turn{}, p.State.VariableState.Window
	if n := len(window) - 1; n >= 0 {
		round, window = window[n], window[:n]
	}
	more := strings.Join(p.Written, betweenReplies)
	round.Reply = Joined(round.Reply, more, more)
	p.State.VariableState.Window = window
	doc, result := s.writers().RunPass("green", p.State.Variables, p.State.VariableState, round)
	p.State.VariableState.Window = append(slices.Clip(window), round)
	s.storeVariables(doc, result)
	s.giveFeedback()
}

// giveFeedback keeps the refused commands of the model for the next prompt.
func (s *Stage) giveFeedback() {
	s.Pending.State.Feedback = s.Game.Vars().Feedback(s.Pending.Commands[s.playerCommands:])
}

// betweenReplies separates the texts of a turn.
const betweenReplies = "\n\n"

// Writers returns the variable system for writers of commands, for a state.
func Writers(g *game.Game, s *state.State, turn int) *memvars.System {
	return g.Vars().With(g.Gate(s, turn))
}

// ScopeOf returns the part of a state that dialects may read.
func ScopeOf(g *game.Game, s *state.State, turn int) game.Scope {
	scope := g.Scope()
	scope.State, scope.Document = g.RuleState(s, turn), s.Variables
	return scope
}

// writers returns the variable system for writers of commands, for the staged state.
func (s *Stage) writers() *memvars.System { return Writers(s.Game, s.jointState(), s.Number) }

// maxNotes limits the number of notes at the end of one turn.
const maxNotes = 16

// warnNotes adds a warning for each change that the end of the turn did not make. For example, a clock
// does not advance if its date cannot be read.
func (p *Progress) warnNotes(notes []memvars.Note) {
	for _, n := range notes[:min(len(notes), maxNotes)] {
		p.Warn("variables: %s", utf8text.Cut(n.String(), MaxText))
	}
	if more := len(notes) - maxNotes; more > 0 {
		p.Warn("variables: and %d notes more", more)
	}
}

// commands applies commands of a text. Each command is applied or refused as a whole, and the
// result is recorded.
func (s *Stage) commands(ops []memvars.Op, text string, actor memvars.Actor) {
	p := &s.Pending
	doc, result := s.writers().ApplyOps(p.State.Variables, ops, actor, text)
	p.Commands = append(p.Commands, result.Calls...)
	s.storeVariables(doc, result)
}

// WriteTemplates applies the changes of the document that templates of authors have made. Each
// passes the gate as its author's. A change that the gate refuses, or of a value that the template
// did not see whole, is recorded and makes no change.
func (s *Stage) WriteTemplates(writes []template.Write) {
	p := &s.Pending
	seen := p.State.Variables // as the templates see them, before the gate and the schema
	for _, w := range writes {
		by := "template " + w.Entry
		before := p.State.Variables
		after, err := writeTemplate(&seen, before, w, s.writers())
		if err != nil {
			traceRefusal(&p.Trace, w.Path.String(), utf8text.Cut(by, MaxText), reasonTemplate, utf8text.Cut(valid(err.Error()), MaxText))
			continue
		}
		changes := tree.Diff(before, after)
		for i := range changes {
			changes[i].By = by
		}
		s.storeVariables(after, memvars.Result{Changes: changes})
	}
}

// reasonTemplate is the reason for a refused change by a template.
const reasonTemplate = "template_write"

// writeTemplate returns a document after one change of a template. seen is the document that the
// template saw.
func writeTemplate(seen *tree.Document, before tree.Document, w template.Write, gate *memvars.System) (tree.Document, error) {
	if !seen.Lookup(w.Path).Equal(w.Old) {
		return before, errors.New("the value is not the one that the template read: a part of it is private")
	}
	written := func(d tree.Document) (tree.Document, error) {
		edit := d.Edit()
		if !w.New.Exists() {
			err := edit.Delete(w.Path)
			return edit.Document(), err
		}
		err := edit.Set(w.Path, w.New)
		return edit.Document(), err
	}
	if now, err := written(*seen); err == nil {
		*seen = now
	}
	after, err := written(before)
	if err != nil {
		return before, err
	}
	after, refusal := gate.Check(before, after, memvars.Host)
	if refusal != nil {
		return before, errors.New(refusal.Text)
	}
	return after, nil
}

// storeVariables stores a new document, applies the formulas, and queues the changes for rules. A
// declared variable is queued once, under its ID, with its whole old and new value. Every other
// written node is queued under its path.
func (s *Stage) storeVariables(doc tree.Document, result memvars.Result) {
	p := &s.Pending
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
