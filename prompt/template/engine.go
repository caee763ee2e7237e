package template

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/prompt/macro"
)

// NeedsEngine reports whether a problem of [Compile] is a text that an [Engine] could run.
func NeedsEngine(p talewright.Problem) bool { return p.Code == Refused && needsEngine[p.ID] }

// runEngine runs a text with the engine.
func (f *frame) runEngine(needs string) {
	chunks, err := f.src.split()
	if err != nil {
		panic(err)
	}
	if len(f.src.text) > maxCode {
		f.limit("code", "the text is longer than 64 KiB: divide it")
	}
	p := Program{Source: f.script(chunks), Needs: []string{needs}, MaxOutput: maxOutput - f.build.output}
	if _, entry := f.currentEntry(); entry != nil {
		p.Name = entry.Comment
	}
	p.Functions, p.Values = f.programNames()
	f.chargeBytes(len(p.Source))
	host := &engineHost{frame: f}
	out, failed := f.build.env.Engine.Run(context.Background(), p, host)
	if host.failed != nil { // a limit of the build, also if the code has caught the error
		panic(host.failed)
	}
	if failed != nil {
		if e, ok := errors.AsType[*Error](failed); ok {
			f.fail(e.Code, e.Name, e.Text)
		}
		f.fail("thrown", "", failed.Error())
	}
	f.write(out)
}

// programNames returns the names that a program of an engine may use.
func (f *frame) programNames() (functions, values []string) {
	add := func(name string, v value) {
		of, isFunction := v.ref.(*function)
		switch {
		case isFunction && of.call != nil && v.kind == functionKind && of.arrow == nil:
			functions = append(functions, name)
		case v.kind != functionKind:
			values = append(values, name)
		}
	}
	for name, v := range f.build.library.names {
		if of, ok := v.ref.(*function); ok && name == "_" {
			for member, v := range of.members {
				add("_."+member, v)
			}
		} else if !ownNames[name] {
			add(name, v)
		}
	}
	for name, v := range f.build.defined {
		add(name, v)
	}
	for name, v := range f.names {
		add(name, v)
	}
	values = slices.AppendSeq(values, maps.Keys(contextNames))
	slices.Sort(functions)
	slices.Sort(values)
	return slices.Compact(functions), slices.Compact(values)
}

// ownNames are the names that a JavaScript engine has itself.
var ownNames = namesOf(`
	Math Number String Boolean parseInt parseFloat isNaN Array Object JSON NaN Infinity undefined print console
	Set Map Date RegExp Promise Error TypeError RangeError SyntaxError`)

// engineHost answers a program.
type engineHost struct {
	frame  *frame
	failed *Error
}

// Call answers one call. An error that is a limit ends the program, also if it catches the error.
func (h *engineHost) Call(name string, args []any) (result any, err error) {
	if h.failed != nil {
		return nil, h.failed
	}
	f := h.frame
	defer func() {
		if e := errorOf(recover()); e != nil {
			if e.Code == Limit {
				h.failed = e
			}
			result, err = nil, e
		}
	}()
	f.step()
	if name == "Math.random" {
		return tree.Float(f.build.random()), nil
	}
	list := make([]value, len(args))
	for i, arg := range args {
		v, _ := arg.(tree.Value)
		list[i] = fromTree(v)
	}
	of, member, _ := strings.Cut(name, ".")
	v, known := f.globalName(of)
	if fn, ok := v.ref.(*function); ok && member != "" {
		v, known = fn.members[member]
	}
	if !known {
		f.fail(codeReference, "", "there is no name "+name)
	}
	if fn, ok := v.ref.(*function); ok && fn.call != nil {
		v = fn.call(f, list)
	}
	if v.kind == undefinedKind || v.kind == functionKind {
		return tree.Value{}, nil
	}
	return f.toTree(v), nil
}

