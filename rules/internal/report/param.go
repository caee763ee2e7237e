package report

import (
	"strings"

	"github.com/talewright/talewright/memvars/tree"
)

// The param files find the parameters of events in texts of authors: references such as
// "param.price", and tokens such as {param.price}.

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
	for _, prefix := range prefixes {
		if strings.Contains(s, "{"+prefix) {
			return true
		}
	}
	return false
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
