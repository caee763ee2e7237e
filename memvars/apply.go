package memvars

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/talewright/talewright/internal/utf8text"
	"github.com/talewright/talewright/memvars/command"
	"github.com/talewright/talewright/memvars/tree"
)

// Apply reads the commands in a message and carries them out, in the order of
// the text: each completely or not at all. See [System.Apply] for the rules;
// this one-liner compiles the options first, and reports their mistakes in
// Result.Problems.
func Apply(d tree.Document, text string, by Actor, o Options) (tree.Document, Result) {
	s, problems := Compile(o)
	if problems.Err() != nil {
		return d, Result{Problems: problems}
	}
	return s.Apply(d, text, by)
}

// Parse finds the commands in a message, in the order of their positions, and
// reads their arguments. Commands with mistakes in their text are among them,
// with a [command.Fault]. It returns nil if the options do not compile.
func Parse(text string, o Options) []command.Op {
	s, err := Compile(o)
	if err != nil {
		return nil
	}
	return s.Parse(text)
}

// Parse finds the commands in a message: those of this package and those of the
// dialects in the options, as [command.Reader.Parse] has it.
func (s *System) Parse(text string) []command.Op {
	text = utf8text.Mend(text)
	others := make([][]command.Op, len(s.dialects))
	for i, d := range s.dialects {
		others[i] = d.Find(text)
	}
	return s.reader.Parse(text, others...)
}

// Passages finds what of a message is for the engine alone: its commands and those of
// the dialects, and command blocks with what else stands in them; see
// [command.Reader.Passages].
func (s *System) Passages(text string) []command.Passage {
	return s.reader.Passages(text, s.Parse(text))
}

// Shown returns a message as players are to read it: without its passages; see
// [command.Shown].
func (s *System) Shown(text string) string { return command.Shown(text, s.Passages(text)) }

// Apply carries out the commands in a message. In this order:
//
//  1. Each command is checked completely, then written or rejected; after one
//     that changed something the inventory is cleaned up.
//  2. Derived fields are recomputed, then the difficulty is limited by the level
//     of the world.
//
// With on_error "abort" one rejected command gives back the document as it was.
// If nothing changed the same version is returned (see [tree.Document.Same]).
func (s *System) Apply(d tree.Document, text string, by Actor) (tree.Document, Result) {
	text = utf8text.Mend(text)
	return s.ApplyOps(d, s.Parse(text), by, text)
}

// ApplyOps carries out commands that were parsed before, for example after a
// host removed some. text is the message that they come from; it may be empty
// and serves to quote rejected commands.
//
// The causes of changes are cmd:0, cmd:1 and so on by the place in ops.
func (s *System) ApplyOps(d tree.Document, ops []command.Op, by Actor, text string) (tree.Document, Result) {
	r := newRun(s, d, by)
	if len(ops) > 0 {
		r.result.Calls = make([]CallResult, 0, len(ops))
	}
	for i := range ops {
		op := &ops[i]
		res := CallResult{
			Op: op.Name, Line: op.Pos.Line, Col: op.Pos.Col, Offset: op.Pos.Offset,
			Reason: op.Reason,
		}
		r.cause = "cmd:" + strconv.Itoa(i)
		r.one(op, &res)
		if res.Status == Rejected {
			res.Near = near(text, op)
		}
		r.result.Calls = append(r.result.Calls, res)
		if res.Status == Rejected && s.abort {
			return d, aborted(r.result.Calls, ops, i)
		}
	}
	runDerived(r)
	runClamp(r)
	return r.finish(d)
}

// aborted is the result of a message that was rolled back: the command that
// failed keeps its code, those before it are marked as undone and those after it
// as not tried.
// Warnings go with the work that they were about.
func aborted(calls []CallResult, ops []command.Op, failed int) Result {
	for i, op := range ops {
		if i > failed {
			calls = append(calls, CallResult{
				Op: op.Name, Line: op.Pos.Line, Col: op.Pos.Col, Offset: op.Pos.Offset,
				Reason: op.Reason,
			})
		}
		if i != failed {
			calls[i].Status, calls[i].Code, calls[i].Warnings = Rejected, command.Aborted, nil
		}
	}
	return Result{Calls: calls}
}

// maxNear bounds the quoted text of a rejected command, in bytes.
const maxNear = 80

// near quotes the text of a command for the feedback to the model, shortened at a
// character boundary so that it stays valid UTF-8.
func near(text string, op *command.Op) string {
	from, to := op.Pos.Offset, max(op.End, op.Pos.Offset)
	if from < 0 || to > len(text) {
		return ""
	}
	s := text[from:to]
	if len(s) > maxNear {
		s = s[:maxNear]
		for !utf8.ValidString(s) && len(s) > maxNear-utf8.UTFMax {
			s = s[:len(s)-1]
		}
		s += "…"
	}
	return strings.Clone(strings.TrimSpace(s))
}

