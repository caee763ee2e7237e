package mvu

import (
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/talewright/talewright/memvars/tree"
)

// masked is a text with marks instead of its macros, so that the result of a macro cannot break the
// data in the text.
type masked struct {
	text    string
	sources []string // the macros
	mark    string   // on both sides of the number of a macro
}

// oldName is an old spelling of a macro of names.
var oldName = regexp.MustCompile(`^<(?i:user|char|bot|group|charifnotgroup)>`)

// maskMacros replaces each macro by a mark: the outermost braces on one line with everything
// between them, and <user> and the other old spellings of names. An opening without a closing on its
// line stays unchanged.
func maskMacros(text string) masked {
	m := masked{text: text}
	if !strings.Contains(text, "{{") && !strings.Contains(text, "<") {
		return m
	}
	mark, free := freeRune(text)
	if !free {
		return m
	}
	m.mark = string(mark)
	var out strings.Builder
	done, start, depth := 0, 0, 0
	mask := func(from, to int) {
		out.WriteString(text[done:from] + m.mark + strconv.Itoa(len(m.sources)) + m.mark)
		m.sources = append(m.sources, text[from:to])
		done = to
	}
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
				mask(start, i)
			}
		case two[0] == '<' && depth == 0:
			name := oldName.FindString(text[i:])
			if name != "" {
				mask(i, i+len(name))
			}
			i += max(len(name), 1)
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

// freeRune returns a private-use character that a text does not contain.
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

// expand returns a value with the macros expanded in its keys and texts. A text stays a text, even
// if the result looks like a number.
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
	}
	return v.Map(func(_ int, child tree.Value) tree.Value { return m.expand(child, expand) })
}

// unmask replaces the marks by the results of the macros.
func (m masked) unmask(text string, expand func(string) string) string {
	parts := strings.Split(text, m.mark)
	for i := 1; i < len(parts); i += 2 {
		if n, err := strconv.Atoi(parts[i]); err == nil && n < len(m.sources) {
			parts[i] = expand(m.sources[n])
		}
	}
	return strings.Join(parts, "")
}
