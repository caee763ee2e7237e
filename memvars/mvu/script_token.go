package mvu

import (
	"slices"
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
			comment, _, _ := strings.Cut(rest, "\n")
			l.i += len(comment)
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
