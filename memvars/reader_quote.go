package memvars

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/talewright/talewright/internal/utf8text"
)

// This file finds the ends of strings and brackets, and decodes strings.

// quoteClass is the family of a quotation mark.
type quoteClass struct {
	straight byte   // the ASCII mark
	open     string // typographic marks that can only open
	any      string // all typographic marks of the family
}

// quoteAt returns the mark at i and its family.
func quoteAt(s string, i int) (mark string, class quoteClass, ok bool) {
	if i >= len(s) {
		return "", quoteClass{}, false
	}
	switch s[i] {
	case '\'', '"', '`':
		return s[i : i+1], quoteClass{straight: s[i]}, true
	}
	if s[i] < utf8.RuneSelf {
		return "", quoteClass{}, false
	}
	r, size := utf8.DecodeRuneInString(s[i:])
	switch r {
	case '“', '”', '＂', '„', '‟':
		return s[i : i+size], quoteClass{'"', "“„‟", "“”＂„‟"}, true
	case '‘', '’', '＇', '‚', '‛':
		return s[i : i+size], quoteClass{'\'', "‘‚‛", "‘’＇‚‛"}, true
	}
	return "", quoteClass{}, false
}

// stringEnd finds the mark that closes a string whose content begins at from. It returns the end of
// the content and the offset where reading continues, or -1 if no mark can close the string.
//
// Models forget to escape inner quotes, so a mark closes only if a delimiter follows it. A string
// whose first visible character is { closes only where its braces are balanced, if there is such a
// place. Typographic marks are first paired by depth.
func (f *finder) stringEnd(from int, mark string, class quoteClass) (stop, next int) {
	if d, ok := f.unclosable[mark]; ok && from >= d.from && from < d.to {
		return -1, 0
	}
	if strings.Contains(class.open, mark) {
		if stop, next = f.paired(from, class); stop >= 0 {
			return stop, next
		}
	}
	return f.unpaired(from, mark, class)
}

// paired finds the typographic mark that closes by depth.
//
// Typographic marks distinguish opening from closing, so texts may contain quoted speech. The
// search fails at a line that begins with a call, and if no delimiter follows the mark that closes
// by depth. In the second case the author mixed up the marks, and the other rule decides.
func (f *finder) paired(from int, class quoteClass) (stop, next int) {
	depth := 1
	for i := from; i < len(f.text); {
		if f.fuel--; f.fuel < 0 {
			return -1, 0
		}
		switch c := f.text[i]; {
		case c == '\\':
			i += 2
			continue
		case c == '\n' && f.startsCall(i+1):
			return -1, 0
		case c < utf8.RuneSelf:
			i++
			continue
		}
		_, size := utf8.DecodeRuneInString(f.text[i:])
		m := f.text[i : i+size]
		switch {
		case strings.Contains(class.open, m):
			depth++
		case strings.Contains(class.any, m):
			if depth--; depth == 0 {
				if f.hasDelimiter(i + size) {
					return i, i + size
				}
				return -1, 0
			}
		}
		i += size
	}
	return -1, 0
}

// unpaired uses the first mark that a delimiter follows: the same mark for straight quotes, any
// mark of the family for typographic ones.
//
// A delimiter is a comma, a closing parenthesis, a semicolon, a comment, the end of the line or of
// the text, each after optional blanks. A second quotation mark after a blank is also a delimiter.
// If the inner marks of a text are escaped correctly, the result is the same as with strict
// reading.
//
// In a text that begins with a brace, a comma may follow a mark within the JSON. So the braces must
// be balanced at the end of the text. If they are balanced nowhere, a brace is missing, and the
// first candidate is used.
//
// The search reads every character once. If it finds nothing, it records that in unclosable, so
// that a message full of opening marks is not searched again for each one. A second search ahead
// costs fuel; a message has a fixed amount of fuel.
func (f *finder) unpaired(from int, mark string, class quoteClass) (stop, next int) {
	search := endings{
		f: f, class: class, at: from,
		json: strings.HasPrefix(strings.TrimLeft(f.text[from:], " \t\r\n\u3000"), "{"),
	}
	first, ok := search.next()
	if !ok {
		if f.unclosable == nil {
			f.unclosable = map[string]stretch{}
		}
		f.unclosable[mark] = stretch{from, search.at}
		return -1, 0
	}
	search.costsFuel = true
	for candidate := first; ok; candidate, ok = search.next() {
		if !search.json || candidate.balanced {
			return candidate.stop, candidate.next
		}
	}
	return first.stop, first.next
}

