// Package braces keeps texts of strangers out of macros.
//
// A text that becomes part of a template is expanded with it. Escape writes it so that
// the expansion of package prompt/macro gives the text again.
package braces

import "strings"

// Escape returns a text that expands to the given one: its braces are escaped, if it has
// anything that a macro or an escape begins or ends with.
func Escape(text string) string {
	if !strings.Contains(text, "{{") && !strings.Contains(text, "}}") && !strings.Contains(text, `\`) &&
		!strings.HasPrefix(text, "{") && !strings.HasSuffix(text, "{") &&
		!strings.HasPrefix(text, "}") && !strings.HasSuffix(text, "}") {
		return text // a brace at an end could meet one of what stands around it
	}
	return replacer.Replace(text)
}

var replacer = strings.NewReplacer("{", `\{`, "}", `\}`)
