package macro

import (
	"math"
	"strings"

	"github.com/talewright/talewright/internal/openjson"
)

// cbsNumber reads a text as JavaScript's Number does.
func cbsNumber(text string) float64 {
	if trim(text) == "" {
		return 0
	}
	if n, ok := openjson.ParseNumber(text); ok {
		return n
	}
	return math.NaN()
}

// cbsOrZero reads a number. Any other text is 0.
func cbsOrZero(text string) float64 {
	if n := cbsNumber(text); !math.IsNaN(n) {
		return n
	}
	return 0
}

// cbsFormat writes a number. A zero has no sign.
func cbsFormat(n float64) string { return openjson.FormatNumber(n + 0) }

// cbsTruth writes a condition.
func cbsTruth(b bool) string {
	if b {
		return "1"
	}
	return "0"
}

// cbsToken is a number, an operator or a parenthesis of an expression.
type cbsToken struct {
	op  string // empty for a number
	num float64
}

// cbsOperators are the operators, longer ones before their prefixes, with their ranks.
var cbsOperators = [...]struct {
	sign string
	rank int
}{{"||", 1}, {"&&", 2}, {"==", 3}, {"!=", 3}, {"<=", 4}, {">=", 4}, {"<", 4}, {">", 4},
	{"+", 5}, {"-", 5}, {"*", 6}, {"/", 6}, {"%", 6}, {"^", 8}, {"!", 0}, {"(", 0}, {")", 0}}

// cbsTokens appends the tokens of a part of an expression. operand reads the words.
func cbsTokens(list []cbsToken, text string, operand func(word string) float64) []cbsToken {
next:
	for text != "" {
		if size := spaceAt(text, 0); size > 0 {
			text = text[size:]
			continue
		}
		for _, op := range cbsOperators {
			if strings.HasPrefix(text, op.sign) {
				list = append(list, cbsToken{op: op.sign})
				text = text[len(op.sign):]
				continue next
			}
		}
		end := 0
		for end < len(text) && spaceAt(text, end) == 0 && strings.IndexByte("|&=!<>+-*/%^()", text[end]) < 0 {
			end++
		}
		end = max(end, 1) // a sign that is no operator
		list = append(list, cbsToken{num: operand(text[:end])})
		text = text[end:]
	}
	return list
}

// cbsExpression reads the tokens of an expression.
type cbsExpression struct {
	tokens []cbsToken
	at     int
	depth  int
}

// next returns the operator at the present place, "" if there is a number or the end.
func (p *cbsExpression) next() string {
	if p.at < len(p.tokens) {
		return p.tokens[p.at].op
	}
	return ""
}

// binary reads an operand and the operators above a rank that follow it.
func (p *cbsExpression) binary(above int) float64 {
	if p.depth++; p.depth > maxDepth {
		p.at = len(p.tokens)
		return math.NaN()
	}
	defer func() { p.depth-- }()
	left := p.unary()
	for {
		op, rank := p.next(), 0
		for _, known := range cbsOperators {
			if known.sign == op {
				rank = known.rank
			}
		}
		if rank <= above {
			return left
		}
		p.at++
		right := rank
		if op == "^" {
			right-- // 2^3^2 is 2^9
		}
		left = cbsApply(op, left, p.binary(right))
	}
}

// unary reads a number, a sign with its operand, or an expression in parentheses. Anything else is NaN.
func (p *cbsExpression) unary() float64 {
	switch op := p.next(); op {
	case "!", "-", "+":
		p.at++
		n := p.binary(7)
		switch {
		case op == "-":
			return -n
		case op == "+":
			return n
		case n == 0 || math.IsNaN(n):
			return 1
		}
		return 0
	case "(":
		p.at++
		n := p.binary(0)
		if p.next() != ")" {
			return math.NaN()
		}
		p.at++
		return n
	case "":
		if p.at < len(p.tokens) {
			p.at++
			return p.tokens[p.at-1].num
		}
	}
	return math.NaN()
}

// cbsApply applies an operator between two numbers. Comparisons give 1 or 0.
func cbsApply(op string, a, b float64) float64 {
	truth := func(holds bool) float64 {
		if holds {
			return 1
		}
		return 0
	}
	switch op {
	case "||": // the operand that decides, as in JavaScript
		if a != 0 && !math.IsNaN(a) {
			return a
		}
		return b
	case "&&":
		if a == 0 || math.IsNaN(a) {
			return a
		}
		return b
	case "==":
		return truth(a == b)
	case "!=":
		return truth(a != b)
	case "+":
		return a + b
	case "-":
		return a - b
	case "*":
		return a * b
	case "/":
		return a / b
	case "%":
		return math.Mod(a, b)
	case "^":
		return math.Pow(a, b)
	}
	return truth(inOrder(op, a, b))
}