// endings is a search for the marks that may end a string.
type endings struct {
	f         *finder
	class     quoteClass
	at        int
	json      bool // the text begins with a brace
	costsFuel bool // each character costs fuel
	nest      nesting
}

// ending is a mark followed by a delimiter.
type ending struct {
	stop, next int  // where it begins, and where reading continues
	balanced   bool // braces were opened before it, and all of them are closed
}

// next returns the next ending before the end of the text, or before a line that begins with a
// call.
func (s *endings) next() (e ending, ok bool) {
	f := s.f
	for s.at < len(f.text) {
		i := s.at
		if f.text[i] == '\n' && f.startsCall(i+1) {
			break
		}
		if s.costsFuel {
			if f.fuel--; f.fuel < 0 {
				break
			}
		}
		balanced := s.nest.depth == 0 && s.nest.seen
		s.at += s.step()
		if n := f.closes(i, s.class); n > 0 && f.hasDelimiter(i+n) {
			return ending{i, i + n, balanced}, true
		}
	}
	return ending{}, false
}

// step processes the current character and returns its length. A backslash and the following
// character count as one.
func (s *endings) step() int {
	text := s.f.text[s.at:]
	switch c := text[0]; {
	case c == '\\' && len(text) > 1:
		_, size := utf8.DecodeRuneInString(text[1:])
		if text[1] == '"' && s.class.straight == '"' {
			s.nest.add('"')
		}
		return 1 + size
	case c >= utf8.RuneSelf:
		_, size := utf8.DecodeRuneInString(text)
		return size
	default:
		s.nest.add(c)
		return 1
	}
}

// closes returns the length of a mark at i that may close the string.
func (f *finder) closes(i int, class quoteClass) int {
	c := f.text[i]
	if c == class.straight {
		return 1
	}
	if class.any == "" || c < utf8.RuneSelf {
		return 0
	}
	_, size := utf8.DecodeRuneInString(f.text[i:])
	if strings.Contains(class.any, f.text[i:i+size]) {
		return size
	}
	return 0
}

// hasDelimiter reports whether a delimiter follows at i, so that the mark before it may close a
// string.
func (f *finder) hasDelimiter(i int) bool {
	j := skipBlanks(f.text, i)
	switch {
	case j >= len(f.text) || f.text[j] == '\n' || f.text[j] == '\r':
		return true
	case markLen(f.text, j, ',') > 0 || markLen(f.text, j, ')') > 0 || markLen(f.text, j, ';') > 0:
		return true
	case strings.HasPrefix(f.text[j:], "//") || strings.HasPrefix(f.text[j:], "/*"):
		return true
	}
	_, _, isQuote := quoteAt(f.text, j)
	return isQuote && j > i
}

// nesting tracks braces and brackets outside double-quoted runs.
type nesting struct {
	depth    int
	seen     bool // something was opened
	inQuotes bool // within a double-quoted run
}

// add processes one ASCII character of a string's content.
func (n *nesting) add(c byte) {
	switch {
	case c == '"':
		n.inQuotes = !n.inQuotes
	case n.inQuotes:
	case c == '{' || c == '[':
		n.depth++
		n.seen = true
	case c == '}' || c == ']':
		n.depth--
	}
}

