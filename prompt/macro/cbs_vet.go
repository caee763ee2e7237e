package macro

import (
	"strings"

	"github.com/talewright/talewright"
)

// Vet returns, as warnings, the macros of a text that a prompt would not expand. These are unknown
// names ([Unknown]), macros of RisuAI that print nothing here, and macros that store in a text that
// runs more than once ("refused"). It checks the whole text. At most 1,000 are returned.
func (c CBS) Vet(text string) talewright.Problems {
	v := cbsVet{CBS: c, src: text}
	v.nodes(parseCBS(text))
	return v.found
}

// cbsVet is one check of a text.
type cbsVet struct {
	CBS
	src   string
	found talewright.Problems
}

// warn adds a problem of a macro.
func (v *cbsVet) warn(n *cbsNode, code talewright.Code, detail string) {
	p := problem(code, trim(n.headText(v.src)), n.start, detail)
	p.Severity = talewright.Warning
	v.found = appendProblem(v.found, p)
}

// nodes checks pieces and all pieces within them, but not the contents that stay as written.
func (v *cbsVet) nodes(list []cbsNode) {
	for i := range list {
		n := &list[i]
		if n.kind == cbsText {
			continue
		}
		if n.kind == cbsCall {
			v.call(n)
		}
		for _, arg := range n.args {
			v.nodes(arg)
		}
		if n.kind == cbsBlock && !cbsBlocks[n.name] {
			v.nodes(n.body)
		}
	}
}

// call checks the name of a macro.
func (v *cbsVet) call(n *cbsNode) {
	head := n.headText(v.src)
	name := n.name
	switch {
	case strings.HasPrefix(head, "//"), strings.HasPrefix(head, "?"), cbsFields[name] != nil, clockMacro(Compile, name) != nil:
	case len(n.args[0]) != 1 || cbsFunctions[name] == nil && name != "calc" && !cbsUnplayed[name]:
		v.warn(n, Unknown, "")
	case cbsUnplayed[name]:
		v.warn(n, codeRefused, "it is not played and prints nothing")
	case cbsStoring[name] && !v.Once:
		v.warn(n, codeRefused, "it stores only in a greeting and prints nothing elsewhere")
	}
}
