package mvu

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/talewright/talewright/internal/utf8text"
	"github.com/talewright/talewright/internal/yaml"
	"github.com/talewright/talewright/memvars"
)

// Find returns the commands in a message in the order of their positions.
//
// In default mode the rules are lenient. Blanks before the parenthesis and a missing semicolon are
// allowed, full-width marks are valid, inner quotation marks need no escape, and comments are
// ignored. In compat mode the rules are the rules of MVU. There is no blank before the parenthesis,
// a semicolon comes directly after it, and a reason may begin on a later line. Calls with too few
// arguments are not commands in either mode.
//
// An unclosed call affects only itself: later calls are found. In default mode it is returned with
// a Fault, and no call extends over a line that begins with a call.
//
// The cost is linear in the length of the text. A byte that is not UTF-8 is replaced by a question
// mark.
func Find(text string, o Options) []Command {
	text = utf8text.Mend(text)
	f := finder{text: text, compat: o.compat()}
	var out []Command
	blocks := patchBlocks(text, f.compat)
	number := 0
	for i := 0; i < len(text) || len(blocks) > 0; {
		if len(blocks) > 0 && i >= blocks[0].from {
			number++
			out = append(out, blocks[0].commands(number, o)...)
			i = max(i, blocks[0].to)
			blocks = blocks[1:]
			continue
		}
		next := f.nextCall(i)
		if len(blocks) > 0 && (next < 0 || next >= blocks[0].from) {
			i = blocks[0].from
			continue
		}
		if next < 0 {
			break
		}
		c, end, ok := f.readCall(next)
		if ok {
			out = yaml.Append(out, c)
		}
		i = end
	}
	return out
}

// finder reads calls.
type finder struct {
	text   string
	compat bool
	// closed says which calls are closed. It is built at the first unclosed call.
	closed closedCalls

	// State of the search for comments.
	searched     int  // the offset up to which comments were searched
	lineComment  bool // the current line is a comment
	commentEnd   int  // the end of the last block comment
	noCommentEnd bool // no block comment is closed any more
	noHTMLEnd    bool // no HTML comment is closed any more
	htmlEnd      int  // the end of the last HTML comment, also of one that hides nothing
	inBlock      bool // within <UpdateVariable>
}

// nextCall returns the next offset at or after i where a call may begin.
func (f *finder) nextCall(i int) int {
	for i < len(f.text) {
		n := strings.Index(f.text[i:], "_.")
		if n < 0 {
			return -1
		}
		i += n
		if f.compat || !f.isInComment(i) {
			return i
		}
		i += 2
	}
	return -1
}

// isInComment reports whether i is in a comment. A comment is a closed /* … */ or <!-- … -->, or a
// line whose first visible characters, after list bullets, are two slashes. A comment <!-- … --> around
// or within a block <UpdateVariable> hides no commands: it hides the block from players. isInComment
// continues from the previous call's offset.
func (f *finder) isInComment(i int) bool {
	if f.searched == 0 {
		f.startLine(0)
	}
	for ; f.searched < i; f.searched++ {
		switch {
		case f.text[f.searched] == '\n':
			f.startLine(f.searched + 1)
		case f.searched >= f.commentEnd && !f.noCommentEnd && strings.HasPrefix(f.text[f.searched:], "/*"):
			end := strings.Index(f.text[f.searched+2:], "*/")
			f.noCommentEnd = end < 0
			if end >= 0 {
				f.commentEnd = f.searched + end + 4
			}
		case f.searched >= max(f.commentEnd, f.htmlEnd) && !f.noHTMLEnd && strings.HasPrefix(f.text[f.searched:], "<!--"):
			end := strings.Index(f.text[f.searched+4:], "-->")
			if f.noHTMLEnd = end < 0; f.noHTMLEnd {
				break
			}
			f.htmlEnd = f.searched + end + 7
			if !f.inBlock && !updateTag.MatchString(f.text[f.searched:f.htmlEnd]) {
				f.commentEnd = f.htmlEnd
			}
		case f.text[f.searched] == '<':
			if tag := updateTag.FindStringSubmatch(f.text[f.searched:min(f.searched+len("</UpdateVariable"), len(f.text))]); tag != nil {
				f.inBlock = tag[1] == ""
			}
		}
	}
	return f.lineComment || i < f.commentEnd
}

// startLine classifies a line at its first character.
func (f *finder) startLine(i int) {
	line := f.text[i:]
	if n := strings.IndexByte(line, '\n'); n >= 0 {
		line = line[:n]
	}
	f.lineComment = strings.HasPrefix(strings.TrimLeft(line, " \t\u3000-*•>"), "//")
}

