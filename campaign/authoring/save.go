package authoring

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing/fstest"

	"go.yaml.in/yaml/v4"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/memvars/tree"
)

// Save writes the files of a game that Load has read, or that [Game.Edit] has changed. A file whose
// bytes are the same is not written. Each file is replaced in one step, so a reader never finds half of
// it. The errors come from the folder.
func Save(dir *os.Root, g Game) error {
	for _, f := range g.sorted() {
		if f.data == nil {
			continue
		}
		if have, err := dir.ReadFile(f.name); err == nil && bytes.Equal(have, f.data) {
			continue
		}
		if err := dir.MkdirAll(path.Dir(f.name), 0o755); err != nil {
			return err
		}
		temporary := path.Join(path.Dir(f.name), "."+path.Base(f.name)+".new") // names with a dot are not read
		if err := dir.WriteFile(temporary, f.data, 0o644); err != nil {
			return err
		}
		if err := dir.Rename(temporary, f.name); err != nil {
			return err
		}
	}
	return nil
}

// Edit returns a game with a new value at a path of a file. A value that does not
// exist removes the member or element; a path with a new last name adds a member. The other values keep
// their form, and files of YAML their comments. Edit loads the changed game and returns its problems; a
// path that leads nowhere, or a file that is neither YAML nor JSON, is a fatal problem.
//
// The path has the form of [tree.ParsePath]: initial["a.b"] names a member with a dot. The path of a
// [talewright.Problem] is accepted too: it has no quotation marks, so initial.a.b is the member a.b if
// there is no member a with a member b.
//
// An edit below an alias or a merge key of YAML changes a copy: the anchor keeps its value. An edit
// below the anchor changes all its aliases.
func (g Game) Edit(name, at string, v tree.Value) (Game, talewright.Problems) {
	refuse := func(format string, args ...any) (Game, talewright.Problems) {
		return g, talewright.Problems{{Path: name, Severity: talewright.Fatal, Code: codeMissingFile,
			Text: fmt.Sprintf(format, args...)}}
	}
	f := g.files[name]
	if f == nil || f.data == nil {
		return refuse("is not a file of this game; name one that was read")
	}
	to, err := tree.ParsePath(at)
	if err != nil {
		return refuse("%s: %v", at, err)
	}
	if len(to) == 0 {
		return refuse("the path is empty; name a member")
	}
	if root := new(reading).parse(name, f.data); root != nil {
		to = root.named(to)
	}
	edit := editJSON
	if isYAML(name) {
		edit = editYAML
	}
	data, err := edit(f.data, to, v)
	if err != nil {
		return refuse("%s: %v", at, err)
	}
	files := fstest.MapFS{}
	for _, f := range g.files {
		files[f.name] = &fstest.MapFile{Data: f.data}
	}
	files[name] = &fstest.MapFile{Data: data}
	return Load(files)
}

// editJSON changes the value at a path in the text of a JSON file.
func editJSON(data []byte, at tree.Path, v tree.Value) ([]byte, error) {
	root, err := tree.ParseValue(bytes.TrimPrefix(data, []byte("\ufeff")))
	if err != nil {
		return nil, err
	}
	const all = "file" // the root may be a list, and only objects can be edited
	edit, err := tree.Object(tree.Member{Key: all, Value: root}).Edit()
	if err != nil {
		return nil, err
	}
	if at = append(tree.Path{all}, at...); v.Exists() {
		err = edit.Set(at, v)
	} else {
		err = edit.Delete(at)
	}
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	if err := json.Indent(&out, edit.Value().Get(all).AppendJSON(nil), "", "  "); err != nil {
		return nil, err
	}
	out.WriteByte('\n')
	return out.Bytes(), nil
}

// editYAML changes the value at a path in the text of a YAML file. Comments stay.
func editYAML(data []byte, at tree.Path, v tree.Value) ([]byte, error) {
	var root yaml.Node
	if err := yaml.Load(data, &root); err != nil {
		return nil, err
	}
	if len(root.Content) == 0 {
		return nil, errors.New("the file is empty; write a member first")
	}
	parent, indented := root.Content[0], indentsLists(root.Content[0])
	for i, seg := range at[:len(at)-1] {
		child := ownChild(parent, seg)
		if child == nil {
			return nil, fmt.Errorf("%s does not exist; check the path", at[:i+1])
		}
		parent = child
	}
	old, err := replace(parent, at[len(at)-1], v)
	if err != nil {
		return nil, err
	}
	keepAnchors(&root, old)
	changed, err := yaml.Dump(&root, yaml.WithCompactSeqIndent(!indented), yaml.WithLineWidth(-1))
	if err != nil {
		return nil, err
	}
	return keepBytes(data, changed, at[0], !v.Exists() && len(at) == 1), nil
}

