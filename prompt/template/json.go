package template

import (
	"slices"
	"strconv"
	"strings"

	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/memvars/tree"
)

// stringify is JSON.stringify.
func stringify(f *frame, args []value) value {
	var b strings.Builder
	w := jsonWriter{frame: f, b: &b, indent: f.indentOf(arg(args, 2))}
	w.replacer(arg(args, 1))
	if !w.write(w.replaced("", arg(args, 0)), "", 0) {
		return value{}
	}
	return f.newText(b.String())
}

// parseJSON is JSON.parse.
func parseJSON(f *frame, args []value) value {
	s := f.toText(arg(args, 0))
	f.chargeMemory(len(s))
	v, err := tree.ParseLoose(clean(s)) // of equal names the last counts
	if err != nil {
		f.fail(codeSyntax, "", "the text is not JSON: "+err.Error())
	}
	if revive := arg(args, 1); revive.kind == functionKind {
		return f.reviveJSON(revive, "", fromTree(v))
	}
	return fromTree(v)
}

// indentOf returns what JSON.stringify writes for one level.
func (f *frame) indentOf(v value) string {
	switch v.kind {
	case numberKind:
		return strings.Repeat(" ", int(max(min(v.num, 10), 0)))
	case textKind:
		return part(v.text, 0, min(10, length(v.text)))
	}
	return ""
}

// reviveJSON applies the function of JSON.parse to a value and its parts.
func (f *frame) reviveJSON(by value, key string, v value) value {
	f.step()
	switch v.kind {
	case listKind:
		items := v.ref.(*list).elements(f)
		for i, e := range items {
			items[i] = f.reviveJSON(by, strconv.Itoa(i), e)
		}
	case objectKind:
		o, kept := v.ref.(*object), &object{}
		for _, i := range o.order(f) {
			if member := f.reviveJSON(by, o.keys[i], o.vals[i]); member.kind != undefinedKind {
				kept.put(o.keys[i], member)
			}
		}
		v = objectOf(kept)
	}
	return f.callFunction(by, []value{text(key), v})
}

// jsonWriter writes JSON as JSON.stringify does.
type jsonWriter struct {
	*frame
	b       *strings.Builder
	indent  string
	names   []string // the members of objects, nil for all
	replace value    // a function that replaces every value, or undefined
}

// replacer reads the second argument of JSON.stringify.
func (w *jsonWriter) replacer(v value) {
	switch v.kind {
	case functionKind:
		w.replace = v
	case listKind:
		w.names = []string{}
		for _, e := range v.ref.(*list).elements(w.frame) {
			if name := w.toText(e); (e.kind == textKind || e.kind == numberKind) && !slices.Contains(w.names, name) {
				w.chargeSteps(len(w.names))
				w.names = append(w.names, name)
			}
		}
	}
}

// replaced returns what is written for a value in a list or an object.
func (w *jsonWriter) replaced(key string, v value) value {
	if w.replace.kind == functionKind {
		return w.callFunction(w.replace, []value{text(key), v})
	}
	return v
}

// write writes a value. It reports false for undefined and functions.
func (w *jsonWriter) write(v value, line string, level int) bool {
	f, b, indent := w.frame, w.b, w.indent
	f.step()
	if level > maxLevels {
		f.fail(codeWrongType, "", "the value is nested too deeply or contains itself: write a part of it")
	}
	f.checkSize(b.Len())
	inner := line + indent
	open := func(sign string) { b.WriteString(sign) }
	next := func(first bool) {
		if !first {
			b.WriteByte(',')
		}
		if indent != "" {
			b.WriteString("\n" + inner)
		}
	}
	end := func(sign string, empty bool) {
		if indent != "" && !empty {
			b.WriteString("\n" + line)
		}
		b.WriteString(sign)
	}
	switch v.kind {
	case undefinedKind, functionKind:
		return false
	case textKind:
		quoteJSON(b, v.text)
	case numberKind:
		if !finite(v.num) {
			b.WriteString("null")
			break
		}
		b.WriteString(openjson.FormatNumber(v.num))
	case listKind:
		open("[")
		items := v.ref.(*list).elements(f)
		for i, e := range items {
			next(i == 0)
			if !w.write(w.replaced(strconv.Itoa(i), e), inner, level+1) {
				b.WriteString("null")
			}
		}
		end("]", len(items) == 0)
	case objectKind:
		open("{")
		o := v.ref.(*object)
		first := true
		member := func(key string, v value) {
			if v = w.replaced(key, v); v.kind == undefinedKind || v.kind == functionKind {
				return
			}
			next(first)
			first = false
			quoteJSON(b, key)
			b.WriteByte(':')
			if indent != "" {
				b.WriteByte(' ')
			}
			w.write(v, inner, level+1)
		}
		for _, key := range w.names {
			if v, ok := o.get(f, key); ok {
				member(key, v)
			}
		}
		if w.names == nil {
			for _, i := range o.order(f) {
				member(o.keys[i], o.vals[i])
			}
		}
		end("}", first)
	case patternKind, collectionKind:
		b.WriteString("{}")
	case dateKind:
		quoteJSON(b, f.toText(v))
	case wrappedKind:
		return w.write(v.ref.(*wrapped).v, line, level+1)
	default:
		b.WriteString(f.toText(v))
	}
	return true
}

// quoteJSON writes a text as JSON.stringify does.
func quoteJSON(b *strings.Builder, s string) {
	b.WriteByte('"')
	for len(s) > 0 {
		r, size := char(s)
		s = s[size:]
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\b':
			b.WriteString(`\b`)
		case r == '\f':
			b.WriteString(`\f`)
		case r < 0x20 || r >= 0xD800 && r <= 0xDFFF:
			b.WriteString(`\u` + strconv.FormatInt(0x10000|int64(r), 16)[1:])
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
}
