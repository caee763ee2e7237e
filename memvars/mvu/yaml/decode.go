package yaml

import (
	"errors"
	"fmt"

	"go.yaml.in/yaml/v4"

	core "github.com/talewright/talewright/internal/yaml"
	"github.com/talewright/talewright/memvars/tree"
)

// Limits of a text: its length in bytes, the nesting of its values, and the number of values after
// aliases are followed.
const (
	maxLength = 1 << 20
	maxDepth  = 200
	maxNodes  = 1 << 16
)

// The errors of [Parse], after the line.
var (
	errTooLong = fmt.Errorf("more than %d bytes", maxLength)
	errTooDeep = fmt.Errorf("nested deeper than %d levels", maxDepth)
	errTooMany = fmt.Errorf("more than %d values, those of aliases counted each time", maxNodes)
	errKey     = errors.New("a key is no text, number or boolean, or is given twice")
	errTag     = errors.New("a tag that has no value in JSON")
)

// Parse reads one YAML document. Members keep their order. A merge key adds the members of other
// mappings that its own mapping does not have. The error has the line.
//
// The cost is linear in the length of the text and in the number of values.
func Parse(text string) (tree.Value, error) {
	if len(text) > maxLength {
		return tree.Value{}, fmt.Errorf("yaml: %w", errTooLong)
	}
	if deep(text) {
		return tree.Value{}, fmt.Errorf("yaml: %w", errTooDeep)
	}
	var root yaml.Node
	if err := yaml.Load([]byte(text), &root); err != nil {
		return tree.Value{}, fmt.Errorf("yaml: %w", err)
	}
	d := decoder{}
	v, err := d.value(&root, 0)
	if err != nil {
		return tree.Value{}, fmt.Errorf("yaml: line %d: %w", d.line, err)
	}
	return v, nil
}

// deep reports whether brackets, dashes and indentation could nest a text deeper than the limit. It
// also returns true for a line that begins with more anchors and tags than the limit; a value has
// at most one of each. The parser would also detect this, but only after it has gone all the way
// down.
func deep(text string) bool {
	open, begun, blanks := 0, 0, 0
	start, property := true, false // only dashes, anchors, tags and blanks on this line so far
	for i := range len(text) {
		switch c := text[i]; {
		case c == '\n':
			start, property, begun, blanks = true, false, 0, 0
		case property:
			property = c != ' '
		case c == '[' || c == '{':
			open++
			start = false
		case c == ']' || c == '}':
			open = max(open-1, 0)
			start = false
		case start && (c == '-' || c == '?'):
			begun++
		case start && (c == '&' || c == '*' || c == '!'):
			begun++
			property = true
		case start && c == ' ':
			blanks++
		default:
			start = false
		}
		if open > maxDepth || begun > maxDepth || blanks > 8*maxDepth {
			return true
		}
	}
	return false
}

// decoder converts nodes to values.
type decoder struct {
	nodes int
	line  int // of the current node
}

func (d *decoder) value(n *yaml.Node, depth int) (tree.Value, error) {
	d.line = n.Line
	switch d.nodes++; {
	case d.nodes > maxNodes:
		return tree.Value{}, errTooMany
	case depth > maxDepth:
		return tree.Value{}, errTooDeep
	}
	switch n.Kind {
	case yaml.DocumentNode:
		return d.value(n.Content[0], depth)
	case yaml.AliasNode:
		return d.value(n.Alias, depth+1)
	case yaml.SequenceNode:
		elems := make([]tree.Value, len(n.Content))
		for i, child := range n.Content {
			var err error
			if elems[i], err = d.value(child, depth+1); err != nil {
				return tree.Value{}, err
			}
		}
		return tree.Array(elems...), nil
	case yaml.MappingNode:
		return d.mapping(n, depth)
	}
	return scalar(n)
}

// mapping reads members. The members of merge keys come after the mapping's own.
func (d *decoder) mapping(n *yaml.Node, depth int) (tree.Value, error) {
	members := make([]tree.Member, 0, len(n.Content)/2)
	known := map[string]bool{}
	var merged []tree.Value
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, child := n.Content[i], n.Content[i+1]
		v, err := d.value(child, depth+1)
		if err != nil {
			return tree.Value{}, err
		}
		if key.ShortTag() == "!!merge" {
			merged = append(merged, v)
			continue
		}
		if d.line = key.Line; key.Kind != yaml.ScalarNode || key.ShortTag() == "!!null" || known[key.Value] {
			return tree.Value{}, errKey
		}
		known[key.Value] = true
		members = append(members, tree.Member{Key: key.Value, Value: v})
	}
	for _, v := range merged {
		var ok bool
		if members, ok = core.AppendMerged(members, known, v); !ok {
			return tree.Value{}, errKey
		}
	}
	return tree.Object(members...), nil
}

// scalar reads a value by the core schema of YAML 1.2, or by its tag.
func scalar(n *yaml.Node) (tree.Value, error) {
	const quoted = yaml.SingleQuotedStyle | yaml.DoubleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle
	tagged := n.Style&yaml.TaggedStyle != 0
	switch tag := n.ShortTag(); {
	case tagged && tag == "!!str", !tagged && n.Style&quoted != 0:
		return tree.Text(n.Value), nil
	case tagged && tag != "!!int" && tag != "!!float" && tag != "!!bool" && tag != "!!null":
		return tree.Value{}, errTag
	}
	v, ok := core.Scalar(n.Value)
	if !ok {
		return tree.Value{}, errTag
	}
	return v, nil
}
