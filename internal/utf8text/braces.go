package utf8text

import (
	"regexp"
	"strings"
)

// This file prevents macros in untrusted texts.
//
// A text that becomes part of a template is expanded with it. Escape changes the text so that the
// expansion of package prompt/macro returns the original text.

// Escape returns a text that expands to the given text. If the text has a character sequence that
// begins or ends a macro or an escape, its braces are escaped. The old spellings of names such as
// <USER>, and the tags <% of templates, are broken up.
func Escape(text string) string {
	text = escapeBraces(text)
	if strings.Contains(text, "<") {
		text = angle.ReplaceAllString(text, "<{{noop}}$1>")
		text = strings.ReplaceAll(text, "<%", "<{{noop}}%")
	}
	return text
}

// angle matches the macros in angle brackets.
var angle = regexp.MustCompile(`(?i)<(user|bot|char|group|charifnotgroup)>`)

func escapeBraces(text string) string {
	if !strings.Contains(text, "{{") && !strings.Contains(text, "}}") && !strings.Contains(text, `\`) &&
		!strings.HasPrefix(text, "{") && !strings.HasSuffix(text, "{") &&
		!strings.HasPrefix(text, "}") && !strings.HasSuffix(text, "}") {
		return text // a brace at an end could join a brace of the text around it
	}
	return replacer.Replace(text)
}

var replacer = strings.NewReplacer("{", `\{`, "}", `\}`)
