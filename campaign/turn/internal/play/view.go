package play

import (
	"github.com/talewright/talewright/campaign/turn/internal/draft"
	"github.com/talewright/talewright/campaign/turn/internal/past"
	"github.com/talewright/talewright/campaign/turn/internal/prepare"
	"github.com/talewright/talewright/prompt/script"
)

// View returns the present view of the turn.
func (t *Turn) View() draft.Turn {
	return draft.Turn{
		Game: t.Game, Campaign: &t.Next, State: &t.Stage.Pending.State, In: &t.Order.In, Dialog: &t.Dialog.Kind,
		Ask: t.Order.Ask, HasLine: t.Order.HasLine, Continues: t.Order.Continues, Values: t.Values,
		Spoken: t.Casting.Spoken, Speaker: t.Casting.Speaking(), Draw: t.Stage.Draw, Narrating: t.Talk.Narrating,
		Suggestions: t.Order.Suggestions, Recorded: t.Recorded,
	}
}

// Window returns the turn's view of the past.
func (t *Turn) Window() past.Window { return past.Window{Turn: t.View(), Past: t.Past} }

// Texts returns the present texts of the turn, for scripts and macros.
func (t *Turn) Texts() *prepare.Texts { return prepare.New(t.Window(), t.Stage.Pending.Trace) }

// MergeTexts stores the state and the trace that scripts and macros have changed: the variables of
// macros, and texts that are shown only once.
func (t *Turn) MergeTexts(texts *prepare.Texts) {
	t.Stage.Pending.State, t.Stage.Pending.Trace = *texts.State, texts.Trace
}

// Scripted returns a stored text after the scripts for it.
func (t *Turn) Scripted(text string, where script.Where) string {
	texts := t.Texts()
	defer t.MergeTexts(texts)
	return texts.Stored(text, where)
}