// bracketEnd returns the offset after the bracket that closes the one at i. It returns -1 if no
// mark comes before the end or before a line that begins with a call.
//
// Brackets within strings and comments do not count. Strings may have any quotation marks here,
// because the JSON may need repair.
func (f *finder) bracketEnd(i int) int {
	depth := 0
	var quote string // the mark that closes the current string
	for i < len(f.text) {
		if f.fuel--; f.fuel < 0 {
			return -1
		}
		c := f.text[i]
		size := 1
		if c >= utf8.RuneSelf {
			_, size = utf8.DecodeRuneInString(f.text[i:])
		}
		switch {
		case c == '\n' && f.startsCall(i+1):
			return -1
		case quote != "":
			if c == '\\' {
				size = 2
			} else if strings.Contains(quote, f.text[i:i+size]) {
				quote = ""
			}
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			if depth--; depth == 0 {
				return i + 1
			}
		case c == '/':
			size = max(f.commentLen(i), 1)
			f.fuel -= size
		default:
			quote = f.closingMarks(i)
		}
		i += size
	}
	return -1
}

// commentLen returns the length of the comment at i, or 0 if there is none. Two slashes after a
// colon are part of an address. An unclosed comment is not a comment.
func (f *finder) commentLen(i int) int {
	switch {
	case strings.HasPrefix(f.text[i:], "//"):
		if i > 0 && f.text[i-1] == ':' {
			return 0
		}
		return lineEnd(f.text, i) - i
	case strings.HasPrefix(f.text[i:], "/*"):
		return max(f.spaces.commentEnd(f.text, i)-i, 0)
	}
	return 0
}

// closingMarks returns the marks that close a string opened at i, "" if no string opens there. An
// apostrophe opens a string only where a key or a value may begin.
func (f *finder) closingMarks(i int) string {
	mark, class, ok := quoteAt(f.text, i)
	switch {
	case !ok:
		return ""
	case class.any != "":
		return class.any
	case mark == `"`:
		return mark
	}
	before := strings.TrimRight(f.text[:i], " \t\r\n")
	if last, _ := utf8.DecodeLastRuneInString(before); strings.ContainsRune("{[,:，：", last) {
		return mark
	}
	return ""
}

// unescape decodes the escapes of a string. A backslash before any other character stays: the path
// grammar has its own escapes.
func unescape(s string) string {
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			i++
			continue
		}
		n := escape(&b, s[i:])
		if n == 0 {
			b.WriteByte('\\')
			n = 1
		}
		i += n
	}
	return b.String()
}

// escape decodes the escape at the start of s and returns its length, 0 if it is not an escape.
func escape(b *strings.Builder, s string) int {
	if i := strings.IndexByte(`ntrbfv0/\'"`+"`", s[1]); i >= 0 {
		b.WriteByte("\n\t\r\b\f\v\x00/\\'\"`"[i])
		return 2
	}
	switch s[1] {
	case '\n':
		return 2
	case '\r':
		if strings.HasPrefix(s, "\\\r\n") {
			return 3
		}
		return 2
	case 'x':
		if r, ok := hex(s[2:], 2); ok {
			b.WriteRune(r)
			return 4
		}
	case 'u':
		return unicodeEscape(b, s)
	}
	return 0
}

// unicodeEscape decodes \uXXXX, see [utf8text.UnicodeEscape], and \u{…}.
func unicodeEscape(b *strings.Builder, s string) int {
	if strings.HasPrefix(s, `\u{`) {
		end := strings.IndexByte(s[:min(len(s), 12)], '}')
		if end < 4 {
			return 0
		}
		r, ok := hex(s[3:end], end-3)
		if !ok || r > utf8.MaxRune {
			return 0
		}
		b.WriteRune(r)
		return end + 1
	}
	r, length := utf8text.UnicodeEscape(s)
	if length > 0 {
		b.WriteRune(r)
	}
	return length
}

// hex reads a fixed number of hexadecimal digits.
func hex(s string, digits int) (rune, bool) {
	if len(s) < digits {
		return 0, false
	}
	n, err := strconv.ParseUint(s[:digits], 16, 32)
	return rune(n), err == nil
}
