package reply

import (
	"regexp"
	"strings"
)

// Passages of one rule never overlap: the search goes on behind the closing tag. Tags of
// different kinds do not close each other.

// passage is one find: what is cut out, and its content.
type passage struct {
	start, end int
	content    string
}

// finder finds at most n passages from left to right, none within another.
type finder func(text string, n int) []passage

// newFinder compiles a match, or says what is wrong with it.
func newFinder(m Match) (finder, string) {
	switch {
	case m.Tag != "" && strings.TrimSpace(m.Tag) == m.Tag:
		return func(text string, n int) []passage { return findTags(text, m.Tag, n) }, ""
	case m.Pattern == "":
		return nil, "give a tag or a pattern"
	}
	pattern, flags := m.Pattern, ""
	if end := strings.LastIndexByte(pattern, '/'); end > 0 && pattern[0] == '/' {
		// Flags that say how to go through a text, or that are always on, mean nothing here.
		pattern, flags = pattern[1:end], strings.Trim(pattern[end+1:], "gdvuy")
	}
	if flags != "" {
		pattern = "(?" + flags + ")" + pattern
	}
	re, err := regexp.Compile(pattern)
	if err != nil {
		return nil, "not a regular expression: " + err.Error()
	}
	return func(text string, n int) []passage { return findRegex(text, re, n) }, ""
}

// bracket is one of the three kinds of tags while a text is searched: where the next opening
// one stands, and the first closing one behind it. -1 means that there is none any more, so
// that nothing is searched for twice.
type bracket struct {
	opening, closing string
	start, end       int
}

// seek moves on to the first opening tag at or behind a place.
func (b *bracket) seek(text string, at int) {
	if b.start < 0 || b.end < 0 || b.start >= at {
		return
	}
	if b.start = indexFrom(text, b.opening, at); b.start < 0 {
		return
	}
	if inner := b.start + len(b.opening); b.end < inner {
		b.end = indexFrom(text, b.closing, inner)
	}
}

// indexFrom is strings.Index behind a place.
func indexFrom(text, part string, at int) int {
	if i := strings.Index(text[at:], part); i >= 0 {
		return at + i
	}
	return -1
}

// findTags finds passages between tags of any of the three kinds, from left to right: of the
// kinds that open, and close, the first one. An opening tag without its closing one is prose.
func findTags(text, tag string, n int) []passage {
	var out []passage
	kinds := [...]bracket{
		{opening: "<" + tag + ">", closing: "</" + tag + ">"},
		{opening: "【" + tag + "】", closing: "【/" + tag + "】"},
		{opening: "[" + tag + "]", closing: "[/" + tag + "]"},
	}
	for i := range kinds {
		k := &kinds[i]
		if k.start = strings.Index(text, k.opening); k.start >= 0 {
			k.end = indexFrom(text, k.closing, k.start+len(k.opening))
		}
	}
	for at := 0; len(out) < n; {
		var first *bracket
		for i := range kinds {
			k := &kinds[i]
			if k.seek(text, at); k.start >= 0 && k.end >= 0 && (first == nil || k.start < first.start) {
				first = k
			}
		}
		if first == nil {
			break
		}
		at = first.end + len(first.closing)
		out = append(out, passage{first.start, at, text[first.start+len(first.opening) : first.end]})
	}
	return out
}

// findRegex finds passages by an expression.
func findRegex(text string, re *regexp.Regexp, n int) []passage {
	var out []passage
	for _, m := range re.FindAllStringSubmatchIndex(text, n) {
		p := passage{m[0], m[1], text[m[0]:m[1]]}
		if len(m) > 2 && m[2] >= 0 {
			p.content = text[m[2]:m[3]]
		}
		out = append(out, p)
	}
	return out
}

// without cuts the passages out. The line break of a passage stays, and of more than two in a
// row two.
func without(text string, passages []passage) string {
	if len(passages) == 0 {
		return text
	}
	var b strings.Builder
	at := 0
	for _, p := range passages {
		b.WriteString(text[at:p.start])
		at = p.end
	}
	b.WriteString(text[at:])
	out := b.String()
	for strings.Contains(out, "\n\n\n") {
		out = strings.ReplaceAll(out, "\n\n\n", "\n\n")
	}
	return strings.TrimSpace(out)
}
