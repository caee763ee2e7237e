package memvars

import (
	"slices"
	"strings"

	"github.com/talewright/talewright/memvars/tree"
)

// This file writes variables for a prompt: the visible part, as JSON or as YAML.

// Placeholder replaces a hidden node in a prompt. Models copy texts from the prompt; a command that
// would write the Placeholder back is rejected.
const Placeholder = "[已隐藏] 请勿修改或重新初始化此字段"

// holdsPlaceholder reports whether v contains the placeholder.
func holdsPlaceholder(v tree.Value) bool {
	return v.ContainsFunc(func(v tree.Value) bool {
		text, _ := v.AsText()
		return strings.Contains(text, Placeholder)
	})
}

// RenderOptions says how variables are written into a prompt. The zero value writes the whole
// document as compact JSON with leaves as pairs.
type RenderOptions struct {
	// Part selects the node at this path from the root; nil is the document.
	Part tree.Path `json:"part,omitempty"`
	// Format is "json" (default) or "yaml": indented lines with few quotation marks, which take
	// fewer tokens.
	Format string `json:"format,omitempty"`
	// LeafStyle is "pair" (default: the value and its description), "value", or
	// "comment": the value with its description in a comment.
	LeafStyle string `json:"leaf_style,omitempty"`
	// Hidden also shows the nodes and summaries that the rules would hide.
	Hidden bool `json:"hidden,omitempty"`
}

// Render writes the variables for a prompt, in the order of the document. Objects whose _showInEJS
// is false are replaced by [Placeholder]. Keys that begin with an underscore or a dollar sign and
// the newest entries of summary.big are left out. Declared variables that a model may not see are
// left out with all options: see [Gate].
//
// _showInEJS makes a prompt shorter; it does not keep a secret. The model may still write such a
// node: a reply often changes a character in the turn that mentions it again, while the node is
// still hidden. The answers reveal whether the node exists. To keep something secret from a model,
// use a declared variable that is hidden from it.
//
// An unknown format or style means the default. A part that does not exist gives an empty text.
func (s *System) Render(d tree.Document, how RenderOptions) string {
	v := s.shownTo(d, AI).Root()
	if !how.Hidden {
		v = s.Visible(d)
	}
	v = v.Lookup(how.Part)
	if !v.Exists() {
		return ""
	}
	w := writer{profile: &s.profile, style: how.LeafStyle, path: slices.Clone(how.Part)}
	if how.Format == "yaml" {
		w.yaml(v, 0, false)
	} else {
		w.json(v)
	}
	return string(w.out)
}

// hiddenSummaries returns the number of newest entries of summary.big that prompts leave out.
func (s *System) hiddenSummaries(root tree.Value) int {
	return s.configCount(root.Get(s.profile.Assets), "hide_latest_count", defaultHideLatest)
}

// Visible returns the document as a model may see it, with leaves as pairs. Parts without hidden
// nodes are shared with the document.
func (s *System) Visible(d tree.Document) tree.Value {
	p := &s.profile
	root := s.shownTo(d, AI).Root()
	return s.visible(root, withinModule(p.Assets, p.Big), max(s.hiddenSummaries(root), 0))
}

// shownTo returns the document without the variables that are hidden from an actor.
func (s *System) shownTo(d tree.Document, who Actor) tree.Document {
	if s.gate == nil {
		return d
	}
	var edit *tree.Edit
	for _, place := range s.gate.Hidden(who) {
		root := d.Root()
		if edit != nil {
			root = edit.Peek(nil)
		}
		at, code := s.find(root, place)
		if code != "" {
			continue
		}
		if edit == nil {
			edit = d.Edit()
		}
		takeOut(edit, at.Path)
	}
	if edit == nil {
		return d
	}
	return edit.Document()
}

// takeOut removes a node that exists. An element of a list is replaced by the placeholder, so that
// the others keep their indexes.
func takeOut(edit *tree.Edit, path tree.Path) {
	if n := len(path) - 1; edit.Kind(path[:n]) == tree.KindArray {
		_ = edit.Set(path, tree.Text(Placeholder))
		return
	}
	_ = edit.Delete(path)
}

// visible filters one node. big is the rest of the path to the summaries whose newest entries, hidden
// of them, are left out; it is nil off that path.
//
// Subtrees without hidden nodes are shared with the document, so only the paths to hidden nodes
// cost work.
func (s *System) visible(v tree.Value, big tree.Path, hidden int) tree.Value {
	if !v.IsObject() {
		return v.Map(func(_ int, child tree.Value) tree.Value { return s.visible(child, nil, 0) })
	}
	if metaHidden(v) {
		return tree.Text(Placeholder)
	}
	shown := v.Len()
	if big != nil && len(big) == 0 {
		shown -= hidden
	}
	return v.Map(func(i int, child tree.Value) tree.Value {
		key := v.KeyAt(i)
		switch {
		case i >= shown, *s.options.StripMeta && isMeta(key):
			return tree.Value{}
		case len(big) > 0 && big[0] == key:
			return s.visible(child, big[1:], hidden)
		}
		return s.visible(child, nil, 0)
	})
}

// isMeta reports whether a member is for scripts and not for a model: its key begins with an
// underscore or, as in cards of MVU, with a dollar sign.
func isMeta(key string) bool { return strings.HasPrefix(key, "_") || strings.HasPrefix(key, "$") }
