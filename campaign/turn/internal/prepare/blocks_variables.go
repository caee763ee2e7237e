package prepare

import (
	"strings"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/turn/internal/draft"
	"github.com/talewright/talewright/internal/utf8text"
	"github.com/talewright/talewright/memvars"
)

// Declared variables have one gate for all readers and writers. Rules, reactions, hooks and tools
// use it in package rules, which knows their schema. All other writers use the variable system that
// is bound to the gate here. A model reads the document for a viewer. Authors see everything: their
// conditions, macros and formulas read the document itself.

// visibleVariables returns the document as a model may read it, for a prompt; empty if there is nothing.
func (src blockSource) visibleVariables() string {
	seen := src.Sight().State // only what the viewer may know decides which variables are active
	writers := draft.Writers(src.Game, seen, src.Number())
	text := writers.Render(writers.LightsFor(seen.Variables, seen.VariableState, src.Viewer().Sees), src.Game.Content().Rules.Render)
	if strings.TrimSpace(text) == "{}" {
		return ""
	}
	return text
}

// Languages explains to the model how to ask for changes: the open dialects, the declared variables
// that it may write, and requests of the variable system. If nothing can be written, it returns "".
func (src blockSource) Languages(variables string) string {
	if !src.AllowsChanges() {
		return ""
	}
	texts := src.Game.Texts()
	lines := src.Game.TellLanguages(draft.ScopeOf(src.Game, src.Sight().State, src.Number()))
	if len(lines) == 0 {
		return ""
	}
	if src.Game.TellsSummaries() && src.isSummaryDue() {
		big := src.Game.Profile().Big.String()
		lines = append(lines, strings.ReplaceAll(texts.SummaryDue, "{path}", big))
	}
	mark, _, _ := strings.Cut(memvars.Placeholder, " ")
	if strings.Contains(variables, mark) {
		lines = append(lines, strings.ReplaceAll(texts.Hidden, "{mark}", mark))
	}
	return "# " + texts.Changes + "\n" + strings.Join(lines, "\n")
}

// isSummaryDue reports whether the model is asked for a summary. It is not asked if the short memory
// is full of entries that the viewer does not know.
func (src blockSource) isSummaryDue() bool {
	st, sight := src.State.VariableState, src.Sight()
	p := src.Game.Profile()
	return st.SummaryDue() && (st.Turn.CleanBig || sight.State.Variables.Root().Get(p.Assets).Lookup(p.Small).Len() > 0)
}

// Variables renders the variables for the prompt, in at most a quarter of it, so that a model that
// fills them does not displace everything else. If they need more, the text is cut, and cut is the
// number of tokens that they need.
func (src blockSource) Variables() (text string, cut int) {
	if src.State.Variables.Root().Len() == 0 || !src.Dialog.Has(game.BlockVariables) || src.Game.Content().Rules.ShowsVariables {
		return "", 0
	}
	text = src.visibleVariables()
	if text == "" {
		return "", 0
	}
	text = src.Game.Texts().Variables + "\n" + text + src.markedVariables()
	budget := src.Budget()
	if limit := budget.Context / 4; limit > 0 {
		if n := budget.Counter.Count(text); n > limit {
			return utf8text.Cut(text, int(int64(len(text))*int64(limit)/int64(n))) + " …", n
		}
	}
	return text, 0
}

// markedVariables lists the variables that only some characters know, each after its mark.
func (src blockSource) markedVariables() string {
	var b strings.Builder
	for path, witnesses := range src.Sight().Variables() {
		if mark := src.WitnessMark(src.Viewer().Mark(witnesses)); mark != "" && b.Len() < maxMarkedVariables {
			b.WriteString("\n" + mark + path.String())
		}
	}
	return b.String()
}

// maxMarkedVariables limits this list, in bytes.
const maxMarkedVariables = 1024
