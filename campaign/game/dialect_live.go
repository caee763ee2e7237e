package game

import (
	"regexp"
	"strings"
)

// live says what of the dialects matters while an answer comes in.
type live struct {
	opens   string // a passage may begin with one of these
	others  string // the same without the commands and the directives
	atEnd   bool   // a passage may begin with anything
	answers bool   // a dialect reads documents
}

func liveOf(list []Dialect) live {
	var l live
	for _, d := range list {
		l.opens += d.Opens
		l.atEnd = l.atEnd || d.Opens == ""
		l.answers = l.answers || d.Answer != nil
		if d.Name != nameDirectives && !d.native && d.commands == nil {
			l.others += d.Opens
		}
	}
	return l
}

// harmless reports whether a line is narration for sure.
func (g *Game) harmless(line string) bool {
	return !suspicious.MatchString(line) && !strings.ContainsAny(line, g.live.opens)
}

var suspicious = regexp.MustCompile("[<{\\[`]|[\\p{L}\\p{N}_.*\\]]\\(")

// resolved returns a line with marks in the place of directives, if there is nothing in it
// that may be part of anything larger: all brackets and quotation marks close in the line,
// and only directives have brackets.
func (g *Game) resolved(line string) (string, bool) {
	if strings.ContainsAny(line, "<{`\\(") || strings.ContainsAny(line, g.live.others) ||
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
		if depth < 0 || depth > 1 {
			return "", false
		}
	}
	if depth != 0 {
		return "", false
	}
	return marked(line, g.Read(line, g.Scope()).cuts), true
}
