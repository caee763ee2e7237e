package template

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/prompt/macro"
)

// tokenKind is the kind of a token.
type tokenKind uint8

const (
	endToken      tokenKind = iota
	literalToken            // a text between tags
	printToken              // the beginning of the arguments of a printing tag
	printEndToken           // their end
	nameToken               // a name or a word of the language
	numberToken
	stringToken
	templateToken // `…`
	patternToken
	macroToken // {{…}} where a value may be
	punctToken
)

// token is a word of the code.
type token struct {
	kind    tokenKind
	text    string // a name, a sign, the text of a macro, the body of a pattern
	flags   string // of a pattern
	num     float64
	parts   []textPart // of a text, with its macros and values
	at      int
	newline bool // a line ends before it
	all     bool // of a print tag: it prints all arguments
}

// is reports whether a token is a sign.
func (t *token) is(sign string) bool { return t.kind == punctToken && t.text == sign }

// isWord reports whether a token is a name or a word of the language.
func (t *token) isWord(word string) bool { return t.kind == nameToken && t.text == word }

// textPart is a part of a text in the code: characters, a macro or a value.
type textPart struct {
	text  string
	macro bool
	code  []token // of ${…}
}

// lexer makes the tokens of a text.
type lexer struct {
	src       *source
	chunk     string // the code of the present tag
	base      int    // the offset of chunk in the text
	pos       int    // in chunk
	tokens    []token
	newline   bool // a line ends before the next token
	inComment bool // a comment is open at the end of a tag
	budget    int  // bytes of code that the text may still have
	level     int  // of nested template strings
}

// fail ends the reading. Compile recovers the error.
func (l *lexer) fail(at int, c talewright.Code, name, text string) {
	panic(l.src.fail(at, c, name, text))
}

func (l *lexer) syntax(at int, text string) { l.fail(at, codeSyntax, "", text) }

// read makes the tokens of all chunks.
func (l *lexer) read(chunks []chunk) []token {
	l.budget = maxCode
	for _, c := range chunks {
		if c.kind != literal {
			if l.budget -= len(c.text); l.budget < 0 {
				l.fail(c.at, Limit, "code", "the text has more than 64 KiB of code: divide it")
			}
		}
		if l.inComment {
			l.endComment(c)
		} else {
			l.chunkTokens(c)
		}
	}
	l.mustEndComment(len(l.src.text))
	l.add(token{kind: endToken, at: len(l.src.text)})
	return l.tokens
}

// chunkTokens makes the tokens of a chunk. Every chunk begins a statement.
func (l *lexer) chunkTokens(c chunk) {
	l.add(token{kind: punctToken, text: ";", at: c.at})
	switch c.kind {
	case literal:
		l.add(token{kind: literalToken, text: c.text, at: c.at})
	case code:
		l.code(c)
	default:
		body := strings.TrimRightFunc(c.text, unicode.IsSpace)
		c.text = strings.TrimSuffix(body, ";")
		l.add(token{kind: printToken, at: c.at, all: c.kind == printAll})
		l.code(c)
		l.mustEndComment(c.at)
		l.add(token{kind: printEndToken, at: c.at + len(c.text)})
	}
}

// endComment reads a chunk after a tag that ends within a comment. If the comment ends in the chunk, the
// rest of the chunk is code of the same statement.
func (l *lexer) endComment(c chunk) {
	_, rest, found := strings.Cut(c.text, "*/")
	if !found {
		return
	}
	end := c.at + len(c.text) - len(rest)
	switch c.kind {
	case literal:
		l.syntax(end-len("*/"), "a comment ends in the text outside of the tags: end it in a tag")
	case code:
		l.inComment = false
		l.code(chunk{code, rest, end})
	default:
		l.syntax(end, "a comment ends in a printing tag: end it in a tag of code")
	}
}

// mustEndComment refuses a comment that is still open.
func (l *lexer) mustEndComment(at int) {
	if l.inComment {
		l.syntax(at, "a comment is not closed: add */")
	}
}

