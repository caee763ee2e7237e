package memvars

import (
	"strings"
	"unicode/utf8"
)

// maxArgs bounds the arguments of a call that are kept; further ones are counted
// only, which is enough to reject it.
const maxArgs = 8

// call reads a call from its first argument on. It returns where scanning goes
// on: after the call, or after a mistake at the next line, so that one broken
// call neither swallows its neighbours nor releases what its strings hold.
//
// The grammar, in which blanks, line breaks and comments may stand between all
// tokens of the arguments:
//
//	call   := [prefix "."] name [blank] "(" [arg {"," arg} [","]] ")" [blank] [";"] [reason]
//	arg    := string | number | true | false | null | object | list | bare word
//	reason := [blank] "//" text up to the end of the line
//
// Full-width marks count like their ASCII forms, a trailing comma and a missing
// semicolon are fine. An empty argument, a missing comma and a missing closing
// parenthesis are mistakes with a position.
func (f *finder) call(h head) (Op, int) {
	op := Op{Name: h.name, Pos: f.pos.at(h.start)}
	i := h.args
	for {
		i = f.spaces.skip(f.text, i)
		if n := markLen(f.text, i, ')'); n > 0 {
			return f.tail(op, i+n)
		}
		arg, end, fault := f.arg(i, len(op.Args) == 0 && strings.HasPrefix(h.name, "set_"))
		if fault != "" {
			return f.broken(op, h, fault, end)
		}
		if len(op.Args) < maxArgs {
			op.Args = append(op.Args, arg)
		}
		i = f.spaces.skip(f.text, end)
		switch comma := markLen(f.text, i, ','); {
		case comma > 0:
			i += comma
		case i >= len(f.text):
			return f.broken(op, h, Unbalanced, i)
		case markLen(f.text, i, ')') == 0:
			return f.broken(op, h, UnexpectedToken, i)
		}
	}
}

// tail reads what may follow the closing parenthesis: a semicolon and a reason.
func (f *finder) tail(op Op, i int) (Op, int) {
	op.End = i
	i = skipBlanks(f.text, i)
	if n := markLen(f.text, i, ';'); n > 0 {
		i += n
		op.End = i
		i = skipBlanks(f.text, i)
	}
	if strings.HasPrefix(f.text[i:], "//") {
		end := lineEnd(f.text, i)
		op.Reason = strings.Clone(strings.TrimSpace(f.text[i+2 : end]))
		op.End = end
	}
	return op, op.End
}

// broken ends a call with a mistake at the offset at and says where scanning goes
// on:
//
//   - after a string that nothing closes, behind the line of its opening mark,
//     for the rest of that line may be part of the string;
//   - otherwise at the line of the mistake, if that is another one than where
//     the call began, because what came before it was read well.
//
// The line on which the call began is never read again: what its strings hold
// must not be released as commands.
func (f *finder) broken(op Op, h head, code Code, at int) (Op, int) {
	op.Fault = &Fault{Code: code, At: f.pos.at(at)}
	op.End = min(at, len(f.text))
	next := nextLine(f.text, h.start)
	switch code {
	case UnterminatedString:
		next = max(next, nextLine(f.text, at))
	default:
		// What was read well stays read; the line of the mistake is read again.
		next = max(next, strings.LastIndexByte(f.text[:at], '\n')+1)
	}
	return op, next
}

// arg reads one argument at i. After a fault end is the place of the mistake.
//
// An argument begins with what it is: a quotation mark of any family, a bracket, or
// anything else for a bare word. path says that this is the path of a set command,
// which may stand unquoted and may begin with a bracket of its own.
func (f *finder) arg(i int, path bool) (a Arg, end int, fault Code) {
	switch {
	case i >= len(f.text):
		return Arg{}, i, Unbalanced
	case markLen(f.text, i, ',') > 0 || markLen(f.text, i, ';') > 0:
		return Arg{}, i, UnexpectedToken
	}
	if mark, class, ok := quoteAt(f.text, i); ok {
		from := i + len(mark)
		stop, next := f.closing(from, mark, class)
		if stop < 0 {
			return Arg{}, i, UnterminatedString
		}
		return f.quoted(f.text[from:stop]), next, ""
	}
	if c := f.text[i]; (c == '{' || c == '[') && !path {
		stop := f.bracketEnd(i)
		if stop < 0 {
			return Arg{}, i, Unbalanced
		}
		return f.literal(f.text[i:stop]), stop, ""
	}
	return f.bare(i)
}

