package campaign

import (
	"strconv"
	"strings"

	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/memvars/profile"
	"github.com/talewright/talewright/rules"
)

// languagesText tells the model how to ask for changes: the languages that are open, the
// declared variables that it may write, and what the variables want of it now. Where
// nothing can be written there is nothing to tell.
func (t *turn) languagesText(variables string) string {
	if !t.kind.has(BlockStatus) || !t.kind.has(BlockTools) { // nothing is to be changed
		return ""
	}
	scope, texts := t.scope(), t.game.texts
	scope.writable = append([]rules.Variable{}, scope.Writable()...)
	var lines []string
	for i := range t.game.dialects {
		if d := &t.game.dialects[i]; d.Describe != nil {
			if text := strings.TrimSpace(d.Describe(scope)); text != "" {
				lines = append(lines, text)
			}
		}
	}
	if len(lines) == 0 {
		return ""
	}
	if list := scope.Writable(); len(list) > 0 {
		lines = append(lines, texts.Writable)
		for _, v := range list {
			lines = append(lines, "- "+variableLine(v))
		}
	}
	if t.game.commands[""] && t.staged.state.VariableState.SummaryDue() {
		big := t.game.profile().Big.String()
		lines = append(lines, strings.ReplaceAll(texts.SummaryDue, "{path}", big))
	}
	mark, _, _ := strings.Cut(memvars.Placeholder, " ")
	if strings.Contains(variables, mark) {
		lines = append(lines, strings.ReplaceAll(texts.Hidden, "{mark}", mark))
	}
	return "# " + texts.Changes + "\n" + strings.Join(lines, "\n")
}

// variableLine shows a variable with its type and bounds, as in
// "gold (Gold): number 0…100".
func variableLine(v rules.Variable) string {
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

// profile is that of the variable commands.
func (g *Game) profile() profile.Profile {
	if p := g.content.Commands.Profile; p != nil {
		return *p
	}
	return profile.Default()
}
