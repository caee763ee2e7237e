package utf8text

import (
	"regexp"
	"strings"
)

// The braces part keeps texts of strangers out of macros.
//
// A text that becomes part of a template is expanded with it. Escape writes it so that
// the expansion of package prompt/macro gives the text again.

// Escape returns a text that expands to the given one: its braces are escaped, if it has
// anything that a macro or an escape begins or ends with, and the old spellings of names
// such as <USER> are broken up.
func Escape(text string) string {
	text = escapeBraces(text)
	if strings.Contains(text, "<") {
		text = angle.ReplaceAllString(text, "<{{noop}}$1>")
	}
	return text
}

// angle are the macros in angle brackets.
var angle = regexp.MustCompile(`(?i)<(user|bot|char|group|charifnotgroup)>`)

func escapeBraces(text string) string {
	if !strings.Contains(text, "{{") && !strings.Contains(text, "}}") && !strings.Contains(text, `\`) &&
		!strings.HasPrefix(text, "{") && !strings.HasSuffix(text, "{") &&
		!strings.HasPrefix(text, "}") && !strings.HasSuffix(text, "}") {
		return text // a brace at an end could meet one of what stands around it
	}
	return replacer.Replace(text)
}

var replacer = strings.NewReplacer("{", `\{`, "}", `\}`)
