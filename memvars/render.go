package memvars

import (
	"slices"
	"strings"

	"github.com/talewright/talewright/memvars/profile"
	"github.com/talewright/talewright/memvars/tree"
)

// Placeholder stands for a hidden node in a prompt. Models copy what they see;
// a command that would write it back is rejected.
const Placeholder = "[已隐藏] 请勿修改或重新初始化此字段"

// holdsPlaceholder reports whether the text that hides nodes occurs in v.
func holdsPlaceholder(v tree.Value) bool {
	return v.ContainsFunc(func(v tree.Value) bool {
		text, _ := v.AsText()
		return strings.Contains(text, Placeholder)
	})
}

// RenderOptions says how variables are written into a prompt. The zero value is
// the whole document as compact JSON with leaves as pairs.
type RenderOptions struct {
	// Part selects the node at this path from the root; nil is the document.
	Part tree.Path `json:"part,omitempty"`
	// Format is "json" (default) or "yaml": indented lines without most quotation
	// marks, which take fewer tokens.
	Format string `json:"format,omitempty"`
	// LeafStyle is "pair" (default: the value and its description), "value", or
	// "comment": the value with its description in a comment.
	LeafStyle string `json:"leaf_style,omitempty"`
	// Hidden shows the nodes and summaries that the rules would hide.
	Hidden bool `json:"hidden,omitempty"`
}

// Render writes the variables for a prompt, in the order of the document.
// Objects whose _showInEJS is false are replaced by [Placeholder], keys that
// begin with an underscore and the newest entries of summary.big are left out, and
// declared variables that a model may not see, whatever the options say: see [Gate].
// An unknown format or style is read as the default; a part that does not exist
// is the empty text.
func (s *System) Render(d tree.Document, how RenderOptions) string {
	v := s.shownTo(d, AI).Root()
	if !how.Hidden {
		v = s.Visible(d)
	}
	v = v.Lookup(how.Part)
	if !v.Exists() {
		return ""
	}
	w := writer{sys: s, style: how.LeafStyle, path: slices.Clone(how.Part)}
	if how.Format == "yaml" {
		w.yaml(v, 0, false)
	} else {
		w.json(v)
	}
	return string(w.out)
}

// Visible returns the document as a model may see it, leaves being pairs. It
// shares what nothing was hidden in.
func (s *System) Visible(d tree.Document) tree.Value {
	p := &s.profile
	root := s.shownTo(d, AI).Root()
	hide := s.configCount(root.Get(p.Assets), "hide_latest_count", defaultHideLatest)
	return s.visible(root, profile.Within(p.Assets, p.Big), hide)
}

// visible filters one node. big is the rest of the path to the summaries whose
// newest entries are hidden, nil off that path.
//
// Subtrees in which nothing is hidden are shared with the document, so the cost of
// hiding is that of the paths to what is hidden.
func (s *System) visible(v tree.Value, big tree.Path, hide int) tree.Value {
	if !v.IsObject() {
		return v.Map(func(_ int, child tree.Value) tree.Value { return s.visible(child, nil, 0) })
	}
	if falsy(v.Get("_showInEJS")) {
		return tree.Text(Placeholder)
	}
	shown := v.Len()
	if big != nil && len(big) == 0 {
		shown -= max(hide, 0)
	}
	return v.Map(func(i int, child tree.Value) tree.Value {
		key := v.KeyAt(i)
		switch {
		case i >= shown, s.stripMeta && strings.HasPrefix(key, "_"):
			return tree.Value{}
		case len(big) > 0 && big[0] == key:
			return s.visible(child, big[1:], hide)
		}
		return s.visible(child, nil, 0)
	})
}

// falsy is how the flag that hides a node is read: false, or the text.
func falsy(v tree.Value) bool {
	if b, ok := v.AsBool(); ok {
		return !b
	}
	s, _ := v.AsText()
	return equalFoldASCII(s, "false")
}
