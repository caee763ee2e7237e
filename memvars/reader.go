package memvars

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/talewright/talewright/memvars/tree"
)

// The reader files find and read the commands of this package in a message.

// finder scans a message and reads the calls in it, in one pass.
type finder struct {
	text    string
	options *Options
	pos     positions
	ops     []Op
	// fuel limits the search ahead that repairs forgotten escapes. Without fuel, strings close at
	// the first mark that can close them.
	fuel int
	// unclosable records, for each quotation mark, a stretch in which no mark can close a string.
	unclosable map[string]stretch
	spaces     spaces
	// noHTML is the offset from which on no HTML comment is closed any more.
	noHTML int
}

// findCalls returns the calls in text in the order of their positions.
func (s *System) findCalls(text string) []Op {
	f := &finder{text: text, options: s.options, pos: positions{text: text}, noHTML: len(text)}
	f.fuel = 16*len(text) + 1<<16
	done := 0
	for _, part := range s.commandParts(text) {
		part.from = max(part.from, done)
		done = f.scan(part)
	}
	return f.ops
}

// commandParts returns the stretches of a message in which calls may begin: outside the model's
// reasoning and, if the options require it, inside command blocks.
func (s *System) commandParts(text string) []stretch {
	parts := []stretch{{0, len(text)}}
	if strings.IndexByte(text, '<') >= 0 {
		parts = subtract(text, hiddenIn(tags(text, s.options.IgnoreTags), len(text)))
	}
	if s.options.Blocks == "blocks_only" {
		parts = intersect(parts, inside(tags(text, s.options.BlockTags), len(text)))
	}
	return parts
}

// opsWithin returns the commands, in order, that begin within the stretches.
func opsWithin(ops []Op, parts []stretch) []Op {
	return slices.DeleteFunc(ops, func(op Op) bool {
		for len(parts) > 0 && op.Pos.Offset >= parts[0].to {
			parts = parts[1:]
		}
		return len(parts) == 0 || op.Pos.Offset < parts[0].from
	})
}

// merge merges two lists by position. If two commands overlap, the one that begins first is kept.
func merge(a, b []Op) []Op {
	if len(b) == 0 {
		return a
	}
	all := append(slices.Clone(a), b...)
	slices.SortStableFunc(all, func(x, y Op) int { return x.Pos.Offset - y.Pos.Offset })
	out := all[:0]
	end := 0
	for _, op := range all {
		if op.Pos.Offset < end && op.End > op.Pos.Offset {
			continue
		}
		out = append(out, op)
		end = max(end, op.End)
	}
	return out
}

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
		case c == '/' && strings.HasPrefix(f.text[i:], "/*"):
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

// comment returns the offset after the comment at i. An unclosed comment hides nothing.
func (f *finder) comment(i int) int { return max(f.spaces.commentEnd(f.text, i), i+2) }

// htmlComment is comment for HTML comments, which models put around ideas that they only consider. It
// records that no comment is closed, so that the text is searched once.
func (f *finder) htmlComment(i int) int {
	end := strings.Index(f.text[i+4:], "-->")
	if end < 0 {
		f.noHTML = i
		return i + 4
	}
	return i + end + 7
}

// maxReserved limits the number of commands for which memory is allocated in advance.
const maxReserved = 128

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
		f.ops = make([]Op, 0, min(strings.Count(f.text[h.start:], ";")+1, maxReserved))
	}
	f.ops = append(f.ops, op)
	return next
}

// head is the beginning of a call: its start, its name, and the start of its arguments.
type head struct {
	start    int
	name     string
	prefixed bool
	args     int // after the opening parenthesis
}

// head recognizes the beginning of a call at the identifier at i. end is the end of the identifier.
//
// The character before the name must not continue an ASCII identifier. A dot there must follow an
// accepted prefix, so that cache.delete(…) is not a command. The words memory and delete are
// ordinary words: unless a quotation mark comes first in the parentheses, the text is prose. A
// prefix before any other name makes it an unknown command, which is reported to the model.
func (f *finder) head(i, from int) (h head, end int, ok bool) {
	name, end := identifier(f.text, i)
	if name == "" {
		return head{}, end, false
	}
	paren := skipBlanks(f.text, end)
	n := markLen(f.text, paren, '(')
	if n == 0 {
		return head{}, end, false
	}
	h = head{start: i, name: name, args: paren + n}
	if i > from {
		switch c := f.text[i-1]; {
		case c == '$':
			return head{}, end, false
		case c == '.':
			h.start, h.prefixed = f.prefix(i - 1)
			if !h.prefixed {
				return head{}, end, false
			}
		}
	}
	if !isCommand(name) {
		return h, end, h.prefixed
	}
	if name == "memory" || name == "delete" {
		// Ordinary words: prose unless a quotation mark follows.
		_, _, quoted := quoteAt(f.text, f.spaces.skip(f.text, h.args))
		return h, end, quoted
	}
	return h, end, true
}

