package play

import (
	"cmp"
	"strings"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/turn/internal/judge"
	"github.com/talewright/talewright/prompt/script"
)

// continuedTurnText returns the text of a continued turn: the old text and the new text.
func continuedTurnText(t *Turn) string {
	var before []string
	for _, r := range t.Order.Continues.Replies[:max(len(t.Order.Continues.Replies)-1, 0)] {
		before = append(before, r.Text)
	}
	added := strings.Join(t.Casting.Texts(t.Narration), BetweenReplies)
	return strings.Join(append(before, t.Order.WithContinued(added, t.Out.Reply.Text)), BetweenReplies)
}

// Narration returns the text of the last output that the player reads.
func (t *Turn) Narration() string { return t.CleanNarration(t.Out.Last.Text) }

// Written returns the text of the last output as the model wrote it. Its requests count even if
// scripts have removed them from the text for players.
func (t *Turn) Written() string { return cmp.Or(t.Out.BeforeScripts, t.Out.Last.Text) }

// RunScripts applies scripts to the player's text of an accepted output.
func (t *Turn) RunScripts(where script.Where) {
	if t.Game.Scripts().Wants(where) {
		t.Out.BeforeScripts, t.Out.Last.Text = t.Out.Last.Text, t.Scripted(t.Narration(), where)
	}
}

// CleanNarration returns a narration as the player reads it: without the parts that dialects
// removed.
func (t *Turn) CleanNarration(text string) string { return t.reading(text).Shown }

// OnlyRequests reports whether the last output has no narration and has requests in a dialect.
func (t *Turn) OnlyRequests() bool {
	return t.Narration() == "" && (len(t.Out.Requests) > 0 || t.reading(t.Out.Last.Text).Asks())
}

// reading returns a narration as the dialects read it. It caches the last one.
func (t *Turn) reading(text string) *game.Reading {
	if c := &t.Out.cleaned; c.text != text || c.reading == nil {
		r := t.Game.Read(text, t.View().Scope())
		c.text, c.reading = text, &r
	}
	return t.Out.cleaned.reading
}

// Examiner returns an examiner for the state after the actions of this turn.
func (t *Turn) Examiner() judge.Examiner {
	v := t.View()
	examiner := judge.Examiner{Options: judge.OptionsOf(t.Game, t.Values),
		View: judge.ViewOf(&t.Next, t.Order.In.ActorID, *v.Sight().State, v.Viewer(), t.Stage.Pending.Evidence)}
	examiner.View.Language = t.Game.Texts().Hints
	return examiner
}

// JudgedText returns the narration that is compared with the state. The text of the planning phase
// is dropped.
func (t *Turn) JudgedText() string {
	if t.View().Planning() {
		return t.CleanNarration("")
	}
	return t.Order.WithContinued(t.Narration(), t.Out.Reply.Text)
}

// ShownText returns the narration as the player reads it: without variable commands.
func (t *Turn) ShownText() string {
	if t.Order.Continues != nil {
		return continuedTurnText(t)
	}
	return strings.Join(t.Casting.Texts(t.Narration), BetweenReplies)
}
