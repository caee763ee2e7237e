package macro

import "strings"

// This file handles the marks that a {{trim}} or a stray {{else}} leaves in a text, and the marks
// that protect backslashes of data.

// {{trim}} and a stray {{else}} take effect when the whole text is known, after macros may have
// moved them through an argument, a variable or a branch. Until then they are marks. Text from
// outside cannot contain a mark: a "{{trim}}" that a player wrote is text.
const (
	markTrim = "\xfftrim\xff"
	markElse = "\xffelse\xff"
	// markData follows a backslash of data, so that unescaping does not remove the backslash.
	markData = "\xffdata\xff"
)

// hasMark reports whether a text contains a mark.
func hasMark(text string) bool { return strings.IndexByte(text, markTrim[0]) >= 0 }

// unmark writes the marks as text, for macros that inspect their arguments.
func unmark(text string) string {
	if !hasMark(text) {
		return text
	}
	return markTexts.Replace(text)
}

var markTexts = strings.NewReplacer(markTrim, "{{trim}}", markElse, "", markData, "")

// markRemover removes the marks that have no text form.
var markRemover = strings.NewReplacer(markElse, "", markData, "")

// removeMarks removes the marks, and the newlines next to a {{trim}}.
func removeMarks(text string) string {
	if !hasMark(text) {
		return text
	}
	text = markRemover.Replace(text)
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

// isNewline reports whether c is a part of a line break.
func isNewline(c byte) bool { return c == '\n' || c == '\r' }
