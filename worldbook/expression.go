package worldbook

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/talewright/talewright/internal/jsregex"
	"github.com/talewright/talewright/worldbook/internal/match"
)

// This file reads the boolean key expressions of [Options.When].

// These limits keep the work on hostile expressions small.
const (
	maxExpressionKeys  = 256
	maxExpressionDepth = 64
	maxExpressionHints = 8
)

// expression is a boolean combination of keys.
type expression struct {
	text string
	root node
	keys []expressionKey
	refs []match.Ref // of the keys, once they are compiled
	err  error       // why the text is not an expression; then nothing else is set
}

// expressionKey is a key in an expression.
type expressionKey struct {
	text   string
	quoted bool // so that it is never a regular expression
}

// operator is the kind of a node.
type operator uint8

const (
	opKey operator = iota
	opNot
	opAnd
	opOr
)

// node is a part of an expression.
type node struct {
	op   operator
	key  int // for opKey: an index into the keys
	kids []node
}

// holds evaluates a node. found says which keys are found.
func (n *node) holds(found func(key int) bool) bool {
	switch n.op {
	case opKey:
		return found(n.key)
	case opNot:
		return !n.kids[0].holds(found)
	}
	for i := range n.kids {
		if n.kids[i].holds(found) != (n.op == opAnd) {
			return n.op == opOr
		}
	}
	return n.op == opAnd
}

// satisfiable reports whether any combination of found keys makes the expression hold. Keys that are never
// found or always found have their fixed values. With more than 10 other keys it returns true without trying.
func (x *expression) satisfiable() bool {
	const maxFreeKeys = 10
	var free []match.Ref // the keys that may be found or not; equal keys have one value
	for _, ref := range x.refs {
		if ref != match.Never && ref != match.Always && !slices.Contains(free, ref) {
			free = append(free, ref)
		}
	}
	if len(free) > maxFreeKeys {
		return true
	}
	for bits := range 1 << len(free) {
		found := func(i int) bool {
			n := slices.Index(free, x.refs[i])
			return x.refs[i] == match.Always || n >= 0 && bits>>n&1 == 1
		}
		if x.root.holds(found) {
			return true
		}
	}
	return false
}

// expressionParser is the state of the parser.
type expressionParser struct {
	text       string
	at         int // offset of the next byte
	depth      int
	expression *expression
	hints      []string // parts that are probably not what the author means
}

// parseExpression reads an expression. The error describes the mistake, with the column. The hints
// are problems of a readable expression.
func parseExpression(text string) (x *expression, hints []string) {
	p := &expressionParser{text: text, expression: &expression{text: text}}
	root, err := p.orParts()
	if err == nil && p.rest() != "" {
		err = p.fail("this bracket closes nothing; remove it")
		if p.peek() == tokenKey {
			err = p.fail("AND or OR is missing before this key; add it, or put one key into quotation marks")
		}
	}
	if err != nil {
		return &expression{text: text, err: err}, nil
	}
	p.expression.root = root
	return p.expression, p.hints
}

// fail returns an error with the current column.
func (p *expressionParser) fail(format string, args ...any) error {
	return fmt.Errorf("column %d: %s", utf8.RuneCountInString(p.text[:p.at])+1, fmt.Sprintf(format, args...))
}

// orParts reads parts that are joined by OR.
func (p *expressionParser) orParts() (node, error) { return p.joinedParts(opOr, tokenOr, p.andParts) }

// andParts reads parts that are joined by AND.
func (p *expressionParser) andParts() (node, error) { return p.joinedParts(opAnd, tokenAnd, p.operand) }

// joinedParts reads parts with a sign between them. A single part is returned without a node around it.
func (p *expressionParser) joinedParts(op operator, sign token, part func() (node, error)) (node, error) {
	first, err := part()
	if err != nil || p.peek() != sign {
		return first, err
	}
	n := node{op: op, kids: []node{first}}
	for p.peek() == sign {
		p.next()
		kid, err := part()
		if err != nil {
			return node{}, err
		}
		n.kids = append(n.kids, kid)
	}
	return n, nil
}

// operand reads a key, a part in brackets, or the negation of one.
func (p *expressionParser) operand() (node, error) {
	if p.depth++; p.depth > maxExpressionDepth {
		return node{}, p.fail("nested deeper than %d levels; make it simpler", maxExpressionDepth)
	}
	defer func() { p.depth-- }()
	switch p.peek() {
	case tokenNot:
		p.next()
		kid, err := p.operand()
		return node{op: opNot, kids: []node{kid}}, err
	case tokenOpen:
		p.next()
		n, err := p.orParts()
		if err != nil {
			return n, err
		}
		if p.peek() != tokenClose {
			return n, p.fail("a bracket is not closed; add )")
		}
		p.next()
		return n, nil
	case tokenKey:
		return p.key()
	case tokenEnd:
		return node{}, p.fail("a key is missing at the end; add it")
	}
	return node{}, p.fail("a key is missing here; add it")
}

// token is a part of the text of an expression.
type token uint8

const (
	tokenEnd token = iota
	tokenOpen
	tokenClose
	tokenAnd
	tokenOr
	tokenNot
	tokenKey
)

