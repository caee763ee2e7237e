package memvars

import (
	"slices"
	"strconv"
	"strings"

	"github.com/talewright/talewright/memvars/command"
	"github.com/talewright/talewright/memvars/profile"
	"github.com/talewright/talewright/memvars/tree"
)

// memory plans the three forms memory(parent, key, value), memory(path, value)
// and memory(from, to).
//
// The second of two arguments decides between the latter two: see destinationPath.
// In the form with three arguments the key is literal and the value never a path,
// so everything can be stored with it.
func (p *plan) memory(op *command.Op) {
	if len(op.Args) < 2 || len(op.Args) > 3 {
		p.reject(command.BadArity)
		return
	}
	assets := p.run.sys.profile.Assets
	if place, named := p.declared(assets, op.Args[0].Text); named {
		p.keep(op, place)
		return
	}
	path, ok := p.path(assets, op.Args[0].Text)
	if !ok {
		return
	}
	last := &op.Args[len(op.Args)-1]
	if len(op.Args) == 2 {
		if to, isMove := p.destinationPath(last); isMove {
			if p.aims(op, profile.Within(assets, to)) && p.aims(op, profile.Within(assets, path)) {
				p.move(path, to)
			}
			return
		}
		if len(path) < 2 {
			p.hint = p.run.sys.words.branchAndKey
			p.reject(command.BadPath)
			return
		}
	} else {
		key := &op.Args[1]
		if !p.key(path, key) {
			return
		}
		path = path.Child(key.Text)
	}
	full := profile.Within(assets, path)
	if !p.aims(op, full) {
		return
	}
	if v, ok := p.value(last); ok && p.mayWriteConfig(full) {
		p.remember(full, v)
	}
}

// keep plans memory on a declared variable, wherever it lives: memory(name, value), or
// memory(name, key, value) for a part of it.
func (p *plan) keep(op *command.Op, place tree.Path) {
	last := &op.Args[len(op.Args)-1]
	if len(op.Args) == 3 {
		key, ok := op.Args[1].Key()
		if !ok {
			p.reject(command.BadKey)
			return
		}
		place = place.Child(key)
	}
	if !p.aims(op, place) {
		return
	}
	if v, ok := p.value(last); ok && p.mayWriteConfig(place) {
		if code := p.run.readonly(place); code != "" {
			p.reject(code)
			return
		}
		if at, code := p.run.sys.find(p.run.root(), place); code == "" && at.Leaf {
			p.fill(at, v)
			return
		}
		p.remember(place, v)
	}
}

// key checks the key argument; see [command.Arg.Key].
func (p *plan) key(parent tree.Path, a *command.Arg) bool {
	key, ok := a.Key()
	if !ok {
		return p.reject(command.BadKey)
	}
	first, _, dotted := strings.Cut(key, ".")
	if dotted {
		holder := p.run.root().Get(p.run.sys.profile.Assets).Lookup(parent)
		if holder.Get(strings.TrimSpace(first)).Exists() {
			p.warn(command.WarnDottedKey)
		}
	}
	return true
}

// target is where a value of the assets goes.
type target struct {
	at    tree.Path  // the place to write: the topmost that does not exist yet
	rest  tree.Path  // the objects to create below it
	old   tree.Value // what is replaced, absent if at does not exist
	exist bool       // the whole path exists
	code  command.Code
}

// destination follows path from the root. Missing objects are to be created, a
// null becomes one; lists take an index or, to append, their length or a dash.
func (r *run) destination(path tree.Path) target {
	at := r.root()
	for i, seg := range path {
		here := path[:i:i]
		switch at.Kind() {
		case tree.KindObject:
			child := at.Get(seg)
			if !child.Exists() {
				return target{at: path[: i+1 : i+1], rest: path[i+1:]}
			}
			at = child
		case tree.KindArray:
			n, isIndex := tree.Index(seg)
			switch {
			case seg == "-" || isIndex && n == at.Len():
				end := append(here, strconv.Itoa(at.Len()))
				return target{at: end, rest: path[i+1:]}
			case !isIndex:
				return target{code: command.NotAContainer}
			case n > at.Len():
				return target{code: command.IndexOutOfRange}
			}
			at = at.At(n)
		case tree.KindNull:
			return target{at: here, rest: path[i:], old: at}
		default:
			return target{code: command.NotAContainer, at: here, rest: path[i:], old: at}
		}
	}
	return target{at: path, old: at, exist: true}
}

// nest wraps a value into the objects that rest names.
func nest(rest tree.Path, v tree.Value) tree.Value {
	for _, key := range slices.Backward(rest) {
		v = tree.Object(tree.Member{Key: key, Value: v})
	}
	return v
}

