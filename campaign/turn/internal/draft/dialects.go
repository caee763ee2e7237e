package draft

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/internal/utf8text"
	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
)

// This file applies the requests for changes that a model writes in dialects. No other file does.

// ApplyRequests applies the requests in a narration, and then more requests of the same answer, which
// came outside of the narration.
func (s *Stage) ApplyRequests(narration string, more []game.Asked) {
	s.noteWritten(narration)
	all := s.Game.Read(narration, ScopeOf(s.Game, &s.Pending.State, s.Number)).Asked
	all = append(all, more...)
	s.modelCommands(all, narration)
	for _, a := range all {
		w := requests{Stage: s, dialect: a.Dialect, positions: textPositions{text: narration}}
		for _, span := range a.Spans {
			w.applySpan(span)
		}
	}
}

// ModelCommands applies the commands for variables in a text of the model that is no narration, and
// nothing for "".
func (s *Stage) ModelCommands(text string) {
	if text == "" {
		return
	}
	s.noteWritten(text)
	s.modelCommands(s.Game.Read(text, ScopeOf(s.Game, &s.Pending.State, s.Number)).Asked, text)
}

// modelCommands applies the commands of a model in a text. In a dialog type without changes it
// refuses them.
func (s *Stage) modelCommands(all []game.Asked, text string) {
	var ops []memvars.Op
	for _, a := range all {
		for _, span := range a.Spans {
			ops = append(ops, span.Commands...)
		}
	}
	if len(ops) == 0 {
		return
	}
	slices.SortStableFunc(ops, func(a, b memvars.Op) int { return a.Pos.Offset - b.Pos.Offset })
	if !s.ReadOnly {
		s.commands(ops, text, memvars.AI)
		return
	}
	w := requests{Stage: s, positions: textPositions{text: text}}
	for _, op := range ops {
		receipt := state.CommandResult{Op: op.Name, Line: op.Pos.Line, Col: op.Pos.Col, Offset: op.Pos.Offset}
		w.refuse(receipt, game.Span{From: op.Pos.Offset, To: op.End}, memvars.PermissionDenied, w.Game.Reason(game.ReasonNotWritable))
	}
}

// noteWritten notes a text of the model for the end of the turn.
func (s *Stage) noteWritten(text string) {
	if text != "" {
		s.Pending.Written = append(s.Pending.Written, text)
	}
}

// requests are the requests of a narration in one dialect.
type requests struct {
	*Stage
	dialect   string
	positions textPositions // in the narration
}

// applySpan applies the effects of a span and writes a receipt: one for the span, or one for each
// refused part.
func (w *requests) applySpan(span game.Span) {
	p := &w.Pending
	if span.Warning != "" {
		w.Pending.Warn("dialect %s: %s", w.dialect, span.Warning)
	}
	if len(span.Effects) == 0 && span.Refused == "" {
		return
	}
	receipt := state.CommandResult{Op: w.dialect, Offset: span.From, Status: memvars.Applied}
	receipt.Line, receipt.Col = w.positions.lineAndColumn(span.From)
	if span.Refused != "" {
		w.refuse(receipt, span, codeUnreadable, span.Refused)
	}
	if len(span.Effects) == 0 {
		return
	}
	by, refusedBefore, changesBefore := byDialect+w.dialect, len(p.Trace.Refused), len(p.Changes)
	allowed, denied := w.allowed(effect.By(by, asData(span.Effects)...))
	refused := w.refuseDenied(receipt, span, denied)
	if why := w.gateRefusal(allowed); why != nil {
		w.refuse(receipt, span, why.Code, cmp.Or(why.Text, w.Game.Reason(game.ReasonNotWritable)))
		return
	}
	effects := make(effect.List, len(allowed))
	onlyWrites := true
	for i, c := range allowed {
		effects[i] = c.Effect
		onlyWrites = onlyWrites && isWrite(c)
	}
	w.Apply(by, effects)
	refused = append(refused, p.Trace.Refused[refusedBefore:]...)
	if len(refused) > 1 {
		sortRefused(refused, span.Effects)
	}
	for _, r := range refused {
		w.refuse(receipt, span, memvars.Code(r.Reason), r.Path+": "+r.Text)
	}
	p.refuse(denied)
	if len(denied) > 0 || len(refused) > 0 {
		return
	}
	if onlyWrites && len(p.Changes) == changesBefore {
		receipt.Status = memvars.Unchanged
	}
	p.Commands = append(p.Commands, receipt)
}