// script returns the code of the parts of a text.
func (f *frame) script(chunks []chunk) string {
	var b strings.Builder
	var macros []string
	quoted := func(s string) string { return tree.Text(s).String() }
	for _, c := range chunks {
		switch c.kind {
		case literal:
			text := c.text
			if hasMacro(text) {
				text = f.build.expand(text, "")
			}
			b.WriteString(";__print(" + quoted(text) + ");")
		case code:
			b.WriteString("\n;" + f.withMacros(c.text, &macros) + "\n") // a tag begins a statement
		default:
			expression := strings.TrimRight(strings.TrimSpace(f.withMacros(c.text, &macros)), "; \t\r\n")
			call := "__first"
			if c.kind == printAll {
				call = "__print"
			}
			b.WriteString(";" + call + "(" + expression + "\n);")
		}
		f.checkSize(b.Len())
	}
	if len(macros) == 0 {
		return b.String()
	}
	for i, m := range macros {
		macros[i] = quoted(m)
	}
	return "const __macros=[" + strings.Join(macros, ",") + "];" + b.String()
}

// withMacros replaces the macros of a code by their results, which are always values. In a string,
// every character of a result is written as an escape. Elsewhere a result is a number, true, false,
// null or an element of __macros, which gets the text. So a result is no code even where this
// function takes code for a string, or a string for code: it does not know regular expressions.
func (f *frame) withMacros(src string, macros *[]string) string {
	if macro.Plain(src) {
		return src
	}
	var b strings.Builder
	var quote byte      // of the string around the place, 0 in code
	var templates []int // the numbers of open braces in the ${…} around the place
	for i := 0; i < len(src); {
		c := src[i]
		switch {
		case strings.HasPrefix(src[i:], "{{"), quote != 0 && c == '<':
			m := macroAt(src[i:])
			f.chargeBytes(min(len(src)-i, maxMacro))
			if m == "" {
				break
			}
			written, ok := f.macroCode(m, quote != 0, macros)
			if !ok {
				break
			}
			b.WriteString(written)
			f.checkSize(b.Len())
			i += len(m)
			continue
		case quote != 0 && c == '\\' && i+1 < len(src):
			b.WriteString(src[i : i+2])
			i += 2
			continue
		case quote == '`' && strings.HasPrefix(src[i:], "${"):
			b.WriteString("${")
			templates, quote = append(templates, 0), 0
			i += 2
			continue
		case quote != 0 && (c == quote || c == '\n' && quote != '`'):
			quote = 0
		case quote != 0:
		case c == '"' || c == '\'' || c == '`':
			quote = c
		case c == '{' && len(templates) > 0:
			templates[len(templates)-1]++
		case c == '}' && len(templates) > 0:
			if last := len(templates) - 1; templates[last] > 0 {
				templates[last]--
			} else {
				templates, quote = templates[:last], '`'
			}
		case strings.HasPrefix(src[i:], "//"), strings.HasPrefix(src[i:], "/*"):
			stop := "\n"
			if src[i+1] == '*' {
				stop = "*/"
			}
			n := strings.Index(src[i+2:], stop)
			if n < 0 {
				return b.String() // a comment up to the end
			}
			i += 2 + n
			if stop == "*/" {
				b.WriteByte(' ')
				i += len(stop)
			}
			continue
		}
		b.WriteByte(c)
		i++
	}
	return b.String()
}

// macroCode returns the code for the result of a macro, within a string or elsewhere. ok is false if no
// macro has the name.
func (f *frame) macroCode(m string, inString bool, macros *[]string) (written string, ok bool) {
	result := f.build.expand(m, "")
	f.chargeMemory(len(result))
	if result == m {
		return "", false
	}
	if inString {
		var b strings.Builder
		for _, unit := range utf16.Encode([]rune(result)) {
			fmt.Fprintf(&b, `\u%04x`, unit)
		}
		return b.String(), true
	}
	if v := f.macroValue(result); v.kind != textKind {
		return " " + f.toText(v), true // a sign must not join the one before it
	}
	*macros = append(*macros, result)
	return fmt.Sprintf("__macros[%d]", len(*macros)-1), true
}

// random draws a number.
func (b *Build) random() float64 {
	if b.env.Random == nil {
		return 0
	}
	if n := b.env.Random(); n >= 0 && n < 1 && !math.IsNaN(n) {
		return n
	}
	return 0
}