// signs are the tokens that are not words.
var signs = []struct {
	text string
	is   token
}{
	{"&", tokenAnd}, {"|", tokenOr}, {"!", tokenNot}, {"(", tokenOpen}, {")", tokenClose},
	{"＆", tokenAnd}, {"｜", tokenOr}, {"！", tokenNot}, {"（", tokenOpen}, {"）", tokenClose},
}

var operatorWords = map[string]token{"AND": tokenAnd, "OR": tokenOr, "NOT": tokenNot}

// rest returns the text that is not read yet, without blanks before it.
func (p *expressionParser) rest() string {
	p.at = len(p.text) - len(strings.TrimLeftFunc(p.text[p.at:], unicode.IsSpace))
	return p.text[p.at:]
}

// peek returns the kind of the next token.
func (p *expressionParser) peek() token { is, _ := p.token(); return is }

// next skips the next token, which must not be a key.
func (p *expressionParser) next() { _, size := p.token(); p.at += size }

// token returns the next token and its length. The length of a key is 0.
func (p *expressionParser) token() (is token, size int) {
	rest := p.rest()
	if rest == "" {
		return tokenEnd, 0
	}
	for _, s := range signs {
		if strings.HasPrefix(rest, s.text) {
			if twice := strings.Repeat(s.text, 2); (s.is == tokenAnd || s.is == tokenOr) && strings.HasPrefix(rest, twice) {
				return s.is, len(twice)
			}
			return s.is, len(s.text)
		}
	}
	if is, ok := operatorWords[wordOf(rest)]; ok {
		return is, len(wordOf(rest))
	}
	return tokenKey, 0
}

// wordOf returns the word at the beginning of a text. It ends at a blank or a sign. A ! inside a
// word belongs to it.
func wordOf(text string) string {
	end := strings.IndexFunc(text, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("()&|（）＆｜", r) })
	if end < 0 {
		return text
	}
	return text[:end]
}

// quotes are the quotation marks of keys.
var quotes = map[rune]rune{'"': '"', '“': '”', '「': '」'}

// key reads a key: in quotation marks, a regular expression, or words.
func (p *expressionParser) key() (node, error) {
	if len(p.expression.keys) == maxExpressionKeys {
		return node{}, p.fail("more than %d keys; make it shorter", maxExpressionKeys)
	}
	rest := p.rest()
	first, _ := utf8.DecodeRuneInString(rest)
	k, size := expressionKey{}, 0
	switch quote, quoted := quotes[first]; {
	case quoted:
		if k.text, size = unquoted(rest, quote); size == 0 {
			return node{}, p.fail("a quotation mark is not closed; add %c", quote)
		}
		k.quoted = true
	case first == '/':
		if size = regexLength(rest); size == 0 {
			return node{}, p.fail("a regular expression is not closed; add /, or put the key into quotation marks")
		}
		k.text = rest[:size]
	default:
		k.text, size = p.plainKey(rest)
	}
	if strings.TrimSpace(k.text) == "" {
		return node{}, p.fail("a key is empty; write a text into the quotation marks")
	}
	p.at += size
	p.expression.keys = append(p.expression.keys, k)
	return node{key: len(p.expression.keys) - 1}, nil
}

// unquoted returns the text in the quotation marks at the beginning of s, and the length with the
// marks. After a backslash the next character is literal. The length is 0 if the end is missing.
func unquoted(s string, end rune) (text string, size int) {
	var b strings.Builder
	escaped := false
	for i, r := range s {
		switch {
		case i == 0:
		case escaped:
			escaped = false
			b.WriteRune(r)
		case r == '\\':
			escaped = true
		case r == end:
			return b.String(), i + utf8.RuneLen(end)
		default:
			b.WriteRune(r)
		}
	}
	return "", 0
}

// regexLength returns the length of the key /…/flags at the beginning of a text, or 0. As in all
// keys, a slash inside the pattern needs a backslash.
func regexLength(s string) int {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '/':
			i++
			for i < len(s) && 'a' <= s[i] && s[i] <= 'z' {
				i++
			}
			return i
		}
	}
	return 0
}

// plainKey returns the key made of the words at the beginning of a text, and its length. The key ends
// before an operator.
func (p *expressionParser) plainKey(s string) (key string, size int) {
	for {
		blank := len(s[size:]) - len(strings.TrimLeftFunc(s[size:], unicode.IsSpace))
		word := wordOf(s[size+blank:])
		if _, isOperator := operatorWords[word]; word == "" || isOperator {
			break
		}
		if first, _ := utf8.DecodeRuneInString(word); size > 0 && (quotes[first] != 0 || first == '!' || first == '！') {
			break
		}
		if _, isOperator := operatorWords[strings.ToUpper(word)]; isOperator && len(p.hints) < maxExpressionHints {
			p.hints = append(p.hints, fmt.Sprintf("%q in small letters is part of a key; write %s, or put the key into quotation marks",
				word, strings.ToUpper(word)))
		}
		size += blank + len(word)
	}
	return s[:size], size
}

// kind returns how the text of a key is read in an entry, which may be literal.
func (k expressionKey) kind(literal bool) match.Kind {
	_, _, regex := jsregex.SplitKey(k.text)
	if literal || k.quoted && regex {
		return match.Literal
	}
	return match.Usual
}
