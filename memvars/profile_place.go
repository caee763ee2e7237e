package memvars

import (
	"slices"

	"github.com/talewright/talewright/memvars/tree"
)

// Sorted returns a copy of the profile with its leaf rules in the order that [Profile.IsLeaf]
// needs.
func (p Profile) Sorted() Profile {
	p.LeafRules = slices.Clone(p.LeafRules)
	slices.SortStableFunc(p.LeafRules, func(a, b LeafRule) int { return a.compare(b.Path) })
	return p
}

func (r LeafRule) compare(path tree.Path) int { return slices.Compare(r.Path, path) }

// IsLeaf reports whether the value stored at a path is a leaf. The profile must be
// [Profile.Sorted].
func (p *Profile) IsLeaf(path tree.Path, v tree.Value) bool {
	if !v.IsPair() {
		return false
	}
	i, ok := slices.BinarySearchFunc(p.LeafRules, path, LeafRule.compare)
	if ok { // the first of several rules for one path
		rule := p.LeafRules[i]
		return rule.Leaf && (!rule.List || v.At(0).IsArray())
	}
	return path[0] == p.Character || path[0] == p.Status
}

// Find follows a path from the root and sees through the leaves of the profile. The error comes
// from [tree.Value.Find].
func (p *Profile) Find(root tree.Value, path tree.Path) (tree.Place, error) {
	return root.Find(path, p.IsLeaf)
}

// Content returns the content of a node and sees through leaves. It is absent if the path leads
// nowhere.
func (p *Profile) Content(root tree.Value, path tree.Path) tree.Value {
	at, err := p.Find(root, path)
	if err != nil {
		return tree.Value{}
	}
	return at.Content()
}

// Description reports whether a place is the description of a leaf.
func (p *Profile) Description(root tree.Value, at tree.Place) bool {
	n := len(at.Path) - 1
	if n < 1 || at.Path[n] != "1" {
		return false
	}
	pair := at.Path[:n]
	return p.IsLeaf(pair, root.Lookup(pair))
}

// Part returns the node at rest within v, which is stored at path. It sees through leaves as
// [Profile.Find] does.
func (p *Profile) Part(path tree.Path, v tree.Value, rest tree.Path) tree.Value {
	at := slices.Clip(path)
	for _, seg := range rest {
		if len(at) > 0 && p.IsLeaf(at, v) {
			content := v.At(0)
			switch {
			case seg == "0":
				at, v = append(at, seg), content
				continue
			case seg != "1" && content.IsObject():
				at, v = append(at, "0"), content
			}
		}
		v = v.Lookup(tree.Path{seg})
		at = append(at, seg)
	}
	return v
}

// Match compares a place with the path of a node. Both start at the root, and both may have or
// leave out the index of a leaf's value. The result ok is true if one of the two is the other or is
// within it. If the place is within the node, rest is the path from the node to the place.
func (p *Profile) Match(root tree.Value, place, path tree.Path) (rest tree.Path, ok bool) {
	if len(place) > 0 && len(path) > 0 && place[0] != path[0] && root.IsObject() {
		return nil, false
	}
	at, stored := root, tree.Path(nil)
	inner := false // at is the first element of a leaf, addressed as such
	for i, seg := range path {
		if len(place) == 0 {
			return nil, true
		}
		if !inner && len(stored) > 0 && p.IsLeaf(stored, at) {
			if seg == "0" {
				if place[0] == "0" {
					place = place[1:]
				}
				at, stored, inner = at.At(0), extended(stored, path, i), true
				continue
			}
			if seg != "1" && at.At(0).IsObject() {
				at, stored = at.At(0), append(stored, "0")
				if place[0] == "0" {
					if place = place[1:]; len(place) == 0 {
						return nil, true
					}
				}
			}
		}
		inner = false
		if _, index := tree.Index(place[0]); at.IsArray() && seg == "0" && !index {
			at, stored = at.At(0), extended(stored, path, i) // it was a leaf when the rule was written
			continue
		}
		if place[0] != seg {
			return nil, false
		}
		place = place[1:]
		at = at.Lookup(path[i : i+1])
		stored = extended(stored, path, i)
	}
	return place, true
}

// extended adds the segment i of path to the path of the stored node. The two paths share memory
// until the stored one has the index of a leaf that path leaves out.
func extended(stored, path tree.Path, i int) tree.Path {
	if len(stored) == i {
		return path[: i+1 : i+1]
	}
	return append(stored, path[i])
}