// add appends a token.
func (l *lexer) add(t token) {
	t.newline = l.newline
	l.newline = false
	l.tokens = append(l.tokens, t)
}

// code reads the code of a tag.
func (l *lexer) code(c chunk) {
	l.chunk, l.base, l.pos = c.text, c.at, 0
	for l.next() {
	}
	l.newline = true // the code of a tag ends with a line
}

// peek returns the byte at a distance from the position, 0 beyond the end.
func (l *lexer) peek(n int) byte {
	if l.pos+n < len(l.chunk) {
		return l.chunk[l.pos+n]
	}
	return 0
}

// blanks skips white space and comments.
func (l *lexer) blanks() {
	for l.pos < len(l.chunk) {
		r, size := utf8.DecodeRuneInString(l.chunk[l.pos:])
		switch {
		case r == '\n' || r == '\r' || r == '\u2028' || r == '\u2029':
			l.newline = true
			l.pos += size
		case unicode.IsSpace(r) || r == '\ufeff':
			l.pos += size
		case r == '/' && l.peek(1) == '/':
			l.pos += max(strings.IndexAny(l.chunk[l.pos:]+"\n", "\n\r"), 0)
		case r == '/' && l.peek(1) == '*':
			end := strings.Index(l.chunk[l.pos+2:], "*/")
			if end < 0 {
				l.inComment = true
				l.pos = len(l.chunk)
				return
			}
			if strings.ContainsAny(l.chunk[l.pos:l.pos+2+end], "\n\r") {
				l.newline = true
			}
			l.pos += end + 4
		default:
			return
		}
	}
}

// next reads a token and reports whether there was one.
func (l *lexer) next() bool {
	l.blanks()
	if l.pos >= len(l.chunk) {
		return false
	}
	at := l.base + l.pos
	if m := l.macroHere(); m != "" {
		l.pos += len(m)
		l.add(token{kind: macroToken, text: m, at: at})
		return true
	}
	c := l.chunk[l.pos]
	r, _ := utf8.DecodeRuneInString(l.chunk[l.pos:])
	switch {
	case isNameStart(r) || c == '\\' && l.peek(1) == 'u':
		l.add(token{kind: nameToken, text: l.name(), at: at})
	case isDigit(c) || c == '.' && isDigit(l.peek(1)):
		l.number(at)
	case c == '"' || c == '\'' || c == '`':
		l.string(at, c)
	case c == '/' && l.wantsValue():
		l.pattern(at)
	default:
		sign := signAt(l.chunk[l.pos:])
		if sign == "" {
			l.syntax(at, "the character "+strconv.QuoteRune(r)+" has no meaning in code: take it out")
		}
		if sign == "?." && isDigit(l.peek(2)) {
			sign = "?"
		}
		l.pos += len(sign)
		l.add(token{kind: punctToken, text: sign, at: at})
	}
	return true
}

// signs are the signs of the language, longer ones first.
var signs = [...]string{
	">>>=", "...", "===", "!==", "**=", "<<=", ">>=", ">>>", "&&=", "||=", "??=",
	"=>", "==", "!=", "<=", ">=", "&&", "||", "??", "?.", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=",
	"<<", ">>", "**",
	"{", "}", "(", ")", "[", "]", ";", ",", "<", ">", "+", "-", "*", "/", "%", "&", "|", "^", "!", "~", "?", ":", "=", ".",
}

// signAt returns the longest sign at the beginning of a text, "" if there is none.
func signAt(s string) string {
	for _, sign := range signs {
		if strings.HasPrefix(s, sign) {
			return sign
		}
	}
	return ""
}

func isDigit(c byte) bool     { return c >= '0' && c <= '9' }
func isNameStart(r rune) bool { return r == '_' || r == '$' || unicode.IsLetter(r) }
func isNamePart(r rune) bool {
	return isNameStart(r) || unicode.In(r, unicode.Nd, unicode.Mn, unicode.Mc, unicode.Pc, unicode.Nl) ||
		r == '\u200c' || r == '\u200d' // joiners of letters
}

