package turn

import (
	"strings"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/memvars"
)

// languagesText tells the model how to ask for changes: the languages that are open, the
// declared variables that it may write, and what the variables want of it now. Where
// nothing can be written there is nothing to tell.
func (t *run) languagesText(variables string) string {
	if !t.kind.Has(game.BlockStatus) || !t.kind.Has(game.BlockTools) { // nothing is to be changed
		return ""
	}
	texts := t.game.Texts()
	lines := t.game.TellLanguages(t.scope())
	if len(lines) == 0 {
		return ""
	}
	if t.game.TellsSummaries() && t.staged.state.VariableState.SummaryDue() {
		big := t.game.Profile().Big.String()
		lines = append(lines, strings.ReplaceAll(texts.SummaryDue, "{path}", big))
	}
	mark, _, _ := strings.Cut(memvars.Placeholder, " ")
	if strings.Contains(variables, mark) {
		lines = append(lines, strings.ReplaceAll(texts.Hidden, "{mark}", mark))
	}
	return "# " + texts.Changes + "\n" + strings.Join(lines, "\n")
}
