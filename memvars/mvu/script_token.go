package mvu

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/talewright/talewright/internal/yaml"
)

// The script files read the source of schema scripts, which are JavaScript. Nothing is run.

// scriptKind is the kind of a token of a script.
type scriptKind uint8

const (
	scriptEnd scriptKind = iota
	scriptName
	scriptNumber
	scriptText     // the text is decoded
	scriptTemplate // a template with values; a template without values is a text
	scriptPattern  // a regular expression
	scriptSign
)

// scriptToken is one token; its source is code[at:end].
type scriptToken struct {
	kind    scriptKind
	text    string // the name, the sign, the decoded text, the pattern
	flags   string // of a pattern
	at, end int
	newline bool // it is the first of its line
}

// is reports whether the token is a sign or a name.
func (t scriptToken) is(text string) bool {
	return (t.kind == scriptSign || t.kind == scriptName) && t.text == text
}

// isOneOf reports whether the token is one of some signs or names.
func (t scriptToken) isOneOf(texts ...string) bool { return slices.ContainsFunc(texts, t.is) }

// endsExpression reports whether no expression can go on at the token.
func (t scriptToken) endsExpression() bool {
	return t.kind == scriptEnd || t.isOneOf(",", ";", ")", "]", "}")
}

// scriptSigns are the signs of more than one character that matter.
var scriptSigns = [...]string{"...", "=>", "?.", "??", "&&", "||", "===", "!==", "==", "!=", "<=", ">=", "++", "--", "**"}

// scriptTokens divides a script. Text that is not closed is dropped to its end.
func scriptTokens(code string) []scriptToken {
	l := scriptLexer{code: code, newline: true, tokens: make([]scriptToken, 0, len(code)/2+16)}
	for l.skipBlanks() && l.readToken() {
	}
	return l.tokens
}

// scriptLexer divides a script into tokens.
type scriptLexer struct {
	code    string
	i       int  // the offset of the next token
	newline bool // a line begins before it
	tokens  []scriptToken
}

// skipBlanks skips white space and comments. It reports whether a token follows.
func (l *scriptLexer) skipBlanks() bool {
	for l.i < len(l.code) {
		rest := l.code[l.i:]
		r, size := utf8.DecodeRuneInString(rest)
		switch {
		case r == '\n' || r == '\u2028' || r == '\u2029':
			l.newline = true
			l.i += size
		case unicode.IsSpace(r) || r == '\ufeff':
			l.i += size
		case strings.HasPrefix(rest, "//"):
			l.i = lineEnd(l.code, l.i)
		case strings.HasPrefix(rest, "/*"):
			comment, _, isClosed := strings.Cut(rest[2:], "*/")
			if !isClosed {
				return false
			}
			l.newline = l.newline || strings.Contains(comment, "\n")
			l.i += len("/*") + len(comment) + len("*/")
		default:
			return true
		}
	}
	return false
}

// readToken reads a token. It fails for a text, a template or a pattern that is not closed.
func (l *scriptLexer) readToken() bool {
	code, i := l.code, l.i
	rest := code[i:]
	r, size := utf8.DecodeRuneInString(rest)
	t := scriptToken{at: i, end: -1, newline: l.newline}
	switch {
	case isScriptName(r):
		t.kind, t.end = scriptName, nameExtent(code, i)
		t.text = code[i:t.end]
	case '0' <= r && r <= '9', r == '.' && len(rest) > 1 && '0' <= rest[1] && rest[1] <= '9':
		t.kind, t.end = scriptNumber, numberExtent(code, i)
		t.text = strings.ReplaceAll(code[i:t.end], "_", "")
	case r == '"' || r == '\'':
		t.kind = scriptText
		t.text, t.end = decodedText(code, i)
	case r == '`':
		var hasValues bool
		t.kind = scriptTemplate
		if t.end, hasValues = templateExtent(code, i); t.end >= 0 && !hasValues {
			t.kind = scriptText
			t.text, _ = decodedText(code, i)
		}
	case r == '/' && beginsPattern(l.tokens):
		t.kind = scriptPattern
		if slash := patternExtent(code, i); slash >= 0 {
			afterFlags := strings.TrimLeft(code[slash+1:], "abcdefghijklmnopqrstuvwxyz")
			t.text, t.end = code[i+1:slash], len(code)-len(afterFlags)
			t.flags = code[slash+1 : t.end]
		}
	default:
		t.kind, t.text = scriptSign, code[i:i+size]
		for _, sign := range scriptSigns {
			if strings.HasPrefix(rest, sign) {
				t.text = sign
				break
			}
		}
		t.end = i + len(t.text)
	}
	if t.end < 0 {
		return false
	}
	l.i, l.newline = t.end, false
	l.tokens = yaml.Append(l.tokens, t)
	return true
}

