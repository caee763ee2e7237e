package memvars

import "github.com/talewright/talewright/memvars/tree"

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
	Find(text string) []Op
	// Run carries out one command that Find returned. If the outcome has a code,
	// what it wrote is taken back. g gives names to declared variables; nil: there are
	// none. What may be written to them is looked at afterwards.
	Run(e *tree.Edit, op Op, by Actor, g Gate) Outcome
}

// Outcome is what a dialect's command did.
type Outcome struct {
	Changes  []tree.Change
	Warnings []Warning
	Code     Code   // why the command was rejected, "" if it was not
	Hint     string // what would have been right
}

// maxHeld bounds the elements and members in the old and new values of what the commands
// of dialects tell in one message: a thousand insertions into one list would hold a
// thousand lists. Those beyond it are rejected with [TooMany].
const maxHeld = 1 << 20

// foreign runs a command of a dialect. The dialect writes for itself, so the
// plan holds only what to tell. It returns the root as it was before.
func (r *run) foreign(op *Op, p *plan) tree.Value {
	before := r.edit.Document()
	if r.held > maxHeld {
		p.code = TooMany
		return before.Root()
	}
	r.numbered = nil // a dialect may write there too
	for _, d := range r.sys.dialects {
		if d.Name() != op.Dialect {
			continue
		}
		out := d.Run(r.edit, *op, r.actor, r.sys.gate)
		if out.Code == "" {
			after := r.edit.Document()
			if code := r.checkForeign(before, after); code != "" {
				out = Outcome{Code: code}
			} else if changes, ok := r.admitForeign(before, after, out.Changes, p); ok {
				out.Changes = changes
			} else {
				out = Outcome{Code: p.code, Hint: p.hint}
			}
		}
		p.code, p.hint = out.Code, out.Hint
		p.warn(out.Warnings...)
		if out.Code != "" {
			*r.edit = *before.Edit()
		}
		for _, c := range out.Changes {
			p.tell(c)
			r.held += c.Old.Len() + c.New.Len()
		}
		return before.Root()
	}
	p.code = UnknownCommand
	return before.Root()
}