// run is the work on one document: a batch of edits and what is told of it.
type run struct {
	sys    *System
	edit   *tree.Edit
	actor  Actor
	cause  string
	result Result
	bag    tree.Value // the inventory as the last sweep left it
	// swept says that bag is clean but for what commands write, unclean that a sweep
	// took elements out of lists, which may have changed what those are.
	swept, unclean bool
	written        int // see maxWritten
	// numbered are the entries of summary.small by their keys without number, of those
	// keys that commands wrote to.
	numbered map[string]*series
	// hidden are the declared variables that the actor may not see, once the gate was
	// asked.
	hidden []tree.Path
	asked  bool
}

// newRun starts the work on d. Nothing is copied before the first write.
func newRun(s *System, d tree.Document, by Actor) *run {
	if by != User && by != Host {
		by = AI // whoever is not known is trusted least
	}
	return &run{sys: s, edit: d.Edit(), actor: by}
}

// root is the document in its present state. It is for looks that end before the
// next write: what is kept must be frozen first.
func (r *run) root() tree.Value { return r.edit.Peek(nil) }

// finish returns the document, the given one if nothing changed.
func (r *run) finish(d tree.Document) (tree.Document, Result) {
	if r.root().Same(d.Root()) {
		return d, r.result
	}
	return r.edit.Document(), r.result
}

// note tells why a pass left a place alone. Notes are for authors; they are no
// errors, and a model never sees them.
func (r *run) note(pass string, path tree.Path, text string) {
	r.result.Notes = append(r.result.Notes, Note{Pass: pass, Path: path, Text: text})
}

// update writes the content of an existing place, if it is another value.
func (r *run) update(path tree.Path, v tree.Value, cause string) bool {
	at, code := r.sys.find(r.root(), path)
	old := at.Content()
	if code != "" || old.Equal(v) {
		return false
	}
	v, ok := r.judged(at, v)
	if !ok || old.Equal(v) {
		return false
	}
	r.edit.Freeze(old)
	r.write(write{kind: put, path: at.Slot(), value: v})
	r.change(tree.Change{Path: at.Path, Old: old, New: v, By: cause})
	return true
}

// change records an event. The path is copied, because callers build paths in
// place while they walk.
func (r *run) change(c tree.Change) {
	c.Path = slices.Clone(c.Path)
	r.result.Changes = append(r.result.Changes, c)
}

// one checks and carries out one command.
func (r *run) one(op *command.Op, res *CallResult) {
	if op.Fault != nil {
		res.Status, res.Code = Rejected, op.Fault.Code
		if op.Fault.At.Line > 0 {
			res.At = new(op.Fault.At)
		}
		res.Hint = r.sys.words.codes[op.Fault.Code]
		return
	}
	p := plan{run: r}
	changed := false
	var places []tree.Path // of declared variables that are written
	for i := range op.Args {
		p.warn(op.Args[i].Warnings...)
	}
	if op.Dialect == "" {
		if r.command(op, &p); p.code == "" && p.gated(op) {
			if r.sys.gate != nil {
				places, _ = p.judge()
			}
		}
	} else {
		changed = r.foreign(op, &p)
	}
	slices.Sort(p.warnings)
	res.Warnings = slices.Compact(p.warnings)
	if p.code != "" && p.code != command.NotFound {
		rejected(&p, res)
		return
	}
	if len(p.changes) == 0 && !changed {
		res.Status, res.Code = Unchanged, p.code
		return
	}
	res.Status = Applied
	switch changed := len(r.result.Changes); {
	case len(places) == 0:
		r.commit(&p)
	case !r.admitted(&p, places):
		rejected(&p, res)
		return
	default:
		res.Warnings = slices.Compact(slices.Sorted(slices.Values(p.warnings)))
		if len(r.result.Changes) == changed && len(p.effects) == 0 {
			res.Status = Unchanged
		}
	}
	r.tidy(op, &p)
}

// rejected tells why a plan is not carried out.
func rejected(p *plan, res *CallResult) {
	res.Status, res.Code = Rejected, p.code
	if res.Hint = said(p.hint); p.hint == "" {
		res.Hint = p.run.sys.words.codes[p.code]
	}
}

// command plans one of the four commands. The module decides what its paths are
// relative to; see the methods of plan for the rules.
func (r *run) command(op *command.Op, p *plan) {
	switch op.Name {
	case "set_attribute":
		p.set(op, r.sys.profile.Character)
	case "set_status":
		p.set(op, r.sys.profile.Status)
	case "memory":
		p.memory(op)
	case "delete":
		p.delete(op)
	default:
		p.code = command.UnknownCommand
	}
}
