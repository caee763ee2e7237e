package memvars

import (
	"sort"
	"strings"

	"github.com/talewright/talewright/internal/utf8text"
	"github.com/talewright/talewright/memvars/tree"
)

// set plans set_attribute and set_status. They have two or three arguments: the last is the new
// value, the middle one the old value.
//
// The checks, in this order, each with its rejection code:
//
//  1. the number of arguments (bad_arity) and the grammar of the path (bad_path,
//     wrong_module);
//  2. the rules of the host (permission_denied);
//  3. the value (bad_json, placeholder_write);
//  4. whether the path leads anywhere (path_not_found, index_out_of_range): set commands create
//     nothing unless auto_create is set. A variable that is hidden from the actor does not exist;
//  5. whether the place may be written (description_readonly, readonly_derived,
//     readonly_auto);
//  6. the old value, if the options check it (old_mismatch);
//  7. what is protected (protected), and the type (type_mismatch).
func (p *plan) set(op *Op, module string) {
	if len(op.Args) < 2 || len(op.Args) > 3 {
		p.reject(BadArity)
		return
	}
	full, named, ok := p.place(&op.Args[0], module)
	if !ok || !p.setTarget(op, full) {
		return
	}
	v, ok := p.argValue(&op.Args[len(op.Args)-1])
	if !ok {
		return
	}
	at, code := p.run.sys.find(p.run.root(), full)
	switch {
	case code == "":
		p.write(op, at, v)
	case code != PathNotFound:
		p.reject(code)
	case p.run.sys.options.AutoCreate || named:
		p.create(full, v)
	default:
		p.hint = p.run.suggest(full)
		p.reject(code)
	}
}

// place returns the node that the first argument names: a declared variable, or else a path in the
// module.
func (p *plan) place(a *Arg, module string) (full tree.Path, named, ok bool) {
	if !a.Quoted && (a.Code != "" || a.Value.IsObject() || a.Value.IsArray()) {
		p.setHint("the first argument is the path of a field")
		p.reject(BadPath)
		return nil, false, false
	}
	if full, named = p.declaredPath(module, a.Text); named {
		return full, true, true
	}
	path, ok := p.argPath(module, a.Text)
	return withinModule(module, path), false, ok
}

// write plans a new value for an existing place.
func (p *plan) write(op *Op, at tree.Place, v tree.Value) {
	switch code := p.run.readonly(at.Path); {
	case p.run.sys.profile.Description(p.run.root(), at):
		p.reject(DescriptionReadonly)
	case code != "":
		p.reject(code)
	case len(op.Args) == 3 && !p.oldMatches(&op.Args[1], at):
		p.reject(OldMismatch)
	case p.liftsFlag(at.Path, v):
		p.reject(ProtectedNode)
	default:
		p.fill(at, v)
	}
}

// oldMatches compares the old value in the command. A literal 0 is the documented placeholder and
// matches every value.
func (p *plan) oldMatches(a *Arg, at tree.Place) bool {
	current := at.Content()
	if p.run.sys.options.CheckOld == "ignore" || a.Text == "0" && !a.Quoted {
		return true
	}
	given, isGivenNumber := numeric(a.Value)
	currentNumber, isCurrentNumber := numeric(current)
	if a.Value.Equal(current) || isGivenNumber && isCurrentNumber && given.Cmp(currentNumber) == 0 {
		return true
	}
	if p.run.sys.options.CheckOld == "warn" {
		p.warn(WarnOldMismatch)
		return true
	}
	if p.run.sees(at.Path) {
		p.setHint("the current value is %s", at.Content().String())
	}
	return false
}

// create plans to add a missing field and its missing parent objects.
func (p *plan) create(full tree.Path, v tree.Value) {
	if dest := p.run.destination(full); dest.Code != "" {
		p.reject(dest.Code)
	} else {
		p.build(dest, v)
	}
}

// fill plans to write v into a place. Objects only fill existing members.
func (p *plan) fill(at tree.Place, v tree.Value) bool {
	current := at.Content()
	if at.Leaf {
		v = echoed(current, v)
	}
	if current.IsObject() && v.IsObject() {
		return p.fillObject(at, v)
	}
	v, ok := p.fit(current, v, at.Leaf)
	switch {
	case !ok:
		if p.run.sees(at.Path) {
			p.setHint("the field holds %s", p.run.sys.hintf(kindNouns[current.Kind()]))
		}
		return p.reject(TypeMismatch)
	case current.Equal(v):
		return true
	case p.run.sys.guards(current):
		return p.reject(ProtectedNode)
	}
	return p.putContent(at, v)
}

