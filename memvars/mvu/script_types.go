package mvu

import (
	"math"
	"strconv"
)

// enum returns an enum of TypeScript as an object, given the token of its bracket: enum Sky { Sun =
// 'sun', Rain = 'rain' }. A member without a value is one more than the member before it, or 0. The
// result is nil for computed values. The object does not map numbers back to names.
func (p *scriptParser) enum(bracket int) *scriptExpr {
	object := &scriptExpr{kind: exprObject}
	last := -1.0 // the value of the last member, NaN after a text
	end := p.close[bracket]
	for p.i = bracket + 1; p.i < end; {
		name := p.peek(0)
		if name.kind != scriptName && name.kind != scriptText {
			return nil
		}
		p.i++
		value := &scriptExpr{kind: exprNumber, text: strconv.FormatFloat(last+1, 'f', -1, 64)}
		if p.take("=") {
			value = p.primary()
		}
		switch value.kind {
		case exprText:
			last = math.NaN()
		case exprNumber:
			n, err := strconv.ParseFloat(value.text, 64)
			if last = n; err != nil || math.IsNaN(n) {
				return nil
			}
		default:
			return nil
		}
		if !p.take(",") && p.i != end {
			return nil
		}
		object.keys = append(object.keys, scriptKey{name: name.text, value: value})
	}
	return object
}

// withoutTypes returns a script with blanks in place of the types of TypeScript: of parameters,
// results, declarations, as, satisfies and the mark ! after a value. Authors write schemas in
// TypeScript and paste them into cards.
func withoutTypes(code string) string {
	p := newScriptParser(code)
	e := typeEraser{scriptParser: p, out: []byte(code)}
	var open []int // the brackets around the token
	for i, t := range p.tokens {
		if n := len(open); n > 0 && p.close[open[n-1]] == i {
			open = open[:n-1]
		}
		if p.close[i] > 0 {
			open = append(open, i)
			if t.is("(") && p.hasParameters(i) {
				e.eraseParameterTypes(i)
			}
			continue
		}
		isAfterValue := p.at(i-1).endsValue() && !t.newline
		switch {
		case t.is("<") && p.isTypeList(i):
			e.erase(i, p.angleEnd(i))
		case t.is(":") && p.at(i-1).kind == scriptName && p.at(i-2).isOneOf(declaring...),
			isAfterValue && t.isOneOf("as", "satisfies") && !p.imports(open):
			e.erase(i, p.typeEnd(i+1))
		case isAfterValue && t.is("!") && p.at(i+1).kind == scriptSign && !p.at(i+1).isOneOf("(", "[", "{", "!"):
			e.erase(i, i+1)
		}
	}
	return string(e.out)
}

// typeEraser replaces tokens of a script by blanks.
type typeEraser struct {
	*scriptParser
	out []byte
}

// erase replaces the tokens from one up to a second one. Line breaks stay.
func (e *typeEraser) erase(from, to int) {
	if from >= to || to > len(e.tokens) {
		return
	}
	for i := e.tokens[from].at; i < e.tokens[to-1].end; i++ {
		if e.out[i] != '\n' && e.out[i] != '\r' {
			e.out[i] = ' '
		}
	}
}

// eraseParameterTypes erases the types of the parameters in the bracket at token i, and of the result.
func (e *typeEraser) eraseParameterTypes(i int) {
	end := e.close[i]
	for _, typed := range e.typedParameters(i+1, end) {
		e.erase(typed, e.typeEnd(typed+1))
	}
	if e.at(end + 1).is(":") {
		e.erase(end+1, e.typeEnd(end+2))
	}
}

// endsValue reports whether a value can end with the token.
func (t scriptToken) endsValue() bool {
	switch t.kind {
	case scriptName:
		return !t.isOneOf("return", "typeof", "case", "in", "of", "await", "else", "void", "delete", "import", "export")
	case scriptSign:
		return t.text == ")" || t.text == "]" || t.text == "}"
	}
	return t.kind != scriptEnd
}

// imports reports whether the innermost of the open brackets lists names of an import or export.
func (p *scriptParser) imports(open []int) bool {
	if len(open) == 0 {
		return false
	}
	at := open[len(open)-1]
	return p.tokens[at].is("{") && (p.at(at-1).is("import") || p.at(at-1).is("export") || p.at(at-3).is("import"))
}

