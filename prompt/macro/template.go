package macro

import (
	"strings"

	"github.com/talewright/talewright"
)

// maxDepth limits how deep macros stand in one another, arguments and scopes
// counted together.
const maxDepth = 64

// Template is a compiled text: a tree of offsets into the source, so that a long
// text costs little more than its macros. It is immutable and safe for concurrent use.
type Template struct {
	text  string
	set   *Set
	nodes []node
	// plain says that full expansion gives the text back as it is.
	plain bool
	// hash of the text, only if the text contains the macro pick.
	hash uint64
	// places are the offsets of what is data, see [Run.Form].
	places []int
	// problems found while compiling: macros beyond maxDepth.
	problems talewright.Problems
}

// Compile compiles a text for the built-in macros. Every text is a valid
// template: what is not a macro stays text. The cost is linear in the length,
// and a text without macros is scanned once.
func Compile(text string) *Template {
	return builtinSet.Compile(text)
}

// Text returns the text that the template was compiled from.
func (t *Template) Text() string { return t.text }

// Plain reports whether the template contains nothing to expand.
func (t *Template) Plain() bool { return t.plain }

type nodeKind uint8

const (
	textNode  nodeKind = iota
	macroNode          // a call by name; spec is nil if the name is unknown
	exprNode           // a variable expression
	closeNode          // {{/name}}; without its partner it is text
)

// node is one piece of a template. Pieces of one level follow one another in a
// slice; arguments and values are levels of their own.
type node struct {
	kind       nodeKind
	start, end int    // in the source
	name       string // lower case
	spec       *spec
	// args are the levels between the separators. head is the end of the part
	// of the source in front of them.
	args [][]node
	head int
	// span is the distance to the closing tag in the same level, 0 if the macro
	// has no scope.
	span int
	// asText marks tags that stay as written although the name is known.
	asText bool
	// keepSpace is the flag #: scoped content is neither trimmed nor dedented.
	keepSpace bool
	// exactElse marks {{else}}, written in small letters.
	exactElse bool
	// malformed marks a call whose arguments do not begin with a separator.
	malformed bool
	expr      *expression // of an exprNode
}

// Compile compiles a text for the macros of the set; see [Compile].
func (s *Set) Compile(text string) *Template {
	t := &Template{text: text, set: s}
	if !strings.Contains(text, "{{") && !hasAngle(text) {
		t.plain = !hasEscape(text)
		return t
	}
	p := parser{set: s, src: text}
	p.parse()
	t.nodes = p.nodes
	t.problems = p.problems
	t.plain = len(t.nodes) == 0 && !hasEscape(text)
	if p.picks {
		t.hash = hashText(text)
	}
	return t
}

// hasEscape reports whether text contains \{ or \}.
func hasEscape(text string) bool {
	for {
		i := strings.IndexByte(text, '\\')
		if i < 0 || i+1 == len(text) {
			return false
		}
		if text[i+1] == '{' || text[i+1] == '}' {
			return true
		}
		text = text[i+1:]
	}
}

// Plain reports whether a text has nothing in it that is ever expanded, whatever the
// environment and the mode.
func Plain(text string) bool {
	return !strings.Contains(text, "{{") && !hasAngle(text) && !hasEscape(text)
}

// angleForms are the old spellings of the name macros, matched in any case.
var angleForms = [...]struct{ tag, name string }{
	{"user>", "user"},
	{"bot>", "char"},
	{"char>", "char"},
	{"group>", "group"},
	{"charifnotgroup>", "group"},
}

func hasAngle(text string) bool {
	for {
		i := strings.IndexByte(text, '<')
		if i < 0 {
			return false
		}
		text = text[i+1:]
		if name, _ := angle(text); name != "" {
			return true
		}
	}
}

// angle returns the macro that text, right behind a '<', spells, and the length
// of the spelling.
func angle(text string) (name string, length int) {
	for _, f := range angleForms {
		if n := len(f.tag); len(text) >= n && strings.EqualFold(text[:n], f.tag) {
			return f.name, n
		}
	}
	return "", 0
}
