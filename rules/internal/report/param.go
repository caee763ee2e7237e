package report

import (
	"slices"
	"strings"

	"github.com/talewright/talewright/memvars/tree"
)

// This file finds the parameters of events in texts of authors: references such as "param.price", and
// tokens such as {param.price}.

// prefixes are the beginnings of a reference, in the two languages of authors.
var prefixes = [...]string{"param.", "参数."}

// Key returns the key of a reference such as "param.price".
func Key(ref string) (string, bool) {
	for _, prefix := range prefixes {
		if key, ok := strings.CutPrefix(ref, prefix); ok && key != "" {
			return key, true
		}
	}
	return "", false
}

// HasToken is a cheap check before filling in.
func HasToken(s string) bool {
	return slices.ContainsFunc(prefixes[:], func(prefix string) bool { return strings.Contains(s, "{"+prefix) })
}

// cut splits a text at its first token.
func cut(s string) (before, key, after string, ok bool) {
	end := -1 // the closing brace after the opening ones, searched for once
	for at := 0; ; {
		open := strings.IndexByte(s[at:], '{')
		if open < 0 {
			return s, "", "", false
		}
		open += at
		if end < open {
			n := strings.IndexByte(s[open:], '}')
			if n < 0 {
				return s, "", "", false
			}
			end = open + n
		}
		if key, ok := Key(s[open+1 : end]); ok {
			return s[:open], key, s[end+1:], true
		}
		at = open + 1 // other braces are text, and may contain a token: {{param.x}}
	}
}

// Numeric reads a text that is only a number with white space. The number must be spelled as in
// JSON, because "007" and "0x10" are usually names.
func Numeric(s string) (tree.Value, bool) {
	s = strings.TrimSpace(s)
	if len(s) > tree.MaxDigits {
		return tree.Value{}, false
	}
	v, err := tree.ParseValue([]byte(s))
	if err != nil {
		return tree.Value{}, false
	}
	_, ok := v.AsNumber()
	return v, ok
}

// An event may carry an object "params", such as the values of the button that the player pressed.
// Then the tokens {param.key} and {参数.key} in conditions and effects are replaced. Without that
// object they are ordinary text.

// Tokens are replaced in the top-level texts of condition values, effect values, fields of emitted
// events and else messages. Names are not changed: the targets of a rule's writes must be known
// before play.

// Value returns a parameter with its own type. A numeric text becomes a number. A missing parameter
// is the empty text.
func Value(params tree.Value, key string) tree.Value {
	v := params.Get(key)
	if !v.Exists() {
		return tree.Text("")
	}
	// Forms have only texts, so a numeric text is read as a number.
	if s, ok := v.AsText(); ok {
		if n, ok := Numeric(s); ok {
			return n
		}
	}
	return v
}

// Fill replaces the tokens of a text. A text that consists of one token becomes the parameter
// itself.
func Fill(v, params tree.Value) tree.Value {
	s, ok := v.AsText()
	if !ok || !HasToken(s) {
		return v
	}
	// A single token keeps the type, so that a price can be subtracted. Within a text it can only
	// be printed.
	if before, key, after, ok := cut(s); ok && before == "" && after == "" {
		return Value(params, key)
	}
	return tree.Text(Print(s, params))
}

// MaxFilled limits the filled text, because many tokens can each insert a long parameter. Tokens
// beyond the limit are not replaced.
const MaxFilled = 1 << 20

// Print replaces the tokens of a text by the parameters.
func Print(s string, params tree.Value) string {
	return PrintWith(s, params, func(filled string) string { return filled })
}

// PrintWith replaces the tokens of a text by the parameters, each converted by write.
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

// Text converts a value to text: a string as it is, any other value as JSON, and an absent or null
// value to the empty text.
func Text(v tree.Value) string {
	if s, ok := v.AsText(); ok {
		return s
	}
	if !v.Exists() || v.IsNull() {
		return ""
	}
	return v.String()
}
