package mvu

import (
	"cmp"
	"errors"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/talewright/talewright/internal/yaml"
	"github.com/talewright/talewright/memvars/tree"
)

// maxDepth limits the nesting of values in messages.
const maxDepth = 200

var errSyntax = errors.New("not a value")

// flow reads objects and lists as written in JSON, JSON5 and JavaScript literals: unquoted keys,
// any quotation mark, trailing commas, comments, hex numbers. If lax is true, it accepts what
// models get wrong: missing closing brackets at the end, typographic quotation marks, the mark of a
// text within the text, and the words of Python.
type flow struct {
	s   string
	i   int
	lax bool
	// wide: commas and colons may be full-width. It is used if the text cannot be read without it.
	wide bool
	// computed: values may be expressions, in which commas separate arguments.
	computed bool
	// scalar reads values that are neither quoted nor containers.
	scalar func(string) (tree.Value, bool)
}

// space skips white space and the comments of JSON5 and YAML.
func (p *flow) space() {
	for p.i < len(p.s) {
		switch {
		case strings.IndexByte(" \t\r\n", p.s[p.i]) >= 0:
			p.i++
		case strings.HasPrefix(p.s[p.i:], "//"), p.s[p.i] == '#':
			if n := strings.IndexByte(p.s[p.i:], '\n'); n >= 0 {
				p.i += n
			} else {
				p.i = len(p.s)
			}
		case strings.HasPrefix(p.s[p.i:], "/*"):
			n := strings.Index(p.s[p.i+2:], "*/")
			if n < 0 {
				return
			}
			p.i += n + 4
		case strings.HasPrefix(p.s[p.i:], "\u3000"):
			p.i += len("\u3000")
		default:
			return
		}
	}
}

// value reads the value at the current position.
func (p *flow) value(depth int) (tree.Value, error) {
	p.space()
	if p.i >= len(p.s) || depth > maxDepth {
		return tree.Value{}, errSyntax
	}
	switch p.s[p.i] {
	case '{':
		return p.object(depth)
	case '[':
		return p.list(depth)
	}
	if marks := p.closingMarks(); marks != "" {
		text, err := p.text(marks)
		return tree.Text(text), err
	}
	word := p.word(",]}")
	if p.lax {
		word = cmp.Or(pythonWords[word], word)
	}
	if v, ok := p.scalar(word); ok {
		return v, nil
	}
	return tree.Value{}, errSyntax
}

// pythonWords are the words of Python that models and authors write in JSON.
var pythonWords = map[string]string{"True": "true", "False": "false", "None": "null"}

// object reads members: quoted or bare keys, with any number of commas between them.
func (p *flow) object(depth int) (tree.Value, error) {
	p.i++
	var members []tree.Member
	for {
		if more, err := p.nextMember('}'); err != nil || !more {
			return tree.Object(members...), err
		}
		var key string
		var err error
		if marks := p.closingMarks(); marks != "" {
			key, err = p.text(marks)
		} else {
			key = p.word(":,{}[]")
		}
		p.space()
		colon := p.sign(":", "：")
		if err != nil || key == "" || colon == 0 {
			return tree.Value{}, errSyntax
		}
		p.i += colon
		v, err := p.value(depth + 1)
		if err != nil {
			return tree.Value{}, err
		}
		members = yaml.Append(members, tree.Member{Key: key, Value: v})
	}
}

// list reads elements as object reads members.
func (p *flow) list(depth int) (tree.Value, error) {
	p.i++
	var elems []tree.Value
	for {
		if more, err := p.nextMember(']'); err != nil || !more {
			return tree.Array(elems...), err
		}
		v, err := p.value(depth + 1)
		if err != nil {
			return tree.Value{}, err
		}
		elems = yaml.Append(elems, v)
	}
}

// nextMember moves to the next member, over commas and blanks. Without one the container has ended.
func (p *flow) nextMember(end byte) (more bool, err error) {
	for p.space(); p.sign(",", "，") > 0; p.space() {
		p.i += p.sign(",", "，")
	}
	switch {
	case p.i >= len(p.s) && p.lax:
		return false, nil
	case p.i < len(p.s) && p.s[p.i] == end:
		p.i++
		return false, nil
	case p.i >= len(p.s) || p.s[p.i] == '}' || p.s[p.i] == ']':
		return false, errSyntax
	}
	return true, nil
}

// sign returns the length of a sign at the current position, 0 if it is not there.
func (p *flow) sign(narrow, wide string) int {
	switch rest := p.s[p.i:]; {
	case strings.HasPrefix(rest, narrow):
		return len(narrow)
	case p.wide && strings.HasPrefix(rest, wide):
		return len(wide)
	}
	return 0
}

// word reads up to one of the stops, a comment or the end of the line. Within the parentheses of an
// expression only the end of the line stops it.
func (p *flow) word(stops string) string {
	start, depth := p.i, 0
	for p.i < len(p.s) && p.s[p.i] != '\n' &&
		(depth > 0 || strings.IndexByte(stops, p.s[p.i]) < 0) &&
		!strings.HasPrefix(p.s[p.i:], "//") && !strings.HasPrefix(p.s[p.i:], " #") &&
		!(p.wide && p.sign("，", "：") > 0) {
		switch {
		case p.computed && p.s[p.i] == '(':
			depth++
		case p.computed && p.s[p.i] == ')':
			depth--
		}
		p.i++
	}
	return strings.TrimSpace(p.s[start:p.i])
}

