package worldbook

import (
	"strings"

	"github.com/talewright/talewright/internal/tokens"
	"github.com/talewright/talewright/worldbook/internal/match"
)

// contents are the texts of entries in one scan, with their macros expanded.
type contents struct {
	in       *Input
	expanded map[*entry]string
}

// of returns the content of an entry. Macros are expanded once per scan.
func (t *contents) of(e *entry) string {
	if !e.dynamicContent {
		return e.content
	}
	return t.expand(e)
}

// expand expands the macros of a content that has some.
func (t *contents) expand(e *entry) string {
	text, ok := t.expanded[e]
	if !ok {
		text = match.Valid(t.in.expand(e.content))
		if t.expanded == nil {
			t.expanded = map[*entry]string{}
		}
		t.expanded[e] = text
	}
	return text
}

// soFar returns the content as far as it has been expanded.
func (t *contents) soFar(e *entry) string {
	if text, ok := t.expanded[e]; ok {
		return text
	}
	return e.content
}

func (t *contents) release() {
	t.in = nil
	clear(t.expanded)
}

// weightOf is the weight of an entry's text.
func weightOf(e *entry, content string) int {
	if e.dynamicContent {
		return tokens.Weight(content)
	}
	return int(e.contentWeight)
}

// expand replaces the macros of a text.
func (in *Input) expand(text string) string {
	if in.Expand != nil {
		return in.Expand(text)
	}
	return expandNames(text, in.User, in.Char)
}

// expandNames replaces {{user}} and {{char}} in any letter case.
func expandNames(text, user, char string) string {
	const size = len("{{user}}")
	var b strings.Builder
	for {
		i := strings.Index(text, "{{")
		if i < 0 || i+size > len(text) {
			b.WriteString(text)
			return b.String()
		}
		b.WriteString(text[:i])
		switch strings.ToLower(text[i : i+size]) {
		case "{{user}}":
			b.WriteString(user)
			text = text[i+size:]
		case "{{char}}":
			b.WriteString(char)
			text = text[i+size:]
		default:
			b.WriteByte('{')
			text = text[i+1:]
		}
	}
}
