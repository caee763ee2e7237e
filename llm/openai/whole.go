package openai

import (
	"encoding/json"
	"strings"
)

// wholeness reports, while the pieces of a text arrive, whether the text is one complete JSON
// value. Each piece is scanned once, and the whole text is parsed at most once after its end. So
// the cost is linear in the length of the text.
type wholeness struct {
	text   strings.Builder
	depth  int  // open objects and lists
	quoted bool // inside a string
	escape bool // after a backslash
	closed bool // the first value has ended
	extra  bool // there is text after it
	judged bool // whole was called since the value ended
	valid  bool // the result of that call
}

// maxScalar is the longest text without brackets and quotation marks that is parsed as a whole.
const maxScalar = 64

// push adds the next piece.
func (w *wholeness) push(piece string) {
	w.text.WriteString(piece)
	for i := range len(piece) {
		w.step(piece[i])
	}
}

// step processes one byte.
func (w *wholeness) step(c byte) {
	switch {
	case w.quoted && w.escape:
		w.escape = false
	case w.quoted && c == '\\':
		w.escape = true
	case w.quoted:
		w.quoted = c != '"'
		w.closed = w.closed || !w.quoted && w.depth == 0
	case c == ' ' || c == '\t' || c == '\r' || c == '\n':
	case w.closed:
		w.extra = true
	case c == '"':
		w.quoted = true
	case c == '{' || c == '[':
		w.depth++
	case c == '}' || c == ']':
		w.depth--
		w.closed = w.depth <= 0
	}
}

// whole reports whether the text is one JSON value.
func (w *wholeness) whole() bool {
	switch {
	case w.extra, w.quoted, w.depth > 0:
		return false
	case !w.closed:
		return w.text.Len() <= maxScalar && json.Valid([]byte(w.text.String()))
	case !w.judged:
		w.judged, w.valid = true, json.Valid([]byte(w.text.String()))
	}
	return w.valid
}
