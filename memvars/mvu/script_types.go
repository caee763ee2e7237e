package mvu

import (
	"strconv"
	"strings"

	"github.com/talewright/talewright/memvars/tree"
)

// withoutEnums returns a script with a constant object in place of each enum of TypeScript, as in
// enum Sky { Sun = 'sun', Rain = 'rain' }. An enum with a computed value stays as it is. The object
// does not map numbers back to names.
func withoutEnums(code string) string {
	if !strings.Contains(code, "enum") {
		return code
	}
	p := newScriptParser(code)
	var out strings.Builder
	from := 0
	for i, t := range p.tokens {
		if !t.is("enum") || p.at(i-1).is(".") || p.at(i+1).kind != scriptName || !p.at(i+2).is("{") || p.close[i+2] == 0 {
			continue
		}
		object, ok := p.enumObject(i + 2)
		if !ok {
			continue
		}
		at := t.at
		if p.at(i - 1).is("const") {
			at = p.at(i - 1).at
		}
		out.WriteString(code[from:at] + "const " + p.at(i+1).text + " = " + object + ";")
		from = p.tokens[p.close[i+2]].end
	}
	return out.String() + code[from:]
}

// enumObject returns the object for the members of an enum in the bracket at token i. A member without
// a value is one more than the member before it. The first member is then 0.
func (p *scriptParser) enumObject(i int) (object string, ok bool) {
	var members []tree.Member
	next, isNumber := 0.0, true
	for end := p.close[i]; ; i++ {
		i++
		if i >= end {
			return tree.Object(members...).String(), true
		}
		name := p.at(i)
		if name.kind != scriptName && name.kind != scriptText {
			return "", false
		}
		i++
		var value tree.Value
		switch {
		case !p.at(i).is("="):
			i--
			value = tree.Float(next)
			ok = isNumber
		case p.at(i+1).kind == scriptText:
			i++
			value, isNumber, ok = tree.Text(p.at(i).text), false, true
		default:
			sign := 1.0
			if i++; p.at(i).is("-") {
				sign = -1
				i++
			}
			n, err := strconv.ParseFloat(p.at(i).text, 64)
			next, isNumber, ok = sign*n, true, err == nil && p.at(i).kind == scriptNumber
			value = tree.Float(next)
		}
		if !ok || i+1 != end && !p.at(i+1).is(",") {
			return "", false
		}
		next++
		members = append(members, tree.Member{Key: name.text, Value: value})
	}
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

// declaring are the words that declare a name.
var declaring = []string{"const", "let", "var"}

// at returns a token by its number, or an end token.
func (p *scriptParser) at(i int) scriptToken {
	if i < 0 || i >= len(p.tokens) {
		return scriptToken{}
	}
	return p.tokens[i]
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
