package memvars

import (
	"strings"
	"unicode/utf8"

	"github.com/talewright/talewright/memvars/tree"
)

// maxArgs limits the stored arguments of a call. Further ones are only counted, which is enough to
// reject the call.
const maxArgs = 8

// usualArgs is the number of arguments that few calls exceed.
const usualArgs = 3

// readCall reads a call from its first argument on. It returns the offset where scanning continues:
// after the call, or after a mistake at the next line. So one broken call does not swallow the
// calls around it, and its strings are not run as commands.
//
// In the grammar, blanks, line breaks and comments may be between all tokens of the arguments:
//
//	call   := [prefix "."] name [blank] "(" [arg {"," arg} [","]] ")" [blank] [";"] [reason]
//	arg    := string | number | true | false | null | object | list | bare word
//	reason := [blank] "//" text up to the end of the line
//
// Full-width marks are accepted like their ASCII forms; a trailing comma and a missing semicolon
// are allowed. An empty argument, a missing comma and a missing closing parenthesis are mistakes
// with a position.
func (f *finder) readCall(h head) (Op, int) {
	op := Op{Name: h.name, Pos: f.pos.at(h.start)}
	i := h.args
	for {
		from := i
		i = f.spaces.skip(f.text, i)
		if f.atCallLine(from, i) {
			return f.endBroken(op, h, UnexpectedToken, i)
		}
		if n := markLen(f.text, i, ')'); n > 0 {
			return f.readAfterCall(op, i+n)
		}
		arg, end, fault := f.readArg(i, len(op.Args) == 0 && strings.HasPrefix(h.name, "set_"))
		if fault != "" {
			return f.endBroken(op, h, fault, end)
		}
		if op.Args == nil {
			op.Args = make([]Arg, 0, usualArgs)
		}
		if len(op.Args) < maxArgs {
			op.Args = append(op.Args, arg)
		}
		i = f.spaces.skip(f.text, end)
		switch comma := markLen(f.text, i, ','); {
		case comma > 0:
			i += comma
		case i >= len(f.text):
			return f.endBroken(op, h, Unbalanced, i)
		case markLen(f.text, i, ')') == 0:
			return f.endBroken(op, h, UnexpectedToken, i)
		}
	}
}

// atCallLine reports whether i is the first visible character of a line that begins with a call.
// Blanks and comments were skipped from offset from to i. No argument begins there: probably the
// call before it was not finished.
func (f *finder) atCallLine(from, i int) bool {
	before := strings.TrimRight(f.text[from:i], " \t\v\f\u3000\u00a0\ufeff\u2002\u2003\u2009\u200b")
	return strings.HasSuffix(before, "\n") && f.startsCall(from+len(before))
}