// hasParameters reports whether the bracket at token i has the parameters of a function.
func (p *scriptParser) hasParameters(i int) bool {
	before, end := p.at(i-1), p.close[i]
	switch {
	case before.is("function") || p.at(i-2).is("function"):
		return true
	case p.at(end + 1).is("=>"):
		return true
	case !p.at(end+1).is(":") || before.is("?") || before.endsValue() && !before.is("async"):
		return false
	}
	return p.at(p.typeEnd(end + 2)).is("=>")
}

// typedParameters returns the tokens between from and to with which the types of parameters begin.
func (p *scriptParser) typedParameters(from, to int) (list []int) {
	for i := from; i < to; i++ {
		t := p.tokens[i]
		if p.close[i] > 0 {
			i = p.close[i]
			t = p.tokens[i]
		}
		if t.kind != scriptName && !t.is("}") && !t.is("]") {
			continue
		}
		next := i + 1
		isOptional := p.at(next).is("?") && (p.at(next+1).isOneOf(":", ",") || next+1 == to)
		if isOptional || p.at(next).is(":") {
			list = append(list, next)
			i = p.typeEnd(next+1) - 1
		}
	}
	return list
}

// typeEnd returns the token after the type that begins at token i. A colon before it belongs to it.
func (p *scriptParser) typeEnd(i int) int {
	if p.at(i).is(":") {
		i++
	}
	for {
		for p.at(i).isOneOf("|", "&", "keyof", "typeof", "readonly") {
			i++
		}
		mayBeFunction := p.at(i).is("(")
		end := p.typeOperandEnd(i)
		if end == i {
			return i
		}
		i = end
		switch next := p.at(i); {
		case mayBeFunction && next.is("=>"):
			i++
		case !next.isOneOf("|", "&"):
			return i
		}
	}
}

// typeOperandEnd returns the token after one type without operators: a name with its members and
// arguments, a literal or a bracket, and the marks of lists after it. Without a type it returns i.
func (p *scriptParser) typeOperandEnd(i int) int {
	switch t := p.at(i); {
	case i < len(p.close) && p.close[i] > 0:
		i = p.close[i] + 1
	case t.kind == scriptName || t.kind == scriptText || t.kind == scriptNumber:
		i++
	default:
		return i
	}
	for p.at(i).isOneOf(".", "is") && p.at(i+1).kind == scriptName { // v is string
		i += 2
	}
	if p.at(i).is("<") {
		i = p.angleEnd(i)
	}
	for p.at(i).is("[") && p.close[i] > 0 && !p.at(i).newline {
		i = p.close[i] + 1
	}
	return i
}

// isTypeList reports whether the sign < at token i begins the types of a function or of a call, as in
// <T extends object>(v: T) => v and f<T>(v). In a comparison no bracket follows the sign >.
func (p *scriptParser) isTypeList(i int) bool {
	end := p.angleEnd(i)
	if !p.at(end-1).is(">") || !p.at(end).is("(") {
		return false
	}
	for _, t := range p.tokens[i+1 : end-1] {
		if t.kind == scriptNumber || t.kind == scriptSign && !t.isOneOf("<", ">", ",", ".", "=", "|", "&", "[", "]", "{", "}", ":", ";") {
			return false
		}
	}
	before := p.at(i - 1)
	return before.kind == scriptName || before.isOneOf("=", "(", ",", ":", "=>")
}

// maxTypeTokens limits the arguments of a type, because a < may also compare.
const maxTypeTokens = 200

// angleEnd returns the token after the arguments of a type that begin at token i.
func (p *scriptParser) angleEnd(i int) int {
	depth := 0
	for last := min(i+maxTypeTokens, len(p.tokens)); i < last; i++ {
		switch t := p.tokens[i]; {
		case t.is("<"):
			depth++
		case t.is(">"):
			if depth--; depth == 0 {
				return i + 1
			}
		case t.is(";"):
			return i
		case p.close[i] > 0:
			i = p.close[i]
		}
	}
	return i
}