// name reads a name, which may contain escapes.
func (l *lexer) name() string {
	rest := l.chunk[l.pos:]
	end := strings.IndexFunc(rest, func(r rune) bool { return !isNamePart(r) })
	if end < 0 {
		end = len(rest)
	}
	l.pos += end
	if l.peek(0) != '\\' || l.peek(1) != 'u' {
		return rest[:end]
	}
	var b strings.Builder
	b.WriteString(rest[:end])
	l.escape(&b)
	if written := b.String()[end:]; strings.ContainsFunc(written, func(r rune) bool { return !isNamePart(r) }) {
		l.syntax(l.base+l.pos, "the escape is not a letter: write the letter")
	}
	return b.String() + l.name()
}

// wantsValue reports whether a value comes next, so that / begins a pattern.
func (l *lexer) wantsValue() bool {
	if len(l.tokens) == 0 {
		return true
	}
	last := l.tokens[len(l.tokens)-1]
	switch last.kind {
	case printToken, literalToken:
		return true
	case punctToken:
		return !slices.Contains([]string{")", "]", "}", "++", "--"}, last.text)
	case nameToken:
		return slices.Contains(wordsBeforeValues[:], last.text)
	}
	return false
}

// wordsBeforeValues are the words of the language that a value may follow.
var wordsBeforeValues = [...]string{
	"return", "typeof", "case", "in", "of", "do", "else", "void", "await", "delete", "throw", "instanceof", "new",
}

// macroHere returns the macro at the position. Without a macro it returns "". Two braces that begin
// blocks or objects are no macro.
func (l *lexer) macroHere() string {
	if l.peek(0) != '{' || l.peek(1) != '{' {
		return ""
	}
	m := macroAt(l.chunk[l.pos:])
	last := l.tokens[len(l.tokens)-1]
	isMacro := l.wantsValue()
	if last.kind == punctToken && slices.Contains([]string{";", "{", "}", ")", "=>"}, last.text) {
		// A block may begin here: only a name and arguments make a macro.
		inside := strings.TrimSuffix(strings.TrimPrefix(m, "{{"), "}}")
		name, _, _ := strings.Cut(strings.TrimSpace(inside), "::")
		isMacro = !strings.ContainsAny(name, "(;=\n")
	}
	if !isMacro {
		return ""
	}
	return m
}

// maxMacro is the longest macro in code, in bytes.
const maxMacro = 1 << 10

// nameAt returns <user> or another old spelling of a name at the beginning of a text, or "".
func nameAt(s string) string {
	const longest = len("<charifnotgroup>")
	i := strings.IndexByte(s[:min(len(s), longest)], '>')
	if i < 0 || macro.Plain(s[:i+1]) {
		return ""
	}
	return s[:i+1]
}

// macroAt returns the macro at the beginning of a text, or "" if there is none.
func macroAt(s string) string {
	if strings.HasPrefix(s, "<") {
		return nameAt(s)
	}
	if !strings.HasPrefix(s, "{{") {
		return ""
	}
	depth := 0
	for i := 0; i+1 < min(len(s), maxMacro); i++ {
		switch s[i : i+2] {
		case "{{":
			depth++
			i++
		case "}}":
			depth--
			i++
			if depth == 0 {
				return s[:i+1]
			}
		}
	}
	return ""
}

// number reads a number in any notation. Only an engine has BigInt.
func (l *lexer) number(at int) {
	s := l.chunk[l.pos:]
	end, isWellFormed := numberEnd(s)
	if strings.HasPrefix(s[end:], "n") {
		l.fail(at, Refused, "BigInt", refusal("BigInt"))
	}
	n, isNumber := numberLiteral(strings.ReplaceAll(s[:end], "_", ""))
	next, _ := utf8.DecodeRuneInString(s[end:])
	if !isWellFormed || !isNumber || end < len(s) && isNamePart(next) {
		l.syntax(at, "the number "+strconv.Quote(s[:end])+" is not well formed: correct it")
	}
	l.pos += end
	l.add(token{kind: numberToken, num: n, at: at})
}

