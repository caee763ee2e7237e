package authoring

import (
	"bytes"
	"slices"
	"strconv"

	"go.yaml.in/yaml/v4"
)

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
	isChanged := func(p yamlPart) bool { return p.name == name }
	out := bytes.Clone(head)
	for _, p := range before {
		switch {
		case !isChanged(p):
			out = append(out, p.body...)
		case removed:
			out = withoutComment(out)
		default:
			if i := slices.IndexFunc(after, isChanged); i >= 0 {
				out = append(out, after[i].body...)
			}
		}
		out = append(out, p.tail...)
	}
	if !slices.ContainsFunc(before, isChanged) {
		if !bytes.HasSuffix(out, []byte("\n")) {
			out = append(out, '\n')
		}
		out = append(out, after[len(after)-1].body...)
	}
	if !sameValue(out, changed) { // a text of several lines can look like comments, so the parts were wrong
		return changed
	}
	return out
}

// sameValue reports whether two YAML files can be read and have the same value.
func sameValue(a, b []byte) bool {
	x, y := new(reading).parseYAML(a), new(reading).parseYAML(b)
	return x != nil && y != nil && bytes.Equal(x.appendJSON(nil), y.appendJSON(nil))
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
