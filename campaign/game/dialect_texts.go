package game

import (
	"strconv"
	"strings"

	"github.com/talewright/talewright/rules/declare"
)

// TellLanguages tells a model the languages in which it may ask for changes, line by line,
// and the variables that it may write; nothing if there is no language.
func (g *Game) TellLanguages(scope Scope) []string {
	scope.writable = append([]declare.Variable{}, scope.Writable()...)
	var lines []string
	for i := range g.dialects {
		if d := &g.dialects[i]; d.Describe != nil {
			if text := strings.TrimSpace(d.Describe(scope)); text != "" {
				lines = append(lines, text)
			}
		}
	}
	if len(lines) == 0 {
		return nil
	}
	if list := scope.Writable(); len(list) > 0 {
		lines = append(lines, g.texts.Writable)
		for _, v := range list {
			lines = append(lines, "- "+variableLine(v))
		}
	}
	return lines
}

// TellsSummaries reports whether the language of summaries is open.
func (g *Game) TellsSummaries() bool { return g.commands[""] }

// variableLine shows a variable with its type and bounds, as in
// "gold (Gold): number 0…100".
func variableLine(v declare.Variable) string {
	line := v.ID
	if v.Name != "" && v.Name != v.ID {
		line += " (" + v.Name + ")"
	}
	line += ": " + string(v.Type)
	if v.Min != nil || v.Max != nil {
		line += " " + bound(v.Min) + "…" + bound(v.Max)
	}
	return line
}

func bound(f *float64) string {
	if f == nil {
		return ""
	}
	return strconv.FormatFloat(*f, 'g', -1, 64)
}
