package macro

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/talewright/talewright"
)

// The codes of problems with macros. The ID of a problem is the name of the macro. Its path is the
// byte offset of the opening braces in the template: "@26".
const (
	Unknown      talewright.Code = "unknown"   // no macro has this name
	Arity        talewright.Code = "arity"     // wrong number of arguments
	codeBadValue talewright.Code = "bad_value" // an argument that the macro cannot use
	codeUnset    talewright.Code = "unset"     // a variable or a path that does not exist: the macro is empty
	codeRefused  talewright.Code = "refused"   // a limit, or something missing in the environment
)

// problem reports a macro that stayed as written or gave an empty text, and why. A name in a text
// of a model can have any length, so it is truncated.
func problem(code talewright.Code, name string, offset int, detail string) talewright.Problem {
	if len(name) > maxName {
		name = strings.ToValidUTF8(name[:maxName], string(utf8.RuneError))
	}
	text := detail
	switch {
	case code == Unknown:
		text = "no macro has this name; left as written"
	case code == Arity:
		text = "wrong number of arguments; left as written"
	case detail == "" && code == codeRefused:
		text = "refused: beyond a limit, or without something that it needs"
	case detail == "":
		text = "an argument that it cannot use"
	}
	p := talewright.Problem{Path: "@" + strconv.Itoa(offset), ID: name, Code: code, Text: text}
	if code == codeUnset { // often a variable is read before it is set
		p.Severity = talewright.Warning
	}
	return p
}

const (
	maxName     = 64   // bytes of a name in a problem
	maxProblems = 1000 // problems kept in the trace
)

// Draw is one number taken from the random source.
type Draw struct {
	Macro  string  `json:"macro"`
	Offset int     `json:"offset"`
	Value  float64 `json:"value"` // in [0, 1)
}

// Access is a variable that a template used.
type Access struct {
	Name   string `json:"name"`
	Global bool   `json:"global,omitempty"`
	Read   bool   `json:"read,omitempty"`
	Write  bool   `json:"write,omitempty"`
}

// Trace records what happened during expansion, in order.
type Trace struct {
	Problems talewright.Problems `json:"problems,omitempty"`
	Draws    []Draw              `json:"draws,omitempty"`
	// Access lists each variable once, in the order of first use.
	Access []Access `json:"access,omitempty"`
}

// appendProblem adds a problem up to a limit, so that texts of players cannot make the trace large.
func appendProblem(list talewright.Problems, p talewright.Problem) talewright.Problems {
	if len(list) >= maxProblems {
		return list
	}
	return append(list, p)
}

// quoteName quotes the beginning of a name.
func quoteName(name string) string {
	if len(name) > maxName {
		name = strings.ToValidUTF8(name[:maxName], "")
	}
	return strconv.Quote(name)
}
