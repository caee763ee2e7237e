package mvu

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"github.com/talewright/talewright/internal/utf8text"
	"github.com/talewright/talewright/memvars/tree"
)

// literal reads a literal, a constant of literals, or what the script computes from them with the
// language and lodash alone.
func (r *zodReader) literal(e *scriptExpr) (tree.Value, bool) {
	if v, ok := r.literalIn(e, 0); ok {
		return v, true
	}
	return r.computed(r.resolve(e))
}

// computed evaluates an expression that is not a literal.
func (r *zodReader) computed(e *scriptExpr) (v tree.Value, ok bool) {
	if e.source == "" || e.kind == exprFunction || e.kind == exprName || e.kind == exprPattern {
		return v, false
	}
	f, ok := r.compiled("() => (" + e.source + ")")
	if !ok {
		return v, false
	}
	v, err := f(tree.Value{})
	return v, err == nil && v.Exists()
}

// literalIn is literal at a nesting depth.
func (r *zodReader) literalIn(e *scriptExpr, depth int) (v tree.Value, ok bool) {
	if r.nodes++; depth > maxZodDepth || r.nodes > maxZodNodes {
		return v, false
	}
	e = r.resolve(e)
	switch e.kind {
	case exprText:
		return tree.Text(e.text), true
	case exprNumber:
		return number(e.text)
	case exprList:
		return r.literalList(e.list, depth+1)
	case exprObject:
		return r.literalObject(e.keys, depth+1)
	case exprName:
		switch e.text {
		case "true", "false":
			return tree.Bool(e.text == "true"), true
		case "null":
			return tree.Null, true
		case "undefined":
			return v, true
		}
	}
	return v, false
}

// literalList reads the elements of a list of literals.
func (r *zodReader) literalList(items []*scriptExpr, depth int) (list tree.Value, ok bool) {
	var out []tree.Value
	for _, item := range items {
		if item.kind == exprSpread {
			v, ok := r.literalIn(item.of, depth)
			if !ok || !v.IsArray() {
				return list, false
			}
			out = append(out, v.List()...)
			continue
		}
		v, ok := r.literalIn(item, depth)
		if !ok {
			return list, false
		}
		out = append(out, nullIfUndefined(v))
	}
	return tree.Array(out...), true
}

// literalObject reads the members of an object of literals.
func (r *zodReader) literalObject(keys []scriptKey, depth int) (object tree.Value, ok bool) {
	var out []tree.Member
	for _, k := range keys {
		if k.spread || k.computed != nil || k.getter {
			return object, false
		}
		v, ok := r.literalIn(k.value, depth)
		if !ok {
			return object, false
		}
		out = append(out, member(k.name, v))
	}
	return tree.Object(out...), true
}

// function reads a function of a schema.
func (r *zodReader) function(e *scriptExpr) (func(tree.Value) (tree.Value, error), bool) {
	e = r.resolve(e)
	source := e.source
	switch {
	case e.kind == exprFunction && !strings.HasPrefix(source, "async"):
	case e.kind == exprName && languageNames[e.text], e.kind == exprMember, // Number, Math.round
		e.kind == exprCall && e.source != "": // a call that returns the function
		source = "v => (" + e.source + ")(v)"
	default:
		return nil, false
	}
	f, ok := r.compiled(source)
	return cached(f), ok
}

// compiled makes a function of the schema from its source.
func (r *zodReader) compiled(source string) (func(tree.Value) (tree.Value, error), bool) {
	if r.functions == nil {
		return nil, false
	}
	constants, ok := r.declarationsFor(source, map[string]bool{})
	if !ok {
		return nil, false
	}
	f, err := r.functions(constants, source)
	return f, err == nil
}

// declarationsFor returns declarations of the literals and functions of the script that a function
// names. It fails if the function uses anything else outside of itself than the language and
// lodash, or chance. The names in done are declared.
func (r *zodReader) declarationsFor(source string, done map[string]bool) (declarations string, ok bool) {
	p := newScriptParser(source)
	if !r.mayReread(len(p.tokens)) {
		return "", false
	}
	names, ok := p.outerNames()
	if !ok {
		return "", false
	}
	var b strings.Builder
	for _, name := range names {
		if done[name] {
			continue
		}
		done[name] = true
		one, ok := r.declaration(name, done)
		if !ok {
			return "", false
		}
		b.WriteString(one)
	}
	return b.String(), true
}

// declaration returns the declaration of a constant of the script. The declarations that a value needs
// are before it.
func (r *zodReader) declaration(name string, done map[string]bool) (declaration string, ok bool) {
	e := r.resolve(&scriptExpr{kind: exprName, text: name})
	before, value := "", e.source
	if v, isLiteral := r.literalIn(e, 0); isLiteral && v.Exists() {
		value = v.String()
	} else if value == "" || e.kind == exprName && !languageNames[e.text] {
		return "", false
	} else if before, ok = r.declarationsFor(value, done); !ok {
		return "", false
	}
	if !r.mayReread(len(value)) {
		return "", false
	}
	return before + "const " + name + " = " + value + ";\n", true
}

