package match

import (
	"slices"
	"strings"
)

// This file expands the macros in keys and contents if the host does not expand macros itself.

// angleMacros lists the macros in angle brackets, in lower case.
var angleMacros = [...]string{"<user>", "<bot>", "<char>", "<group>", "<charifnotgroup>"}

// In reports whether expanding the macros of a text may change it.
func In(text string) bool {
	if strings.Contains(text, "{{") {
		return true
	}
	if !strings.Contains(text, "<") {
		return false
	}
	low := strings.ToLower(text)
	return slices.ContainsFunc(angleMacros[:], func(m string) bool { return strings.Contains(low, m) })
}

// Names replaces {{user}} and {{char}}, in any letter case.
func Names(text, user, char string) string {
	const size = len("{{user}}")
	var b strings.Builder
	for {
		i := strings.Index(text, "{{")
		if i < 0 || i+size > len(text) {
			b.WriteString(text)
			return b.String()
		}
		b.WriteString(text[:i])
		switch strings.ToLower(text[i : i+size]) {
		case "{{user}}":
			b.WriteString(user)
			text = text[i+size:]
		case "{{char}}":
			b.WriteString(char)
			text = text[i+size:]
		default:
			b.WriteByte('{')
			text = text[i+1:]
		}
	}
}
