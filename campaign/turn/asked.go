package turn

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/internal/utf8text"
	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/memvars/command"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
)

// What dialects ask for becomes changes here, and nowhere else.

// scope is what dialects may know now.
func (sc scenery) scope() game.Scope {
	s := sc.game.Scope()
	s.State = sc.game.RuleState(sc.state, sc.number())
	s.Document = sc.state.Variables
	return s
}

// cleanNarration is a narration as the player reads it: without what dialects took.
func (t *run) cleanNarration(text string) string {
	if t.cleaned.text != text || t.cleaned.shown == "" {
		t.cleaned.text, t.cleaned.shown = text, t.game.Read(text, t.scenery().scope()).Shown
	}
	return t.cleaned.shown
}

// playerCommands carries out the variable commands in the player's line.
func (t *run) playerCommands() {
	t.commands(t.game.OpenOps(t.game.Vars().Parse(t.in.Text)), t.in.Text, memvars.User)
	t.own = len(t.staged.commands)
}

// modelAsks carries out what a narration asks for.
func (t *run) modelAsks() {
	all := t.game.Read(t.last.Text, t.scenery().scope()).Asked
	all = append(all, t.asks...)
	var ops []command.Op
	for _, a := range all {
		for _, s := range a.Spans {
			ops = append(ops, s.Commands...)
		}
	}
	t.commands(inOrder(ops), t.last.Text, memvars.AI)
	for _, a := range all {
		places := places{text: t.last.Text}
		for _, s := range a.Spans {
			t.carryOutSpan(a.Dialect, s, &places)
		}
	}
}

// endVariables carries out what a finished turn does to the variables by itself: time,
// summaries, what is shown. Of what the player's own commands did the model hears nothing.
func (t *run) endVariables() {
	p := &t.staged
	var notes []memvars.Note
	if t.head == nil { // a turn that goes on has ended before
		doc, state, result := t.scenery().writers().EndTurn(p.state.Variables, p.state.VariableState,
			memvars.Turn{Reply: t.rawReply(), Player: t.playerLines()})
		p.state.VariableState, notes = state, result.Notes
		t.tookVariables(doc, result)
	}
	p.state.Feedback = t.game.Vars().Feedback(p.commands[t.own:])
	t.notes(notes)
}

// maxNotes bounds the notes of one turn's end.
const maxNotes = 16

// notes warns of what the end of the turn left alone, such as a clock that stands still
// because the date cannot be read.
func (t *run) notes(notes []memvars.Note) {
	for _, n := range notes[:min(len(notes), maxNotes)] {
		t.warn("variables: %s", utf8text.Cut(n.String(), maxFeedbackText))
	}
	if more := len(notes) - maxNotes; more > 0 {
		t.warn("variables: and %d notes more", more)
	}
}

// commands carries out commands of a text. Each is carried out or refused as a
// whole, and says so.
func (t *run) commands(ops []command.Op, text string, actor memvars.Actor) {
	p := &t.staged
	doc, result := t.scenery().writers().ApplyOps(p.state.Variables, ops, actor, text)
	p.commands = append(p.commands, result.Calls...)
	t.tookVariables(doc, result)
}

// carryOutSpan carries out the effects of a span and writes its receipt: one for the
// span, or one for each part of it that is refused.
func (t *run) carryOutSpan(dialect string, s game.Span, at *places) {
	p := &t.staged
	if s.Warning != "" {
		t.warn("dialect %s: %s", dialect, s.Warning)
	}
	if len(s.Effects) == 0 && s.Refused == "" {
		return
	}
	receipt := state.CommandResult{Op: dialect, Offset: s.From, Status: memvars.Applied}
	receipt.Line, receipt.Col = at.of(s.From)
	if s.Refused != "" {
		t.refuseSpan(receipt, s, codeUnreadable, s.Refused)
	}
	if len(s.Effects) == 0 {
		return
	}
	by, told, changed := byDialect+dialect, len(p.trace.Refused), len(p.changes)
	kept, denied := t.modelWrites(effect.By(by, asData(s.Effects)...))
	for _, d := range denied {
		// Why is not for the model: it may not even know that there is such a variable.
		t.refuseSpan(receipt, s, command.PermissionDenied, d.Path+": "+t.game.Reason(game.ReasonNotWritable))
	}
	if why := t.guarded(kept); why != nil {
		t.refuseSpan(receipt, s, why.Code, cmp.Or(why.Text, t.game.Reason(game.ReasonNotWritable)))
		return
	}
	effects := make(effect.List, len(kept))
	writes := true
	for i, c := range kept {
		effects[i] = c.Effect
		writes = writes && isWrite(c)
	}
	t.apply(by, effects)
	for _, r := range p.trace.Refused[told:] {
		t.refuseSpan(receipt, s, command.Code(r.Reason), r.Path+": "+r.Text)
	}
	p.refuse(denied)
	if len(denied) > 0 || len(p.trace.Refused) > told {
		return
	}
	if writes && len(p.changes) == changed {
		receipt.Status = memvars.Unchanged
	}
	p.commands = append(p.commands, receipt)
}