// indentsLists reports whether the first list that is a member of a node is indented.
func indentsLists(n *yaml.Node) bool {
	for i, child := range n.Content {
		if n.Kind == yaml.MappingNode && i%2 == 1 && child.Kind == yaml.SequenceNode && child.Style&yaml.FlowStyle == 0 {
			return child.Column > n.Content[i-1].Column
		}
		if indentsLists(child) {
			return true
		}
	}
	return false
}

// yamlPart is a member or an element of the root of a YAML file. tail has the blank lines and
// comments after it.
type yamlPart struct {
	name       string
	body, tail []byte
}

// keepBytes returns a changed YAML file in which everything outside of one part of the root has its
// old bytes. The writer of YAML removes blank lines and indents lists in its own way.
func keepBytes(old, changed []byte, name string, removed bool) []byte {
	head, before := yamlParts(old)
	_, after := yamlParts(changed)
	if len(before) == 0 || len(after) == 0 {
		return changed
	}
	is := func(p yamlPart) bool { return p.name == name }
	out := bytes.Clone(head)
	for _, p := range before {
		switch {
		case !is(p):
			out = append(out, p.body...)
		case removed:
			out = withoutComment(out)
		default:
			if i := slices.IndexFunc(after, is); i >= 0 {
				out = append(out, after[i].body...)
			}
		}
		out = append(out, p.tail...)
	}
	if !slices.ContainsFunc(before, is) {
		if !bytes.HasSuffix(out, []byte("\n")) {
			out = append(out, '\n')
		}
		out = append(out, after[len(after)-1].body...)
	}
	// A text of several lines can look like comments. Then the parts are wrong.
	if a, b := new(reading).parseYAML(out), new(reading).parseYAML(changed); a == nil || b == nil || !bytes.Equal(a.appendJSON(nil), b.appendJSON(nil)) {
		return changed
	}
	return out
}

// yamlParts splits a YAML file at the lines on which the parts of its root begin. It returns no parts
// if two of them share a line.
func yamlParts(data []byte) (head []byte, parts []yamlPart) {
	var doc yaml.Node
	if yaml.Load(data, &doc) != nil || len(doc.Content) == 0 || doc.Content[0].Style&yaml.FlowStyle != 0 {
		return nil, nil
	}
	root, step := doc.Content[0], 1
	if root.Kind == yaml.MappingNode {
		step = 2
	}
	lines := bytes.SplitAfter(data, []byte("\n"))
	from := 0
	for i := 0; i < len(root.Content); i += step {
		name, line := root.Content[i].Value, root.Content[i].Line-1
		if step == 1 {
			name = strconv.Itoa(i)
		}
		if line < from || line >= len(lines) || i > 0 && line == from {
			return nil, nil
		}
		if text := lines[from:line]; i == 0 {
			head = bytes.Join(text, nil)
		} else {
			parts[len(parts)-1].split(text)
		}
		parts, from = append(parts, yamlPart{name: name}), line
	}
	if len(parts) > 0 {
		parts[len(parts)-1].split(lines[from:])
	}
	return head, parts
}

// split divides the lines of a part into its body and its tail.
func (p *yamlPart) split(lines [][]byte) {
	end := len(lines)
	for end > 1 && isComment(lines[end-1]) {
		end--
	}
	p.body, p.tail = bytes.Join(lines[:end], nil), bytes.Join(lines[end:], nil)
}

// isComment reports whether a line is blank, or a comment that is not indented. An indented one
// belongs to a part, or is a line of a text.
func isComment(line []byte) bool {
	return len(bytes.TrimSpace(line)) == 0 || line[0] == '#'
}

// withoutComment removes the comment at the end of a text, up to a blank line: it belongs to the part
// that is removed.
func withoutComment(text []byte) []byte {
	lines := bytes.SplitAfter(text, []byte("\n"))
	end := len(lines)
	for end > 0 && isComment(lines[end-1]) && (len(lines[end-1]) == 0 || len(bytes.TrimSpace(lines[end-1])) > 0) {
		end--
	}
	return bytes.Join(lines[:end], nil)
}

// ownChild returns the member or element of a node, or nil. An alias, and a member that a merge key
// adds, become a copy first: a change must not reach the anchor.
func ownChild(n *yaml.Node, seg string) *yaml.Node {
	if i := slot(n, seg); i >= 0 {
		if child := n.Content[i]; child.Kind == yaml.AliasNode {
			n.Content[i] = copied(child.Alias)
			n.Content[i].HeadComment, n.Content[i].LineComment, n.Content[i].FootComment = child.HeadComment, child.LineComment, child.FootComment
		}
		return n.Content[i]
	}
	merged := mergedMember(n, seg)
	if merged == nil {
		return nil
	}
	n.Content = append(n.Content, textNode(seg), copied(merged))
	return n.Content[len(n.Content)-1]
}