// updateTag is the beginning of a tag of a block with commands.
var updateTag = regexp.MustCompile(`(?i)<(/?)UpdateVariable`)

var methods = []string{"set", "insert", "assign", "remove", "unset", "delete", "add"}

// readCall reads the call at i. end is the offset where the search continues.
func (f *finder) readCall(i int) (c Command, end int, ok bool) {
	rest := f.text[i+2:]
	for _, m := range methods {
		if !strings.HasPrefix(rest, m) {
			continue
		}
		at := i + 2 + len(m)
		if !f.compat {
			at = blanks(f.text, at)
		}
		n := f.token(at, '(')
		if n == 0 {
			continue
		}
		c = Command{Type: m, Offset: i}
		args, after, ok := f.readArgs(at + n)
		if !ok {
			c.End, c.Fault = at+n, memvars.Unbalanced
			return c, i + 2, !f.compat
		}
		c.Args = args
		return f.readAfterCall(c, after)
	}
	return Command{}, i + 2, false
}

// readAfterCall reads the semicolon and the reason, and checks the number of arguments.
//
// A reason extends to the end of its line and includes everything there.
func (f *finder) readAfterCall(c Command, i int) (Command, int, bool) {
	c.End = i
	if f.compat {
		if i >= len(f.text) || f.text[i] != ';' {
			return c, i, false
		}
		c.End = i + 1
	} else if j := blanks(f.text, i); f.token(j, ';') > 0 {
		c.End = j + f.token(j, ';')
	}
	from := blanks(f.text, c.End)
	if f.compat {
		from = c.End + len(f.text[c.End:]) - len(strings.TrimLeft(f.text[c.End:], " \t\r\n\u3000"))
	}
	if strings.HasPrefix(f.text[from:], "//") {
		end := len(f.text)
		if n := strings.IndexByte(f.text[from:], '\n'); n >= 0 {
			end = from + n
		}
		c.Reason = f.source(from+2, end)
		c.End = end
	}
	need, most := 1, 3
	switch c.Type {
	case "set", "insert", "assign":
		need = 2
	case "add":
		need, most = 2, 2
	}
	return c, c.End, len(c.Args) >= need && (len(c.Args) <= most || c.Type != "add")
}

// readArgs splits the arguments at top-level commas up to the closing parenthesis.
//
// Commas within brackets and quotation marks do not split. Arguments stay source text, except
// typographic marks: the command decides their meaning.
func (f *finder) readArgs(i int) (args []string, end int, ok bool) {
	if f.closed != nil && !f.closed.isClosed(i) {
		return nil, i, false
	}
	a := argReader{finder: f, i: i, start: i, beginsValue: true}
	for a.i < len(f.text) && !f.isBeforeCall(a.i) {
		if end := a.readPart(); end > 0 {
			return a.args, end, true
		}
	}
	f.closed = newClosedCalls(f)
	return nil, i, false
}

// argReader reads the arguments of a call.
type argReader struct {
	*finder
	i           int // the offset of the next character
	start       int // of the present argument
	args        []string
	depth       int      // of brackets
	beginsValue bool     // a value may begin here
	curly       [][2]int // texts of the present argument in typographic marks
}

// readPart reads a text in quotation marks or one character. It returns the offset after the parenthesis
// that closes the call, 0 for any other part.
func (a *argReader) readPart() (end int) {
	c := a.text[a.i]
	if a.beginsValue {
		if end := a.typographicEnd(a.i); end > 0 {
			a.curly = append(a.curly, [2]int{a.i, end})
			a.i, a.beginsValue = end, false
			return 0
		}
	}
	comma, parenthesis := a.token(a.i, ','), a.token(a.i, ')')
	a.beginsValue = comma > 0 || strings.IndexByte("[{:,", c) >= 0 || a.beginsValue && isSpace(c)
	switch {
	case isQuote(c):
		if a.i = a.quoteEnd(a.i); a.i < 0 {
			a.i = len(a.text)
		}
		return 0
	case a.depth == 0 && parenthesis > 0:
		if last := a.argument(); last != "" || len(a.args) > 0 {
			a.args = append(a.args, last)
		}
		return a.i + parenthesis
	case a.depth == 0 && comma > 0:
		a.args = append(a.args, a.argument())
		a.i += comma
		a.start = a.i
		return 0
	case c == '(' || c == '[' || c == '{':
		a.depth++
	case c == ')' || c == ']' || c == '}':
		a.depth = max(a.depth-1, 0)
	}
	_, size := utf8.DecodeRuneInString(a.text[a.i:])
	a.i += size
	return 0
}

// argument returns the source of the present argument, which ends here.
func (a *argReader) argument() string {
	source := a.withStraightMarks(a.start, a.i, a.curly)
	a.curly = a.curly[:0]
	return source
}