// writtenNumber finds a number at the beginning of a text.
var writtenNumber = regexp.MustCompile(`^(?:0[xXoObB]([0-9a-fA-F_]*)|[0-9_]*(?:\.[0-9_]*)?(?:[eE][+-]?[0-9_]*)?)`)

// numberEnd returns the end of the number at the beginning of a text. The number is well formed if each _
// is between two digits.
func numberEnd(s string) (end int, isWellFormed bool) {
	found := writtenNumber.FindStringSubmatch(s)
	runs := found[1:] // of digits
	if runs[0] == "" {
		runs = strings.FieldsFunc(found[0], func(r rune) bool { return strings.ContainsRune(".eE+-", r) })
	}
	isMalformed := func(digits string) bool {
		return strings.Trim(digits, "_") != digits || strings.Contains(digits, "__")
	}
	return len(found[0]), !slices.ContainsFunc(runs, isMalformed)
}

// numberLiteral returns the value of a number in the code. Digits after a zero are an old octal number.
func numberLiteral(digits string) (n float64, ok bool) {
	if len(digits) > 1 && digits[0] == '0' && strings.Trim(digits, "01234567") == "" {
		octal, err := strconv.ParseUint(digits, 8, 64)
		return float64(octal), err == nil
	}
	return openjson.ParseNumber(digits)
}

// partWriter collects the parts of a text.
type partWriter struct {
	parts []textPart
	text  strings.Builder
}

// flush ends the part with the characters that were written.
func (w *partWriter) flush() {
	if w.text.Len() > 0 {
		// Two escapes may be the halves of a character.
		w.parts = append(w.parts, textPart{text: textOf(unitsOf(w.text.String()))})
		w.text.Reset()
	}
}

// add appends a macro or a value.
func (w *partWriter) add(p textPart) {
	w.flush()
	w.parts = append(w.parts, p)
}

// string reads a text in quotation marks or backquotes. A text in backquotes may have line breaks and
// values: ${…}.
func (l *lexer) string(at int, quote byte) {
	if quote != '`' {
		l.add(token{kind: stringToken, parts: l.textParts(at, quote), at: at})
		return
	}
	if l.level++; l.level > maxNesting {
		l.fail(at, Limit, "nesting", "the code is nested more than 64 levels deep: simplify it")
	}
	parts := l.textParts(at, quote)
	l.level--
	l.add(token{kind: templateToken, parts: parts, at: at})
}

// textParts reads a text from its first to its last mark.
func (l *lexer) textParts(at int, quote byte) []textPart {
	l.pos++
	var w partWriter
	for l.pos < len(l.chunk) {
		c := l.chunk[l.pos]
		if c == quote {
			l.pos++
			w.flush()
			return w.parts
		}
		if !l.specialPart(&w, c, at, quote) {
			w.text.WriteByte(c)
			l.pos++
		}
	}
	l.syntax(at, "the text is not closed: add the quotation mark; %> ends a tag even in a text")
	return nil
}

// specialPart reads an escape, a line break, a value or a macro, if one begins at the position with the
// byte c.
func (l *lexer) specialPart(w *partWriter, c byte, at int, quote byte) bool {
	isTemplate := quote == '`'
	switch {
	case c == '\\':
		l.escape(&w.text)
	case !isTemplate && (c == '\n' || c == '\r'):
		l.syntax(at, "the text is not closed in its line: add the quotation mark, or write \\n")
	case c == '\r': // a line ends with a line feed
		if l.pos++; l.peek(0) != '\n' {
			w.text.WriteByte('\n')
		}
	case isTemplate && c == '$' && l.peek(1) == '{':
		l.pos += 2
		w.add(textPart{code: l.inner(at)})
	case c == '{' || c == '<':
		return l.macroInText(w, quote)
	default:
		return false
	}
	return true
}

// macroInText reads a macro in a text, if it ends before the text does.
func (l *lexer) macroInText(w *partWriter, quote byte) bool {
	m := macroAt(l.chunk[l.pos:])
	if m == "" || strings.IndexByte(m, quote) >= 0 || quote != '`' && strings.ContainsAny(m, "\n\r") {
		return false
	}
	w.add(textPart{text: m, macro: true})
	l.pos += len(m)
	return true
}

