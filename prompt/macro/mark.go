package macro

import "strings"

// The mark part has the places in a text that a {{trim}} or a stray {{else}} leaves, and the
// guards of backslashes that stay.

// {{trim}} and a stray {{else}} act when the whole text is known, wherever the
// macros between have carried them: through an argument, a variable, a branch.
// Until then they are marks, which no text of the outside can spell: a "{{trim}}"
// that a player wrote is a text.
// The marks.
const (
	markTrim = "\xfftrim\xff"
	markElse = "\xffelse\xff"
	// markData stands after a backslash of data, which no brace after it takes away.
	markData = "\xffdata\xff"
)

// has reports whether there is a mark in a text.
func has(text string) bool { return strings.IndexByte(text, markTrim[0]) >= 0 }

// unmark writes the marks as text, for macros that look at their arguments.
func unmark(text string) string {
	if !has(text) {
		return text
	}
	return texts.Replace(text)
}

var texts = strings.NewReplacer(markTrim, "{{trim}}", markElse, "", markData, "")

// silent are the marks that no text takes the place of.
var silent = strings.NewReplacer(markElse, "", markData, "")

// without removes the marks of one kind.
func without(text, kind string) string {
	if !has(text) {
		return text
	}
	return strings.ReplaceAll(text, kind, "")
}

// settle removes the marks, and the newlines that touch one of {{trim}}.
func settle(text string) string {
	if !has(text) {
		return text
	}
	text = silent.Replace(text)
	out := make([]byte, 0, len(text))
	for {
		before, after, found := strings.Cut(text, markTrim)
		out = append(out, before...)
		if !found {
			return string(out)
		}
		for len(out) > 0 && isNewline(out[len(out)-1]) {
			out = out[:len(out)-1]
		}
		for len(after) > 0 && isNewline(after[0]) {
			after = after[1:]
		}
		text = after
	}
}

func isNewline(c byte) bool { return c == '\n' || c == '\r' }
