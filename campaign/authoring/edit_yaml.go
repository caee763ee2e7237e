package authoring

import (
	"errors"
	"fmt"
	"iter"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/talewright/talewright/memvars/tree"
)

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
	old, err := replaceChild(parent, at[len(at)-1], v)
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
	firstAlias := map[*yaml.Node]*yaml.Node{} // by removed anchor; nil: no alias was found yet
	for n := range nodes(removed) {
		if n.Anchor != "" {
			firstAlias[n] = nil
		}
	}
	if len(firstAlias) == 0 {
		return
	}
	for n := range nodes(root) {
		if n.Kind != yaml.AliasNode {
			continue
		}
		anchor := n.Alias
		first, isRemoved := firstAlias[anchor]
		switch {
		case first != nil:
			n.Alias = first
		case isRemoved:
			firstAlias[anchor] = n
			*n = *anchor // the alias becomes the anchor
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

// replaceChild sets, adds or, for an absent value, removes a member or an element. It returns the old
// value, nil if there was no value. The new value gets the comments of the old one.
func replaceChild(n *yaml.Node, seg string, v tree.Value) (old *yaml.Node, err error) {
	if !v.Exists() {
		return removeChild(n, seg)
	}
	i := slot(n, seg)
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

// removeChild removes a member or an element, and returns its value.
func removeChild(n *yaml.Node, seg string) (old *yaml.Node, err error) {
	i := slot(n, seg)
	switch {
	case i < 0 && mergedMember(n, seg) != nil:
		return nil, fmt.Errorf("%s comes from a merge key; remove it there", seg)
	case i < 0:
		return nil, fmt.Errorf("%s does not exist; check the path", seg)
	}
	old = n.Content[i]
	first := i
	if n.Kind == yaml.MappingNode {
		first-- // the key
	}
	n.Content = append(n.Content[:first:first], n.Content[i+1:]...)
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
