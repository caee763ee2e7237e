package authoring

import (
	"slices"
	"strconv"
	"strings"

	"github.com/talewright/talewright/memvars/tree"
)

// Limits of a file. Aliases of YAML may repeat at most maxCopies values.
const (
	maxDepth    = 200
	maxCopies   = 1 << 16
	maxProblems = 1000
)

// node is a value of a file, with its place.
type node struct {
	kind     tree.Kind
	text     string         // the characters of a text or a number
	plain    bool           // a scalar of YAML without quotation marks, which may be read as a text
	source   string         // the characters of a plain scalar
	flag     bool           // of a boolean
	keys     []key          // of an object
	parts    []*node        // members or elements
	place    place          // where it begins
	refused  bool           // the checks refuse it: it is left out
	reported bool           // it has a problem, so the compiler need not report it again
	missing  []string       // the names of members that are reported as missing
	badWord  bool           // an unknown word
	index    map[string]int // of the names in keys, made for the first search by a path
}

type key struct {
	name  string
	place place
}

// get returns a member, or nil.
func (n *node) get(name string) *node {
	if n == nil {
		return nil
	}
	for i, k := range n.keys {
		if k.name == name {
			return n.parts[i]
		}
	}
	return nil
}

// appendJSON writes a value without what was refused.
func (n *node) appendJSON(b []byte) []byte {
	if n.refused {
		return append(b, "null"...)
	}
	switch n.kind {
	case tree.KindBool:
		return strconv.AppendBool(b, n.flag)
	case tree.KindNumber:
		return append(b, n.text...)
	case tree.KindText:
		return tree.AppendText(b, n.text)
	case tree.KindArray:
		b = append(b, '[')
		for i, part := range n.parts {
			if i > 0 {
				b = append(b, ',')
			}
			b = part.appendJSON(b)
		}
		return append(b, ']')
	case tree.KindObject:
		b = append(b, '{')
		for i, part := range n.parts {
			if part.refused {
				continue
			}
			if b[len(b)-1] != '{' {
				b = append(b, ',')
			}
			b = append(tree.AppendText(b, n.keys[i].name), ':')
			b = part.appendJSON(b)
		}
		return append(b, '}')
	}
	return append(b, "null"...)
}

// find returns the place of a path as far as the value has it. A name may itself contain dots.
func (n *node) find(path string) place {
	_, at, _ := n.walk(path)
	return at
}

// isReported reports whether the value at a path has a problem already, or is reported as missing.
func (n *node) isReported(path string) bool {
	last, _, rest := n.walk(path)
	if rest == "" {
		return last.reported
	}
	return slices.Contains(last.missing, strings.TrimPrefix(rest, "."))
}

// walk follows a path as far as the value has it. It returns the last value, its place, and the rest
// of the path.
func (n *node) walk(path string) (last *node, at place, rest string) {
	at = n.place
	for path != "" {
		step := path
		switch {
		case path[0] == '.':
			step = path[1:]
			fallthrough
		case path[0] != '[':
			part, k, length := n.member(step)
			if part == nil {
				return n, at, path
			}
			n, path, at = part, step[length:], k.place
		default:
			end := strings.IndexByte(path, ']')
			if end < 0 {
				return n, at, path
			}
			i, err := strconv.Atoi(path[1:end])
			if err != nil || i < 0 || i >= len(n.parts) {
				return n, at, path
			}
			n, path = n.parts[i], path[end+1:]
			at = n.place
		}
	}
	return n, at, ""
}

// member returns the member with the longest name at the beginning of a path.
func (n *node) member(path string) (part *node, k key, length int) {
	if n.index == nil {
		n.index = make(map[string]int, len(n.keys))
		for i, k := range n.keys {
			n.index[k.name] = i
		}
	}
	for end := len(path); end > 0; end = strings.LastIndexAny(path[:end], ".[") {
		if i, ok := n.index[path[:end]]; ok {
			return n.parts[i], n.keys[i], end
		}
	}
	return nil, key{}, 0
}

// named returns a path with the names that the value has. A problem's path has no quotation marks, so
// a name with dots arrives as several segments: they are joined if the value has no shorter name. The
// last segment may be new.
func (n *node) named(path tree.Path) tree.Path {
	if found, ok := n.joined(path); ok {
		return found
	}
	last := len(path) - 1
	if found, ok := n.joined(path[:last]); ok {
		return append(found, path[last])
	}
	return path
}

// joined returns the path of an existing value with its dotted names joined.
func (n *node) joined(path tree.Path) (tree.Path, bool) {
	if len(path) == 0 {
		return nil, true
	}
	if i, ok := tree.Index(path[0]); ok && n.kind == tree.KindArray && i < len(n.parts) {
		rest, ok := n.parts[i].joined(path[1:])
		return append(tree.Path{path[0]}, rest...), ok
	}
	for end := range len(path) {
		name := strings.Join(path[:end+1], ".")
		if part := n.get(name); part != nil {
			if rest, ok := part.joined(path[end+1:]); ok {
				return append(tree.Path{name}, rest...), true
			}
		}
	}
	return nil, false
}
