package modeltext

import (
	"encoding/json"
	"iter"
	"slices"
	"strings"
)

// maxValues is how many values of a text are candidates.
const maxValues = 32

// Candidates yields the possible JSON texts in a text, the most likely first. They are the text
// itself, the text between fences, and the values in both, as written and repaired. Values come in
// their order, because prose with brackets may precede the JSON. It costs a few passes over the
// text.
func Candidates(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		text = strings.TrimSpace(text)
		if !yield(text) {
			return
		}
		inner := fenced(text)
		if inner != "" && !yield(inner) {
			return
		}
		for _, source := range []string{inner, text} {
			for range maxValues {
				start := strings.IndexAny(source, "{[")
				if start < 0 {
					break
				}
				source = source[start:]
				var first json.RawMessage
				if json.NewDecoder(strings.NewReader(source)).Decode(&first) == nil && !yield(string(first)) {
					return
				}
				value, end, closed := First(source)
				if !yield(value) {
					return
				}
				if !closed { // the rest of the text belongs to this value
					break
				}
				source = source[end:]
			}
		}
	}
}

// First returns the value at the beginning of a text, repaired, and its end in the text. If closed
// is true, the value ended before the end of the text and is certainly complete. The value need not
// be valid JSON. The cost is linear in the length of the value.
//
// It repairs common mistakes of models: trailing commas, missing ends, comments, single quotes,
// names without quotes, Python's words, line ends inside texts.
func First(text string) (value string, end int, closed bool) {
	r := repair{in: text}
	r.run()
	return string(r.out), r.at, r.closed
}

// fenced returns the text between the first pair of fences, without the name of the language.
func fenced(text string) string {
	_, after, found := strings.Cut(text, "```")
	if !found {
		return ""
	}
	inner, _, _ := strings.Cut(after, "```")
	if line, rest, ok := strings.Cut(inner, "\n"); ok && !strings.ContainsAny(line, "{[\"") {
		inner = rest
	}
	return strings.TrimSpace(inner)
}

// run repairs the first value.
func (r *repair) run() {
	for r.at < len(r.in) && !r.closed {
		if len(r.open) > maxNesting {
			r.out = nil
			return
		}
		r.step()
	}
	r.finish()
}

// maxNesting is the greatest depth of nested values; encoding/json reads no deeper values.
const maxNesting = 10000

// repair is the state of one repair.
type repair struct {
	in     string
	at     int
	out    []byte
	open   []bracket
	closed bool // the first value has ended
}

// bracket is an open object or list.
type bracket struct {
	end    byte // the closing bracket of this bracket
	member int  // where its current member begins in out, including the comma before it
	valued bool // a colon has been read in this member
}

// step reads one token.
func (r *repair) step() {
	switch c := r.in[r.at]; {
	case c == '"' || c == '\'':
		r.quoted(c)
	case strings.HasPrefix(r.in[r.at:], "//"):
		r.skipTo("\n", 0)
	case strings.HasPrefix(r.in[r.at:], "/*"):
		r.skipTo("*/", 2)
	case c == '{':
		r.push(c, '}')
	case c == '[':
		r.push(c, ']')
	case c == '}' || c == ']':
		r.pop(c)
	case isWordByte(c):
		r.word()
	default:
		if top := len(r.open) - 1; top >= 0 && c == ',' {
			r.open[top].member, r.open[top].valued = len(r.out), false
		} else if top >= 0 && c == ':' {
			r.open[top].valued = true
		}
		r.out = append(r.out, c)
		r.at++
	}
}

func (r *repair) push(open, end byte) {
	r.out = append(r.out, open)
	r.open = append(r.open, bracket{end: end, member: len(r.out)})
	r.at++
}

// pop closes a bracket, and the brackets inside it that are still open.
func (r *repair) pop(end byte) {
	r.at++
	for len(r.open) > 0 {
		top := r.open[len(r.open)-1].end
		r.closeTop()
		if top == end {
			break
		}
	}
	r.closed = len(r.open) == 0
}

// closeTop closes the innermost bracket, after trim.
func (r *repair) closeTop() {
	r.trim()
	r.out = append(r.out, r.open[len(r.open)-1].end)
	r.open = r.open[:len(r.open)-1]
}

// trim removes a trailing comma, and adds null to a name without a value.
func (r *repair) trim() {
	end := len(r.out)
	for end > 0 && isBlank(r.out[end-1]) {
		end--
	}
	switch {
	case end == 0:
	case r.out[end-1] == ',':
		r.out = r.out[:end-1]
	case r.out[end-1] == ':':
		r.out = append(r.out[:end], "null"...)
	}
}

// finish closes everything that is open at the end of the text. It removes an incomplete name, and
// a name without a value.
func (r *repair) finish() {
	for len(r.open) > 0 {
		if top := r.open[len(r.open)-1]; top.end == '}' && !top.valued {
			r.out = r.out[:top.member]
		}
		r.closeTop()
	}
}

func (r *repair) skipTo(end string, keep int) {
	_, after, found := strings.Cut(r.in[r.at+keep:], end)
	if !found {
		r.at = len(r.in)
		return
	}
	r.at = len(r.in) - len(after)
}

// quoted reads a text in either kind of quotes.
func (r *repair) quoted(quote byte) {
	r.out = append(r.out, '"')
	for r.at++; r.at < len(r.in); r.at++ {
		switch c := r.in[r.at]; {
		case c == quote:
			r.at++
			r.out = append(r.out, '"')
			return
		case c == '\\' && isCutEscape(r.in[r.at:]):
			r.at = len(r.in) - 1
		case c == '\\':
			r.at++
			if r.in[r.at] != '\'' {
				r.out = append(r.out, '\\')
			}
			r.out = append(r.out, r.in[r.at])
		case c == '"':
			r.out = append(r.out, '\\', '"')
		case c == '\n':
			r.out = append(r.out, '\\', 'n')
		case c == '\r':
			r.out = append(r.out, '\\', 'r')
		case c == '\t':
			r.out = append(r.out, '\\', 't')
		default:
			r.out = append(r.out, c)
		}
	}
	r.out = append(r.out, '"')
}

// isCutEscape reports whether the text ends within the escape at its beginning.
func isCutEscape(s string) bool {
	return len(s) < len(`\n`) || s[1] == 'u' && len(s) < len(`\u0000`)
}

// word reads a number, a literal or a name without quotes. A number or a literal that the text ends within
// is left out, with its member.
func (r *repair) word() {
	start := r.at
	for r.at < len(r.in) && isWordByte(r.in[r.at]) {
		r.at++
	}
	word := r.in[start:r.at]
	switch word {
	case "True":
		word = "true"
	case "False":
		word = "false"
	case "None", "undefined", "NaN":
		word = "null"
	case "true", "false", "null":
	default:
		if json.Valid([]byte(word)) { // a number
			break
		}
		if top := len(r.open) - 1; top >= 0 && r.at == len(r.in) && isCutWord(word) {
			r.open[top].valued = false
			return
		}
		word = `"` + word + `"`
	}
	r.out = append(r.out, word...)
}

// isCutWord reports whether a word is the beginning of a literal or of a number.
func isCutWord(word string) bool {
	return strings.IndexByte("+-.0123456789", word[0]) >= 0 ||
		slices.ContainsFunc([]string{"true", "false", "null", "True", "False", "None"}, func(literal string) bool {
			return strings.HasPrefix(literal, word)
		})
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

func isWordByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' ||
		c == '_' || c == '-' || c == '+' || c == '.' || c == '$' || c >= 0x80
}