// escape reads an escape in a text.
func (l *lexer) escape(b *strings.Builder) {
	at := l.base + l.pos
	c := l.peek(1)
	l.pos += 2
	switch c {
	case 'n', 't', 'r', 'b', 'f', 'v':
		b.WriteByte(controls[c])
	case '\n':
	case '\r':
		if l.peek(0) == '\n' {
			l.pos++
		}
	case '0', '1', '2', '3', '4', '5', '6', '7':
		n := rune(c - '0')
		for i := 0; i < 2 && l.peek(0) >= '0' && l.peek(0) <= '7' && n*8 < 256; i++ {
			n = n*8 + rune(l.peek(0)-'0')
			l.pos++
		}
		b.WriteRune(n)
	case 'x':
		writeUnit(b, l.hex(at, 2))
	case 'u':
		writeUnit(b, l.unicodeEscape(at))
	default:
		l.pos--
		r, size := utf8.DecodeRuneInString(l.chunk[min(l.pos, len(l.chunk)):])
		l.pos += size
		if size > 0 && r != '\u2028' && r != '\u2029' {
			b.WriteRune(r)
		}
	}
}

// unicodeEscape reads the number of a character after \u: four digits, or digits in braces.
func (l *lexer) unicodeEscape(at int) rune {
	if l.peek(0) != '{' {
		return l.hex(at, 4)
	}
	digits, _, isClosed := strings.Cut(l.chunk[l.pos+1:], "}")
	n, err := strconv.ParseUint(digits, 16, 32)
	if !isClosed || err != nil || n > unicode.MaxRune {
		l.syntax(at, "the escape is not well formed: write \\u{…} with a number of a character")
	}
	l.pos += len("{") + len(digits) + len("}")
	return rune(n)
}

// controls are the control characters that an escape names by a letter.
var controls = map[byte]byte{'n': '\n', 't': '\t', 'r': '\r', 'b': '\b', 'f': '\f', 'v': '\v'}

// hex reads digits of an escape.
func (l *lexer) hex(at, n int) rune {
	if l.pos+n <= len(l.chunk) {
		if u, err := strconv.ParseUint(l.chunk[l.pos:l.pos+n], 16, 32); err == nil {
			l.pos += n
			return rune(u)
		}
	}
	l.syntax(at, "the escape is not well formed: write \\xHH, \\uHHHH or \\u{…}")
	return 0
}

// inner reads the tokens of ${…}, up to its closing brace.
func (l *lexer) inner(at int) []token {
	outer := l.tokens
	l.tokens = []token{{kind: printToken, at: l.base + l.pos}}
	for open := 0; ; {
		if l.blanks(); l.peek(0) == '}' && open == 0 {
			l.pos++
			break
		}
		if !l.next() {
			l.syntax(at, "the value ${…} of a text is not closed: add }")
		}
		if t := l.tokens[len(l.tokens)-1]; t.kind == punctToken {
			switch t.text {
			case "{":
				open++
			case "}":
				open--
			}
		}
	}
	l.add(token{kind: endToken, at: l.base + l.pos})
	tokens := l.tokens[1:]
	l.tokens, l.newline = outer, false
	return tokens
}

// pattern reads a regular expression.
func (l *lexer) pattern(at int) {
	found := writtenPattern.FindStringSubmatch(l.chunk[l.pos:])
	if found == nil {
		l.syntax(at, "the pattern is not closed in its line: add /")
	}
	l.pos += len(found[0])
	l.add(token{kind: patternToken, text: found[1], flags: l.name(), at: at})
}

// writtenPattern finds a regular expression without its flags. A slash within […] does not end it.
var writtenPattern = regexp.MustCompile(`^/((?:[^/\\[\n\r]|\\(?s:.)|\[(?:[^\]\\\n\r]|\\(?s:.))*\])*)/`)

// Limits of one text.
const (
	maxCode    = 64 << 10
	maxNesting = 64
)
