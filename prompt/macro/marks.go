package macro

import "strings"

// {{trim}} and a stray {{else}} act when the whole text is known, wherever the
// macros between have carried them: through an argument, a variable, a branch.
// Until then they are marks, which no text of the outside can spell: a "{{trim}}"
// that a player wrote is a text.
const (
	trimMark = "\xfftrim\xff"
	elseMark = "\xffelse\xff"
)

func hasMark(text string) bool { return strings.IndexByte(text, trimMark[0]) >= 0 }

// unmark writes the marks as text, for macros that look at their arguments.
func unmark(text string) string {
	if !hasMark(text) {
		return text
	}
	return markTexts.Replace(text)
}

var markTexts = strings.NewReplacer(trimMark, "{{trim}}", elseMark, "")

// settle removes the marks, and the newlines that touch one of {{trim}}.
func settle(text string) string {
	if !hasMark(text) {
		return text
	}
	text = strings.ReplaceAll(text, elseMark, "")
	out := make([]byte, 0, len(text))
	for {
		before, after, found := strings.Cut(text, trimMark)
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
