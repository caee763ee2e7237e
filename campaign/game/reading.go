package game

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/talewright/talewright/campaign/internal/answer"
	"github.com/talewright/talewright/internal/modeltext"
)

// Asked is the list of requests that one dialect found in a reply.
type Asked struct {
	Dialect string
	Spans   []Span // only spans with requests
}

// Reading is the result of reading a reply with all dialects.
type Reading struct {
	Shown string // the text for players
	cuts  []Span // the spans that were cut, in order
	Asked []Asked
}

// Asks reports whether the text requests a change. A refused request counts. A warning for the host
// does not.
func (r Reading) Asks() bool {
	return slices.ContainsFunc(r.Asked, func(a Asked) bool { return slices.ContainsFunc(a.Spans, Span.asks) })
}

// Read reads a text with all dialects in order.
func (g *Game) Read(text string, scope Scope) Reading {
	var out Reading
	var cuts []Span
	rest := text
	for i := range g.dialects {
		d := &g.dialects[i]
		found := validSpans(d.Read(rest, scope), rest)
		if len(found) == 0 {
			continue
		}
		cuts = append(cuts, found...)
		rest = blankSpans(rest, found)
		if found = slices.DeleteFunc(slices.Clone(found), func(s Span) bool { return !s.hasRequests() }); len(found) > 0 {
			out.Asked = append(out.Asked, Asked{d.Name, found})
		}
	}
	cuts = append(cuts, g.leftovers(rest)...)
	slices.SortStableFunc(cuts, func(a, b Span) int { return a.From - b.From })
	out.cuts, out.Shown = cuts, strings.TrimSpace(closeGaps(putMarks(text, cuts)))
	return out
}

// validSpans returns the spans that lie within the text and do not divide a character.
func validSpans(spans []Span, text string) []Span {
	return slices.DeleteFunc(slices.Clone(spans), func(s Span) bool {
		return s.From < 0 || s.To < s.From || s.To > len(text) || !atRuneStart(text, s.From) || !atRuneStart(text, s.To)
	})
}

// atRuneStart reports whether a position is the start of a character or the end of the text.
func atRuneStart(text string, at int) bool { return at == len(text) || utf8.RuneStart(text[at]) }

// blankSpans replaces spans by blanks. Line breaks stay.
func blankSpans(text string, spans []Span) string {
	out := []byte(text)
	for _, s := range spans {
		for i := s.From; i < s.To; i++ {
			if out[i] != '\n' {
				out[i] = ' '
			}
		}
	}
	return string(out)
}

// putMarks replaces spans by a mark. The spans are in order.
func putMarks(text string, cuts []Span) string {
	var b strings.Builder
	at := 0
	for _, c := range cuts {
		if c.From == c.To {
			continue
		}
		if c.From >= at {
			b.WriteString(text[at:c.From])
			b.WriteByte(cutMark)
		}
		at = max(at, c.To)
	}
	b.WriteString(text[at:])
	return b.String()
}

// closeGaps removes the marks that putMarks wrote. It removes a line that has only marks and blanks.
// At most one of the blanks next to a mark stays. If there are empty lines before and after a removed
// line, one of them stays.
func closeGaps(text string) string {
	if strings.IndexByte(text, cutMark) < 0 {
		return text
	}
	var out []string
	for line := range strings.Lines(text) {
		if !strings.Contains(line, string(cutMark)) {
			if n := len(out); n > 0 && out[n-1] == droppedLine {
				blank := strings.TrimSpace(line) == ""
				if out = out[:n-1]; blank && (n == 1 || strings.TrimSpace(out[n-2]) == "") {
					continue
				}
			}
			out = append(out, line)
			continue
		}
		if line = closeLineGaps(line); strings.TrimSpace(line) != "" {
			out = append(out, line)
		} else if n := len(out); n == 0 || out[n-1] != droppedLine {
			out = append(out, droppedLine)
		}
	}
	return strings.ReplaceAll(strings.Join(out, ""), droppedLine, "")
}

// cutMark marks a place where text was cut. droppedLine is an element of a list of lines that stands for
// a removed line.
const (
	cutMark     = '\x00'
	droppedLine = "\x00"
)

// closeLineGaps removes the marks in a line.
func closeLineGaps(line string) string {
	parts := strings.Split(line, string(cutMark))
	out := parts[0]
	for _, part := range parts[1:] {
		left, right := strings.TrimRight(out, " \t"), strings.TrimLeft(part, " \t")
		gap := left != out || right != part
		out = left
		if gap && left != "" && strings.TrimSpace(right) != "" {
			out += " "
		}
		out += right
	}
	return out
}

// ReadAnswer reads an answer in the engine's own forms, or else in the forms of the dialects.
func (g *Game) ReadAnswer(out answer.Answer, scope Scope) (answer.Answer, []Asked) {
	if out.Broken == "" {
		return out, nil
	}
	for i := range g.dialects {
		d := &g.dialects[i]
		if d.Answer == nil {
			continue
		}
		text, spans, ok := d.Answer(out.Raw, scope)
		if text = strings.TrimSpace(text); !ok || text == "" {
			continue
		}
		for j := range spans {
			spans[j].From, spans[j].To = 0, 0
		}
		calls := answer.Read("-", out.Native).Calls
		return answer.Answer{Raw: out.Raw, Native: out.Native, Text: text, Calls: calls, Structured: true},
			[]Asked{{d.Name, spans}}
	}
	return out, nil
}

// markDirectives replaces the directives in a line by marks. It reports false if a part of the
// line may belong to something larger. It reports true only if all brackets and quotation marks
// close within the line, and only directives have brackets.
func (g *Game) markDirectives(line string) (string, bool) {
	if strings.ContainsAny(line, "<{`\\(") || modeltext.OpensFrame(line) || strings.ContainsAny(line, g.stream.others) ||
		strings.Count(line, `"`)%2 != 0 {
		return "", false
	}
	depth := 0
	for _, c := range line {
		switch c {
		case '[':
			depth++
		case ']':
			depth--
		}
	}
	if depth != 0 {
		return "", false
	}
	return putMarks(line, g.Read(line, g.Scope()).cuts), true
}
