package memvars

import (
	"slices"

	"github.com/talewright/talewright/memvars/command"
	"github.com/talewright/talewright/memvars/tree"
)

// Dialect is a further command language that is read from the same messages and
// works on the same document. Its commands run in the order of their positions,
// mixed with those of this package.
//
// A Dialect must be safe for concurrent use and must decide by its arguments
// alone.
type Dialect interface {
	// Name is what Op.Dialect holds for the commands of this dialect.
	Name() string
	// Find returns the commands in a message in the order of their positions. Each
	// has a Dialect, a Pos and an End.
	Find(text string) []command.Op
	// Run carries out one command that Find returned. If the outcome has a code,
	// what it wrote is taken back. g gives names to declared variables; nil: there are
	// none. What may be written to them is looked at afterwards.
	Run(e *tree.Edit, op command.Op, by Actor, g Gate) Outcome
}

// Outcome is what became of a dialect's command. What it changed is seen in the batch.
type Outcome struct {
	Warnings []command.Warning
	Code     command.Code // why the command was rejected, "" if it was not
	Hint     string       // what would have been right, if the language has more to say than [Hinter]
	// Missing is a path from the root at which the command looked and nothing is: the hint
	// names a key that may have been meant. nil: it is about nothing of the kind.
	Missing tree.Path
}

// Hinter is what a [Dialect] may be beside: it says what its codes ask for, in a language of
// [Options].Hints. "" leaves it to this package.
type Hinter interface {
	Hint(code command.Code, language string) string
}

// hint is what is said about a code of a dialect.
func (s *System) hint(d Dialect, code command.Code) string {
	if h, ok := d.(Hinter); ok {
		return h.Hint(code, s.language)
	}
	return ""
}

// maxWritten bounds the nodes of the values that commands of dialects write in one message.
// What stands in the message is always less; a language that copies nodes could make of a few
// words a document that no memory holds. Commands beyond it are rejected with [command.TooMany].
const maxWritten = 1 << 20

// foreign runs a command of a dialect. The dialect writes for itself, so the plan holds only
// what to tell, and the batch goes back where the command is refused. It reports whether
// something changed.
func (r *run) foreign(op *command.Op, p *plan) (changed bool) {
	r.numbered = nil // a dialect may write there too
	i := slices.IndexFunc(r.sys.dialects, func(d Dialect) bool { return d.Name() == op.Dialect })
	if i < 0 {
		return p.reject(command.UnknownCommand)
	}
	mark := r.edit.Mark()
	dialect := r.sys.dialects[i]
	out := dialect.Run(r.edit, *op, r.actor, r.sys.gate)
	p.code, p.hint = out.Code, out.Hint
	p.warn(out.Warnings...)
	if p.code == "" {
		changed = r.judgeForeign(mark, p)
	}
	if p.code != "" {
		r.edit.Undo(mark)
		switch {
		case p.hint != "":
		case len(out.Missing) > 0:
			p.hint = r.suggest(out.Missing)
		default:
			p.hint = r.sys.hint(dialect, p.code)
		}
		return false
	}
	return changed
}

// judgeForeign decides about what a dialect has written since the mark, and tells of it.
func (r *run) judgeForeign(mark tree.Mark, p *plan) (changed bool) {
	written := r.edit.Since(mark)
	changes := parts(written)
	for _, c := range changes {
		r.written += c.New.Size(maxWritten - r.written)
	}
	if r.written >= maxWritten {
		return p.reject(command.TooMany)
	}
	for _, c := range changes {
		if c.New.Exists() && !p.fits(c.Path, c.New) {
			return false
		}
	}
	touched := r.touches(changes)
	var declared variables
	r.edit.AsOf(mark, func() {
		if p.code = r.checkForeign(touched); p.code == "" && r.sys.gate != nil {
			declared = p.declaredIn(changes)
		}
	})
	if p.code != "" {
		return false
	}
	adjusted, ok := p.admit(declared)
	if !ok {
		return false
	}
	for _, c := range written {
		if c.Old.Exists() != c.New.Exists() || !c.Old.Equal(c.New) {
			c.Old, c.New = r.edit.Freeze(c.Old), r.edit.Freeze(c.New)
			p.tell(c)
		}
	}
	if adjusted {
		p.changes = r.retold(p.changes)
	}
	return len(p.changes) > 0
}

// parts are changes in their smallest parts: of an object that replaces another the members
// that differ.
func parts(changes []tree.Change) []tree.Change {
	out := make([]tree.Change, 0, len(changes))
	for _, c := range changes {
		out = append(out, c.Parts()...)
	}
	return out
}
