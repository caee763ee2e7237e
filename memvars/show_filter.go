package memvars

import (
	"strings"

	"github.com/talewright/talewright/memvars/tree"
)

// The show files write variables for a prompt: the visible part, as JSON or as YAML.

// filter says which parts of a document a prompt shows.
type filter struct {
	StripMeta   bool   // members whose key begins with an underscore are left out
	Placeholder string // replaces a hidden node
	Hide        int    // number of newest summaries that are left out
}

// Visible filters one node. big is the rest of the path to the summaries whose
// newest entries are hidden, nil off that path.
//
// Subtrees without hidden nodes are shared with the document, so only the paths to hidden nodes
// cost work.
func (f *filter) Visible(v tree.Value, big tree.Path) tree.Value {
	if !v.IsObject() {
		return v.Map(func(_ int, child tree.Value) tree.Value { return f.Visible(child, nil) })
	}
	if metaHidden(v) {
		return tree.Text(f.Placeholder)
	}
	shown := v.Len()
	if big != nil && len(big) == 0 {
		shown -= max(f.Hide, 0)
	}
	return v.Map(func(i int, child tree.Value) tree.Value {
		key := v.KeyAt(i)
		switch {
		case i >= shown, f.StripMeta && strings.HasPrefix(key, "_"):
			return tree.Value{}
		case len(big) > 0 && big[0] == key:
			return f.Visible(child, big[1:])
		}
		return f.Visible(child, nil)
	})
}
