package memvars

import (
	"strings"
	"unicode/utf8"

	"github.com/talewright/talewright/internal/utf8text"
	"github.com/talewright/talewright/memvars/tree"
)

// repairJSON reads the almost-JSON of models. It accepts single or typographic quotes, unquoted
// keys, superfluous commas, comments, full-width marks, raw line breaks, Python literals, loose
// numbers, and missing brackets at the end. Text after the first complete value cannot be repaired.
//
// It repairs only mistakes with one possible meaning. A missing colon or comma, or a word as a
// value, is ambiguous and is refused. The text is read once, without going back.
func repairJSON(s string) (tree.Value, bool) {
	if !utf8.ValidString(s) {
		return tree.Value{}, false
	}
	r := repairer{s: s}
	v, ok := r.value(0)
	r.space()
	return v, ok && r.i >= len(s)
}

// repairer reads one text from left to right.
type repairer struct {
	s      string
	i      int // the offset of the next character
	spaces spaces
}

// space skips blanks, line breaks and comments.
func (r *repairer) space() { r.i = r.spaces.skip(r.s, r.i) }

// consume skips the mark c or its full-width form.
func (r *repairer) consume(c byte) bool {
	n := markLen(r.s, r.i, c)
	r.i += n
	return n > 0
}

// commas skips any number of commas: doubled and trailing commas are the most common mistake.
func (r *repairer) commas() {
	for r.space(); r.consume(','); {
		r.space()
	}
}

// value reads one value. Unquoted words are accepted only if they are literals or numbers: a bare
// word as a value means that the text is not JSON.
func (r *repairer) value(depth int) (tree.Value, bool) {
	r.space()
	if r.i >= len(r.s) || depth > tree.MaxNesting {
		return tree.Value{}, false
	}
	switch r.s[r.i] {
	case '{':
		return r.object(depth)
	case '[':
		return r.array(depth)
	}
	if mark, class, ok := quoteAt(r.s, r.i); ok {
		s, ok := r.text(mark, class)
		return tree.Text(s), ok
	}
	word := r.word()
	if v, ok := bareValue(word); ok {
		return v, true
	}
	if n, ok := tree.ParseNumber(strings.TrimPrefix(utf8text.Narrow(word), "+")); ok {
		return tree.Num(n), true
	}
	return tree.Value{}, false
}

// object reads members up to the closing brace or the end of the text. A member must be complete
// and must be followed by a comma, the brace or the end.
func (r *repairer) object(depth int) (tree.Value, bool) {
	r.i++
	var members []tree.Member
	for {
		r.commas()
		if r.i >= len(r.s) {
			return tree.Object(members...), true // the closing brace is missing
		}
		if r.consume('}') {
			return tree.Object(members...), true
		}
		key, ok := r.key()
		if !ok {
			return tree.Value{}, false
		}
		if r.space(); !r.consume(':') {
			return tree.Value{}, false
		}
		v, ok := r.value(depth + 1)
		if !ok {
			return tree.Value{}, false
		}
		members = append(members, tree.Member{Key: key, Value: v})
		r.space()
		if r.i < len(r.s) && markLen(r.s, r.i, ',') == 0 && r.s[r.i] != '}' {
			return tree.Value{}, false
		}
	}
}

// array reads elements as object reads members.
func (r *repairer) array(depth int) (tree.Value, bool) {
	r.i++
	var elems []tree.Value
	for {
		r.commas()
		if r.i >= len(r.s) {
			return tree.Array(elems...), true
		}
		if r.consume(']') {
			return tree.Array(elems...), true
		}
		v, ok := r.value(depth + 1)
		if !ok {
			return tree.Value{}, false
		}
		elems = append(elems, v)
		r.space()
		if r.i < len(r.s) && markLen(r.s, r.i, ',') == 0 && r.s[r.i] != ']' {
			return tree.Value{}, false
		}
	}
}

// key reads a quoted or an unquoted key.
func (r *repairer) key() (string, bool) {
	if mark, class, ok := quoteAt(r.s, r.i); ok {
		return r.text(mark, class)
	}
	word := r.word()
	return word, word != ""
}

// word reads up to the next token.
func (r *repairer) word() string {
	start := r.i
	for r.i < len(r.s) {
		if strings.IndexByte("{}[]\n\"'`", r.s[r.i]) >= 0 ||
			markLen(r.s, r.i, ',') > 0 || markLen(r.s, r.i, ':') > 0 ||
			strings.HasPrefix(r.s[r.i:], "//") || strings.HasPrefix(r.s[r.i:], "/*") {
			break
		}
		_, size := utf8.DecodeRuneInString(r.s[r.i:])
		r.i += size
	}
	return strings.TrimSpace(r.s[start:r.i])
}

// text reads a string. A mark closes it only if a token of JSON follows, so that an apostrophe
// within a single-quoted string stays.
func (r *repairer) text(mark string, class quoteClass) (string, bool) {
	r.i += len(mark)
	start := r.i
	for r.i < len(r.s) {
		size := 1
		if c := r.s[r.i]; c >= utf8.RuneSelf {
			_, size = utf8.DecodeRuneInString(r.s[r.i:])
		} else if c == '\\' {
			size = 2
		}
		m := r.s[r.i:min(r.i+size, len(r.s))]
		closes := m == mark
		if class.any != "" {
			closes = strings.Contains(class.any, m) || m == string(class.straight)
		}
		if closes && r.tokenAfter(r.i+size) {
			s := r.s[start:r.i]
			r.i += size
			return unescape(s), true
		}
		r.i += size
	}
	r.i = len(r.s)
	return "", false
}

// tokenAfter reports whether JSON continues after a mark at i, so that the mark closes a string.
func (r *repairer) tokenAfter(i int) bool {
	i = r.spaces.skip(r.s, i)
	return i >= len(r.s) || r.s[i] == '}' || r.s[i] == ']' ||
		markLen(r.s, i, ',') > 0 || markLen(r.s, i, ':') > 0
}
