package memvars

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

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
	return text(v, how.Part, how.Format == "yaml", how.LeafStyle, s.profile.IsLeaf)
}

// hiddenSummaries returns the number of newest entries of summary.big that prompts leave out.
func (s *System) hiddenSummaries(root tree.Value) int {
	return configCount(&s.profile, root.Get(s.profile.Assets), "hide_latest_count", defaultHideLatest)
}

// Visible returns the document as a model may see it, with leaves as pairs. Parts without hidden
// nodes are shared with the document.
func (s *System) Visible(d tree.Document) tree.Value {
	p := &s.profile
	root := s.shownTo(d, AI).Root()
	f := filter{StripMeta: s.stripMeta, Placeholder: Placeholder, Hide: s.hiddenSummaries(root)}
	return f.Visible(root, withinModule(p.Assets, p.Big))
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

// text writes a value for a prompt: compact JSON, or lines of YAML. The style is "value" for leaves
// as their values, "comment" for values with descriptions, anything else for pairs. The function
// isLeaf recognises leaves by their paths, and path is the path of the value.
func text(v tree.Value, path tree.Path, yaml bool, style string, isLeaf func(tree.Path, tree.Value) bool) string {
	w := writer{isLeaf: isLeaf, style: style, path: slices.Clone(path)}
	if yaml {
		w.yaml(v, 0, false)
	} else {
		w.json(v)
	}
	return string(w.out)
}

// writer writes values for a prompt.
type writer struct {
	isLeaf func(tree.Path, tree.Value) bool
	style  string
	path   tree.Path // of the value being written
	inner  bool      // the value is the value of a leaf
	out    []byte
}

// leaf reports whether v is a leaf that is not written as a pair. The value of a leaf is never a
// leaf.
func (w *writer) leaf(v tree.Value) bool {
	return !w.inner && w.style != "" && w.style != "pair" && len(w.path) > 0 &&
		w.isLeaf(w.path, v)
}

// comment returns the description of a leaf if the style shows it.
func (w *writer) comment(v tree.Value) string {
	if w.style != "comment" {
		return ""
	}
	text, _ := v.At(1).AsText()
	return strings.Join(strings.Fields(text), " ")
}

// down and up track the path of the value that is being written. The path decides what is a leaf.
func (w *writer) down(key string) { w.path = append(w.path, key) }
func (w *writer) up()             { w.path = w.path[:len(w.path)-1] }

// json writes compact JSON; comments are /* … */ after the value.
func (w *writer) json(v tree.Value) {
	if w.leaf(v) {
		w.down("0")
		w.inner = true
		w.json(v.At(0))
		w.up()
		if c := w.comment(v); c != "" {
			w.out = append(w.out, "/*"+strings.ReplaceAll(c, "*/", "* /")+"*/"...)
		}
		return
	}
	w.inner = false
	switch v.Kind() {
	case tree.KindArray:
		w.out = append(w.out, '[')
		for i, e := range v.Elements() {
			if i > 0 {
				w.out = append(w.out, ',')
			}
			w.down(strconv.Itoa(i))
			w.json(e)
			w.up()
		}
		w.out = append(w.out, ']')
	case tree.KindObject:
		w.out = append(w.out, '{')
		for i := range v.Len() {
			if i > 0 {
				w.out = append(w.out, ',')
			}
			key := v.KeyAt(i)
			w.out = append(tree.AppendText(w.out, key), ':')
			w.down(key)
			w.json(v.At(i))
			w.up()
		}
		w.out = append(w.out, '}')
	default:
		w.out = v.AppendJSON(w.out)
	}
}

// yaml writes block style: one member per line, lists of scalars on one line. If after is true, the
// line already has a key or a dash before the value.
func (w *writer) yaml(v tree.Value, depth int, afterKey bool) {
	comment := ""
	if w.leaf(v) {
		comment = w.comment(v)
		w.down("0")
		defer w.up()
		v = v.At(0)
	}
	w.inner = false
	block := v.IsObject() && v.Len() > 0 || v.IsArray() && !flat(v)
	if !block {
		if afterKey {
			w.out = append(w.out, ' ')
		}
		w.flow(v)
	}
	if comment != "" {
		w.out = append(w.out, " # "+comment...)
	}
	if afterKey || !block {
		w.out = append(w.out, '\n')
	}
	if block {
		w.lines(v, depth, false)
	}
}

// lines writes the members of a container. With a dash, the first member is on the current line.
func (w *writer) lines(v tree.Value, depth int, dash bool) {
	for i := range v.Len() {
		if !dash || i > 0 {
			w.indent(depth)
		}
		key, child := v.KeyAt(i), v.At(i)
		if v.IsObject() {
			w.plain(key)
			w.out = append(w.out, ':')
			w.down(key)
			w.yaml(child, depth+1, true)
			w.up()
			continue
		}
		w.out = append(w.out, '-')
		w.down(strconv.Itoa(i))
		if child.IsObject() && child.Len() > 0 {
			w.out = append(w.out, ' ')
			w.lines(child, depth+1, true)
		} else {
			w.yaml(child, depth+1, true)
		}
		w.up()
	}
}

// indent writes two blanks per level.
func (w *writer) indent(depth int) {
	for range depth {
		w.out = append(w.out, ' ', ' ')
	}
}

// flat reports whether a list has only scalars.
func flat(v tree.Value) bool {
	for _, e := range v.Elements() {
		if e.IsObject() || e.IsArray() {
			return false
		}
	}
	return true
}

// flow writes a scalar, an empty container or a list of scalars.
func (w *writer) flow(v tree.Value) {
	if text, ok := v.AsText(); ok {
		w.plain(text)
		return
	}
	if !v.IsArray() {
		w.out = v.AppendJSON(w.out)
		return
	}
	w.out = append(w.out, '[')
	for i, e := range v.Elements() {
		if i > 0 {
			w.out = append(w.out, ", "...)
		}
		if text, ok := e.AsText(); ok && strings.ContainsAny(text, ",[]{}") {
			w.out = tree.AppendText(w.out, text)
			continue
		}
		w.flow(e)
	}
	w.out = append(w.out, ']')
}

// plain writes a text, without quotation marks if YAML would read it back unchanged.
func (w *writer) plain(s string) {
	if plainText(s) {
		w.out = append(w.out, s...)
		return
	}
	w.out = tree.AppendText(w.out, s)
}

// plainText reports whether YAML reads an unquoted text back as the same text. It must not look
// like a different type, begin with an indicator, or contain the end of a scalar.
func plainText(s string) bool {
	if s == "" || strings.TrimSpace(s) != s || strings.ContainsAny(s, "\n\r\t") ||
		strings.Contains(s, ": ") || strings.Contains(s, " #") || strings.HasSuffix(s, ":") {
		return false
	}
	r, _ := utf8.DecodeRuneInString(s)
	if strings.ContainsRune("-?:,[]{}#&*!|>'\"%@`~", r) || !unicode.IsPrint(r) {
		return false
	}
	switch strings.ToLower(s) {
	case "null", "true", "false", "yes", "no", "on", "off", "y", "n":
		return false
	}
	if r == '+' || r == '.' || r >= '0' && r <= '9' {
		_, err := strconv.ParseFloat(strings.ReplaceAll(s, "_", ""), 64)
		hexadecimal := strings.HasPrefix(s, "0x") || strings.HasPrefix(s, "0o")
		return err != nil && !hexadecimal && !strings.Contains(s, ":")
	}
	return true
}

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