// decodedText returns the text in the quotation marks at i, and the offset after it, or -1 if it is not
// closed.
func decodedText(code string, i int) (text string, end int) {
	p := flow{s: code, i: i}
	text, err := p.text(code[i : i+1])
	if err != nil {
		return "", -1
	}
	return text, p.i
}

// lineEnd returns the offset of the line break at or after i, or the end.
func lineEnd(code string, i int) int {
	if n := strings.IndexByte(code[i:], '\n'); n >= 0 {
		return i + n
	}
	return len(code)
}

// isScriptName reports whether a name may begin with r.
func isScriptName(r rune) bool { return r == '_' || r == '$' || unicode.IsLetter(r) }

// nameExtent returns the offset after the name at i.
func nameExtent(code string, i int) int {
	for i < len(code) {
		r, size := utf8.DecodeRuneInString(code[i:])
		if !isScriptName(r) && !unicode.IsDigit(r) && !unicode.Is(unicode.Mn, r) && r != '\u200d' {
			break
		}
		i += size
	}
	return i
}

// numberExtent returns the end of a number: letters, digits and a point, and a sign after e.
func numberExtent(code string, i int) int {
	hex := strings.HasPrefix(code[i:], "0x") || strings.HasPrefix(code[i:], "0X")
	for ; i < len(code); i++ {
		c := code[i]
		sign := (c == '+' || c == '-') && !hex && (code[i-1] == 'e' || code[i-1] == 'E')
		if !sign && c != '.' && c != '_' && !('0' <= c && c <= '9') && !('a' <= c|0x20 && c|0x20 <= 'z') {
			break
		}
	}
	return i
}

// templateExtent returns the end of a template string, and whether it has values.
func templateExtent(code string, i int) (end int, values bool) {
	for i++; i < len(code); i++ {
		switch {
		case code[i] == '\\':
			i++
		case code[i] == '`':
			return i + 1, values
		case strings.HasPrefix(code[i:], "${"):
			values = true
			depth := 0
			for ; i < len(code); i++ {
				if code[i] == '{' {
					depth++
				} else if code[i] == '}' {
					if depth--; depth == 0 {
						break
					}
				}
			}
		}
	}
	return -1, values
}

// beginsPattern reports whether a slash after the tokens begins a regular expression.
func beginsPattern(before []scriptToken) bool {
	if len(before) == 0 {
		return true
	}
	switch last := before[len(before)-1]; last.kind {
	case scriptName:
		return last.text == "return" || last.text == "typeof" || last.text == "case"
	case scriptSign:
		return last.text != ")" && last.text != "]" && last.text != "}"
	}
	return false
}

// patternExtent returns the offset of the slash that ends a regular expression.
func patternExtent(code string, i int) int {
	class := false
	for i++; i < len(code) && code[i] != '\n'; i++ {
		switch code[i] {
		case '\\':
			i++
		case '[':
			class = true
		case ']':
			class = false
		case '/':
			if !class {
				return i
			}
		}
	}
	return -1
}

// scriptExpr is an expression of a script.
type scriptExpr struct {
	kind  exprKind
	text  string // the name, the member, the text, the pattern, the number
	flags string // of a pattern
	of    *scriptExpr
	list  []*scriptExpr // arguments, elements
	keys  []scriptKey   // of an object
	// source is the code of the expression.
	source string
}

// scriptKey is a member of an object literal.
type scriptKey struct {
	name     string
	computed *scriptExpr // the expression in brackets that gives the name
	spread   bool        // a spread value
	getter   bool        // the value is a getter
	value    *scriptExpr
}

