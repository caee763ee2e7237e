package template

import (
	"slices"
	"strings"

	"github.com/talewright/talewright"
)

// chunkKind is the kind of a part of a text.
type chunkKind uint8

const (
	literal    chunkKind = iota // text that is printed
	code                        // <% … %>
	printFirst                  // <%= … %>
	printAll                    // <%- … %>
)

// chunk is a part of a text.
type chunk struct {
	kind chunkKind
	text string
	at   int // its offset in the text without the removed blanks
}

// source is a text without the blanks that its tags remove.
type source struct {
	written string // the text as it was written
	text    string
	cuts    []cut
	// starts are the offsets in text at which the pieces of a unit begin, except the first.
	starts []int
}

// cut is a place at which blanks were removed, and how many bytes were removed up to there.
type cut struct{ at, removed int }

// hasTag reports whether a text has a tag.
func hasTag(text string) bool { return strings.Contains(text, "<%") }

// newSource removes the blanks before <%_ and after _%>.
func newSource(written string) source {
	s := source{written: written, text: written}
	if !strings.Contains(written, "<%_") && !strings.Contains(written, "_%>") {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(written); {
		blanks := i
		for blanks < len(written) && (written[blanks] == ' ' || written[blanks] == '\t') {
			blanks++
		}
		switch {
		case blanks > i && (strings.HasPrefix(written[blanks:], "<%_") || strings.HasSuffix(b.String(), "_%>")):
			s.cuts = append(s.cuts, cut{b.Len(), blanks - b.Len()})
			i = blanks
		case blanks > i:
			b.WriteString(written[i:blanks])
			i = blanks
		default:
			next := strings.IndexAny(written[i:], " \t")
			if next < 0 {
				next = len(written) - i
			}
			b.WriteString(written[i : i+next])
			i += next
		}
	}
	s.text = b.String()
	return s
}

// setStarts records where the pieces after the first begin, given their offsets in the written text.
func (s *source) setStarts(written []int) {
	next, removed := 0, 0 // cuts up to the present start
	for _, at := range written {
		for next < len(s.cuts) && s.cuts[next].at+s.cuts[next].removed <= at {
			removed = s.cuts[next].removed
			next++
		}
		start := at - removed
		if next < len(s.cuts) { // a start within removed blanks
			start = min(start, s.cuts[next].at)
		}
		s.starts = append(s.starts, start)
	}
}

// piece returns the index of the piece at an offset.
func (s *source) piece(at int) int {
	i, exact := slices.BinarySearch(s.starts, at)
	if exact { // empty pieces begin at the same offset
		for i < len(s.starts) && s.starts[i] == at {
			i++
		}
	}
	return i
}

// place returns the line and column of an offset.
func (s *source) place(at int) (line, column int) {
	removed := 0
	for _, c := range s.cuts {
		if c.at > at {
			break
		}
		removed = c.removed
	}
	before := s.written[:min(at+removed, len(s.written))]
	line = strings.Count(before, "\n") + 1
	return line, len([]rune(before[strings.LastIndexByte(before, '\n')+1:])) + 1
}

// fail returns an error with the line and the column of an offset.
func (s *source) fail(at int, c talewright.Code, name, what string) *Error {
	line, column := s.place(at)
	return &Error{Code: c, Name: name, Line: line, Column: column, Text: what}
}

// The tags, those with a common beginning from the longest.
var openings = [...]string{"<%%", "<%=", "<%-", "<%_", "<%#", "<%"}

// nextTag returns the first tag of a text and its offset, or "" if there is none.
func nextTag(s string) (tag string, at int) {
	for i := 0; ; i++ {
		next := strings.IndexByte(s[i:], '%')
		if next < 0 {
			return "", len(s)
		}
		i += next
		switch {
		case i > 0 && s[i-1] == '<':
			for _, tag := range openings {
				if strings.HasPrefix(s[i-1:], tag) {
					return tag, i - 1
				}
			}
		case strings.HasPrefix(s[i:], "%%>"):
			return "%%>", i
		case strings.HasPrefix(s[i:], "%>"):
			if i > 0 && (s[i-1] == '-' || s[i-1] == '_') {
				return s[i-1 : i+2], i - 1
			}
			return "%>", i
		}
	}
}

// split divides a text at its tags. With an error it returns the parts before the tag.
func (s *source) split() ([]chunk, *Error) {
	var d divider
	for at := 0; at < len(s.text); {
		tag, before := nextTag(s.text[at:])
		d.addText(s.text[at:at+before], at)
		open := at + before
		at = open + len(tag)
		switch {
		case tag == "":
		case tag == "<%%":
			d.add(literal, "<%", open)
			d.escaped = true
		case tag == "%%>":
			d.add(literal, "%>", open)
		case strings.HasSuffix(tag, "%>"):
			d.addText(tag, open)
			d.dropsNewline, d.escaped = d.escaped && tag != "%>", false
		case d.escaped:
			d.addText(tag, open)
		default:
			size, closing := codeEnd(s.text[at:])
			if closing == "" {
				return d.chunks, s.fail(open, codeUnclosed, "", "the tag "+tag+" is not closed: add %>")
			}
			if kind, runs := tagKinds[tag]; runs {
				d.add(kind, s.text[at:at+size], at)
			}
			at += size + len(closing)
			d.dropsNewline = closing != "%>"
		}
	}
	return d.chunks, nil
}

// tagKinds are the kinds of the code in tags. The tag <%# is a comment.
var tagKinds = map[string]chunkKind{"<%": code, "<%_": code, "<%=": printFirst, "<%-": printAll}

// divider collects the chunks of a text.
type divider struct {
	chunks       []chunk
	dropsNewline bool // the newline at the beginning of the next text goes
	escaped      bool // after <%%: up to the next closing tag all is text
}

func (d *divider) add(kind chunkKind, text string, at int) {
	d.chunks = append(d.chunks, chunk{kind, text, at})
}

// addText adds a text outside of the tags.
func (d *divider) addText(text string, at int) {
	if text == "" {
		return
	}
	if d.dropsNewline {
		size := 0
		switch {
		case strings.HasPrefix(text, "\r\n"):
			size = 2
		case text[0] == '\n' || text[0] == '\r':
			size = 1
		}
		text, at = text[size:], at+size
		d.dropsNewline = false
	}
	if text != "" {
		d.add(literal, text, at)
	}
}

// codeEnd returns the end of the code of a tag, and the closing tag. An opening within the code
// needs a closing of its own.
func codeEnd(s string) (end int, closing string) {
	nested := 0
	for at := 0; ; {
		tag, n := nextTag(s[at:])
		at += n
		switch tag {
		case "":
			return 0, ""
		case "%>", "-%>", "_%>":
			if nested == 0 {
				return at, tag
			}
			nested--
		case "<%%", "%%>":
		default:
			nested++
		}
		at += len(tag)
	}
}
