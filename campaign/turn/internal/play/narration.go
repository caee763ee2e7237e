package play

import (
	"cmp"
	"strings"

	"github.com/talewright/talewright/campaign/turn/internal/verdict"
	"github.com/talewright/talewright/prompt/script"
)

// wholeText is the text of a turn that goes on: what it had, and what has come.
func wholeText(t *Turn) string {
	var before []string
	for _, r := range t.Order.Continues.Replies[:max(len(t.Order.Continues.Replies)-1, 0)] {
		before = append(before, r.Text)
	}
	return strings.Join(append(before, t.Order.Whole(strings.Join(t.Casting.Texts(t.Narration), BetweenReplies), t.Out.Reply.Text)), BetweenReplies)
}

// Narration is what the player reads of the last output.
func (t *Turn) Narration() string { return t.CleanNarration(t.Out.Last.Text) }

// Written is the text of the last output as the model wrote it: what it asks for in that counts, also
// where scripts have taken it from what players read.
func (t *Turn) Written() string { return cmp.Or(t.Out.Own, t.Out.Last.Text) }

// RunScripts lets scripts change what players read of an output that has passed.
func (t *Turn) RunScripts(where script.Where) {
	if t.Game.Scripts().Wants(where) {
		t.Out.Own, t.Out.Last.Text = t.Out.Last.Text, t.Scripted(t.Narration(), where)
	}
}

// CleanNarration is a narration as the player reads it: without what dialects took.
func (t *Turn) CleanNarration(text string) string {
	if t.Out.cleaned.text != text || t.Out.cleaned.shown == "" {
		t.Out.cleaned.text, t.Out.cleaned.shown = text, t.Game.Read(text, t.View().Scope()).Shown
	}
	return t.Out.cleaned.shown
}

// Examiner judges by the state after the actions of this turn.
func (t *Turn) Examiner() verdict.Examiner {
	v := t.View()
	x := verdict.Examiner{Options: verdict.OptionsOf(t.Game, t.Values),
		View: verdict.ViewOf(&t.Next, t.Order.In.ActorID, *v.Sight().State, v.Viewer(), t.Stage.Staged.Evidence)}
	x.View.Language = t.Game.Texts().Hints
	return x
}

// JudgedText is the narration that is compared with the state: the text of the planning
// phase is dropped.
func (t *Turn) JudgedText() string {
	if t.View().Planning() {
		return t.CleanNarration("")
	}
	return t.Order.Whole(t.Narration(), t.Out.Reply.Text)
}

// ShownText is the narration as the player reads it: without variable commands.
func (t *Turn) ShownText() string {
	if t.Order.Continues != nil {
		return wholeText(t)
	}
	return strings.Join(t.Casting.Texts(t.Narration), BetweenReplies)
}