// fillObject plans to write the members of v over the members of an object. Nothing is added.
// Unknown, computed and protecting members are left out with a warning. A member of a wrong type
// rejects the whole command.
func (p *plan) fillObject(at tree.Place, v tree.Value) bool {
	prof := &p.run.sys.profile
	slot := at.Slot()
	current := at.Content()
	for key, child := range v.Members() {
		old := current.Get(key)
		if !old.Exists() {
			p.warn(WarnSkippedKeys)
			continue
		}
		path := slot.Child(key)
		if p.run.readonly(path) != "" {
			p.warn(WarnSkippedReadonly)
			continue
		}
		if key == "_is_protected" && p.liftsFlag(path, child) {
			p.warn(WarnProtectedFlag)
			continue
		}
		if !p.fill(tree.Place{Path: path, Value: old, Leaf: prof.IsLeaf(path, old)}, child) {
			return false
		}
	}
	return true
}

// echoed returns the value of a pair: models repeat the whole leaf that they were shown.
//
// Only a leaf whose value is not a list is ambiguous in this way. The old description stays. A
// description by the model is ignored.
func echoed(current, v tree.Value) tree.Value {
	if v.IsArray() && !current.IsArray() && (v.Len() == 1 || v.IsPair()) {
		return v.At(0)
	}
	return v
}

// fit converts v to the type of the current value and reports whether it may replace it.
//
// A number accepts a number or a text that reads as a number. A boolean accepts a boolean or its
// name. A list accepts a list, and an object accepts an object. A text accepts any scalar. It
// accepts a container only if the text is empty or is the value of a leaf. Null may be written
// everywhere, and every value may replace null. Without strict types any scalar may replace any
// scalar, but containers may not.
func (p *plan) fit(current, v tree.Value, leaf bool) (tree.Value, bool) {
	s := p.run.sys
	if sum, ok := p.delta(current, v); ok {
		return sum, true
	}
	v = s.coerced(current, v)
	from, to := v.Kind(), current.Kind()
	if from == tree.KindNull || to == tree.KindNull || from == to {
		return v, true
	}
	switch to {
	case tree.KindNumber, tree.KindBool:
		return v, !*s.options.StrictTypes && from != tree.KindArray && from != tree.KindObject
	case tree.KindText:
		if from == tree.KindArray || from == tree.KindObject {
			text, _ := current.AsText()
			return v, text == "" || leaf
		}
		return v, true
	}
	return v, false
}

// delta reads a text such as '+5' for a number as an increment, if the option is set.
func (p *plan) delta(current, v tree.Value) (tree.Value, bool) {
	n, isNum := current.AsNumber()
	text, isText := v.AsText()
	text = strings.TrimSpace(text)
	if !p.run.sys.options.SignedDelta || !isNum || !isText || text == "" || text[0] != '+' && text[0] != '-' {
		return tree.Value{}, false
	}
	d, ok := tree.ParseNumber(strings.TrimPrefix(text, "+"))
	if !ok {
		return tree.Value{}, false
	}
	return tree.Num(n.Add(d)), true
}

// coerced converts a text to the type of the value that it replaces.
func (s *System) coerced(current, v tree.Value) tree.Value {
	text, ok := v.AsText()
	if !ok || s.options.Coerce == "none" {
		return v
	}
	text = strings.TrimSpace(text)
	_, onBool := current.AsBool()
	_, onNumber := current.AsNumber()
	switch {
	case (onNumber || s.options.Coerce == "numeric_strings") && len(text) <= tree.MaxDigits && tree.Number(text).Valid():
		return tree.Num(tree.Number(text))
	case onBool && (text == "true" || text == "false"):
		return tree.Bool(text == "true")
	}
	return v
}

// maxSuggest limits the keys that are compared for a suggestion.
const maxSuggest = 200

// suggest returns the existing key that is nearest to the first missing key of a path. It never
// names a key that is hidden from the actor; see [run.sees].
func (r *run) suggest(full tree.Path) string {
	n := sort.Search(len(full)-1, func(n int) bool { // a path may have very many segments
		_, code := r.sys.find(r.root(), full[:n+1])
		return code != ""
	})
	at, _ := r.sys.find(r.root(), full[:n])
	holder := at.Content()
	if !r.sees(at.Slot()) {
		return ""
	}
	var known []string
	for i := range min(holder.Len(), maxSuggest) {
		if key := holder.KeyAt(i); key != "" && r.seesKey(at.Slot(), holder, key) {
			known = append(known, key)
		}
	}
	if best, ok := utf8text.Suggest(full[n], known); ok {
		return r.sys.hintf("did you mean %q?", best)
	}
	return r.sys.hintf("%q does not exist", full[n])
}
