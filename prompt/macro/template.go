package macro

import (
	"slices"
	"strings"

	"github.com/talewright/talewright"
)

// maxDepth limits the nesting of macros, arguments and scopes counted together.
const maxDepth = 64

// Template is a compiled text: a tree of offsets into the source, so that a long text costs little
// more than its macros. It is immutable and safe for concurrent use.
type Template struct {
	text  string
	set   *Set
	nodes []node
	// plain means that full expansion returns the text unchanged.
	plain bool
	// hash of the text, only if the text contains the macro pick.
	hash uint64
	// places are the offsets of data places, see [Run.Form].
	places []int
	// problems found while compiling: macros beyond maxDepth.
	problems talewright.Problems
}

// Text returns the text that the template was compiled from.
func (t *Template) Text() string { return t.text }

// Plain reports whether the template contains nothing to expand.
func (t *Template) Plain() bool { return t.plain }

// Vet returns, as warnings, the macros that stay as written in every environment. These are unknown
// names ([Unknown]), wrong numbers of arguments ([Arity]), and macros that are nested too deep
// ("refused"). Macros that [Env.Macros] or [Env.Bare] define are unknown here. Vet checks the whole
// text, also branches that an expansion would not take. The order is the order of the text, outer
// macros before inner ones. At most 1,000 are returned.
func (t *Template) Vet() talewright.Problems {
	found := slices.Clone(t.problems)
	eachNode(t.nodes, func(n *node) {
		switch {
		case n.kind != macroNode || n.asText:
		case n.spec == nil:
			found = appendProblem(found, problem(Unknown, t.written(n), n.start, ""))
		case n.malformed || !n.spec.accepts(len(n.args)+min(n.span, 1)):
			found = appendProblem(found, problem(Arity, t.written(n), n.start, ""))
		}
	})
	for i := range found {
		found[i].Severity = talewright.Warning
	}
	return found
}

// eachNode calls visit for the nodes of a level, and after each for the levels within it.
func eachNode(nodes []node, visit func(*node)) {
	for i := range nodes {
		visit(&nodes[i])
		for _, arg := range nodes[i].args {
			eachNode(arg, visit)
		}
	}
}

// written returns the name of a node as its author wrote it.
func (t *Template) written(n *node) string {
	name := t.text[n.start:n.head]
	if n.kind == exprNode {
		return n.expr.name
	}
	if i := strings.IndexFunc(name, isLetterRune); i >= 0 {
		return name[i:nameEnd(name, i)]
	}
	return name
}

// nodeKind is the kind of a [node].
type nodeKind uint8

const (
	textNode  nodeKind = iota
	macroNode          // a call by name; spec is nil if the name is unknown
	exprNode           // a variable expression
	closeNode          // {{/name}}; without a partner it is text
)

// node is one piece of a template. Nodes of one level are adjacent in a slice. Arguments and values
// are separate levels.
type node struct {
	kind       nodeKind
	start, end int    // in the source
	name       string // lower case
	spec       *spec
	// args are the levels between the separators. head is the end of the source before them.
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

// Plain reports whether a text contains nothing that any environment or mode expands.
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

// hasAngle reports whether a text contains a name in angle brackets.
func hasAngle(text string) bool {
	for {
		i := strings.IndexByte(text, '<')
		if i < 0 {
			return false
		}
		text = text[i+1:]
		if name, _ := angleMacro(text); name != "" {
			return true
		}
	}
}

// angleMacro returns the macro for the text directly after a '<', and the length of the spelling.
func angleMacro(text string) (name string, length int) {
	for _, f := range angleForms {
		if n := len(f.tag); len(text) >= n && strings.EqualFold(text[:n], f.tag) {
			return f.name, n
		}
	}
	return "", 0
}

// hashText is 64-bit FNV-1a.
func hashText(text string) uint64 { return hashMore(14695981039346656037, text) }

// hashMore continues a hash with a text.
func hashMore(h uint64, text string) uint64 {
	for i := range len(text) {
		h = (h ^ uint64(text[i])) * 1099511628211
	}
	return h
}

// spec is a macro of a set.
type spec struct {
	name       string
	min, max   int // number of arguments; max -1 means any number
	anyNumber  bool
	names      bool // expanded in mode Names
	keepsMarks bool // passes its arguments through, marks included
	exactForm  bool // {{name::argument}}, with nothing else and an argument that is not trimmed
	usesColumn bool // the result may depend on the column
	printsTime bool // prints the time without an argument
	eval       func(*Call) string
	// scope, if not nil, gets the nodes unexpanded.
	scope func(e *evaluator, n *node, rest []node)
}

// accepts reports whether a call may have this number of arguments.
func (s *spec) accepts(args int) bool {
	return args >= s.min && (s.max < 0 || args <= s.max)
}

// Set is a table of macros: the built-in macros and the macros of a host. It is immutable and safe
// for concurrent use.
type Set struct {
	specs map[string]*spec
	base  *Set // used for names that specs does not have
}

// lookup returns the macro of a name in lower case, nil if there is none.
func (s *Set) lookup(name string) *spec {
	if own := s.specs[name]; own != nil || s.base == nil {
		return own
	}
	return s.base.lookup(name)
}

// VariableUse is a variable that a template names literally, see [Template.Variables].
type VariableUse struct {
	Name string
	// Macro is the name of the macro in lower case, such as "getvar" or "var". It is empty for an
	// expression such as {{.name}}.
	Macro string
	// Stores is true if the macro sets the variable.
	Stores bool
}

// Variables returns the variables of the chat and the paths of the document that the template
// names, in the order of the text. Branches that an expansion would skip are included. Names that
// are the results of other macros are not included.
func (t *Template) Variables() (uses []VariableUse) {
	eachNode(t.nodes, func(n *node) {
		switch {
		case n.kind == exprNode && !n.expr.global:
			uses = append(uses, VariableUse{Name: n.expr.name, Stores: storingOperators[n.expr.op]})
		case n.kind == macroNode && n.spec != nil && len(n.args) > 0:
			if stores, ok := namesVariable[n.spec.name]; ok && len(n.args[0]) == 1 && n.args[0][0].kind == textNode {
				name := trim(t.text[n.args[0][0].start:n.args[0][0].end])
				uses = append(uses, VariableUse{Name: name, Macro: n.spec.name, Stores: stores})
			}
		}
	})
	return uses
}

// storingOperators are the operators that set a variable.
var storingOperators = map[string]bool{
	"=": true, "+=": true, "-=": true, "++": true, "--": true, "||=": true, "??=": true,
}

// namesVariable are the macros whose first argument is the name of a variable of the chat or a path
// of the document. The value says whether the macro sets the variable.
var namesVariable = map[string]bool{
	"setvar": true, "addvar": true, "incvar": true, "decvar": true, "setvarkey": true,
	"getvar": false, "getvarkey": false, "hasvar": false, "deletevar": false, "var": false,
}
