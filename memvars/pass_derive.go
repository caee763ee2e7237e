package memvars

import (
	"slices"

	"github.com/talewright/talewright/memvars/tree"
)

// derive recomputes the derived fields: first the part of each attribute above eight, then the
// formulas in their order.
//
// It runs after every message, also if no input changed. So the next message corrects a document
// that was edited by hand or loaded with stale values. Only different values are written. Targets
// are never created: a character without the field is of a kind that does not have it.
func (r *run) derive() {
	sheet := r.root().Get(r.sys.profile.Character)
	if !r.sys.derives || !sheet.IsObject() {
		return
	}
	r.deriveLegends(sheet.Lookup(r.sys.profile.Attributes))
	for i := range r.sys.formulas {
		r.deriveField(&r.sys.formulas[i])
	}
}

// legendFrom is the base value above which an attribute is legendary.
const legendFrom = tree.Number("8")

// deriveLegends computes the legendary part of every attribute that has such a field. It runs before the
// formulas, because they may refer to it by path.
func (r *run) deriveLegends(attributes tree.Value) {
	p := &r.sys.profile
	for group, members := range attributes.Members() {
		for name, attr := range members.Members() {
			if !attr.Get(p.Legend).Exists() {
				continue
			}
			path := append(withinModule(p.Character, p.Attributes), group, name, p.Base)
			base, ok := r.number(path)
			if !ok {
				continue
			}
			path[len(path)-1] = p.Legend
			above := base.Sub(legendFrom)
			if above.Cmp("0") < 0 {
				above = "0"
			}
			r.update(path, tree.Num(above), "derived")
		}
	}
}

// deriveField computes one derived field. A missing input or target is not an error: characters of
// other systems do not have all of them.
func (r *run) deriveField(f *compiledFormula) {
	target := r.target(f)
	if target == nil {
		// A character without the section is of a different kind, so no note is written.
		if r.edit.Kind(withinModule(r.sys.profile.Character, r.sys.profile.Derived)) != tree.Absent {
			r.note("derived", f.targets[0], "no such field")
		}
		return
	}
	n, err := f.expr.Eval(r.input)
	if err != nil {
		r.note("derived", target, err.Error())
		return
	}
	r.update(target, tree.Num(rounded(n, f.round)), "derived")
}

// target returns the first target of a formula that exists.
func (r *run) target(f *compiledFormula) tree.Path {
	for _, path := range f.targets {
		if at, err := r.sys.profile.Find(r.root(), path); err == nil && !at.Value.IsObject() {
			return at.Path
		}
	}
	return nil
}

// input returns the value of a name or a path in a formula: an attribute by its base, a skill, a
// member of the derived section, or any path relative to the character. path is nil for a name.
//
// Groups are searched in the order of the document. The derived section comes last; it has fields
// without a formula (the size, 体积), which are inputs.
func (r *run) input(name string, path tree.Path) (tree.Number, bool) {
	p := &r.sys.profile
	switch {
	case path == nil:
		return r.score(name)
	case path[0] == p.Character || path[0] == p.Status || path[0] == p.Assets:
		return r.number(path)
	}
	return r.number(withinModule(p.Character, path))
}

// score returns the value of an attribute, of a skill, or of a member of the derived section.
func (r *run) score(name string) (tree.Number, bool) {
	p := &r.sys.profile
	sheet := r.root().Get(p.Character)
	for group, members := range sheet.Lookup(p.Attributes).Members() {
		if members.Get(name).Exists() {
			return r.number(append(withinModule(p.Character, p.Attributes), group, name, p.Base))
		}
	}
	for group, members := range sheet.Lookup(p.Skills).Members() {
		if members.Get(name).Exists() {
			return r.number(append(withinModule(p.Character, p.Skills), group, name))
		}
	}
	if sheet.Lookup(p.Derived).Get(name).Exists() {
		return r.number(append(withinModule(p.Character, p.Derived), name))
	}
	return "", false
}

// isDerived reports whether models and players may not write the field.
//
// With the default lock, exactly the targets of formulas are locked. Current hit points and similar
// fields are in the same section and must change during play. The lock "segment" locks the whole
// section, for cards that compute everything.
func (r *run) isDerived(path tree.Path) bool {
	p, lock := &r.sys.profile, r.sys.options.DerivedLock
	switch {
	case lock == "off" || path[0] != p.Character:
		return false
	case lock == "segment" && path[1:].HasPrefix(p.Derived):
		return true
	case !r.sys.derives:
		return false
	}
	if n := len(p.Attributes); len(path) == n+4 && path[n+3] == p.Legend &&
		path[1:].HasPrefix(p.Attributes) {
		return true
	}
	for _, i := range r.sys.byTarget[unpaired(path)] {
		if target := r.target(&r.sys.formulas[i]); target != nil && slices.Equal(target, path) {
			return true
		}
	}
	return false
}