// remember plans to write v at full, a path from the root.
//
// An object on an object merges: only what is mentioned changes, which is what
// everybody expects who updates one field of a character. Everything else
// replaces, a scalar after coercion to the type of what it replaces. Parents that
// are missing become objects; a text in the way is refused, or wrapped into an
// object by option.
func (p *plan) remember(full tree.Path, v tree.Value) bool {
	s := p.run.sys
	full, known := p.freeKey(full, v)
	if known {
		return true
	}
	d := p.run.destination(full)
	if text, isText := d.old.AsText(); d.code == command.NotAContainer && isText && s.wrapScalar {
		built := tree.Object(tree.Member{Key: "info", Value: tree.Text(text)}, tree.Member{Key: d.rest[0], Value: nest(d.rest[1:], v)})
		return p.put(d.at, built, tree.Change{Path: d.at, Old: d.old, New: built})
	}
	switch {
	case d.code != "":
		return p.reject(d.code)
	case !d.exist:
		built := nest(d.rest, v)
		return p.put(d.at, built, tree.Change{Path: d.at, Old: d.old, New: built})
	case p.liftsFlag(d.at, v):
		return p.reject(command.ProtectedNode)
	case d.old.IsObject() && v.IsObject() && s.merge != "replace":
		return p.mergeInto(d.at, d.old, v)
	}
	return p.replace(d.at, d.old, v)
}

// freeKey keeps summary.small from overwriting: a taken key gets a number. known
// says that the very entry is there already.
//
// The entries of the short memory are numbered by models that lose count; an entry
// that overwrites another loses a piece of the story for good.
func (p *plan) freeKey(full tree.Path, v tree.Value) (free tree.Path, known bool) {
	prof := &p.run.sys.profile
	n := len(full) - 1
	if n < 1 || !slices.Equal(full[1:n], prof.Small) {
		return full, false
	}
	small := p.run.root().Lookup(full[:n])
	if !small.IsObject() {
		return full, false
	}
	s := p.run.numbered[full[n]]
	if s == nil {
		s = &series{key: full[n], texts: map[string]bool{}}
		for old := small.Get(s.name()); old.Exists(); old = small.Get(s.name()) {
			s.take(old)
		}
		if p.run.numbered == nil {
			p.run.numbered = map[string]*series{}
		}
		p.run.numbered[s.key] = s
	}
	if s.holds(v) {
		return full, true
	}
	p.next = s
	return full[:n].Child(s.name()), false
}

// series are the entries of summary.small under one key: the key itself, and with the
// numbers from 1 on. A run remembers them, because a message may have many entries.
type series struct {
	key    string
	size   int
	texts  map[string]bool
	others []tree.Value
}

// name is the first free key.
func (s *series) name() string {
	if s.size == 0 {
		return s.key
	}
	return s.key + "-" + strconv.Itoa(s.size)
}

// take adds the value at the first free key.
func (s *series) take(v tree.Value) {
	s.size++
	if text, ok := v.AsText(); ok {
		s.texts[text] = true
	} else {
		s.others = append(s.others, v)
	}
}

func (s *series) holds(v tree.Value) bool {
	if text, ok := v.AsText(); ok {
		return s.texts[text]
	}
	return slices.ContainsFunc(s.others, v.Equal)
}

// keepNumbers keeps in mind what a plan that was carried out means for the entries of
// summary.small.
func (r *run) keepNumbers(p *plan) {
	if p.next != nil && len(p.writes) == 1 {
		p.next.take(p.writes[0].value)
		return
	}
	small := profile.Within(r.sys.profile.Assets, r.sys.profile.Small)
	for _, w := range p.writes {
		if w.path.HasPrefix(small) || small.HasPrefix(w.path[:len(w.path)-1]) {
			r.numbered = nil
		}
	}
}

// replace plans to put v in the place of old, after coercion by old's type.
//
// What holds protected nodes is not replaced by anybody: lift the flag first.
func (p *plan) replace(at tree.Path, old, v tree.Value) bool {
	v = p.run.sys.coerced(old, v)
	switch {
	case old.Equal(v):
		return true
	case p.run.sys.guards(old):
		return p.reject(command.ProtectedNode)
	}
	return p.put(at, v, tree.Change{Path: at, Old: old, New: v})
}

// mergeInto plans to write the members of v into old: only what is mentioned
// changes.
//
// Lists and scalars replace, null is stored as null. With the merge shallow nested
// objects replace too. The events come per changed member, in the order in which
// the value has them.
func (p *plan) mergeInto(at tree.Path, old, v tree.Value) bool {
	for key, child := range v.Members() {
		path := at.Child(key)
		current := old.Get(key)
		switch {
		case !current.Exists():
			if !p.put(path, child, tree.Change{Path: path, New: child}) {
				return false
			}
		case p.liftsFlag(path, child):
			p.warn(command.WarnProtectedFlag)
		case current.IsObject() && child.IsObject() && p.run.sys.merge == "deep":
			if !p.mergeInto(path, current, child) {
				return false
			}
		default:
			if !p.replace(path, current, child) {
				return false
			}
		}
	}
	return true
}
