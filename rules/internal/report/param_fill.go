package report

import (
	"strings"

	"github.com/talewright/talewright/memvars/tree"
)

// An event may carry an object "params", such as what stood beside the button that
// the player pressed. The tokens {param.key} and {参数.key} in conditions and
// effects are then filled in; without that object they are ordinary text.

// Filled in are the top-level texts of condition values, effect values, fields of emitted
// events and else messages. Names are not: what a rule writes to must be known before play.

// Value returns a parameter in its own type, a numeric text as a number, a
// missing one as the empty text.
func Value(params tree.Value, key string) tree.Value {
	v := params.Get(key)
	if !v.Exists() {
		return tree.Text("")
	}
	// Forms have only texts, so a text that is a number is taken for one.
	if s, ok := v.AsText(); ok {
		if n, ok := Numeric(s); ok {
			return n
		}
	}
	return v
}

// Fill fills the tokens of a text. A text that is one token and nothing else
// becomes the parameter itself.
func Fill(v, params tree.Value) tree.Value {
	s, ok := v.AsText()
	if !ok || !HasToken(s) {
		return v
	}
	// A token alone keeps the type, so that a price can be subtracted; inside of a text it
	// can only be printed.
	if before, key, after, ok := cut(s); ok && before == "" && after == "" {
		return Value(params, key)
	}
	return tree.Text(Print(s, params))
}

// MaxFilled bounds what filling in makes of a text: a hundred tokens and a long parameter are
// a hundred long parameters. Tokens beyond it stay as they are.
const MaxFilled = 1 << 20

// Print puts the parameters into a text.
func Print(s string, params tree.Value) string {
	return PrintWith(s, params, func(filled string) string { return filled })
}

// PrintWith puts the parameters into a text, each as the function writes it.
func PrintWith(s string, params tree.Value, write func(string) string) string {
	if !HasToken(s) {
		return s
	}
	var b strings.Builder
	for {
		before, key, after, ok := cut(s)
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		filled := write(Text(params.Get(key)))
		if b.Len()+len(filled) > MaxFilled {
			b.WriteString(s[len(before):])
			return b.String()
		}
		b.WriteString(filled)
		s = after
	}
}

// Text writes a value as text: a string as it is, anything else as JSON, and what is not
// there or null as nothing.
func Text(v tree.Value) string {
	if s, ok := v.AsText(); ok {
		return s
	}
	if !v.Exists() || v.IsNull() {
		return ""
	}
	return v.String()
}
