package authoring

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/talewright/talewright"
	coreyaml "github.com/talewright/talewright/internal/yaml"
	"github.com/talewright/talewright/memvars/tree"
	"go.yaml.in/yaml/v4"
)

// yamlReader converts the nodes of the YAML parser.
type yamlReader struct {
	*reading
	copies int // values that were reached through aliases
	within int // the number of aliases around the current value
}

var (
	errCopies = fmt.Errorf("aliases repeat more than %d values; write fewer", maxCopies)
	errDeep   = fmt.Errorf("nested deeper than %d levels; make it flatter", maxDepth)
)

// parseYAML reads a YAML text. It returns nil if the text is not valid.
func (r *reading) parseYAML(data []byte) *node {
	var root yaml.Node
	if isDeep(string(data)) {
		r.add(nil, place{1, 1}, nil, talewright.Error, codeSyntax, "%v", errDeep)
		return nil
	}
	if err := yaml.Load(data, &root); err != nil || len(root.Content) == 0 {
		r.syntax(data, err)
		return nil
	}
	y := &yamlReader{reading: r}
	n, err := y.value(root.Content[0], nil, 0)
	if err != nil {
		r.add(nil, n.place, nil, talewright.Error, codeSyntax, "%v", err)
		return nil
	}
	return n
}

// syntax reports the error of the parser.
func (r *reading) syntax(data []byte, err error) {
	at, what := place{1, 1}, "the file is empty"
	if err != nil && len(bytes.TrimSpace(data)) > 0 {
		what = err.Error()
	}
	if e, ok := errors.AsType[*yaml.LoadError](err); ok {
		if what = e.Message; e.Mark.Line > 0 {
			at = place{e.Mark.Line, max(e.Mark.Column, 1)}
		}
		switch {
		case strings.Contains(what, "no documents"):
			what = "the file is empty"
		case strings.Contains(what, "tab"):
			what += "; indent with blanks"
		case strings.Contains(what, "found multiple"):
			at, what = secondDocument(data), "a second document begins here; a file has one"
		case !utf8.Valid(data):
			at, what = invalidByte(data), "the file is not UTF-8: save it as UTF-8"
		}
	}
	r.add(nil, at, nil, talewright.Error, codeSyntax, "not valid YAML: %s", what)
}

// secondDocument returns the place of the mark between two documents.
func secondDocument(data []byte) place {
	number, begun := 0, false
	for line := range bytes.Lines(data) {
		number++
		line = bytes.TrimSpace(line)
		isMark := bytes.HasPrefix(line, []byte("---"))
		if isMark && begun {
			break
		}
		begun = begun || !isMark && len(line) > 0 && line[0] != '#'
	}
	return place{number, 1}
}

// invalidByte returns the place of the first byte that is not UTF-8.
func invalidByte(data []byte) place {
	at := place{1, 1}
	for len(data) > 0 {
		r, size := utf8.DecodeRune(data)
		switch {
		case r == utf8.RuneError && size == 1:
			return at
		case r == '\n':
			at = place{at.line + 1, 1}
		default:
			at.column++
		}
		data = data[size:]
	}
	return at
}

// isDeep reports whether brackets, dashes or blanks could nest a text deeper than the limit. The
// parser would notice only after it has gone all the way down.
func isDeep(text string) bool {
	open, begun, blanks := 0, 0, 0
	start := true
	for i := range len(text) {
		switch c := text[i]; {
		case c == '\n':
			start, begun, blanks = true, 0, 0
		case c == '[' || c == '{':
			open++
			start = false
		case c == ']' || c == '}':
			open = max(open-1, 0)
			start = false
		case start && (c == '-' || c == '?' || c == '&' || c == '!'):
			begun++
		case start && c == ' ':
			blanks++
		default:
			start = false
		}
		if open > 8*maxDepth || begun > maxDepth || blanks > 8*maxDepth {
			return true
		}
	}
	return false
}

