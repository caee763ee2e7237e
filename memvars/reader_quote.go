package memvars

import (
	"sort"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Character classes of the command language. Full-width forms are tokens like their ASCII forms;
// within strings they are text.

// isIdentByte accepts only ASCII: Chinese text may directly precede or follow the name of a
// command.
func isIdentByte(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

// blankLen returns the length of the blank at i, or 0 if there is none. Line breaks are not blanks.
func blankLen(s string, i int) int {
	if i >= len(s) {
		return 0
	}
	switch s[i] {
	case ' ', '\t', '\v', '\f':
		return 1
	}
	if s[i] < utf8.RuneSelf {
		return 0
	}
	switch r, size := utf8.DecodeRuneInString(s[i:]); r {
	case '\u3000', '\u00a0', '\ufeff', '\u2002', '\u2003', '\u2009', '\u200b':
		return size
	}
	return 0
}

// skipBlanks returns the offset of the first character at or after i that is not a blank.
func skipBlanks(s string, i int) int {
	for n := blankLen(s, i); n > 0; n = blankLen(s, i) {
		i += n
	}
	return i
}

// skipSpace skips blanks, line breaks and comments.
func skipSpace(s string, i int) int { return new(spaces).skip(s, i) }

// spaces caches the ends of white space and comments in one text, because many callers may skip the
// same comments.
type spaces struct {
	cached        bool
	from, to      int     // from is the end of a comment, to the end of the white space after it
	line, closing stretch // stretches without a line end, and without the end of a block comment
}

// skip skips blanks, line breaks and comments.
func (m *spaces) skip(s string, i int) int {
	comment := -1 // where the first comment ends
	for i < len(s) {
		n := 0
		switch {
		case s[i] == '\n' || s[i] == '\r':
			i++
			continue
		case strings.HasPrefix(s[i:], "//"):
			n = m.lineEnd(s, i) - i
		case strings.HasPrefix(s[i:], "/*"):
			if n = m.commentEnd(s, i) - i; n < 0 {
				return m.keep(comment, i)
			}
		default:
			if n = blankLen(s, i); n == 0 {
				return m.keep(comment, i)
			}
			i += n
			continue
		}
		i += n
		if m.cached && i == m.from {
			return m.keep(comment, m.to)
		}
		if comment < 0 {
			comment = i
		}
	}
	return m.keep(comment, i)
}

// keep records the offset where skipping from the end of a comment ends, and returns it.
func (m *spaces) keep(comment, to int) int {
	if comment >= 0 {
		m.cached, m.from, m.to = true, comment, to
	}
	return to
}

// lineEnd is a cached version of the function lineEnd.
func (m *spaces) lineEnd(s string, i int) int {
	if i < m.line.from || i >= m.line.to {
		m.line = stretch{i, lineEnd(s, i)}
	}
	return m.line.to
}

// commentEnd returns the offset after the block comment at i, -1 if it is not closed.
func (m *spaces) commentEnd(s string, i int) int {
	if i < m.closing.from || i+2 > m.closing.to {
		end := strings.Index(s[i+2:], "*/")
		if m.closing = (stretch{i, len(s)}); end >= 0 {
			m.closing.to = i + 2 + end
		}
	}
	if m.closing.to == len(s) {
		return -1
	}
	return m.closing.to + len("*/")
}

// lineEnd returns the offset of the line break that ends the line of i.
func lineEnd(s string, i int) int {
	if n := strings.IndexByte(s[i:], '\n'); n >= 0 {
		return i + n
	}
	return len(s)
}

// nextLine returns the start of the line after the line of i.
func nextLine(s string, i int) int {
	return min(lineEnd(s, i)+1, len(s))
}

// markLen returns the length of the token c or its full-width form at i.
func markLen(s string, i int, c byte) int {
	if i >= len(s) {
		return 0
	}
	if s[i] == c {
		return 1
	}
	// U+FF01 to U+FF5E are the full-width forms of the signs from ! to ~.
	if wide := rune(c) - '!' + '\uff01'; s[i] == "！"[0] && strings.HasPrefix(s[i:], string(wide)) {
		return len("！")
	}
	return 0
}

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

// positions converts byte offsets to lines and columns.
type positions struct {
	text  string
	lines []int    // offsets at which lines begin; built on first use
	last  Position // the last result
}

// at returns the line and column of an offset. Lines are counted once per message. Columns count
// code points, as editors do.
func (p *positions) at(offset int) Position {
	if p.lines == nil {
		p.lines = append(p.lines, 0)
		for i := 0; i < len(p.text); i++ {
			n := strings.IndexByte(p.text[i:], '\n')
			if n < 0 {
				break
			}
			i += n
			p.lines = append(p.lines, i+1)
		}
	}
	line := sort.SearchInts(p.lines, offset+1)
	from, col := p.lines[line-1], 1
	if p.last.Line == line && p.last.Offset <= offset { // all commands may be on one line
		from, col = p.last.Offset, p.last.Col
	}
	col += utf8.RuneCountInString(p.text[from:offset])
	at := Position{Line: line, Col: col, Offset: offset}
	if offset == len(p.text) || utf8.RuneStart(p.text[offset]) {
		p.last = at
	}
	return at
}

// stretch is a part of a message.
type stretch struct{ from, to int }

// scan reads the calls that begin within a part and returns the offset where it stopped: a call may
// end outside the part.
//
// Calls may be anywhere in a text, within lines, tags and code fences. Comments, including HTML
// comments, hide them. Two slashes start a comment only at the beginning of a line: elsewhere they
// are mostly part of an address.
func (f *finder) scan(part stretch) int {
	i := part.from
	lineStart := i == 0 || f.text[i-1] == '\n'
	for i < part.to {
		c := f.text[i]
		if lineStart {
			lineStart = false
			if f.commentLine(i) {
				i = nextLine(f.text, i)
				lineStart = true
				continue
			}
		}
		switch {
		case c == '\n':
			lineStart = true
			i++
		case c == '/' && i < f.noComment && strings.HasPrefix(f.text[i:], "/*"):
			i = f.comment(i)
		case c == '<' && i < f.noHTML && strings.HasPrefix(f.text[i:], "<!--"):
			i = f.htmlComment(i)
		case isIdentByte(c) || c == '\\':
			i = f.readWord(i, part.from)
			lineStart = i > 0 && i <= len(f.text) && f.text[i-1] == '\n'
		default:
			i++
		}
	}
	return i
}

// commentLine reports whether the first visible characters of the line at i, after list bullets,
// are two slashes.
func (f *finder) commentLine(i int) bool {
	for {
		i = skipBlanks(f.text, i)
		switch {
		case strings.HasPrefix(f.text[i:], "//"):
			return true
		case i < len(f.text) && strings.IndexByte("-*>", f.text[i]) >= 0:
			i++
		case strings.HasPrefix(f.text[i:], "•"):
			i += len("•")
		default:
			return false
		}
	}
}

// comment returns the offset after the comment at i. An unclosed comment hides nothing; that is
// recorded, so that the text is searched once.
func (f *finder) comment(i int) int {
	end := strings.Index(f.text[i+2:], "*/")
	if end < 0 {
		f.noComment = i
		return i + 2
	}
	return i + end + 4
}

// htmlComment is comment for HTML comments, which models put around ideas that they only consider.
func (f *finder) htmlComment(i int) int {
	end := strings.Index(f.text[i+4:], "-->")
	if end < 0 {
		f.noHTML = i
		return i + 4
	}
	return i + end + 7
}

// maxRoom limits the number of commands for which memory is allocated in advance.
const maxRoom = 128

// readWord reads the identifier at i, and the call if it begins one. It returns the offset where
// scanning continues.
func (f *finder) readWord(i, from int) int {
	h, end, ok := f.head(i, from)
	if !ok {
		return end
	}
	op, next := f.readCall(h)
	if !isCommand(h.name) {
		op.Fault = &Fault{Code: UnknownCommand}
	}
	if f.ops == nil {
		f.ops = make([]Op, 0, min(strings.Count(f.text[h.start:], ";")+1, maxRoom))
	}
	f.ops = append(f.ops, op)
	return next
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
	if class.any == "" {
		if c == class.straight {
			return 1
		}
		return 0
	}
	if c == class.straight {
		return 1
	}
	if c < utf8.RuneSelf {
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
	if j >= len(f.text) || f.text[j] == '\n' || f.text[j] == '\r' {
		return true
	}
	if markLen(f.text, j, ',') > 0 || markLen(f.text, j, ')') > 0 || markLen(f.text, j, ';') > 0 {
		return true
	}
	if strings.HasPrefix(f.text[j:], "//") || strings.HasPrefix(f.text[j:], "/*") {
		return true
	}
	if j > i {
		_, _, quote := quoteAt(f.text, j)
		return quote
	}
	return false
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
	case strings.HasPrefix(f.text[i:], "/*") && i < f.noComment:
		if n := strings.Index(f.text[i+2:], "*/"); n >= 0 {
			return n + 4
		}
		f.noComment = i
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
	for _, m := range []string{"{", "[", ",", ":", "，", "："} {
		if strings.HasSuffix(before, m) {
			return mark
		}
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

// unicodeEscape decodes \uXXXX and \u{…}. Two halves of a surrogate pair become one character, as
// in JavaScript strings. A single half becomes the replacement character.
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
	r, ok := hex(s[2:], 4)
	if !ok {
		return 0
	}
	if utf16.IsSurrogate(r) && strings.HasPrefix(s[6:], `\u`) {
		if low, ok := hex(s[8:], 4); ok {
			if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
				b.WriteRune(pair)
				return 12
			}
		}
	}
	b.WriteRune(r)
	return 6
}

// hex reads a fixed number of hexadecimal digits.
func hex(s string, digits int) (rune, bool) {
	if len(s) < digits {
		return 0, false
	}
	n, err := strconv.ParseUint(s[:digits], 16, 32)
	return rune(n), err == nil
}