// exprKind is the kind of an expression of a script.
type exprKind uint8

const (
	exprOther exprKind = iota // not understood
	exprName
	exprNumber
	exprText
	exprPattern
	exprList
	exprObject
	exprMember   // of.text
	exprCall     // of(list…)
	exprSpread   // ...of
	exprFunction // an arrow function, or a function
)

// scriptParser reads expressions of a script.
type scriptParser struct {
	code   string
	tokens []scriptToken
	close  []int // the token that closes the bracket, by token; 0 without one
	i      int
	depth  int
}

// newScriptParser divides a script and pairs its brackets.
func newScriptParser(code string) *scriptParser {
	p := &scriptParser{code: code, tokens: scriptTokens(code)}
	p.close = make([]int, len(p.tokens))
	var open []int
	for i, t := range p.tokens {
		if t.kind != scriptSign {
			continue
		}
		switch t.text {
		case "(", "[", "{":
			open = yaml.Append(open, i)
		case ")", "]", "}":
			if n := len(open); n > 0 {
				p.close[open[n-1]] = i
				open = open[:n-1]
			}
		}
	}
	return p
}

// peek returns the token n places on, an end token after the last one.
func (p *scriptParser) peek(n int) scriptToken {
	if p.i+n < len(p.tokens) {
		return p.tokens[p.i+n]
	}
	return scriptToken{at: len(p.code), end: len(p.code), newline: true}
}

// take skips a sign or name.
func (p *scriptParser) take(text string) bool {
	if !p.peek(0).is(text) {
		return false
	}
	p.i++
	return true
}

// maxScriptDepth limits the nesting of expressions.
const maxScriptDepth = 200

// expression reads one expression up to a comma, a closing bracket, a semicolon or the end of its
// line.
func (p *scriptParser) expression() *scriptExpr {
	start := p.i
	if p.depth++; p.depth > maxScriptDepth {
		p.depth--
		return p.other(start)
	}
	e := p.operand()
	p.depth--
	if next := p.peek(0); next.endsExpression() || next.newline && next.kind != scriptSign {
		return e
	}
	return p.other(start)
}

// other skips an expression that is not understood.
func (p *scriptParser) other(start int) *scriptExpr {
	p.i = start
	for {
		t := p.peek(0)
		if t.endsExpression() || t.newline && p.i > start && t.isOneOf("const", "let", "var", "export", "registerMvuSchema", "$") {
			return &scriptExpr{source: p.sourceFrom(start)}
		}
		p.skip()
	}
}

// sourceFrom returns the code from a token up to the next one.
func (p *scriptParser) sourceFrom(start int) string {
	if p.i <= start {
		return ""
	}
	return p.code[p.tokens[start].at:p.tokens[p.i-1].end]
}

// skip moves over one token, or over a bracket with its content.
func (p *scriptParser) skip() {
	if t := p.peek(0); t.is("(") || t.is("[") || t.is("{") {
		if end := p.close[p.i]; end > 0 {
			p.i = end
		} else {
			p.i = len(p.tokens) - 1
		}
	}
	p.i++
}

// operand reads a value with its members and calls.
func (p *scriptParser) operand() *scriptExpr {
	if f := p.function(); f != nil {
		return f
	}
	start := p.i
	e := p.primary()
	for {
		e.source = p.sourceFrom(start)
		switch t := p.peek(0); {
		case (t.is(".") || t.is("?.")) && p.peek(1).kind == scriptName:
			e = &scriptExpr{kind: exprMember, of: e, text: p.peek(1).text}
			p.i += 2
		case t.is("("):
			e = &scriptExpr{kind: exprCall, of: e, list: p.list(")")}
		default:
			return e
		}
	}
}

// function reads an arrow function or a function, without its meaning.
func (p *scriptParser) function() *scriptExpr {
	start := p.i
	if p.peek(0).is("async") {
		p.i++
	}
	switch t := p.peek(0); {
	case t.is("function"):
		for !p.peek(0).is("{") && p.peek(0).kind != scriptEnd {
			p.skip()
		}
		if p.peek(0).kind == scriptEnd {
			p.i = start
			return nil
		}
		p.skip()
	case t.kind == scriptName && p.peek(1).is("=>"), t.is("(") && p.close[p.i] > 0 && p.close[p.i]+1 < len(p.tokens) && p.tokens[p.close[p.i]+1].is("=>"):
		p.skip()
		p.i++
		if p.peek(0).is("{") {
			p.skip()
			break
		}
		p.other(p.i)
	default:
		p.i = start
		return nil
	}
	source := p.sourceFrom(start)
	return &scriptExpr{kind: exprFunction, text: source, source: source}
}

