package speaking

import (
	"github.com/talewright/talewright/campaign/cast"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn/internal/play"
	"github.com/talewright/talewright/campaign/turn/internal/window"
	"github.com/talewright/talewright/worldbook"
)

// Choose decides who of the cast speaks. Where nobody does, the player's line stands alone.
func Choose(t *play.Turn) play.Next {
	if len(t.Game.Cast()) == 0 {
		return play.ToNext
	}
	choice, err := speakers(t.Window(), t.Order.Renewal)
	if err != nil { // a submission that calls one who cannot speak was refused
		t.Stage.Staged.Warn("cast: %v", err)
	}
	t.Stage.Staged.Trace.Cast = &choice
	t.Casting.Decided, t.Casting.Speakers = true, choice.Speakers
	if len(choice.Speakers) == 0 {
		t.Stage.Settle()
		return play.ToSettle
	}
	play.BeginReply(t)
	return play.ToNext
}

// SuggestBy decides for which member of the cast suggestions are written: the prompt has that
// one's card, and nobody speaks.
func SuggestBy(t *play.Turn) {
	if len(t.Game.Cast()) == 0 {
		return
	}
	choice, err := cast.Choose(round(t.Window()))
	if err != nil {
		t.Stage.Staged.Warn("cast: %v", err)
	}
	t.Casting.Speakers = choice.Speakers
}

// speakers chooses who of the cast speaks. A swipe is answered by those who answered the line before.
func speakers(w window.Window, again *play.Renewal) (cast.Choice, error) {
	var choice cast.Choice
	if again != nil && w.In.Generation == worldbook.Swipe && w.Ask.Speaker == "" {
		var replies []state.Reply
		if head, known := w.Played(again.HeadState.HeadTurnID); known { // it may be one of long ago
			replies = head.Replies
		}
		for _, r := range replies {
			if _, here := w.Game.Member(r.Speaker); here {
				choice.Speakers = append(choice.Speakers, r.Speaker)
				choice.Trace = append(choice.Trace, cast.Note{ID: r.Speaker, Reason: cast.Spoke})
			}
		}
	}
	if len(choice.Speakers) > 0 {
		return choice, nil
	}
	return cast.Choose(round(w))
}

// round is what decides who speaks.
func round(w window.Window) cast.Round {
	r := cast.Round{
		Order: cast.Order(w.Values.Text(setting.CastOrder)), SelfReply: w.Values.Bool(setting.CastSelfReply),
		Members: w.Game.Cast(), Force: w.In.Speaker, Chat: w.CastLines(), Input: w.In.Text, Random: w.Draw,
	}
	switch {
	case w.Suggestions > 0:
		r.Kind = cast.Kind(w.In.Generation) // of which there are the same words
	case w.In.Auto:
		r.Kind = cast.Auto
	}
	return r
}

// KeepReply takes a reply over that has passed, and what it asks for: the next speaker finds it.
func KeepReply(t *play.Turn) play.Next {
	if t.Casting.Speaking() == "" {
		return play.ToSettle
	}
	t.Stage.ModelAsks(t.Written(), t.Out.Asks)
	t.Casting.Add(state.Reply{Text: t.Narration(), Structured: t.Out.Last.Extra}, t.Written())
	t.Stage.Chain(t.Casting.ReplyEvents(&t.Order)...)
	t.Casting.Refused = append(t.Casting.Refused, t.Out.Unsettled...)
	t.Casting.Overridden = append(t.Casting.Overridden, t.Out.Accepted...)
	t.Out.Unsettled, t.Out.Accepted = nil, nil
	t.Stage.Settle()
	return play.ToSpoken
}

// Next goes on to the next one. If no reply at all has passed, a person decides.
func Next(t *play.Turn) play.Next {
	if t.Casting.Index+1 == len(t.Casting.Speakers) && len(t.Casting.Spoken) == 0 {
		return play.ToReport
	}
	t.Casting.Index++
	play.BeginReply(t)
	if t.Casting.Speaking() != "" {
		return play.ToSpeaker
	}
	return play.ToNext
}