// codeUnreadable refuses what a dialect could not read.
const codeUnreadable command.Code = "unreadable"

// refuseSpan writes the receipt of something that is refused.
func (t *run) refuseSpan(receipt state.CommandResult, s game.Span, code command.Code, hint string) {
	receipt.Status, receipt.Code, receipt.Hint = memvars.Rejected, code, utf8text.Cut(hint, maxFeedbackText)
	if s.To <= len(t.last.Text) {
		near := t.last.Text[s.From:s.To]
		if near == "" {
			near, _, _ = strings.Cut(utf8text.Cut(t.last.Text[s.From:], maxNear), "\n")
		}
		receipt.Near = utf8text.Cut(near, maxNear)
	}
	t.staged.commands = append(t.staged.commands, receipt)
}

// maxNear bounds the text that a receipt quotes, in bytes.
const maxNear = 80

// modelWrites divides what a model asks for into what it may ask for and what not: what
// is a character's is changed by tools, declared variables by those who may.
func (t *run) modelWrites(asked []effect.Caused) (kept []effect.Caused, denied []effect.Refusal) {
	kept, denied = t.game.Rules().FilterWrites(t.game.RuleState(&t.staged.state, t.number()), asked)
	allowed := kept[:0:0]
	for _, c := range kept {
		if e, write := c.Effect.(effect.SetVariable); write && state.IsView(e.Path) {
			denied = append(denied, effect.Refusal{By: c.By, Effect: e, Path: e.Path, Value: e.Value,
				Reason: effect.ReadOnlyVariable, Text: "a model may not write it"})
			continue
		}
		allowed = append(allowed, c)
	}
	return allowed, denied
}

func isWrite(c effect.Caused) bool { _, is := c.Effect.(effect.SetVariable); return is }

// guarded tries writes and lets the gate judge what they would make of the document: the
// host's rules for commands, protected nodes, the frame and what is declared anywhere in it
// hold in every language.
func (t *run) guarded(asked []effect.Caused) *memvars.Refusal {
	if !slices.ContainsFunc(asked, isWrite) {
		return nil
	}
	before := t.game.RuleState(&t.staged.state, t.number())
	writes := slices.DeleteFunc(slices.Clone(asked), func(c effect.Caused) bool { return !isWrite(c) })
	tried := t.game.Rules().Apply(before, writes, rules.Options{}).State.Variables
	_, refusal := t.scenery().writers().Check(before.Variables, unfollowed(t.game, before.Variables, tried), memvars.AI)
	return refusal
}

// unfollowed is a document without what formulas made of the writes to others: that is
// not a write of anybody.
func unfollowed(g *game.Game, before, after tree.Document) tree.Document {
	edit := after.Edit()
	for _, v := range g.Content().Variables {
		if v.Formula == "" {
			continue
		}
		place := tree.Path{v.ID}
		if path, err := tree.ParsePath(v.Path); err == nil && v.Path != "" {
			place = path
		}
		if old := before.Lookup(place); old.Exists() && edit.Lookup(place).Exists() {
			_ = edit.Set(place, old) // it is there
		}
	}
	return edit.Document()
}

// inOrder sorts commands by their places.
func inOrder(ops []command.Op) []command.Op {
	slices.SortStableFunc(ops, func(a, b command.Op) int { return a.Pos.Offset - b.Pos.Offset })
	return ops
}

// places counts lines and columns, from 1, columns in characters. Asked for places in
// their order it goes through the text once.
type places struct {
	text          string
	at, line, col int // lines and characters of the line before at
}

func (p *places) of(offset int) (line, col int) {
	offset = min(offset, len(p.text))
	if offset < p.at {
		p.at, p.line, p.col = 0, 0, 0
	}
	part := p.text[p.at:offset]
	if n := strings.Count(part, "\n"); n > 0 {
		p.line += n
		p.col = 0
		part = part[strings.LastIndexByte(part, '\n')+1:]
	}
	p.at = offset
	p.col += utf8.RuneCountInString(part)
	return p.line + 1, p.col + 1
}
