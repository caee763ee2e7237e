package rules

import (
	"strings"

	"github.com/talewright/talewright/memvars/tree"
)

// An event may carry an object "params", such as what stood beside the button that
// the player pressed. The tokens {param.key} and {参数.key} in conditions and
// effects are then filled in; without that object they are ordinary text.

// Filled in are the top-level texts of condition values, effect values, fields of emitted
// events and else messages. Names are not: what a rule writes to must be known before play.

// paramPrefixes begin a reference, in the two languages that authors write.
var paramPrefixes = [...]string{"param.", "参数."}

// paramKey returns the key of a reference such as "param.price".
func paramKey(ref string) (string, bool) {
	for _, prefix := range paramPrefixes {
		if key, ok := strings.CutPrefix(ref, prefix); ok && key != "" {
			return key, true
		}
	}
	return "", false
}

// hasToken is the cheap question before filling in.
func hasToken(s string) bool {
	for _, prefix := range paramPrefixes {
		if strings.Contains(s, "{"+prefix) {
			return true
		}
	}
	return false
}

// cutToken splits a text at its first token.
func cutToken(s string) (before, key, after string, ok bool) {
	end := -1 // the closing brace behind the opening ones, searched for once
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
		if key, ok := paramKey(s[open+1 : end]); ok {
			return s[:open], key, s[end+1:], true
		}
		at = open + 1 // other braces are text, and may hold a token: {{param.x}}
	}
}

// paramValue returns a parameter in its own type, a numeric text as a number, a
// missing one as the empty text.
func paramValue(params tree.Value, key string) tree.Value {
	v := params.Get(key)
	if !v.Exists() {
		return tree.Text("")
	}
	// Forms have only texts, so a text that is a number is taken for one.
	if s, ok := v.AsText(); ok {
		if n, ok := numeric(s); ok {
			return n
		}
	}
	return v
}

// fillValue fills the tokens of a text. A text that is one token and nothing else
// becomes the parameter itself.
func fillValue(v, params tree.Value) tree.Value {
	s, ok := v.AsText()
	if !ok || !hasToken(s) {
		return v
	}
	// A token alone keeps the type, so that a price can be subtracted; inside of a text it
	// can only be printed.
	if before, key, after, ok := cutToken(s); ok && before == "" && after == "" {
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
	if !hasToken(s) {
		return s
	}
	var b strings.Builder
	for {
		before, key, after, ok := cutToken(s)
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

// numeric reads a text that is a number and nothing else but white space. It has to be spelled
// as in JSON: "007" and "0x10" are names more often than numbers.
func numeric(s string) (tree.Value, bool) {
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
