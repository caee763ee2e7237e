package memvars

import (
	"slices"

	"github.com/talewright/talewright/memvars/command"
	"github.com/talewright/talewright/memvars/tree"
)

// plan is what one command is going to do. A command is planned completely
// against the present document before its first write, so that a rejected one
// has changed nothing.
//
// Writes are carried out in their order. The nodes of a batch are edited in place,
// so the events are made, and the old values frozen, before the first of them.
type plan struct {
	run      *run
	writes   []write
	changes  []tree.Change
	effects  []Effect
	warnings []command.Warning
	code     command.Code // why the command is rejected
	hint     string       // what would have been right, if there is more to say
	target   tree.Path    // what the command names, from the root
	next     *series      // of which the first free key is written, nil if none is
}

type writeKind uint8

const (
	put    writeKind = iota // set value at path
	remove                  // delete path
	rename                  // give the member at path the key
)

type write struct {
	kind  writeKind
	path  tree.Path
	value tree.Value
	key   string
}

// reject notes why the command fails. It returns false so that a check can end
// with it.
func (p *plan) reject(code command.Code) bool {
	p.code = code
	return false
}

// warn adds remarks; they are told of rejected commands too.
func (p *plan) warn(w ...command.Warning) { p.warnings = append(p.warnings, w...) }

// put plans to write v and tells of it. Paths are kept, so callers hand over
// slices of their own.
func (p *plan) put(at tree.Path, v tree.Value, c tree.Change) bool {
	if !p.fits(at, v) {
		return false
	}
	p.writes = append(p.writes, write{kind: put, path: at, value: v})
	p.tell(c)
	return true
}

// fits rejects a value that would nest the document too deep.
func (p *plan) fits(at tree.Path, v tree.Value) bool {
	if v.Deeper(tree.MaxDepth - len(at)) {
		p.hint = p.run.sys.words.tooDeep
		return p.reject(command.BadPath)
	}
	return true
}

// remove plans to delete a node and tells of it.
func (p *plan) remove(at tree.Path, old tree.Value) {
	p.writes = append(p.writes, write{kind: remove, path: at})
	p.tell(tree.Change{Path: at, Old: old})
}

// tell plans an event without a write of its own, as the two of a move.
func (p *plan) tell(c tree.Change) {
	c.Path = slices.Clone(c.Path)
	c.By = p.run.cause
	p.changes = append(p.changes, c)
}

// commit carries out a plan.
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
	r.keepNumbers(p)
	r.result.Changes = append(r.result.Changes, p.changes...)
	r.result.Effects = append(r.result.Effects, p.effects...)
}

// write carries out one write of a checked plan. An error would be a mistake in
// the check; it becomes a note, and the fuzz tests look for notes.
func (r *run) write(w write) {
	var err error
	switch w.kind {
	case put:
		err = r.edit.Set(w.path, w.value)
	case remove:
		err = r.edit.Delete(w.path)
	case rename:
		err = r.edit.Rename(w.path, w.key)
	}
	if err != nil {
		r.note("edit", w.path, err.Error())
	}
}

// protected reports whether a node carries the flag that guards it.
func protected(v tree.Value) bool {
	return v.IsObject() && truthy(v.Get("_is_protected"))
}

// truthy is how flags are read: true, or the text true in any case.
func truthy(v tree.Value) bool {
	if b, ok := v.AsBool(); ok {
		return b
	}
	s, _ := v.AsText()
	return equalFoldASCII(s, "true")
}

// equalFoldASCII compares with a text in lower case.
func equalFoldASCII(s, lower string) bool {
	if len(s) != len(lower) {
		return false
	}
	for i := range len(s) {
		c := s[i]
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c != lower[i] {
			return false
		}
	}
	return true
}

// guards reports whether v is protected or holds protected nodes, as deep as the
// options look.
func (s *System) guards(v tree.Value) bool {
	if protected(v) {
		return true
	}
	for i := range v.Len() {
		child := v.At(i)
		if protected(child) || s.protectDeep && s.guards(child) {
			return true
		}
	}
	return false
}

// liftsFlag reports whether writing v at path would take the protection of a
// protected node, which only others than the model may do.
func (p *plan) liftsFlag(path tree.Path, v tree.Value) bool {
	n := len(path) - 1
	return n > 0 && path[n] == "_is_protected" && p.run.actor == AI && !truthy(v) &&
		protected(p.run.edit.Peek(path[:n]))
}
