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
	"github.com/talewright/talewright/internal/utf8text"
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
var ownNames = utf8text.WordSet(`
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
	r := macroReplacer{frame: f, src: src, macros: macros}
	for r.pos < len(src) {
		switch {
		case r.replaceMacro():
		case r.quote != 0:
			r.copyString()
		default:
			r.copyCode()
		}
	}
	return r.out.String()
}

// macroReplacer copies a code and replaces its macros.
type macroReplacer struct {
	*frame
	src    string
	pos    int // in src
	out    strings.Builder
	macros *[]string
	quote  byte  // of the string around the place, 0 in code
	braces []int // the numbers of open braces in each ${…} around the place
}

// replaceMacro replaces the macro that begins at pos. Without a macro there, it returns false.
func (r *macroReplacer) replaceMacro() bool {
	rest := r.src[r.pos:]
	if !strings.HasPrefix(rest, "{{") && !(r.quote != 0 && rest[0] == '<') {
		return false
	}
	r.chargeBytes(min(len(rest), maxMacro))
	m := macroAt(rest)
	if m == "" {
		return false
	}
	written, ok := r.macroCode(m, r.quote != 0, r.macros)
	if !ok {
		return false
	}
	r.out.WriteString(written)
	r.checkSize(r.out.Len())
	r.pos += len(m)
	return true
}

// copy copies bytes, as far as there are any.
func (r *macroReplacer) copy(n int) {
	end := min(r.pos+n, len(r.src))
	r.out.WriteString(r.src[r.pos:end])
	r.pos = end
}

// copyString copies the next character of a string, an escape, or the beginning of ${…}.
func (r *macroReplacer) copyString() {
	rest := r.src[r.pos:]
	switch c := rest[0]; {
	case c == '\\':
		r.copy(2)
		return
	case r.quote == '`' && strings.HasPrefix(rest, "${"):
		r.braces, r.quote = append(r.braces, 0), 0
		r.copy(2)
		return
	case c == r.quote, c == '\n' && r.quote != '`':
		r.quote = 0
	}
	r.copy(1)
}

// copyCode copies the next character of code, and leaves out a comment.
func (r *macroReplacer) copyCode() {
	rest := r.src[r.pos:]
	last := len(r.braces) - 1
	switch c := rest[0]; {
	case strings.HasPrefix(rest, "//"):
		line, _, _ := strings.Cut(rest, "\n")
		r.pos += len(line)
		return
	case strings.HasPrefix(rest, "/*"):
		_, after, _ := strings.Cut(rest[len("/*"):], "*/")
		r.out.WriteByte(' ')
		r.pos = len(r.src) - len(after)
		return
	case c == '"' || c == '\'' || c == '`':
		r.quote = c
	case c == '{' && last >= 0:
		r.braces[last]++
	case c == '}' && last >= 0 && r.braces[last] > 0:
		r.braces[last]--
	case c == '}' && last >= 0: // the end of ${…}
		r.braces, r.quote = r.braces[:last], '`'
	}
	r.copy(1)
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
