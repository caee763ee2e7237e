package profile

import (
	"slices"

	"github.com/talewright/talewright/memvars/tree"
)

// Sorted returns a copy of the profile with its leaf rules in the order in which
// [Profile.IsLeaf] looks them up.
func (p Profile) Sorted() Profile {
	p.LeafRules = slices.Clone(p.LeafRules)
	slices.SortStableFunc(p.LeafRules, func(a, b LeafRule) int { return a.compare(b.Path) })
	return p
}

func (r LeafRule) compare(path tree.Path) int { return slices.Compare(r.Path, path) }

// IsLeaf reports whether the value stored at a path is a leaf, under a profile that is
// [Profile.Sorted].
func (p *Profile) IsLeaf(path tree.Path, v tree.Value) bool {
	if !v.IsPair() {
		return false
	}
	i, ok := slices.BinarySearchFunc(p.LeafRules, path, LeafRule.compare)
	if ok { // the first of several for one path
		return p.LeafRules[i].Leaf
	}
	return path[0] == p.Character || path[0] == p.Status
}

// Find follows a path from the root through the leaves of the profile. The error is that of
// [tree.Value.Find].
func (p *Profile) Find(root tree.Value, path tree.Path) (tree.Place, error) {
	return root.Find(path, p.IsLeaf)
}

// Content reads a node, leaves seen through; it is absent where the path leads nowhere.
func (p *Profile) Content(root tree.Value, path tree.Path) tree.Value {
	at, err := p.Find(root, path)
	if err != nil {
		return tree.Value{}
	}
	return at.Content()
}

// Description reports whether the path of a place is that of a leaf's text.
func (p *Profile) Description(root tree.Value, at tree.Place) bool {
	n := len(at.Path) - 1
	if n < 1 || at.Path[n] != "1" {
		return false
	}
	pair := at.Path[:n]
	return p.IsLeaf(pair, root.Lookup(pair))
}
