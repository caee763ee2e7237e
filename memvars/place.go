package memvars

import "slices"

// place is where a path leads once leaves are seen through.
type place struct {
	path  Path  // from the root; of a leaf the path of the pair
	value Value // as stored; of a leaf the pair
	leaf  bool
}

// content is the value that a reader sees: of a leaf its first element.
func (p place) content() Value {
	if p.leaf {
		return p.value.At(0)
	}
	return p.value
}

// slot is the path at which the content is stored.
func (p place) slot() Path {
	if p.leaf {
		return p.path.Child("0")
	}
	return p.path
}

// leafForm reports whether a value has the form of a leaf.
func leafForm(v Value) bool {
	a, ok := v.v.(*array)
	if !ok || len(a.vals) != 2 {
		return false
	}
	_, ok = a.vals[1].v.(string)
	return ok
}

// compare orders the rules of a compiled profile by their paths.
func (r LeafRule) compare(path Path) int { return slices.Compare(r.Path, path) }

// isLeaf reports whether the value stored at path is a leaf.
func (p *Profile) isLeaf(path Path, v Value) bool {
	if !leafForm(v) {
		return false
	}
	i, ok := slices.BinarySearchFunc(p.LeafRules, path, LeafRule.compare)
	if ok { // the first of several for one path
		return p.LeafRules[i].Leaf
	}
	return path[0] == p.Character || path[0] == p.Status
}

// find follows path from the root through leaves. Where it leads nowhere the
// code says why: path_not_found, or index_out_of_range on a list.
//
// Within the two modules that have leaves:
//
//   - at a leaf the segment 0 is its value and 1 its description;
//   - any other segment goes on in the value if that is an object;
//   - the value, once it was addressed by 0, is no leaf itself, whatever its form.
//
// Everywhere else a segment is a key of an object or an index of a list.
func (p *Profile) find(root Value, path Path) (place, Code) {
	at := place{path: make(Path, 0, len(path)+1), value: root}
	inner := false // at is the first element of a leaf, addressed as such
	for i, seg := range path {
		if at.leaf && !inner {
			switch {
			case seg == "0":
				if i == len(path)-1 {
					return at, ""
				}
				at = place{path: at.slot(), value: at.content()}
				inner = true
				continue
			case seg == "1":
				return place{path: at.path.Child("1"), value: at.value.At(1)}, ""
			case at.content().IsObject():
				at = place{path: at.slot(), value: at.content()}
			}
		}
		inner = false
		next, code := step(at.value, seg)
		if code != "" {
			return place{}, code
		}
		at.path, at.value = append(at.path, seg), next
		at.leaf = p.isLeaf(at.path, next)
	}
	return at, ""
}

// step goes one level down, seeing nothing special in leaves.
func step(v Value, seg string) (Value, Code) {
	switch c := v.v.(type) {
	case *object:
		if i := c.find(seg); i >= 0 {
			return c.vals[i], ""
		}
	case *array:
		if i, ok := arrayIndex(seg); ok {
			if i < len(c.vals) {
				return c.vals[i], ""
			}
			return Value{}, IndexOutOfRange
		}
	}
	return Value{}, PathNotFound
}

// description reports whether the path of a place is that of a leaf's text.
func (p *Profile) description(root Value, at place) bool {
	n := len(at.path) - 1
	if n < 1 || at.path[n] != "1" {
		return false
	}
	pair := at.path[:n]
	return p.isLeaf(pair, root.Lookup(pair))
}
