package state

import "github.com/talewright/talewright/memvars/tree"

// memberWitnesses is the member of a fact that lists the characters who know it.
const memberWitnesses = "witnesses"

// VisibleFacts returns the facts that a viewer may know. An object at any depth is left out if its
// member "witnesses" is a list without the viewer. It may be an element of a list or a member of an
// object. If that member is not a list of texts, no character may know the object.
func VisibleFacts(facts tree.Value, v Viewer) tree.Value {
	if v.Character == "" && !v.Shared {
		return facts
	}
	out, _ := visiblePart(facts, v)
	return out
}

// visiblePart returns a value without the parts that the viewer may not know, false if nothing remains.
func visiblePart(value tree.Value, v Viewer) (tree.Value, bool) {
	switch {
	case value.IsObject():
		if list := value.Get(memberWitnesses); list.Exists() && !list.IsNull() && !v.knows(list) {
			return tree.Value{}, false
		}
		members := make([]tree.Member, 0, value.Len())
		for key, m := range value.Members() {
			if m, ok := visiblePart(m, v); ok {
				members = append(members, tree.Member{Key: key, Value: m})
			}
		}
		return tree.Object(members...), true
	case value.IsArray():
		elements := make([]tree.Value, 0, value.Len())
		for _, e := range value.Elements() {
			if e, ok := visiblePart(e, v); ok {
				elements = append(elements, e)
			}
		}
		return tree.Array(elements...), true
	}
	return value, true
}

// knows reports whether the viewer may know a fact with the given list of witnesses in JSON.
func (v Viewer) knows(list tree.Value) bool {
	var ids []string
	for _, e := range list.Elements() {
		if id, ok := e.AsText(); ok {
			ids = append(ids, id)
		}
	}
	if len(ids) == 0 {
		return list.IsArray() && list.Len() == 0
	}
	return v.Sees(ids)
}
