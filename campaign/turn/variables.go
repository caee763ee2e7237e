package turn

import (
	"strings"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/turn/internal/stage"
	"github.com/talewright/talewright/internal/utf8text"
	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/prompt/token"
)

// variablesText renders the variables for the prompt, in at most a quarter of it: a
// model that fills them must not crowd out everything else.
func (p *prompter) variablesText() string {
	if p.State.Variables.Root().Len() == 0 || !p.Dialog.Has(game.BlockStatus) {
		return ""
	}
	text := p.shown()
	if text == "" {
		return ""
	}
	text = p.Game.Texts().Variables + "\n" + text + p.markedVariables()
	budget := p.Budget()
	if limit := budget.Context / 4; limit > 0 {
		if n := countTokens(budget.Counter, text); n > limit {
			text = utf8text.Cut(text, int(int64(len(text))*int64(limit)/int64(n))) + " …"
			p.warn("variables: only the beginning of %d tokens is in the prompt", n)
		}
	}
	return text
}

func countTokens(c token.Counter, text string) int {
	if c == nil {
		return token.Estimate(text)
	}
	return c.Count(text)
}

// Declared variables have one gate, whoever writes or reads. Rules, reactions, hooks and tools
// pass it in package rules, which knows their schema; everybody else writes by the variable
// system that is bound to it here, and what a model reads comes from the document for a viewer.
// Authors see everything: their conditions, macros and formulas read the document itself.

// writers is the variable system for all who write commands into texts.
func (sc scenery) writers() *memvars.System {
	return stage.Writers(sc.Game, sc.State, sc.Number())
}

// shown is the document as a model may read it, for a prompt; empty if there is nothing.
func (sc scenery) shown() string {
	text := sc.writers().Render(sc.Sight().State.Variables, sc.Game.Content().Render)
	if strings.TrimSpace(text) == "{}" {
		return ""
	}
	return text
}

// languagesText tells the model how to ask for changes: the languages that are open, the
// declared variables that it may write, and what the variables want of it now. Where
// nothing can be written there is nothing to tell.
func (sc scenery) languagesText(variables string) string {
	if !sc.Dialog.Has(game.BlockStatus) || !sc.Dialog.Has(game.BlockTools) { // nothing is to be changed
		return ""
	}
	texts := sc.Game.Texts()
	lines := sc.Game.TellLanguages(sc.Scope())
	if len(lines) == 0 {
		return ""
	}
	if sc.Game.TellsSummaries() && sc.State.VariableState.SummaryDue() {
		big := sc.Game.Profile().Big.String()
		lines = append(lines, strings.ReplaceAll(texts.SummaryDue, "{path}", big))
	}
	mark, _, _ := strings.Cut(memvars.Placeholder, " ")
	if strings.Contains(variables, mark) {
		lines = append(lines, strings.ReplaceAll(texts.Hidden, "{mark}", mark))
	}
	return "# " + texts.Changes + "\n" + strings.Join(lines, "\n")
}
