package memvars

import (
	"slices"

	"github.com/talewright/talewright/memvars/tree"
)

// plan is the intended effect of one command. A command is planned completely on the current
// document before its first write, so that a rejected command has changed nothing.
//
// Writes are applied in order. The nodes of a batch are edited in place, so the events are built
// and the old values frozen before the first write.
type plan struct {
	run      *run
	writes   []write       // in the order in which they are applied
	changes  []tree.Change // the events of the writes
	effects  []Effect
	warnings []Warning
	code     Code      // why the command is rejected
	hint     string    // a correction, if there is more to say
	target   tree.Path // the node that the command names, from the root
	series   *series   // the series of summary.small that gets a new entry, nil if none does
}

// reject records why the command fails. It returns false so that a check can return it.
func (p *plan) reject(code Code) bool {
	p.code = code
	return false
}

// warn adds warnings; rejected commands report them too.
func (p *plan) warn(w ...Warning) { p.warnings = append(p.warnings, w...) }

// put plans to write v over old, with a change. The path is kept, so callers pass their own slice.
func (p *plan) put(at tree.Path, old, v tree.Value) bool {
	return p.putContent(tree.Place{Path: at, Value: old}, v)
}

// putContent is put for a place whose content is replaced.
func (p *plan) putContent(at tree.Place, v tree.Value) bool {
	slot := at.Slot()
	if !p.checkDepth(slot, v) {
		return false
	}
	p.writes = append(p.writes, write{kind: put, path: slot, value: v})
	p.addChange(tree.Change{Path: at.Path, Old: at.Content(), New: v})
	return true
}

// build plans to write v at a destination that does not exist yet, with its missing parents.
func (p *plan) build(dest target, v tree.Value) bool {
	return p.put(dest.At, dest.Old, nest(dest.Rest, v))
}

// checkDepth rejects a value that would nest the document too deep.
func (p *plan) checkDepth(at tree.Path, v tree.Value) bool {
	if v.Deeper(tree.MaxDepth - len(at)) {
		p.setHint(tree.ErrDepth.Error())
		return p.reject(BadPath)
	}
	return true
}

// remove plans to delete a node, with a change.
func (p *plan) remove(at tree.Path, old tree.Value) {
	p.writes = append(p.writes, write{kind: remove, path: at})
	p.addChange(tree.Change{Path: at, Old: old})
}

// addChange plans a change without a write, for example one of the two changes of a move.
func (p *plan) addChange(c tree.Change) {
	c.Path = slices.Clone(c.Path)
	c.By = p.run.cause
	p.changes = append(p.changes, c)
}

// commit applies a plan.
func (r *run) commit(p *plan) {
	for _, c := range p.changes {
		r.edit.Freeze(c.Old)
	}
	for _, e := range p.effects {
		r.edit.Freeze(e.Data)
	}
	for _, w := range p.writes {
		r.write(w)
	}
	r.updateSeries(p)
	if r.result.Changes == nil && len(p.changes) > 0 {
		r.result.Changes = make([]tree.Change, 0, max(r.commands, len(p.changes)))
	}
	r.result.Changes = append(r.result.Changes, p.changes...)
	r.writes, r.events = p.writes, p.changes
	r.result.Effects = append(r.result.Effects, p.effects...)
}

// write applies one write of a checked plan.
func (r *run) write(w write) {
	switch w.kind {
	case put:
		r.put(w.path, w.value)
	case remove:
		r.remove(w.path)
	case rename:
		r.rename(w.path, w.key)
	}
}

// paths lists the places that a plan writes to.
func (p *plan) paths() []tree.Path {
	out := make([]tree.Path, 0, len(p.writes))
	for _, w := range p.writes {
		if out = append(out, w.path); w.kind == rename {
			out = append(out, w.path[:len(w.path)-1].Child(w.key))
		}
	}
	return out
}

// guards reports whether v is protected or has protected nodes, to the depth that the options set.
func (s *System) guards(v tree.Value) bool { return guards(v, s.options.ProtectDepth == "deep") }

// liftsFlag reports whether writing v at path would remove the protection of a protected node. The
// model may not do that.
func (p *plan) liftsFlag(path tree.Path, v tree.Value) bool {
	n := len(path) - 1
	return n > 0 && path[n] == "_is_protected" && p.run.actor == AI && !truthy(v) &&
		protected(p.run.edit.Peek(path[:n]))
}

// updateSeries updates the cached entries of summary.small after a plan was applied.
func (r *run) updateSeries(p *plan) {
	if p.series != nil && len(p.writes) == 1 {
		p.series.add(p.writes[0].value)
		return
	}
	if r.series == nil {
		return
	}
	small := withinModule(r.sys.profile.Assets, r.sys.profile.Small)
	for _, w := range p.writes {
		if w.path.HasPrefix(small) || small.HasPrefix(w.path[:len(w.path)-1]) {
			r.series = nil
		}
	}
}

// longNumber reports whether a value is a number that is too long to compute with.
func longNumber(v tree.Value) bool {
	n, ok := v.AsNumber()
	return ok && len(n) > tree.MaxDigits
}
