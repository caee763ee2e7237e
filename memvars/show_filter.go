package memvars

import (
	"strings"

	"github.com/talewright/talewright/memvars/tree"
)

// The show part writes variables for a prompt: what a model may see, as JSON or as YAML.

// filter says what of a document a prompt shows.
type filter struct {
	StripMeta   bool   // members whose key begins with an underscore are left out
	Placeholder string // stands for a node that is hidden
	Hide        int    // so many of the newest summaries are left out
}

// Visible filters one node. big is the rest of the path to the summaries whose
// newest entries are hidden, nil off that path.
//
// Subtrees in which nothing is hidden are shared with the document, so the cost of
// hiding is that of the paths to what is hidden.
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