// primary reads a name, a literal or a bracket.
func (p *scriptParser) primary() *scriptExpr {
	t := p.peek(0)
	switch {
	case t.kind == scriptName:
		p.i++
		return &scriptExpr{kind: exprName, text: t.text}
	case t.kind == scriptNumber:
		p.i++
		return &scriptExpr{kind: exprNumber, text: t.text}
	case t.is("-") && p.peek(1).kind == scriptNumber, t.is("-") && p.peek(1).is("Infinity"):
		p.i += 2
		return &scriptExpr{kind: exprNumber, text: "-" + p.tokens[p.i-1].text}
	case t.kind == scriptText:
		p.i++
		return &scriptExpr{kind: exprText, text: t.text}
	case t.kind == scriptPattern:
		p.i++
		return &scriptExpr{kind: exprPattern, text: t.text, flags: t.flags}
	case t.is("["):
		return &scriptExpr{kind: exprList, list: p.list("]")}
	case t.is("{"):
		return p.object()
	case t.is("("):
		end := p.close[p.i]
		p.i++
		e := p.expression()
		if end > 0 && p.i == end {
			p.i++
			return e
		}
		if end > 0 {
			p.i = end + 1
		}
		return &scriptExpr{}
	}
	return &scriptExpr{}
}

// list reads expressions up to the closing bracket.
func (p *scriptParser) list(end string) []*scriptExpr {
	last := p.close[p.i]
	p.i++
	var out []*scriptExpr
	for !p.take(end) {
		if p.peek(0).kind == scriptEnd || last == 0 || p.i >= last {
			return out
		}
		at := p.i
		if p.take("...") {
			out = append(out, &scriptExpr{kind: exprSpread, of: p.expression()})
		} else {
			out = append(out, p.expression())
		}
		p.take(",")
		if p.i == at { // nothing that an expression can begin with
			p.i++
		}
	}
	return out
}

// object reads an object literal.
func (p *scriptParser) object() *scriptExpr {
	e := &scriptExpr{kind: exprObject}
	last := p.close[p.i]
	p.i++
	for !p.take("}") {
		if p.peek(0).kind == scriptEnd || last == 0 || p.i >= last {
			return e
		}
		at := p.i
		e.keys = append(e.keys, p.key())
		p.take(",")
		if p.i == at {
			p.i++
		}
	}
	return e
}

// key reads a member of an object literal.
func (p *scriptParser) key() scriptKey {
	t := p.peek(0)
	switch {
	case p.take("..."):
		return scriptKey{spread: true, value: p.expression()}
	case t.is("["):
		name := &scriptExpr{}
		if list := p.list("]"); len(list) == 1 {
			name = list[0]
		}
		p.take(":")
		return scriptKey{computed: name, value: p.expression()}
	}
	if next := p.peek(1); t.is("get") && (next.kind == scriptName || next.kind == scriptText) && p.peek(2).is("(") {
		p.i += 2
		return scriptKey{name: next.text, getter: true, value: p.other(p.i)}
	}
	k := scriptKey{name: t.text}
	if t.kind == scriptNumber {
		if n, err := strconv.ParseFloat(t.text, 64); err == nil {
			k.name = strconv.FormatFloat(n, 'f', -1, 64)
		}
	}
	p.i++
	switch next := p.peek(0); {
	case p.take(":"):
		k.value = p.expression()
	case next.is(",") || next.is("}"): // {name}
		k.value = &scriptExpr{kind: exprName, text: t.text, source: t.text}
	default: // a method
		k.value = p.other(p.i)
		k.value.kind, k.value.source = exprFunction, strings.Join([]string{"function", k.value.source}, " ")
		k.value.text = k.value.source
	}
	return k
}