// closingMarks returns the marks that may close the text that begins here, "" if there is no text.
func (p *flow) closingMarks() string {
	switch r, _ := utf8.DecodeRuneInString(p.s[p.i:]); {
	case r == '"' || r == '\'' || r == '`':
		return string(r)
	case p.lax && (r == '“' || r == '”'):
		return "”“\""
	case p.lax && (r == '‘' || r == '’'):
		return "’‘'"
	}
	return ""
}

// text reads a quoted text with the escapes of JavaScript.
//
// A different quotation mark within the text is an ordinary character.
func (p *flow) text(marks string) (string, error) {
	_, size := utf8.DecodeRuneInString(p.s[p.i:])
	p.i += size
	var b strings.Builder
	for p.i < len(p.s) {
		r, size := utf8.DecodeRuneInString(p.s[p.i:])
		switch {
		case strings.ContainsRune(marks, r) && r != utf8.RuneError && p.mayClose(p.s[p.i+size:]):
			p.i += size
			return b.String(), nil
		case r == '\\' && p.i+1 < len(p.s):
			p.i += escape(&b, p.s[p.i:])
		default:
			b.WriteString(p.s[p.i : p.i+size])
			p.i += size
		}
	}
	return "", errSyntax
}

// mayClose reports whether a mark before the rest closes its text. If lax is true, a sign of the
// structure, a comment, a new line or a different text must follow.
func (p *flow) mayClose(rest string) bool {
	after := strings.TrimLeft(rest, " \t\r")
	if p.wide && (strings.HasPrefix(after, "，") || strings.HasPrefix(after, "：")) {
		return true
	}
	return !p.lax || after == "" || strings.IndexByte(",:]}\n/#", after[0]) >= 0 || after[0] == '"' && len(after) < len(rest)
}

// escape decodes the escape at the start of s and returns its length.
func escape(b *strings.Builder, s string) int {
	if i := strings.IndexByte("ntrbfv0", s[1]); i >= 0 {
		b.WriteByte("\n\t\r\b\f\v\x00"[i])
		return 2
	}
	switch {
	case s[1] == 'u' && len(s) >= 6:
		size := 6
		if len(s) >= 12 && s[6] == '\\' && s[7] == 'u' {
			size = 12
		}
		if v, err := tree.ParseValue([]byte(`"` + s[:size] + `"`)); err == nil {
			text, _ := v.AsText()
			b.WriteString(text)
			return size
		}
	case s[1] == 'x' && len(s) >= 4:
		if n, err := strconv.ParseUint(s[2:4], 16, 8); err == nil {
			b.WriteRune(rune(n))
			return 4
		}
	case s[1] == '\n':
		return 2
	}
	_, size := utf8.DecodeRuneInString(s[1:])
	b.WriteString(s[1 : 1+size])
	return 1 + size
}

// literalScalar reads the scalars of a JavaScript literal except texts.
func literalScalar(word string) (tree.Value, bool) {
	switch word {
	case "true", "false":
		return tree.Bool(word == "true"), true
	case "null", "undefined", "NaN":
		return tree.Null, true
	}
	return number(word)
}

// computedScalar reads the scalars of an evaluated JavaScript literal, including arithmetic. The
// sign ^ is not a power there, and an unquoted date is not a subtraction.
func computedScalar(word string) (tree.Value, bool) {
	v, ok := literalScalar(word)
	if ok || strings.Contains(word, "^") || dateLike(word) {
		return v, ok
	}
	return evaluate(word, false)
}

// number reads JSON numbers and JavaScript numbers: hex, octal, binary, with a leading plus, or
// with a missing digit next to the point.
func number(word string) (tree.Value, bool) {
	if v, err := tree.ParseValue([]byte(word)); err == nil && v.Kind() == tree.KindNumber {
		return v, true
	}
	lower := strings.ToLower(strings.TrimPrefix(word, "+"))
	if strings.HasPrefix(lower, "0x") || strings.HasPrefix(lower, "0o") || strings.HasPrefix(lower, "0b") {
		n, ok := new(big.Int).SetString(lower, 0)
		if !ok || len(lower) > 66 || strings.Contains(lower, "_") {
			return tree.Value{}, false
		}
		return tree.Num(tree.Number(n.String())), true
	}
	if lower == "" || strings.Trim(lower, "0123456789.-e+") != "" {
		return tree.Value{}, false
	}
	f, err := strconv.ParseFloat(lower, 64)
	if err != nil {
		return tree.Value{}, false
	}
	return tree.Float(f), true
}

// parse reads a whole text as one literal.
func parse(s string, lax bool) (tree.Value, error) {
	return readFlow(flow{s: s, lax: lax, scalar: literalScalar})
}

// parseComputed reads a whole text as one literal that may contain expressions.
func parseComputed(s string, lax bool) (tree.Value, error) {
	return readFlow(flow{s: s, lax: lax, computed: true, scalar: computedScalar})
}

// readFlow reads a whole text. If lax is true and that fails, full-width signs count as signs.
func readFlow(p flow) (tree.Value, error) {
	again := p
	v, err := p.readAll()
	if err != nil && p.lax && (strings.Contains(p.s, "，") || strings.Contains(p.s, "：")) {
		again.wide = true
		return again.readAll()
	}
	return v, err
}

// readAll reads a value at the end of the text.
func (p *flow) readAll() (tree.Value, error) {
	v, err := p.value(0)
	if p.space(); err == nil && p.i < len(p.s) {
		err = errSyntax
	}
	return v, err
}