// outerNames returns the names that a function uses and neither declares nor has from the language or
// lodash. It fails if the function draws a number, or uses such a name in a template string.
func (p *scriptParser) outerNames() (names []string, ok bool) {
	own := p.declared()
	isOuter := func(name string) bool { return !own[name] && !languageNames[name] }
	for i, t := range p.tokens {
		before, after := p.at(i-1), p.at(i+1)
		isMember := before.isOneOf(".", "?.")
		isKey := after.is(":") && before.isOneOf("{", ",")
		switch {
		case t.kind == scriptTemplate:
			if slices.ContainsFunc(templateNames(p.code[t.at:t.end]), isOuter) {
				return nil, false
			}
		case t.kind != scriptName:
		case isMember:
			if randomFunctions[t.text] && (after.is("(") || after.is(")")) {
				return nil, false
			}
		case !isKey && isOuter(t.text):
			names = append(names, t.text)
		}
	}
	return names, true
}

// templateNames returns the first name of each value of a template string.
func templateNames(source string) []string {
	var out []string
	for _, part := range strings.Split(source, "${")[1:] {
		value, _, _ := strings.Cut(part, "}")
		tokens := scriptTokens(value)
		for i, t := range tokens {
			if t.kind == scriptName && (i == 0 || !tokens[i-1].is(".")) {
				out = append(out, t.text)
			}
		}
	}
	return out
}

// declared returns the names that a function declares: parameters, constants and variables.
func (p *scriptParser) declared() map[string]bool {
	own := map[string]bool{}
	add := func(from, to int) {
		for i := from; i < to; i++ {
			if t := p.at(i); t.kind == scriptName {
				own[t.text] = true
			}
		}
	}
	for i, t := range p.tokens {
		switch {
		case t.is("=>"):
			add(i-1, i)
		case t.is("function"):
			bracket := i + 1
			for bracket < i+3 && !p.at(bracket).is("(") { // a star, a name
				bracket++
			}
			if p.at(bracket).is("(") {
				add(i+1, p.close[bracket])
			}
		case t.is("(") && p.close[i] > 0 && p.at(p.close[i]+1).is("=>"):
			add(i+1, p.close[i])
		case t.isOneOf("const", "let", "var"):
			end := i + 1
			for end < len(p.tokens) && !p.at(end).isOneOf("=", "of", "in", ";") {
				end++
			}
			add(i+1, end)
		}
	}
	return own
}

// languageNames are the words and the built-in names that a function may use.
var languageNames = utf8text.WordSet("const let var if else for of in while do break continue return switch case default typeof void await " +

	"function try catch finally throw new Set Map Error async await true false null undefined NaN Infinity Math Number String Boolean Array Object JSON parseInt parseFloat isNaN _")

// randomFunctions are the functions that draw a number.
var randomFunctions = utf8text.WordSet("random sample sampleSize shuffle")

// changeWith is a function that gives a new value.
func changeWith(f func(tree.Value) (tree.Value, error)) zodCheck {
	return func(p *zodRun, v tree.Value) (tree.Value, *refusal) {
		if no := p.spend(functionSteps); no != nil {
			return v, no
		}
		out, err := f(v)
		if err != nil {
			return v, refuse("the function of the schema failed: %v", err)
		}
		return out, nil
	}
}

// testWith is a function that decides about a value.
func testWith(f func(tree.Value) (tree.Value, error), message string) zodCheck {
	message = cmp.Or(message, "the schema refuses the value")
	result := changeWith(f)
	return func(p *zodRun, v tree.Value) (tree.Value, *refusal) {
		out, no := result(p, v)
		if no == nil && !truth(out) {
			no = refuse("%s, found %s", message, describeValue(v))
		}
		return v, no
	}
}

// The limits of the results that are kept for one function of a schema: their number, and the bytes
// of a text.
const (
	maxCached     = 512
	maxCachedText = 256
)

// cached returns a function that keeps results of f. All data are parsed after each command, and
// few values change in between: TestSchemaCostsWhatChanges fails without it. A function of a schema
// depends only on its argument, so a kept result is exact. Lists, objects and failures are not kept.
func cached(f func(tree.Value) (tree.Value, error)) func(tree.Value) (tree.Value, error) {
	var mu sync.Mutex
	known := map[tree.Value]tree.Value{}
	return func(v tree.Value) (tree.Value, error) {
		if !isSmall(v) {
			return f(v)
		}
		mu.Lock()
		out, ok := known[v]
		mu.Unlock()
		if ok {
			return out, nil
		}
		out, err := f(v)
		if err == nil && isSmall(out) {
			mu.Lock()
			if len(known) >= maxCached {
				clear(known)
			}
			known[v] = out
			mu.Unlock()
		}
		return out, err
	}
}

// isSmall reports whether a value is no list, no object and no long text.
func isSmall(v tree.Value) bool {
	text, _ := v.AsText()
	n, _ := v.AsNumber()
	return !v.IsObject() && !v.IsArray() && len(text) <= maxCachedText && len(n) <= maxCachedText
}
