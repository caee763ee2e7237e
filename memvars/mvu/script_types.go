package mvu

import "slices"

// withoutTypes returns a script with blanks in place of the types of TypeScript: of parameters,
// results, declarations, as, satisfies and the mark ! after a value. Authors write schemas in
// TypeScript and paste them into cards.
func withoutTypes(code string) string {
	p := newScriptParser(code)
	out := []byte(code)
	cut := func(from, to int) { // tokens
		if from >= to || to > len(p.tokens) {
			return
		}
		for i := p.tokens[from].at; i < p.tokens[to-1].end; i++ {
			if out[i] != '\n' && out[i] != '\r' {
				out[i] = ' '
			}
		}
	}
	var open []int // the brackets around the token
	for i, t := range p.tokens {
		if n := len(open); n > 0 && p.close[open[n-1]] == i {
			open = open[:n-1]
		}
		after := i > 0 && p.tokens[i-1].endsValue() && !t.newline
		switch {
		case p.close[i] > 0:
			open = append(open, i)
			if end := p.close[i]; t.is("(") && p.hasParameters(i) {
				for _, typed := range p.typedParameters(i+1, end) {
					cut(typed, p.typeEnd(typed+1))
				}
				if p.at(end + 1).is(":") {
					cut(end+1, p.typeEnd(end+2))
				}
			}
		case t.is(":") && i > 1 && slices.Contains(declaring, p.tokens[i-2].text) && p.tokens[i-1].kind == scriptName:
			cut(i, p.typeEnd(i+1))
		case after && t.kind == scriptName && (t.text == "as" || t.text == "satisfies") && !p.imports(open):
			cut(i, p.typeEnd(i+1))
		case after && t.is("!") && p.at(i+1).kind == scriptSign && !slices.Contains([]string{"(", "[", "{", "!"}, p.at(i+1).text):
			cut(i, i+1)
		}
	}
	return string(out)
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
		return !slices.Contains([]string{"return", "typeof", "case", "in", "of", "await", "else", "void", "delete", "import", "export"}, t.text)
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
		if p.at(next).is("?") && (p.at(next+1).is(":") || p.at(next+1).is(",") || next+1 == to) {
			list = append(list, next)
			i = p.typeEnd(next+1) - 1
		} else if p.at(next).is(":") {
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
		for p.at(i).is("|") || p.at(i).is("&") || p.at(i).is("keyof") || p.at(i).is("typeof") || p.at(i).is("readonly") {
			i++
		}
		function := p.at(i).is("(")
		switch t := p.at(i); {
		case i < len(p.close) && p.close[i] > 0:
			i = p.close[i] + 1
		case t.kind == scriptName || t.kind == scriptText || t.kind == scriptNumber:
			i++
		default:
			return i
		}
		for (p.at(i).is(".") || p.at(i).is("is")) && p.at(i+1).kind == scriptName { // v is string
			i += 2
		}
		if p.at(i).is("<") {
			i = p.angleEnd(i)
		}
		for p.at(i).is("[") && p.close[i] > 0 && !p.at(i).newline {
			i = p.close[i] + 1
		}
		if next := p.at(i); !next.is("|") && !next.is("&") && !(function && next.is("=>")) {
			return i
		}
		if p.at(i).is("=>") {
			i++
		}
	}
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
