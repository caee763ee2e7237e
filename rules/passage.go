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

// passageFinder finds at most n passages from left to right, without overlap. The argument text
// is the form of the reply that places refer to. The argument left is the remaining number of regex
// steps, which find reduces. The result ok is false if the steps were not enough; then out has the
// passages found so far.
type passageFinder interface {
	find(reply string, n int, left *int) (text string, out []passage, ok bool)
	// plain converts a part of the text back to text of the reply.
	plain(part string) string
	// places returns the places of the passages in the reply.
	places(text string, list []passage) []replySpan
}

// replySpan is a place in a reply.
type replySpan struct{ from, to int }

// newFinder compiles a [ReplyMatch]. The second result is its mistake, or "".
func newFinder(name, pattern string) (passageFinder, string) {
	switch {
	case name != "" && strings.TrimSpace(name) == name:
		return tag(name), ""
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
	return expression{re, flags.Unicode}, ""
}

// tag finds passages by the name of their tags.
type tag string

func (t tag) find(reply string, n int, _ *int) (string, []passage, bool) {
	return reply, findTags(reply, string(t), n), true
}

func (t tag) plain(part string) string { return part }

func (t tag) places(_ string, list []passage) []replySpan { return spans(list) }

// spans returns the places of passages.
func spans(list []passage) []replySpan {
	out := make([]replySpan, len(list))
	for i, p := range list {
		out[i] = replySpan{p.start, p.end}
	}
	return out
}

// expression finds passages by a JavaScript regular expression.
type expression struct {
	re      *jsregex.Regexp
	unicode bool // flag u
}

func (e expression) find(reply string, n int, left *int) (text string, out []passage, ok bool) {
	text = e.re.Text(reply)
	for found, err := range e.re.AllCounted(text, left) {
		if err != nil {
			return text, out, false
		}
		whole := found[0]
		p := passage{whole.From, whole.To, text[whole.From:whole.To]}
		if len(found) > 1 && found[1].From >= 0 {
			p.content = text[found[1].From:found[1].To]
		}
		if out = append(out, p); len(out) == n {
			break
		}
	}
	return text, out, true
}

func (e expression) plain(part string) string {
	if e.unicode {
		return part
	}
	part, _ = jsregex.FromText(part)
	return part
}

// places converts offsets in the text to offsets in the reply. A passage that begins or ends within
// a character includes the whole character.
func (e expression) places(text string, list []passage) []replySpan {
	out := spans(list)
	if e.unicode {
		return out
	}
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
		out[i] = replySpan{from, end}
	}
	return out
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
