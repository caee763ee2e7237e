package memvars

import (
	"strings"

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
//
// _showInEJS saves room in a prompt and is no secret. The model still writes such a node: a reply often changes a
// character in the very turn that mentions it again, while the node is hidden. Its answers tell whether the node
// exists. What a model must not learn belongs into a declared variable that is hidden from it.
//
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
	return text(v, how.Part, how.Format == "yaml", how.LeafStyle, s.profile.IsLeaf)
}

// hiddenSummaries is how many of the newest entries of summary.big prompts leave out.
func (s *System) hiddenSummaries(root tree.Value) int {
	return configCount(&s.profile, root.Get(s.profile.Assets), "hide_latest_count", defaultHideLatest)
}

// Visible returns the document as a model may see it, leaves being pairs. It
// shares what nothing was hidden in.
func (s *System) Visible(d tree.Document) tree.Value {
	p := &s.profile
	root := s.shownTo(d, AI).Root()
	f := filter{StripMeta: s.stripMeta, Placeholder: Placeholder, Hide: s.hiddenSummaries(root)}
	return f.Visible(root, WithinModule(p.Assets, p.Big))
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

// takeOut removes a node that exists. An element of a list leaves a gap: the others keep their numbers.
func takeOut(edit *tree.Edit, path tree.Path) {
	if n := len(path) - 1; edit.Kind(path[:n]) == tree.KindArray {
		_ = edit.Set(path, tree.Text(Placeholder))
		return
	}
	_ = edit.Delete(path)
}