// isQuote reports whether c is a straight quotation mark of JavaScript.
func isQuote(c byte) bool { return c == '\'' || c == '"' || c == '`' }

// isBeforeCall reports whether i is the end of a line before a line that begins with a call. In default
// mode nothing extends over it: a forgotten mark is more likely than an intended line break.
func (f *finder) isBeforeCall(i int) bool {
	if f.compat || f.text[i] != '\n' {
		return false
	}
	i = blanks(f.text, i+1)
	rest := f.text[min(i+2, len(f.text)):]
	if !strings.HasPrefix(f.text[i:], "_.") {
		return false
	}
	return slices.ContainsFunc(methods, func(m string) bool {
		return strings.HasPrefix(rest, m) && f.token(blanks(f.text, i+2+len(m)), '(') > 0
	})
}

// source returns a copy of the text of an argument, so that stored values do not keep the whole
// message in memory.
func (f *finder) source(from, to int) string {
	return strings.Clone(strings.TrimSpace(f.text[from:to]))
}

// maxCurly limits a text in typographic marks, so that unclosed marks cost little.
const maxCurly = 2048

// typographicEnd returns the offset after a text in typographic marks, 0 if none begins at i.
// Chinese models write such marks instead of straight ones. The text is on one line and has no
// characters of calls, so it does not change where calls end. Marks within marks are text.
func (f *finder) typographicEnd(i int) int {
	open, shut := '“', '”'
	switch {
	case f.compat:
		return 0
	case strings.HasPrefix(f.text[i:], "‘"):
		open, shut = '‘', '’'
	case !strings.HasPrefix(f.text[i:], "“"):
		return 0
	}
	depth := 0
	for j, r := range f.text[i:min(len(f.text), i+maxCurly)] {
		switch {
		case r == open:
			depth++
		case r == shut && depth > 1:
			depth--
		case r == shut:
			if end := i + j + utf8.RuneLen(shut); f.mayClose(skipSpace(f.text, end)) {
				return end
			}
		case strings.ContainsRune("\n\\'\"`()[]{}（）", r):
			return 0
		}
	}
	return 0
}

// withStraightMarks returns the source of an argument, with straight marks instead of typographic
// ones.
func (f *finder) withStraightMarks(from, to int, curly [][2]int) string {
	if len(curly) == 0 {
		return f.source(from, to)
	}
	var b strings.Builder
	for _, text := range curly {
		b.WriteString(f.text[from:text[0]])
		b.WriteString(`"` + f.text[text[0]+len("“"):text[1]-len("”")] + `"`)
		from = text[1]
	}
	b.WriteString(f.text[from:to])
	return strings.TrimSpace(b.String())
}

// quoteEnd returns the offset after the mark that closes the string at i, or -1 if not found. In
// default mode a mark closes only before a delimiter.
func (f *finder) quoteEnd(i int) int {
	mark := f.text[i]
	for j := i + 1; j < len(f.text); j++ {
		switch c := f.text[j]; {
		case c == '\\':
			j++
		case c == mark && (f.compat || f.mayClose(skipSpace(f.text, j+1))):
			return j + 1
		case f.isBeforeCall(j):
			return -1
		}
	}
	return -1
}

// skipSpace returns the first offset at or after i that is not a blank or a line break.
func skipSpace(s string, i int) int {
	for i < len(s) && isSpace(s[i]) {
		i++
	}
	return i
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

// mayClose reports whether the first visible character after a mark, at i, allows the mark to
// close a text. Such characters end an argument or a member, or are operators.
func (f *finder) mayClose(i int) bool {
	if i >= len(f.text) || strings.IndexByte(",):]};+-*/", f.text[i]) >= 0 {
		return true
	}
	return f.token(i, ',') > 0 || f.token(i, ')') > 0 || f.token(i, ';') > 0
}

// token returns the length of the token c at i. In default mode its full-width form counts too.
func (f *finder) token(i int, c byte) int {
	if i >= len(f.text) {
		return 0
	}
	wide := wideTokens[c]
	switch {
	case f.text[i] == c:
		return 1
	case !f.compat && f.text[i] == wide[0] && strings.HasPrefix(f.text[i:], wide):
		return len(wide)
	}
	return 0
}

// wideTokens are the full-width forms of tokens.
var wideTokens = [...]string{'(': "（", ')': "）", ',': "，", ';': "；"}

// blanks skips blanks, not line breaks.
func blanks(s string, i int) int {
	for i < len(s) {
		switch {
		case s[i] == ' ' || s[i] == '\t':
			i++
		case strings.HasPrefix(s[i:], "\u3000"):
			i += len("\u3000")
		default:
			return i
		}
	}
	return i
}
