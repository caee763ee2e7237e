package memvars

import (
	"slices"
	"strings"
)

// Placeholder stands for a hidden node in a prompt. Models copy what they see;
// a command that would write it back is rejected.
const Placeholder = "[已隐藏] 请勿修改或重新初始化此字段"

// holdsPlaceholder reports whether the text that hides nodes occurs in v.
func holdsPlaceholder(v Value) bool {
	switch c := v.v.(type) {
	case string:
		return strings.Contains(c, Placeholder)
	case *array:
		return slices.ContainsFunc(c.vals, holdsPlaceholder)
	case *object:
		return slices.ContainsFunc(c.vals, holdsPlaceholder)
	}
	return false
}

// RenderOptions says how variables are written into a prompt. The zero value is
// the whole document as compact JSON with leaves as pairs.
type RenderOptions struct {
	// Part selects the node at this path from the root; nil is the document.
	Part Path `json:"part,omitempty"`
	// Format is "json" (default) or "yaml": indented lines without most quotation
	// marks, which take fewer tokens.
	Format string `json:"format,omitempty"`
	// LeafStyle is "pair" (default: the value and its description), "value", or
	// "comment": the value with its description in a comment.
	LeafStyle string `json:"leaf_style,omitempty"`
	// Hidden shows the nodes and summaries that the rules would hide.
	Hidden bool `json:"hidden,omitempty"`
}

// Render writes the variables for a prompt. See [System.Render].
func Render(d Document, how RenderOptions, o Options) (string, error) {
	s, err := Compile(o)
	if err != nil {
		return "", err
	}
	return s.Render(d, how), nil
}

// Render writes the variables for a prompt, in the order of the document.
// Objects whose _showInEJS is false are replaced by [Placeholder], keys that
// begin with an underscore and the newest entries of summary.big are left out, and
// declared variables that a model may not see, whatever the options say: see [Gate].
// An unknown format or style is read as the default; a part that does not exist
// is the empty text.
func (s *System) Render(d Document, how RenderOptions) string {
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
func (s *System) Visible(d Document) Value {
	p := &s.profile
	root := s.shownTo(d, AI).Root()
	hide := s.configCount(root.Get(p.Assets), "hide_latest_count", defaultHideLatest)
	return s.visible(root, within(p.Assets, p.Big), hide)
}

// visible filters one node. big is the rest of the path to the summaries whose
// newest entries are hidden, nil off that path.
//
// Subtrees in which nothing is hidden are shared with the document, so the cost of
// hiding is that of the paths to what is hidden.
func (s *System) visible(v Value, big Path, hide int) Value {
	switch c := v.v.(type) {
	case *array:
		for i, e := range c.vals {
			if seen := s.visible(e, nil, 0); !seen.same(e) {
				out := &array{vals: slices.Clone(c.vals[:i+1])}
				out.vals[i] = seen
				for _, rest := range c.vals[i+1:] {
					out.vals = append(out.vals, s.visible(rest, nil, 0))
				}
				return Value{out}
			}
		}
		return v
	case *object:
		if flag := c.member("_showInEJS"); falsy(flag) {
			return Text(Placeholder)
		}
		return s.visibleObject(v, c, big, hide)
	}
	return v
}

// visibleObject filters the members of an object and returns the object itself if
// none was hidden.
func (s *System) visibleObject(v Value, c *object, big Path, hide int) Value {
	out := &object{}
	last := len(c.keys)
	if big != nil && len(big) == 0 {
		last = max(last-max(hide, 0), 0)
	}
	same := last == len(c.keys)
	for i, key := range c.keys[:last] {
		if s.stripMeta && strings.HasPrefix(key, "_") {
			same = false
			continue
		}
		var rest Path
		if len(big) > 0 && big[0] == key {
			rest = big[1:]
		}
		seen := s.visible(c.vals[i], rest, hide)
		same = same && seen.same(c.vals[i])
		out.keys = append(out.keys, key)
		out.vals = append(out.vals, seen)
	}
	if same {
		return v
	}
	out.ownKeys = true
	out.reindex()
	return Value{out}
}

// member returns the value of a key, absent if there is none.
func (o *object) member(key string) Value {
	if i := o.find(key); i >= 0 {
		return o.vals[i]
	}
	return Value{}
}

// falsy is how the flag that hides a node is read: false, or the text.
func falsy(v Value) bool {
	if b, ok := v.AsBool(); ok {
		return !b
	}
	s, _ := v.AsText()
	return equalFoldASCII(s, "false")
}