// refuseDenied writes a receipt for each denied write to a variable that the model may see. It
// returns the other writes as refusals of unknown variables: the answer must not reveal that a
// variable exists.
func (w *requests) refuseDenied(receipt state.CommandResult, span game.Span,
	denied []effect.Refusal) (unknown []state.TraceRefusedEffect) {
	for _, d := range denied {
		if d.Reason != effect.SystemPath && !state.IsView(d.Path) && !isVisible(w.Game.Rules().Gate(w.rules()), d.Path) {
			unknown = append(unknown, state.TraceRefusedEffect{Path: d.Path, Reason: string(effect.UnknownVariable), Text: d.Text})
			continue
		}
		w.refuse(receipt, span, memvars.PermissionDenied, d.Path+": "+w.Game.Reason(game.ReasonNotWritable))
	}
	return unknown
}

// isVisible reports whether a model may see the variable at a path, or the variable that contains the
// path.
func isVisible(gate memvars.Gate, path string) bool {
	if gate == nil {
		return false
	}
	if _, ok := gate.Resolve(path, memvars.AI); ok {
		return true
	}
	root, err := tree.ParsePath(path)
	if err != nil {
		return false
	}
	_, ok := gate.Resolve(root[0], memvars.AI)
	return ok
}

// sortRefused sorts refused writes by the place of their path among the effects of the span. A path that
// is not among them comes first.
func sortRefused(refused []state.TraceRefusedEffect, effects effect.List) {
	places := make(map[string]int, len(effects))
	for i, e := range effects {
		if w, is := e.(effect.SetVariable); is && places[w.Path] == 0 {
			places[w.Path] = i + 1
		}
	}
	slices.SortStableFunc(refused, func(a, b state.TraceRefusedEffect) int { return places[a.Path] - places[b.Path] })
}

// codeUnreadable is the code for a span that a dialect could not read.
const codeUnreadable memvars.Code = "unreadable"

// refuse writes the receipt of a refusal.
func (w *requests) refuse(receipt state.CommandResult, span game.Span, code memvars.Code, hint string) {
	text := w.positions.text
	receipt.Status, receipt.Code, receipt.Hint = memvars.Rejected, code, utf8text.Cut(hint, MaxText)
	if span.To <= len(text) {
		near := text[span.From:span.To]
		if near == "" {
			near, _, _ = strings.Cut(utf8text.Cut(text[span.From:], maxNear), "\n")
		}
		receipt.Near = utf8text.Cut(near, maxNear)
	}
	w.Pending.Commands = append(w.Pending.Commands, receipt)
}

// maxNear limits the text that a receipt quotes, in bytes.
const maxNear = 80

// allowed divides the requests of a model into allowed and denied ones. Values of characters are
// changed only by tools, declared variables only by writers with access, and no variable in a dialog
// type without changes.
func (w *requests) allowed(asked []effect.Attributed) (kept []effect.Attributed, denied []effect.Refusal) {
	kept, denied = w.Game.Rules().FilterWrites(w.rules(), asked)
	allowed := kept[:0:0]
	for _, c := range kept {
		if e, write := c.Effect.(effect.SetVariable); write && (w.ReadOnly || state.IsView(e.Path)) {
			denied = append(denied, effect.Refusal{By: c.Source, Effect: e, Path: e.Path, Value: e.Value,
				Reason: effect.ReadOnlyVariable, Text: "a model may not write it"})
			continue
		}
		allowed = append(allowed, c)
	}
	return allowed, denied
}

func isWrite(c effect.Attributed) bool { _, is := c.Effect.(effect.SetVariable); return is }

// gateRefusal tries the writes on a copy and returns why the gate refuses the resulting document, nil
// if it does not. So the host's rules for commands, protected nodes, the frame and all declarations
// apply in every dialect.
func (w *requests) gateRefusal(asked []effect.Attributed) *memvars.Refusal {
	if !slices.ContainsFunc(asked, isWrite) {
		return nil
	}
	before := w.rules()
	tried := w.Game.Rules().Apply(before, asked, rules.Options{}).State.Variables // only writes change them
	_, refusal := w.writers().Check(before.Variables, withoutFormulaChanges(w.Game, before.Variables, tried), memvars.AI)
	return refusal
}

// withoutFormulaChanges returns a document without the changes that formulas made after the writes, because
// these are not writes of the model.
func withoutFormulaChanges(g *game.Game, before, after tree.Document) tree.Document {
	edit := after.Edit()
	for _, v := range g.Content().Rules.Variables {
		if v.Formula == "" {
			continue
		}
		place := tree.Path{v.ID}
		if path, err := tree.ParsePath(v.Path); err == nil {
			place = path
		}
		if old := before.Lookup(place); old.Exists() && edit.Lookup(place).Exists() {
			_ = edit.Set(place, old) // the path exists
		}
	}
	return edit.Document()
}

// textPositions counts lines and columns, from 1, columns in characters. If offsets are requested in
// order, it reads the text once.
type textPositions struct {
	text      string
	at        int // the offset up to which the text was read
	line, col int // line breaks before at, and characters between the last one and at
}

// lineAndColumn returns the place of an offset in bytes.
func (p *textPositions) lineAndColumn(offset int) (line, col int) {
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