// value converts a node and its parts. After an error the result has only a place.
func (y *yamlReader) value(n *yaml.Node, path *valuePath, depth int) (*node, error) {
	out := &node{place: place{n.Line, n.Column}}
	if depth > maxDepth {
		return out, errDeep
	}
	if y.within > 0 {
		if y.copies++; y.copies > maxCopies {
			return out, errCopies
		}
	}
	switch n.Kind {
	case yaml.AliasNode:
		y.within++
		part, err := y.value(n.Alias, path, depth+1)
		y.within--
		if err != nil {
			return out, err
		}
		return part, nil
	case yaml.SequenceNode:
		out.kind = tree.KindArray
		for i, child := range n.Content {
			part, err := y.value(child, path.element(i), depth+1)
			if err != nil {
				return part, err
			}
			out.parts = append(out.parts, part)
		}
		return out, nil
	case yaml.MappingNode:
		out.kind = tree.KindObject
		return out, y.mapping(n, out, path, depth)
	}
	y.scalar(n, out, path)
	return out, nil
}

// mapping reads members. The members of merge keys come after the mapping's own.
func (y *yamlReader) mapping(n *yaml.Node, out *node, path *valuePath, depth int) error {
	known := map[string]int{}
	var merged []*node
	for i := 0; i+1 < len(n.Content); i += 2 {
		k, child := n.Content[i], n.Content[i+1]
		at := place{k.Line, k.Column}
		part, err := y.value(child, path.member(k.Value), depth+1)
		if err != nil {
			out.place = part.place
			return err
		}
		if k.Kind == yaml.ScalarNode && k.ShortTag() == "!!merge" {
			merged = append(merged, part)
			continue
		}
		if k.Kind == yaml.AliasNode {
			k = k.Alias
		}
		if k.Kind != yaml.ScalarNode {
			y.add(out, at, path, talewright.Error, codeWrongType, "a key must be a text; the member is ignored")
			continue
		}
		if isPlain(k) && isTrap(k.Value) {
			y.add(part, at, path.member(k.Value), talewright.Warning, codeTrap,
				"%s is read as a text here, and as true or false by other readers of YAML; write %q", k.Value, k.Value)
		}
		y.member(out, known, key{k.Value, at}, part, path)
	}
	return y.merge(out, known, merged, path)
}

// merge adds the members of merge keys that the object does not have itself.
func (y *yamlReader) merge(out *node, known map[string]int, merged []*node, path *valuePath) error {
	for _, m := range merged {
		sources := []*node{m}
		if m.kind == tree.KindArray {
			sources = m.parts
		}
		for _, source := range sources {
			if source.kind != tree.KindObject {
				y.add(out, source.place, path, talewright.Error, codeWrongType, "<< merges objects; this is %s", describe(source))
				continue
			}
			for i, k := range source.keys {
				if _, has := known[k.name]; has {
					continue
				}
				if y.copies++; y.copies > maxCopies {
					return errCopies
				}
				known[k.name] = len(out.keys)
				out.keys, out.parts = append(out.keys, k), append(out.parts, source.parts[i])
			}
		}
	}
	return nil
}

const quoted = yaml.SingleQuotedStyle | yaml.DoubleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle

// isPlain reports whether a scalar has neither quotation marks nor a tag.
func isPlain(n *yaml.Node) bool { return n.Style&(quoted|yaml.TaggedStyle) == 0 }

// isTrap reports whether YAML 1.1 reads a word as a boolean that YAML 1.2 reads as a text.
func isTrap(word string) bool {
	switch strings.ToLower(word) {
	case "y", "n", "yes", "no", "on", "off":
		return true
	}
	return false
}

// scalar reads a value by the core schema of YAML 1.2, or by its tag.
func (y *yamlReader) scalar(n *yaml.Node, out *node, path *valuePath) {
	tagged := n.Style&yaml.TaggedStyle != 0
	out.kind, out.text = tree.KindText, n.Value
	switch tag := n.ShortTag(); {
	case tagged && tag == "!!str", !tagged && n.Style&quoted != 0:
		return
	case tagged && tag != "!!int" && tag != "!!float" && tag != "!!bool" && tag != "!!null":
		y.addError(out, path, codeWrongType, "the tag %s is not read here; write the value alone", tag)
		return
	}
	out.plain, out.source = !tagged, n.Value
	v, ok := coreyaml.Scalar(n.Value)
	if !ok {
		y.addError(out, path, codeWrongType, "%s is not a JSON number; write a number", short(n.Value))
		return
	}
	out.kind = v.Kind()
	switch out.kind {
	case tree.KindBool:
		out.flag, _ = v.AsBool()
	case tree.KindNumber:
		number, _ := v.AsNumber()
		out.text = string(number)
	}
}
