package memvars

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/talewright/talewright/memvars/tree"
)

// writer writes values for a prompt. The style is "value" for leaves as their values, "comment" for
// values with descriptions, anything else for pairs.
type writer struct {
	profile *Profile // recognises leaves by their paths
	style   string
	path    tree.Path // of the value being written
	inner   bool      // the value is the value of a leaf
	out     []byte
}

// isShownLeaf reports whether v is a leaf that is not written as a pair. The value of a leaf is never a
// leaf.
func (w *writer) isShownLeaf(v tree.Value) bool {
	return !w.inner && (w.style == "value" || w.style == "comment") && len(w.path) > 0 &&
		w.profile.IsLeaf(w.path, v)
}

// comment returns the description of a leaf if the style shows it.
func (w *writer) comment(v tree.Value) string {
	if w.style != "comment" {
		return ""
	}
	text, _ := v.At(1).AsText()
	return strings.Join(strings.Fields(text), " ")
}

// enter and leave track the path of the value that is being written. The path decides what is a leaf.
func (w *writer) enter(key string) { w.path = append(w.path, key) }
func (w *writer) leave()           { w.path = w.path[:len(w.path)-1] }

// json writes compact JSON; comments are /* … */ after the value.
func (w *writer) json(v tree.Value) {
	if w.isShownLeaf(v) {
		w.enter("0")
		w.inner = true
		w.json(v.At(0))
		w.leave()
		if c := w.comment(v); c != "" {
			w.out = append(w.out, "/*"+strings.ReplaceAll(c, "*/", "* /")+"*/"...)
		}
		return
	}
	w.inner = false
	switch v.Kind() {
	case tree.KindArray:
		w.out = append(w.out, '[')
		for i, e := range v.Elements() {
			if i > 0 {
				w.out = append(w.out, ',')
			}
			w.enter(strconv.Itoa(i))
			w.json(e)
			w.leave()
		}
		w.out = append(w.out, ']')
	case tree.KindObject:
		w.out = append(w.out, '{')
		for i := range v.Len() {
			if i > 0 {
				w.out = append(w.out, ',')
			}
			key := v.KeyAt(i)
			w.out = append(tree.AppendText(w.out, key), ':')
			w.enter(key)
			w.json(v.At(i))
			w.leave()
		}
		w.out = append(w.out, '}')
	default:
		w.out = v.AppendJSON(w.out)
	}
}

// yaml writes block style: one member per line, lists of scalars on one line. If afterKey is true,
// the line already has a key or a dash before the value.
func (w *writer) yaml(v tree.Value, depth int, afterKey bool) {
	comment := ""
	if w.isShownLeaf(v) {
		comment = w.comment(v)
		w.enter("0")
		defer w.leave()
		v = v.At(0)
	}
	w.inner = false
	block := v.IsObject() && v.Len() > 0 || v.IsArray() && !hasOnlyScalars(v)
	if !block {
		if afterKey {
			w.out = append(w.out, ' ')
		}
		w.flow(v)
	}
	if comment != "" {
		w.out = append(w.out, " # "+comment...)
	}
	if afterKey || !block {
		w.out = append(w.out, '\n')
	}
	if block {
		w.lines(v, depth, false)
	}
}

// lines writes the members of a container. With a dash, the first member is on the current line.
func (w *writer) lines(v tree.Value, depth int, dash bool) {
	for i := range v.Len() {
		if !dash || i > 0 {
			w.indent(depth)
		}
		key, child := v.KeyAt(i), v.At(i)
		if v.IsObject() {
			w.plain(key)
			w.out = append(w.out, ':')
			w.enter(key)
			w.yaml(child, depth+1, true)
			w.leave()
			continue
		}
		w.out = append(w.out, '-')
		w.enter(strconv.Itoa(i))
		if child.IsObject() && child.Len() > 0 {
			w.out = append(w.out, ' ')
			w.lines(child, depth+1, true)
		} else {
			w.yaml(child, depth+1, true)
		}
		w.leave()
	}
}

// indent writes two blanks per level.
func (w *writer) indent(depth int) {
	for range depth {
		w.out = append(w.out, ' ', ' ')
	}
}

// hasOnlyScalars reports whether a list has only scalars.
func hasOnlyScalars(v tree.Value) bool {
	for _, e := range v.Elements() {
		if e.IsObject() || e.IsArray() {
			return false
		}
	}
	return true
}

// flow writes a scalar, an empty container or a list of scalars.
func (w *writer) flow(v tree.Value) {
	if text, ok := v.AsText(); ok {
		w.plain(text)
		return
	}
	if !v.IsArray() {
		w.out = v.AppendJSON(w.out)
		return
	}
	w.out = append(w.out, '[')
	for i, e := range v.Elements() {
		if i > 0 {
			w.out = append(w.out, ", "...)
		}
		if text, ok := e.AsText(); ok && strings.ContainsAny(text, ",[]{}") {
			w.out = tree.AppendText(w.out, text)
			continue
		}
		w.flow(e)
	}
	w.out = append(w.out, ']')
}

// plain writes a text, without quotation marks if YAML would read it back unchanged.
func (w *writer) plain(s string) {
	if plainText(s) {
		w.out = append(w.out, s...)
		return
	}
	w.out = tree.AppendText(w.out, s)
}

// plainText reports whether YAML reads an unquoted text back as the same text. It must not look
// like a different type, begin with an indicator, or contain the end of a scalar.
func plainText(s string) bool {
	if s == "" || strings.TrimSpace(s) != s || strings.ContainsAny(s, "\n\r\t") ||
		strings.Contains(s, ": ") || strings.Contains(s, " #") || strings.HasSuffix(s, ":") {
		return false
	}
	r, _ := utf8.DecodeRuneInString(s)
	if strings.ContainsRune("-?:,[]{}#&*!|>'\"%@`~", r) || !unicode.IsPrint(r) {
		return false
	}
	switch strings.ToLower(s) {
	case "null", "true", "false", "yes", "no", "on", "off", "y", "n":
		return false
	}
	if r == '+' || r == '.' || r >= '0' && r <= '9' {
		_, err := strconv.ParseFloat(strings.ReplaceAll(s, "_", ""), 64)
		hexadecimal := strings.HasPrefix(s, "0x") || strings.HasPrefix(s, "0o")
		return err != nil && !hexadecimal && !strings.Contains(s, ":")
	}
	return true
}
