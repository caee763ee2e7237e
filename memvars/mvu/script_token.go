package mvu

import (
	"regexp"
	"slices"
	"strings"
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

// The parts of a script: white space and comments, a name, a number with a sign after its e, and a
// regular expression with its flags.
var (
	blanksOfScript  = regexp.MustCompile(`^(?:[\s\v\pZ\x{85}\x{feff}]|//[^\n]*|/\*(?s:.*?)(?:\*/|\z))*`)
	nameOfScript    = regexp.MustCompile(`^[\pL_$][\pL\p{Nd}\p{Mn}_$\x{200d}]*`)
	numberOfScript  = regexp.MustCompile(`^(?:0[xX][0-9a-zA-Z._]*|\.?[0-9](?:[eE][+-]|[0-9a-zA-Z._])*)`)
	patternOfScript = regexp.MustCompile(`^/((?:[^/\\[\n]|\\(?s:.)|\[(?:[^\]\\\n]|\\(?s:.))*\])*)/([a-z]*)`)
)

// skipBlanks skips white space and comments. It reports whether a token follows.
func (l *scriptLexer) skipBlanks() bool {
	blanks := blanksOfScript.FindString(l.code[l.i:])
	l.newline = l.newline || strings.ContainsAny(blanks, "\n\u2028\u2029")
	l.i += len(blanks)
	return l.i < len(l.code)
}

// readToken reads a token. It fails for a text, a template or a pattern that is not closed.
func (l *scriptLexer) readToken() bool {
	rest := l.code[l.i:]
	t := scriptToken{at: l.i, end: -1, newline: l.newline}
	name, digits := nameOfScript.FindString(rest), numberOfScript.FindString(rest)
	switch c := rest[0]; {
	case name != "":
		t.kind, t.text, t.end = scriptName, name, l.i+len(name)
	case digits != "":
		t.kind, t.text, t.end = scriptNumber, strings.ReplaceAll(digits, "_", ""), l.i+len(digits)
	case c == '"' || c == '\'':
		t.kind = scriptText
		t.text, t.end = decodedText(l.code, l.i)
	case c == '`':
		var hasValues bool
		t.kind = scriptTemplate
		if t.end, hasValues = templateExtent(l.code, l.i); t.end >= 0 && !hasValues {
			t.kind = scriptText
			t.text, _ = decodedText(l.code, l.i)
		}
	case c == '/' && beginsPattern(l.tokens):
		t.kind = scriptPattern
		if found := patternOfScript.FindStringSubmatch(rest); found != nil {
			t.text, t.flags, t.end = found[1], found[2], l.i+len(found[0])
		}
	default:
		_, size := utf8.DecodeRuneInString(rest)
		t.kind, t.text = scriptSign, rest[:size]
		for _, sign := range scriptSigns {
			if strings.HasPrefix(rest, sign) {
				t.text = sign
				break
			}
		}
		t.end = l.i + len(t.text)
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
