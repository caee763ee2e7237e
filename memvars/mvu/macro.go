package mvu

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/talewright/talewright/memvars/tree"
)

// masked is a text whose macros have marks in their place, so that what a macro gives cannot
// break the data in the text.
type masked struct {
	text    string
	sources []string // the macros
	mark    string   // stands on both sides of the number of a macro
}

// maskMacros puts a mark in the place of each macro: the outermost braces on one line and all that is between
// them. An opening that its line does not close is left as it is.
func maskMacros(text string) masked {
	m := masked{text: text}
	if !strings.Contains(text, "{{") {
		return m
	}
	mark, free := freeRune(text)
	if !free {
		return m
	}
	m.mark = string(mark)
	var out strings.Builder
	done, start, depth := 0, 0, 0
	for i := 0; i+1 < len(text); {
		switch two := text[i : i+2]; {
		case two == "{{":
			if depth == 0 {
				start = i
			}
			depth++
			i += 2
		case two == "}}" && depth > 0:
			i += 2
			if depth--; depth == 0 {
				out.WriteString(text[done:start] + m.mark + strconv.Itoa(len(m.sources)) + m.mark)
				m.sources = append(m.sources, text[start:i])
				done = i
			}
		default:
			if text[i] == '\n' {
				depth = 0
			}
			i++
		}
	}
	m.text = out.String() + text[done:]
	return m
}

// freeRune is a character for private use that a text does not have.
func freeRune(text string) (rune, bool) {
	const first, last = '\ue000', '\uf8ff'
	used := map[rune]bool{}
	for _, r := range text {
		if first <= r && r <= last {
			used[r] = true
		}
	}
	for r := first; r <= last; r++ {
		if !used[r] {
			return r, true
		}
	}
	return utf8.RuneError, false
}

// expand gives a value with the macros expanded in its keys and texts. A text stays one,
// also if the macros make a number of it.
func (m masked) expand(v tree.Value, expand func(string) string) tree.Value {
	if len(m.sources) == 0 {
		return v
	}
	switch text, isText := v.AsText(); {
	case isText:
		return tree.Text(m.unmask(text, expand))
	case v.IsObject():
		members := make([]tree.Member, 0, v.Len())
		for key, child := range v.Members() {
			members = append(members, tree.Member{Key: m.unmask(key, expand), Value: m.expand(child, expand)})
		}
		return tree.Object(members...)
	case v.IsArray():
		elements := make([]tree.Value, 0, v.Len())
		for _, child := range v.Elements() {
			elements = append(elements, m.expand(child, expand))
		}
		return tree.Array(elements...)
	}
	return v
}

// unmask puts the results of macros in the place of their marks.
func (m masked) unmask(text string, expand func(string) string) string {
	parts := strings.Split(text, m.mark)
	for i := 1; i < len(parts); i += 2 {
		if n, err := strconv.Atoi(parts[i]); err == nil && n < len(m.sources) {
			parts[i] = expand(m.sources[n])
		}
	}
	return strings.Join(parts, "")
}