// readAfterCall reads the optional text after the closing parenthesis: a semicolon and a reason.
func (f *finder) readAfterCall(op Op, i int) (Op, int) {
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

// endBroken ends a call with a mistake at the offset at and returns the offset where scanning
// continues:
//
//   - after an unclosed string, at the line after its opening mark, because the rest of that line
//     may be part of the string;
//   - otherwise at the line of the mistake, if the call began on an earlier line, because
//     everything before that line was read without a mistake.
//
// The line on which the call began is never read again: the content of its strings must not be run
// as commands.
func (f *finder) endBroken(op Op, h head, code Code, at int) (Op, int) {
	op.Fault = &Fault{Code: code, At: f.pos.at(at)}
	op.End = min(at, len(f.text))
	next := nextLine(f.text, h.start)
	switch code {
	case UnterminatedString:
		next = max(next, nextLine(f.text, at))
	default:
		// The part before the mistake stays read; the line of the mistake is read again.
		next = max(next, strings.LastIndexByte(f.text[:at], '\n')+1)
	}
	return op, next
}

// readArg reads one argument at i. After a fault, end is the offset of the mistake.
//
// The first character decides the kind: a quotation mark of any family, a bracket, or a bare word.
// The argument path is true for the path of a set command. A path may be unquoted and may begin
// with a bracket. An object or a list in its place is also read, and is refused when the command is
// applied.
func (f *finder) readArg(i int, path bool) (a Arg, end int, fault Code) {
	switch {
	case i >= len(f.text):
		return Arg{}, i, Unbalanced
	case markLen(f.text, i, ',') > 0 || markLen(f.text, i, ';') > 0:
		return Arg{}, i, UnexpectedToken
	}
	if mark, class, ok := quoteAt(f.text, i); ok {
		from := i + len(mark)
		stop, next := f.stringEnd(from, mark, class)
		if stop < 0 {
			return Arg{}, i, UnterminatedString
		}
		return f.quotedArg(f.text[from:stop]), next, ""
	}
	if c := f.text[i]; c == '{' || c == '[' {
		stop := f.bracketEnd(i)
		switch {
		case c == '[' && path && !f.isListArg(i, stop):
		case stop < 0:
			return Arg{}, i, Unbalanced
		default:
			return f.literalArg(f.text[i:stop]), stop, ""
		}
	}
	return f.readBare(i, path)
}

// isListArg reports whether the bracket from i to stop is a separate argument, and not the beginning
// of a path such as [键].b. A list of one text or number is read as a path in brackets.
func (f *finder) isListArg(i, stop int) bool {
	if stop < 0 {
		return false
	}
	next := skipBlanks(f.text, stop)
	if markLen(f.text, next, ',') == 0 && markLen(f.text, next, ')') == 0 {
		return false
	}
	list, err := tree.ParseLoose(f.text[i:stop])
	if err != nil {
		return false
	}
	one := list.At(0).Kind()
	return list.Len() != 1 || one != tree.KindText && one != tree.KindNumber
}

// readBare reads a number, a literal or a bare word, up to the next token.
//
// It ends at a comma, a parenthesis, a semicolon, a quotation mark, a comment or the end of the
// line. In a path it includes keys in brackets. A word that is neither a number nor a literal is a
// text, because models forget quotation marks around short texts. If it is not a path, there is a
// warning.
func (f *finder) readBare(i int, path bool) (a Arg, end int, fault Code) {
	end = i
scan:
	for end < len(f.text) {
		switch c := f.text[end]; {
		case c == '\n' || c == '\r', markLen(f.text, end, ',') > 0, markLen(f.text, end, ')') > 0,
			markLen(f.text, end, '(') > 0, markLen(f.text, end, ';') > 0,
			strings.HasPrefix(f.text[end:], "/*"), strings.HasPrefix(f.text[end:], "//"):
			break scan
		case c == '[' && path:
			end = keyEnd(f.text, end)
			continue
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
	a.Value = tree.Text(word)
	if !path {
		a.Warnings = []Warning{warnBareWord}
	}
	return a, end, ""
}

// maxKeyLook limits, in bytes, the search for the end of a key in brackets.
const maxKeyLook = 256

// keyEnd returns the offset after the key in brackets at i, or after the bracket alone if nothing
// closes it on its line.
func keyEnd(text string, i int) int {
	rest := text[i+1 : min(lineEnd(text[:min(len(text), i+maxKeyLook)], i), len(text))]
	key := strings.TrimLeft(rest, " \t")
	from := i + 1 + len(rest) - len(key)
	if key == "" {
		return i + 1
	}
	if mark := key[0]; mark == '"' || mark == '\'' || mark == '`' {
		for j := 1; j < len(key); j++ {
			if key[j] == '\\' {
				j++
			} else if key[j] == mark {
				if end := skipBlanks(text, from+j+1); end < len(text) && text[end] == ']' {
					return end + 1
				}
				return i + 1
			}
		}
		return i + 1
	}
	if n := strings.IndexAny(key, "],()\"'`"); n >= 0 && key[n] == ']' {
		return from + n + 1
	}
	return i + 1
}

// bareValue reads a literal or a number, including full-width digits.
//
// The Python and JavaScript names of the JSON literals are accepted too.
func bareValue(word string) (tree.Value, bool) {
	switch word {
	case "true", "True":
		return tree.Bool(true), true
	case "false", "False":
		return tree.Bool(false), true
	case "null", "None", "undefined":
		return tree.Null, true
	}
	if n, ok := tree.ParseNumber(word); ok {
		return tree.Num(n), true
	}
	return tree.Value{}, false
}