// prefix returns the start of the accepted prefix before the dot.
//
// A prefix of letters must be a separate word. A prefix of signs, such as the star, may follow any
// character, because Markdown uses stars everywhere.
func (f *finder) prefix(dot int) (start int, ok bool) {
	for _, p := range f.options.Prefixes {
		if p == "" || !strings.HasSuffix(f.text[:dot], p) {
			continue
		}
		start = dot - len(p)
		if start > 0 && isIdentByte(p[0]) {
			if c := f.text[start-1]; isIdentByte(c) || c == '$' || c == '.' {
				continue
			}
		}
		return start, true
	}
	return 0, false
}

// identifier reads ASCII letters, digits and underscores, which Markdown may
// have escaped.
func identifier(s string, i int) (name string, end int) {
	start, escaped := i, false
	for i < len(s) {
		switch {
		case isIdentByte(s[i]):
			i++
			continue
		case s[i] == '\\' && i+1 < len(s) && s[i+1] == '_':
			escaped = true
			i += 2
			continue
		}
		break
	}
	if i == start {
		return "", i + 1
	}
	name = s[start:i]
	if escaped {
		name = strings.ReplaceAll(name, `\_`, "_")
	}
	return name, i
}

// startsCall reports whether the line at i begins with a call.
//
// It ends unclosed strings: text that looks like a call at the beginning of a line is more likely a
// call than part of a text.
func (f *finder) startsCall(i int) bool {
	from := i
	i = skipBlanks(f.text, i)
	start := i
	for _, p := range f.options.Prefixes {
		if strings.HasPrefix(f.text[i:], p+".") {
			i += len(p) + 1
			break
		}
	}
	if i >= len(f.text) || f.text[i] != 's' && f.text[i] != 'm' && f.text[i] != 'd' {
		return false
	}
	h, _, ok := f.head(i, from)
	return ok && h.start == start && isCommand(h.name)
}

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

// quotedArg builds the argument for the raw content of a string.
//
// A text that looks like JSON is decoded. First the raw content is tried, because models put JSON
// escapes directly between single quotes. Then the content with decoded escapes is tried, as a
// programmer would write it. Then both are tried again with repairs. If nothing can be decoded:
//
//   - an object with a colon or a quoted key is refused: stored as text it would destroy the entry
//     that it should update;
//   - anything else is text, so that {{user}} and [昏迷] can be written.
func (f *finder) quotedArg(raw string) Arg {
	raw = strings.Clone(raw) // a value must not keep the whole message in memory
	text := unescape(raw)
	a := Arg{Text: text, Value: tree.Text(text), Quoted: true}
	trimmed := strings.TrimSpace(raw)
	if !looksLikeJSON(trimmed) {
		return a
	}
	if !f.decode(&a, raw, text) && trimmed[0] == '{' && (strings.ContainsAny(trimmed, ":：") || quotedKey(trimmed)) &&
		f.options.JSONFallback == "error" {
		a.Code, a.Value = BadJSON, tree.Value{}
	}
	return a
}

// decode reads the value of an argument from the first text that is JSON, else from the first text
// that can be repaired.
func (f *finder) decode(a *Arg, texts ...string) bool {
	for _, text := range texts {
		if v, err := tree.ParseLoose(text); err == nil {
			a.Value = v
			return true
		}
	}
	if !*f.options.Repair {
		return false
	}
	for _, text := range texts {
		if v, ok := repairJSON(text); ok {
			a.Value, a.Warnings = v, []Warning{warnRepairedJSON}
			return true
		}
	}
	return false
}

// literalArg builds the argument for a bare object or list.
func (f *finder) literalArg(raw string) Arg {
	raw = strings.Clone(raw)
	a := Arg{Text: raw}
	if !f.decode(&a, raw) {
		a.Code = BadJSON
	}
	return a
}

// looksLikeJSON reports whether a quoted text is worth decoding: it is in brackets, or it begins
// like an object whose end the model forgot. All other text stays text, so that bracketed words
// such as [昏迷] cost nothing.
func looksLikeJSON(s string) bool {
	if s == "" {
		return false
	}
	switch s[0] {
	case '{':
		return s[len(s)-1] == '}' || quotedKey(s)
	case '[':
		return s[len(s)-1] == ']'
	}
	return false
}

// quotedKey reports whether a quotation mark follows the opening brace.
func quotedKey(s string) bool {
	_, _, ok := quoteAt(s, skipSpace(s, 1))
	return ok
}
