package memvars

import (
	"errors"
	"slices"

	"github.com/talewright/talewright/memvars/tree"
)

// isLeaf reports whether the value stored at path is a leaf.
func (p *Profile) isLeaf(path tree.Path, v tree.Value) bool {
	if !v.IsPair() {
		return false
	}
	i, ok := slices.BinarySearchFunc(p.LeafRules, path, LeafRule.compare)
	if ok { // the first of several for one path
		return p.LeafRules[i].Leaf
	}
	return path[0] == p.Character || path[0] == p.Status
}

// compare orders the rules of a compiled profile by their paths.
func (r LeafRule) compare(path tree.Path) int { return slices.Compare(r.Path, path) }

// find follows path from the root through the leaves of the profile. Where it leads
// nowhere the code says why: path_not_found, or index_out_of_range on a list.
func (p *Profile) find(root tree.Value, path tree.Path) (tree.Place, Code) {
	at, err := root.Find(path, p.isLeaf)
	switch {
	case errors.Is(err, tree.ErrIndex):
		return tree.Place{}, IndexOutOfRange
	case err != nil:
		return tree.Place{}, PathNotFound
	}
	return at, ""
}

// description reports whether the path of a place is that of a leaf's text.
func (p *Profile) description(root tree.Value, at tree.Place) bool {
	n := len(at.Path) - 1
	if n < 1 || at.Path[n] != "1" {
		return false
	}
	pair := at.Path[:n]
	return p.isLeaf(pair, root.Lookup(pair))
}
