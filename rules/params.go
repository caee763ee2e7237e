package rules

import (
	"strings"

	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/internal/param"
)

// An event may carry an object "params", such as what stood beside the button that
// the player pressed. The tokens {param.key} and {参数.key} in conditions and
// effects are then filled in; without that object they are ordinary text.

// Filled in are the top-level texts of condition values, effect values, fields of emitted
// events and else messages. Names are not: what a rule writes to must be known before play.

// paramValue returns a parameter in its own type, a numeric text as a number, a
// missing one as the empty text.
func paramValue(params tree.Value, key string) tree.Value {
	v := params.Get(key)
	if !v.Exists() {
		return tree.Text("")
	}
	// Forms have only texts, so a text that is a number is taken for one.
	if s, ok := v.AsText(); ok {
		if n, ok := param.Numeric(s); ok {
			return n
		}
	}
	return v
}

// fillValue fills the tokens of a text. A text that is one token and nothing else
// becomes the parameter itself.
func fillValue(v, params tree.Value) tree.Value {
	s, ok := v.AsText()
	if !ok || !param.HasToken(s) {
		return v
	}
	// A token alone keeps the type, so that a price can be subtracted; inside of a text it
	// can only be printed.
	if before, key, after, ok := param.Cut(s); ok && before == "" && after == "" {
		return paramValue(params, key)
	}
	return tree.Text(fillText(s, params))
}

// maxFilled bounds what filling in makes of a text: a hundred tokens and a long parameter are
// a hundred long parameters. Tokens beyond it stay as they are.
const maxFilled = 1 << 20

// fillText prints the parameters into a text.
func fillText(s string, params tree.Value) string {
	return fillWith(s, params, func(filled string) string { return filled })
}

// fillWith prints the parameters into a text, each as the function writes it.
func fillWith(s string, params tree.Value, write func(string) string) string {
	if !param.HasToken(s) {
		return s
	}
	var b strings.Builder
	for {
		before, key, after, ok := param.Cut(s)
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		filled := write(printed(params.Get(key)))
		if b.Len()+len(filled) > maxFilled {
			b.WriteString(s[len(before):])
			return b.String()
		}
		b.WriteString(filled)
		s = after
	}
}
