package memvars

import (
	"cmp"
	"slices"

	"github.com/talewright/talewright/memvars/tree"
)

// dialectHint returns the hint for a code of a dialect.
func (s *System) dialectHint(d Dialect, code Code) string {
	if h, ok := d.(Hinter); ok {
		return h.Hint(code, s.options.Hints)
	}
	return ""
}

// maxWritten limits the nodes of the values that commands of dialects write in one message. The
// content of a message is always smaller; but a dialect that copies nodes could make a document too
// large for memory from a few words. Commands beyond the limit are rejected with [TooMany].
const maxWritten = 1 << 20

// runDialect runs a command of a dialect. The dialect writes itself, so the plan has only the
// changes, and the batch is undone if the command is refused. It reports whether something changed.
func (r *run) runDialect(op *Op, p *plan) (changed bool) {
	r.series = nil // a dialect may write there too
	i := slices.IndexFunc(r.sys.options.Dialects, func(d Dialect) bool { return d.Name() == op.Dialect })
	if i < 0 {
		return p.reject(UnknownCommand)
	}
	mark := r.edit.Mark()
	dialect := r.sys.options.Dialects[i]
	out := dialect.Run(r.edit, *op, r.actor, r.sys.gate)
	p.code, p.hint = out.Code, out.Hint
	p.warn(out.Warnings...)
	if p.code == "" {
		changed = r.checkDialectWrites(mark, p)
	}
	if p.code != "" {
		r.edit.Undo(mark)
		switch {
		case p.hint != "":
		case len(out.Missing) > 0:
			p.hint = r.suggest(out.Missing)
		default:
			p.hint = r.sys.dialectHint(dialect, p.code)
		}
		return false
	}
	return changed
}

// checkDialectWrites checks what a dialect wrote since the mark, and records the changes.
func (r *run) checkDialectWrites(mark tree.Mark, p *plan) (changed bool) {
	written := r.edit.Since(mark)
	changes := smallestChanges(written)
	for _, c := range changes {
		r.writtenNodes += c.New.Size(maxWritten - r.writtenNodes)
	}
	if r.writtenNodes >= maxWritten {
		return p.reject(TooMany)
	}
	for _, c := range changes {
		if c.New.Exists() && !p.checkDepth(c.Path, c.New) {
			return false
		}
	}
	touched := r.touches(changes)
	var declared writtenVariables
	r.edit.AsOf(mark, func() {
		if p.code = r.checkDialectTouches(touched); p.code == "" && r.sys.gate != nil {
			declared = p.oldVariables(changes)
		}
	})
	if p.code != "" {
		return false
	}
	adjusted, ok := p.checkWritten(declared)
	if !ok {
		return false
	}
	for _, c := range written {
		if c.Old.Exists() != c.New.Exists() || !c.Old.Equal(c.New) {
			c.Old, c.New = r.edit.Freeze(c.Old), r.edit.Freeze(c.New)
			p.addChange(c)
		}
	}
	if adjusted {
		p.changes = r.currentChanges(p.changes)
	}
	return len(p.changes) > 0
}

// smallestChanges splits changes into their smallest parts. If an object replaces an object, the
// parts are the members that differ.
func smallestChanges(changes []tree.Change) []tree.Change {
	out := make([]tree.Change, 0, len(changes))
	for _, c := range changes {
		out = append(out, c.Parts()...)
	}
	return out
}

// Check checks the changes that a different writer made to a document for an actor. It is for
// writers in languages that are not dialects of this package. The same rules apply as to commands.
// Check returns the document with declared variables in their stored form. On a refusal all changes
// are discarded. Check each write separately: a refused write discards the others with it.
func (s *System) Check(before, after tree.Document, by Actor) (tree.Document, *Refusal) {
	r := newRun(s, before, by)
	mark := r.edit.Mark()
	if err := r.edit.Set(nil, after.Root()); err != nil {
		return before, &Refusal{Code: BadPath, Text: s.codeHint(BadPath)} // not reached: it is an object
	}
	p := plan{run: r}
	if r.checkDialectWrites(mark, &p); p.code != "" {
		return before, &Refusal{Code: p.code, Text: cmp.Or(p.hint, s.codeHint(p.code))}
	}
	out, _ := r.finish(before)
	for _, d := range s.options.Dialects {
		c, ok := d.(conformer)
		if !ok || by != Host {
			continue
		}
		var err error
		if out, err = c.Conform(before, out); err != nil {
			return before, &Refusal{Code: TypeMismatch, Text: err.Error()}
		}
	}
	return out, nil
}

// conformer is a dialect with a schema for its part of the document.
type conformer interface {
	// Conform returns the document after a write in the form of the schema.
	Conform(before, after tree.Document) (tree.Document, error)
	// Types reports whether the schema decides about the values at a path. Then no list is a leaf.
	Types(path tree.Path) bool
}
