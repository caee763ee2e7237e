package memvars

import (
	"slices"
	"strconv"
	"strings"

	"github.com/talewright/talewright/internal/utf8text"
	"github.com/talewright/talewright/memvars/tree"
)

// Apply reads the commands in a message and runs them in the order of the text, each completely or
// not at all. [System.Apply] describes the rules. This one-liner compiles the options first and
// reports their mistakes in Result.Problems.
func Apply(d tree.Document, text string, by Actor, o Options) (tree.Document, Result) {
	s, problems := Compile(o)
	if problems.Err() != nil {
		return d, Result{Problems: problems}
	}
	return s.Apply(d, text, by)
}

// Parse finds the commands in a message: commands of this package and of the dialects in the
// options. They are in the order of their positions. Commands with mistakes in their text are
// included, with a [Fault]. Commands in the model's reasoning are not. The work is linear in the
// length of the message.
//
// The commands of dialects count only at the places of commands of this language: not in the model's
// reasoning, and only inside command blocks if the options require it. If two commands overlap, the
// one that begins first is kept. A byte that is not UTF-8 is replaced by a question mark: a document
// with it could not be written and read back.
func (s *System) Parse(text string) []Op {
	text = utf8text.Mend(text)
	ops := s.findCalls(text)
	for _, d := range s.options.Dialects {
		ops = merge(ops, opsWithin(d.Find(text), s.commandParts(text)))
	}
	return ops
}

// Passages finds the parts of a message that are only for the engine. These are commands of this
// package and of the dialects, and command blocks with all their content ([Options].BlockTags,
// patches, <Analysis>). A tag without its partner is a separate passage, unless it begins a patch,
// or an analysis in a block: then the text up to the next tag belongs to it. The lines of a code
// fence in a block without an end are passages too. The passages are in the order of the text and
// do not overlap.
func (s *System) Passages(text string) []Passage {
	return s.passages(text, s.Parse(text))
}

// Shown returns a message in the form for players: without its passages, and without the lines that
// had nothing else. Unreadable calls stay, because their end is unknown. Reasoning is not removed:
// this package does not know who may read it.
func (s *System) Shown(text string) string { return shownText(text, s.Passages(text)) }

// Apply runs the commands in a message. In this order:
//
//  1. Each command is checked completely, then written or rejected. After a command that changed
//     something, used-up items are removed from the inventory.
//  2. Derived fields are recomputed, then the difficulty is limited by the level of the world.
//
// With on_error "abort" one rejected command restores the document as it was. If nothing changed,
// the same version is returned (see [tree.Document.Same]).
func (s *System) Apply(d tree.Document, text string, by Actor) (tree.Document, Result) {
	return s.ApplyOps(d, s.Parse(text), by, text)
}

// ApplyOps runs commands that were parsed before, for example after a host removed some of them.
// text is the message of the commands, used to quote rejected commands. It may be empty.
//
// The causes of changes are cmd:0, cmd:1 and so on, by index in ops.
func (s *System) ApplyOps(d tree.Document, ops []Op, by Actor, text string) (tree.Document, Result) {
	r := newRun(s, d, by)
	r.commands = len(ops)
	if len(ops) > 0 {
		r.result.Calls = make([]CallResult, 0, len(ops))
	}
	restore := func() {}
	if len(ops) > 0 {
		restore = r.hide(d)
	}
	for i := range ops {
		op := &ops[i]
		res := CallResult{
			Op: op.Name, Line: op.Pos.Line, Col: op.Pos.Col, Offset: op.Pos.Offset,
			Reason: op.Reason,
		}
		r.cause = cause(i)
		r.runOp(op, &res)
		if res.Status == Rejected {
			res.Near = near(text, op)
		}
		r.result.Calls = append(r.result.Calls, res)
		if res.Status == Rejected && s.options.OnError == "abort" {
			return d, aborted(r.result.Calls, ops, i)
		}
	}
	restore()
	r.derive()
	r.limitDifficulty()
	return r.finish(d)
}

// cause returns the cause in the changes of a command.
func cause(i int) string { return "cmd:" + strconv.Itoa(i) }

// aborted returns the result of a message that was rolled back. The failed command keeps its code.
// Commands before it are marked as undone, commands after it as not tried. Warnings of undone
// commands are dropped.
func aborted(calls []CallResult, ops []Op, failed int) Result {
	for i, op := range ops {
		if i > failed {
			calls = append(calls, CallResult{
				Op: op.Name, Line: op.Pos.Line, Col: op.Pos.Col, Offset: op.Pos.Offset,
				Reason: op.Reason,
			})
		}
		if i != failed {
			calls[i].Status, calls[i].Code, calls[i].Warnings = Rejected, Aborted, nil
		}
	}
	return Result{Calls: calls}
}

// maxNear limits the quoted text of a rejected command, in bytes.
const maxNear = 80

// near quotes the text of a command for the feedback to the model. It is cut at a character
// boundary so that it stays valid UTF-8.
func near(text string, op *Op) string {
	from, to := op.Pos.Offset, max(op.End, op.Pos.Offset)
	if from < 0 || to > len(text) {
		return ""
	}
	s := utf8text.Mend(text[from:to])
	if len(s) > maxNear {
		s = utf8text.Cut(s, maxNear) + "…"
	}
	return strings.Clone(strings.TrimSpace(s))
}

// runOp checks and runs one command.
func (r *run) runOp(op *Op, res *CallResult) {
	if op.Fault != nil {
		res.Status, res.Code = Rejected, op.Fault.Code
		if op.Fault.At.Line > 0 {
			res.At = new(op.Fault.At)
		}
		res.Hint = r.sys.codeHint(op.Fault.Code)
		return
	}
	p := plan{run: r, writes: r.writes[:0], changes: r.events[:0]}
	changed := false
	var places []tree.Path // of declared variables that are written
	for i := range op.Args {
		p.warn(op.Args[i].Warnings...)
	}
	if op.Dialect == "" {
		if r.planOp(op, &p); p.code == "" && p.allowed(op) && r.sys.gate != nil {
			places = p.checkPlan()
		}
	} else {
		changed = r.runDialect(op, &p)
	}
	slices.Sort(p.warnings)
	res.Warnings = slices.Compact(p.warnings)
	if p.code != "" && p.code != NotFound {
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
	case !r.commitAndCheck(&p, places):
		rejected(&p, res)
		return
	default:
		res.Warnings = slices.Compact(slices.Sorted(slices.Values(p.warnings)))
		if len(r.result.Changes) == changed && len(p.effects) == 0 {
			res.Status = Unchanged
		}
	}
	if op.Dialect != "" {
		r.sweepInventory()
	} else {
		r.sweepWritten(&p)
	}
	res.Hint = cut(p.hint) // about parts of the command that had no effect
}

// rejected writes to the result why a plan is not applied.
func rejected(p *plan, res *CallResult) {
	res.Status, res.Code = Rejected, p.code
	if res.Hint = cut(p.hint); p.hint == "" {
		res.Hint = p.run.sys.codeHint(p.code)
	}
}

// planOp plans one of the four commands. The module is the root of its paths. The methods of plan
// describe the rules.
func (r *run) planOp(op *Op, p *plan) {
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
		p.code = UnknownCommand
	}
}