// mergedMember returns a member that a merge key adds to a mapping, or nil.
func mergedMember(n *yaml.Node, seg string) *yaml.Node {
	for i := 0; n.Kind == yaml.MappingNode && i+1 < len(n.Content); i += 2 {
		if n.Content[i].ShortTag() != "!!merge" {
			continue
		}
		sources := []*yaml.Node{followed(n.Content[i+1])}
		if sources[0].Kind == yaml.SequenceNode {
			sources = sources[0].Content
		}
		for _, source := range sources {
			source = followed(source)
			if at := slot(source, seg); at >= 0 {
				return followed(source.Content[at])
			}
			if found := mergedMember(source, seg); found != nil {
				return found
			}
		}
	}
	return nil
}

// followed returns the node that an alias means, or the node itself.
func followed(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}

// copied returns a deep copy of a node without anchors. Aliases in it keep their anchors.
func copied(n *yaml.Node) *yaml.Node {
	c := *n
	c.Anchor, c.Content = "", make([]*yaml.Node, len(n.Content))
	for i, child := range n.Content {
		c.Content[i] = copied(child)
	}
	return &c
}

// keepAnchors moves the anchors of a removed node to their first aliases.
func keepAnchors(root, removed *yaml.Node) {
	moved := map[*yaml.Node]*yaml.Node{} // nil: not moved yet
	for n := range nodes(removed) {
		if n.Anchor != "" {
			moved[n] = nil
		}
	}
	if len(moved) == 0 {
		return
	}
	for n := range nodes(root) {
		if n.Kind != yaml.AliasNode {
			continue
		}
		switch to, isRemoved := moved[n.Alias]; {
		case to != nil:
			n.Alias = to
		case isRemoved:
			anchor := n.Alias
			moved[anchor], *n = n, *anchor
		}
	}
}

// nodes ranges over a node and the nodes in it, in the order of the text. Aliases are not followed.
func nodes(n *yaml.Node) iter.Seq[*yaml.Node] {
	return func(yield func(*yaml.Node) bool) { eachNode(n, yield) }
}

func eachNode(n *yaml.Node, yield func(*yaml.Node) bool) bool {
	if n == nil {
		return true
	}
	if !yield(n) {
		return false
	}
	for _, child := range n.Content { // yield may have changed n
		if !eachNode(child, yield) {
			return false
		}
	}
	return true
}

// textNode returns a key.
func textNode(text string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: text}
}

// slot returns the index of a member's value or of an element in the content of a node, or -1.
func slot(n *yaml.Node, seg string) int {
	if n.Kind == yaml.SequenceNode {
		if i, ok := tree.Index(seg); ok && i < len(n.Content) {
			return i
		}
		return -1
	}
	for i := 0; n.Kind == yaml.MappingNode && i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == seg {
			return i + 1
		}
	}
	return -1
}

// replace sets, adds or removes a member or an element. It returns the old value, nil if there was
// none. The new value gets the comments of the old one.
func replace(n *yaml.Node, seg string, v tree.Value) (old *yaml.Node, err error) {
	i := slot(n, seg)
	if !v.Exists() {
		if i < 0 {
			if mergedMember(n, seg) != nil {
				return nil, fmt.Errorf("%s comes from a merge key; remove it there", seg)
			}
			return nil, fmt.Errorf("%s does not exist; check the path", seg)
		}
		old = n.Content[i]
		first := i
		if n.Kind == yaml.MappingNode {
			first--
		}
		n.Content = append(n.Content[:first:first], n.Content[i+1:]...)
		return old, nil
	}
	var doc yaml.Node
	if err := yaml.Load(v.AppendJSON(nil), &doc); err != nil {
		return nil, err
	}
	to := doc.Content[0]
	inBlocks(to)
	switch {
	case i >= 0:
		old = n.Content[i]
		to.HeadComment, to.LineComment, to.FootComment = old.HeadComment, old.LineComment, old.FootComment
		n.Content[i] = to
	case n.Kind == yaml.MappingNode:
		n.Content = append(n.Content, textNode(seg), to)
	default:
		if at, ok := tree.Index(seg); n.Kind != yaml.SequenceNode || !ok || at != len(n.Content) {
			return nil, fmt.Errorf("%s does not exist; check the path", seg)
		}
		n.Content = append(n.Content, to)
	}
	return old, nil
}

// inBlocks writes a value that was read from JSON as people write YAML.
func inBlocks(n *yaml.Node) {
	n.Style &^= yaml.FlowStyle | yaml.DoubleQuotedStyle
	if n.Kind == yaml.ScalarNode && strings.Contains(n.Value, "\n") && !strings.Contains(n.Value, "\r") {
		n.Style = yaml.LiteralStyle
	}
	for _, child := range n.Content {
		inBlocks(child)
	}
}
