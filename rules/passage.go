package rules

import (
	"strings"
	"unicode/utf8"

	"github.com/talewright/talewright/internal/jsregex"
)

// This file finds the passages of a reply that [ReplyRule.Match] describes.

// passage is one match: the range to cut out, and its content.
type passage struct {
	start, end int
	content    string
}

// passageFinder finds at most n passages in a reply from left to right, without overlap. The argument
// left is the remaining number of regex steps, which the finder reduces. The result ok is false if
// the steps were not enough; then the list has the passages found so far.
type passageFinder func(reply string, n int, left *int) (list []passage, ok bool)

// newFinder compiles a [ReplyMatch]. The second result is its mistake, or "".
func newFinder(name, pattern string) (passageFinder, string) {
	switch {
	case name != "" && strings.TrimSpace(name) == name:
		return func(reply string, n int, _ *int) ([]passage, bool) { return findTags(reply, name, n), true }, ""
	case pattern == "":
		return nil, "give a tag or a pattern"
	}
	letters := ""
	if end := strings.LastIndexByte(pattern, '/'); end > 0 && pattern[0] == '/' {
		pattern, letters = pattern[1:end], pattern[end+1:]
	}
	flags, err := jsregex.ParseFlags(letters)
	if err != nil {
		return nil, "not a regular expression: " + err.Error()
	}
	flags.Sticky = false // passages may be anywhere
	re, err := jsregex.Compile(pattern, flags)
	if err != nil {
		return nil, "not a regular expression: " + err.Error()
	}
	return func(reply string, n int, left *int) ([]passage, bool) {
		text := re.Text(reply)
		list, ok := findMatches(re, text, n, left)
		if !flags.Unicode {
			restorePassages(text, list)
		}
		return list, ok
	}, ""
}

// findMatches finds passages by a JavaScript regular expression, in the form of the reply that the
// expression searches.
func findMatches(re *jsregex.Regexp, text string, n int, left *int) (list []passage, ok bool) {
	for found, err := range re.AllCounted(text, left) {
		if err != nil {
			return list, false
		}
		whole := found[0]
		p := passage{whole.From, whole.To, text[whole.From:whole.To]}
		if len(found) > 1 && found[1].From >= 0 {
			p.content = text[found[1].From:found[1].To]
		}
		if list = append(list, p); len(list) == n {
			break
		}
	}
	return list, true
}

// restorePassages converts passages of a searched text to passages of the reply. A passage that
// begins or ends within a character includes the whole character.
func restorePassages(text string, list []passage) {
	at, length := 0, 0 // the offsets so far in the text and in the reply
	measure := func(to int) (n int, whole bool) {
		part, whole := jsregex.FromText(text[at:to])
		return length + len(part), whole
	}
	for i, p := range list {
		from, whole := measure(p.start)
		if !whole {
			from -= len("\uFFFD") // half of the character before it
		}
		end, whole := measure(p.end)
		if !whole {
			end += utf8.UTFMax - len("\uFFFD")
		} else {
			at, length = p.end, end
		}
		content, _ := jsregex.FromText(p.content)
		list[i] = passage{from, end, content}
	}
}

// bracket is one of the three kinds of tags during a search: the offset of the next opening tag,
// and of the first closing tag after it. The offset is the length of the text if no such tag is left.
type bracket struct {
	opening, closing string
	start, end       int // -1 before the search
}

// seek advances to the first opening tag at or after an offset. It searches no part of the text twice.
func (b *bracket) seek(text string, at int) {
	if b.start >= at {
		return
	}
	b.start = indexFrom(text, b.opening, at)
	if inner := b.start + len(b.opening); b.end < inner {
		b.end = indexFrom(text, b.closing, inner)
	}
}

// indexFrom is strings.Index from an offset on. Without a match it returns the length of the text.
func indexFrom(text, part string, at int) int {
	at = min(at, len(text))
	if i := strings.Index(text[at:], part); i >= 0 {
		return at + i
	}
	return len(text)
}

// findTags finds passages between tags of the three kinds, from left to right. Of the kinds with an
// opening and a closing tag, the first one counts. An opening tag without its closing tag is prose.
// Passages never overlap: the search continues after the closing tag. Tags of different kinds do not
// close each other.
func findTags(text, tag string, n int) []passage {
	var out []passage
	kinds := [...]bracket{
		{"<" + tag + ">", "</" + tag + ">", -1, -1},
		{"【" + tag + "】", "【/" + tag + "】", -1, -1},
		{"[" + tag + "]", "[/" + tag + "]", -1, -1},
	}
	for at := 0; len(out) < n; {
		var first *bracket
		for i := range kinds {
			k := &kinds[i]
			k.seek(text, at)
			if k.end < len(text) && (first == nil || k.start < first.start) {
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
