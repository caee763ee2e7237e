package template

import (
	"slices"
	"strconv"
	"strings"

	"github.com/talewright/talewright/memvars/tree"
)

// stringify is JSON.stringify.
func stringify(f *frame, args []value) value {
	var b strings.Builder
	w := jsonWriter{frame: f, out: &b, indent: indentOf(arg(args, 2))}
	w.setReplacer(arg(args, 1))
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

// indentOf returns the indentation of one level that the third argument of JSON.stringify asks for.
func indentOf(v value) string {
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
	out      *strings.Builder
	indent   string   // of one level; with an empty one the JSON has no lines
	names    []string // of the members of objects that are written, nil for all
	replacer value    // a function that replaces every value, or undefined
}

// setReplacer reads the second argument of JSON.stringify: a function, or the names of the members.
func (w *jsonWriter) setReplacer(v value) {
	switch v.kind {
	case functionKind:
		w.replacer = v
	case listKind:
		w.names = []string{}
		for _, e := range v.ref.(*list).elements(w.frame) {
			name := w.toText(e)
			if (e.kind == textKind || e.kind == numberKind) && !slices.Contains(w.names, name) {
				w.chargeSteps(len(w.names))
				w.names = append(w.names, name)
			}
		}
	}
}

// replaced returns what is written for a value with a key in a list or an object.
func (w *jsonWriter) replaced(key string, v value) value {
	if w.replacer.kind == functionKind {
		return w.callFunction(w.replacer, []value{text(key), v})
	}
	return v
}

// write writes a value. line is the indentation of its lines. It writes nothing and returns false for
// undefined and functions.
func (w *jsonWriter) write(v value, line string, level int) bool {
	w.step()
	if level > maxLevels {
		w.fail(codeWrongType, "", "the value is nested too deeply or contains itself: write a part of it")
	}
	w.checkSize(w.out.Len())
	switch v.kind {
	case undefinedKind, functionKind:
		return false
	case textKind:
		quoteJSON(w.out, v.text)
	case numberKind:
		if finite(v.num) {
			w.out.WriteString(numberText(v.num))
		} else {
			w.out.WriteString("null")
		}
	case listKind:
		w.writeList(v.ref.(*list), line, level)
	case objectKind:
		w.writeObject(v.ref.(*object), line, level)
	case patternKind, collectionKind:
		w.out.WriteString("{}")
	case dateKind:
		quoteJSON(w.out, w.toText(v))
	case wrappedKind:
		return w.write(v.ref.(*wrapped).v, line, level+1)
	default:
		w.out.WriteString(w.toText(v))
	}
	return true
}

func (w *jsonWriter) writeList(l *list, line string, level int) {
	w.out.WriteByte('[')
	items := l.elements(w.frame)
	for i, e := range items {
		w.separate(i == 0, line+w.indent)
		if !w.write(w.replaced(strconv.Itoa(i), e), line+w.indent, level+1) {
			w.out.WriteString("null")
		}
	}
	w.end(']', len(items) == 0, line)
}

func (w *jsonWriter) writeObject(o *object, line string, level int) {
	w.out.WriteByte('{')
	isEmpty := true
	write := func(key string, v value) {
		if v = w.replaced(key, v); v.kind == undefinedKind || v.kind == functionKind {
			return
		}
		w.separate(isEmpty, line+w.indent)
		isEmpty = false
		quoteJSON(w.out, key)
		w.out.WriteByte(':')
		if w.indent != "" {
			w.out.WriteByte(' ')
		}
		w.write(v, line+w.indent, level+1)
	}
	for _, key := range w.names {
		if v, ok := o.get(w.frame, key); ok {
			write(key, v)
		}
	}
	if w.names == nil {
		for _, i := range o.order(w.frame) {
			write(o.keys[i], o.vals[i])
		}
	}
	w.end('}', isEmpty, line)
}

// separate begins an element or a member.
func (w *jsonWriter) separate(first bool, line string) {
	if !first {
		w.out.WriteByte(',')
	}
	if w.indent != "" {
		w.out.WriteString("\n" + line)
	}
}

// end ends a list or an object.
func (w *jsonWriter) end(sign byte, isEmpty bool, line string) {
	if w.indent != "" && !isEmpty {
		w.out.WriteString("\n" + line)
	}
	w.out.WriteByte(sign)
}

// quoteJSON writes a text as JSON.stringify does.
func quoteJSON(b *strings.Builder, s string) {
	b.WriteByte('"')
	for len(s) > 0 {
		r, size := char(s)
		s = s[size:]
		switch {
		case jsonEscapes[r] != 0:
			b.WriteByte('\\')
			b.WriteByte(jsonEscapes[r])
		case r < 0x20 || r >= 0xD800 && r <= 0xDFFF:
			b.WriteString(`\u` + strconv.FormatInt(0x10000|int64(r), 16)[1:])
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
}

// jsonEscapes are the characters that JSON writes as a backslash and a character.
var jsonEscapes = map[rune]byte{
	'"': '"', '\\': '\\', '\n': 'n', '\r': 'r', '\t': 't', '\b': 'b', '\f': 'f',
}