// bare reads a number, a literal or a bare word, up to the next token.
//
// It ends at a comma, a parenthesis, a semicolon, a quotation mark, a comment or
// the end of the line; in brackets, as paths have them, only the line ends it. A
// word that is neither a number nor a literal is a text with a warning: models
// forget quotation marks around short texts, and what they mean is plain.
func (f *finder) bare(i int) (a Arg, end int, fault Code) {
	end = i
	depth := 0
scan:
	for end < len(f.text) {
		c := f.text[end]
		switch {
		case c == '\n' || c == '\r':
			break scan
		case c == '[':
			depth++
		case c == ']':
			depth = max(depth-1, 0)
		case depth > 0:
		case markLen(f.text, end, ',') > 0, markLen(f.text, end, ')') > 0,
			markLen(f.text, end, '(') > 0, markLen(f.text, end, ';') > 0,
			strings.HasPrefix(f.text[end:], "/*"), strings.HasPrefix(f.text[end:], "//"):
			break scan
		default:
			if _, _, ok := quoteAt(f.text, end); ok {
				break scan
			}
		}
		_, size := utf8.DecodeRuneInString(f.text[end:])
		end += size
	}
	word := strings.TrimSpace(strings.Trim(f.text[i:end], "\u3000"))
	if word == "" {
		return Arg{}, i, UnexpectedToken
	}
	word = strings.Clone(word)
	a = Arg{Text: word}
	if v, ok := bareValue(word); ok {
		a.Value = v
		if n, ok := v.AsNumber(); ok {
			a.Text = string(n)
		}
		return a, end, ""
	}
	a.Value = Text(word)
	a.Warnings = []Warning{WarnBareWord}
	return a, end, ""
}

// bareValue reads a literal or a number, full-width digits included.
//
// The names that Python and JavaScript have for the literals of JSON are read too.
func bareValue(word string) (Value, bool) {
	switch word {
	case "true", "True":
		return Bool(true), true
	case "false", "False":
		return Bool(false), true
	case "null", "None", "undefined":
		return Null, true
	}
	if n, ok := looseNumber(word); ok {
		return Num(n), true
	}
	return Value{}, false
}

// looseNumber reads a JSON number, also with full-width digits and signs, and
// with a missing digit on one side of the point.
//
// The spelling stays as it is wherever JSON allows it. 007, +5 and 0x10 are no
// numbers: the first is a code of some kind, and the second means an increase.
func looseNumber(word string) (Number, bool) {
	s := narrow(word)
	neg := strings.HasPrefix(s, "-")
	body := strings.TrimPrefix(s, "-")
	if strings.HasPrefix(body, ".") && len(body) > 1 {
		body = "0" + body
	}
	if rest, ok := strings.CutSuffix(body, "."); ok && rest != "" {
		body = rest
	}
	if neg {
		body = "-" + body
	}
	if !isNumber(body) {
		return "", false
	}
	return Number(body), true
}

// narrow turns full-width digits and number signs into ASCII.
func narrow(s string) string {
	ascii := true
	for i := range len(s) {
		ascii = ascii && s[i] < utf8.RuneSelf
	}
	if ascii {
		return s
	}
	return strings.Map(func(r rune) rune {
		switch {
		case r >= '０' && r <= '９':
			return r - '０' + '0'
		case r == '－':
			return '-'
		case r == '＋':
			return '+'
		case r == '．':
			return '.'
		}
		return r
	}, s)
}

// isNumber reports whether s is a number in the grammar of JSON.
func isNumber(s string) bool {
	i := 0
	digits := func() bool {
		start := i
		for i < len(s) && s[i] >= '0' && s[i] <= '9' {
			i++
		}
		return i > start
	}
	if i < len(s) && s[i] == '-' {
		i++
	}
	if i < len(s) && s[i] == '0' {
		i++
	} else if !digits() {
		return false
	}
	if i < len(s) && s[i] == '.' {
		i++
		if !digits() {
			return false
		}
	}
	if i < len(s) && (s[i] == 'e' || s[i] == 'E') {
		i++
		if i < len(s) && (s[i] == '+' || s[i] == '-') {
			i++
		}
		if !digits() {
			return false
		}
	}
	return i == len(s) && i > 0
}
