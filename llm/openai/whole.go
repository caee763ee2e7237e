package openai

import (
	"encoding/json"
	"strings"
)

// wholeness tells, piece by piece, whether a text is one JSON value by now. Each
// piece is looked at once, and the whole text at most once for each value that
// seems to have ended; so its cost follows the length of the text.
type wholeness struct {
	text   strings.Builder
	depth  int  // open objects and lists
	quoted bool // within a string
	escape bool // behind a backslash
	closed bool // the first value has ended
	extra  bool // something stands behind it
	judged bool // whole was asked since the value ended
	valid  bool // its answer
}

// maxScalar is the longest text without brackets and quotation marks that is
// looked at as a whole.
const maxScalar = 64

// push takes the next piece.
func (w *wholeness) push(piece string) {
	w.text.WriteString(piece)
	for i := range len(piece) {
		w.step(piece[i])
	}
}

// step takes one byte.
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
