package memvars

import (
	"strings"

	"github.com/talewright/talewright/memvars/tree"
)

// The show files write variables for a prompt: the visible part, as JSON or as YAML.

// filter says which parts of a document a prompt shows.
type filter struct {
	StripMeta   bool   // members for scripts are left out, see isMeta
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
		case i >= shown, f.StripMeta && isMeta(key):
			return tree.Value{}
		case len(big) > 0 && big[0] == key:
			return f.Visible(child, big[1:])
		}
		return f.Visible(child, nil)
	})
}

// isMeta reports whether a member is for scripts and not for a model: its key begins with an
// underscore or, as in cards of MVU, with a dollar sign.
func isMeta(key string) bool { return strings.HasPrefix(key, "_") || strings.HasPrefix(key, "$") }
