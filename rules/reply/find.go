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

// finder finds passages from left to right, none within another.
type finder func(text string) []passage

// newFinder compiles a match, or says what is wrong with it.
func newFinder(m Match) (finder, string) {
	switch {
	case m.Tag != "" && strings.TrimSpace(m.Tag) == m.Tag:
		return func(text string) []passage { return findTags(text, m.Tag) }, ""
	case m.Regex == "":
		return nil, "give a tag or a regex"
	}
	pattern, flags := m.Regex, ""
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
	return func(text string) []passage { return findRegex(text, re) }, ""
}

// findTags finds passages between tags of any of the three kinds, from left to right. An
// opening tag without its closing one is prose.
func findTags(text, tag string) []passage {
	var out []passage
	for at := 0; ; {
		best := passage{start: -1}
		for _, b := range [...][2]string{{"<", ">"}, {"【", "】"}, {"[", "]"}} {
			opening, closing := b[0]+tag+b[1], b[0]+"/"+tag+b[1]
			i := strings.Index(text[at:], opening)
			if i < 0 || best.start >= 0 && at+i >= best.start {
				continue
			}
			// Of the three kinds the one that opens first is taken, if it closes.
			inner := at + i + len(opening)
			n := strings.Index(text[inner:], closing)
			if n < 0 {
				continue
			}
			best = passage{at + i, inner + n + len(closing), text[inner : inner+n]}
		}
		if best.start < 0 {
			return out
		}
		out = append(out, best)
		at = best.end
	}
}

// findRegex finds passages by an expression.
func findRegex(text string, re *regexp.Regexp) []passage {
	var out []passage
	for _, m := range re.FindAllStringSubmatchIndex(text, -1) {
		p := passage{m[0], m[1], text[m[0]:m[1]]}
		if len(m) > 2 && m[2] >= 0 {
			p.content = text[m[2]:m[3]]
		}
		out = append(out, p)
	}
	return out
}

// without cuts the passages out. A line that held nothing else goes with them.
func without(text string, passages []passage) string {
	if len(passages) == 0 {
		return text
	}
	var b strings.Builder
	at := 0
	for _, p := range passages {
		b.WriteString(text[at:p.start])
		at = p.end
		kept := b.String()
		if (kept == "" || strings.HasSuffix(kept, "\n")) && strings.HasPrefix(text[at:], "\n") {
			at++
		}
	}
	b.WriteString(text[at:])
	return strings.TrimSpace(b.String())
}
