package play

import (
	"slices"

	"github.com/talewright/talewright/campaign/cast"
	"github.com/talewright/talewright/campaign/internal/settingkey"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn/internal/past"
	"github.com/talewright/talewright/worldbook"
)

// This file has the steps of a cast, several characters that the model plays. The speakers of a turn
// are chosen once, after the player's line. Then the rows of the course from the prompt to KeepReply
// are run for each speaker. The turn is settled after the last speaker.

// ChooseSpeakers chooses the speakers of the cast. Without a speaker the turn has only the player's line.
func ChooseSpeakers(t *Turn) Next {
	if len(t.Game.Cast()) == 0 {
		return ToNext
	}
	choice, err := chooseSpeakers(t)
	if err != nil { // a submission with a speaker who cannot speak was refused earlier
		t.Stage.Pending.Warn("cast: %v", err)
	}
	t.Stage.Pending.Trace.Cast = &choice
	t.Casting.Decided, t.Casting.Speakers = true, choice.Speakers
	if len(choice.Speakers) == 0 {
		t.Stage.Checkpoint()
		return ToSettle
	}
	BeginReply(t)
	return ToNext
}

// ChooseSuggester chooses the member of the cast who gets the suggestions. The prompt has the card of
// this member. No member speaks.
func ChooseSuggester(t *Turn) {
	if len(t.Game.Cast()) == 0 {
		return
	}
	choice, err := cast.Choose(castRound(t.Window()))
	if err != nil {
		t.Stage.Pending.Warn("cast: %v", err)
	}
	t.Casting.Speakers = choice.Speakers
}

// chooseSpeakers chooses the speakers of the cast. A swipe has the same speakers as the answer before.
func chooseSpeakers(t *Turn) (cast.Choice, error) {
	renewal := t.Order.Renewal
	if renewal == nil || t.Order.In.Generation != worldbook.Swipe || t.Order.Ask.Speaker != "" {
		return cast.Choose(castRound(t.Window()))
	}
	var choice cast.Choice
	if head, isKnown := t.Window().Played(renewal.HeadState.HeadTurnID); isKnown { // the turn may be an old one
		if nobodySpoke(*head) {
			return chooseAfterSilence(t)
		}
		for _, r := range head.Replies {
			if _, isMember := t.Game.Member(r.Speaker); isMember {
				choice.Speakers = append(choice.Speakers, r.Speaker)
				choice.Trace = append(choice.Trace, cast.Note{ID: r.Speaker, Reason: cast.Spoke})
			}
		}
	}
	if len(choice.Speakers) > 0 {
		return choice, nil
	}
	return cast.Choose(castRound(t.Window()))
}

// nobodySpoke reports whether a turn of a cast has only the player's line.
func nobodySpoke(turn state.Turn) bool { return len(turn.Replies) == 0 && turn.Text == "" }

// chooseAfterSilence chooses the member of the cast who answers the line of a turn in which nobody
// spoke, for a swipe or to continue it: the member who spoke last, else any member who hears the turn,
// muted or not.
func chooseAfterSilence(t *Turn) (cast.Choice, error) {
	r := castRound(t.Window())
	hears := func(m cast.Member) bool { return slices.Contains(t.Order.In.Audience, m.ID) }
	isHeard := slices.ContainsFunc(r.Members, hears) // otherwise all members hear the turn
	r.Members = slices.DeleteFunc(slices.Clone(r.Members), func(m cast.Member) bool { return m.Gone || isHeard && !hears(m) })
	canSpeak := func(id string) bool {
		return slices.ContainsFunc(r.Members, func(m cast.Member) bool { return m.ID == id })
	}
	r.Kind, r.Chat = worldbook.Continue, []cast.Line{{By: cast.ByPlayer}}
	for before := range t.Next.Back(t.Next.State.HeadTurnID) {
		if n := len(before.Replies); n > 0 && canSpeak(before.Replies[n-1].Speaker) {
			r.Chat = []cast.Line{{By: cast.ByMember, ID: before.Replies[n-1].Speaker}, {By: cast.ByPlayer}}
			break
		}
	}
	return cast.Choose(r)
}

// castRound returns the data for the choice of speakers.
func castRound(w past.Window) cast.Round {
	r := cast.Round{
		Order: cast.Order(w.Values.Text(settingkey.CastOrder)), SelfReply: w.Values.Bool(settingkey.CastSelfReply),
		Members: listeners(w.Game.Cast(), w.In.Audience), Force: w.In.Speaker, Chat: w.CastLines(), Input: w.In.Text, Random: w.Draw,
	}
	switch {
	case w.Suggestions > 0:
		r.Kind = w.In.Generation
	case w.In.Auto:
		r.Kind = cast.Auto
	}
	return r
}

// listeners returns the members of a cast, muted if they do not hear a private line. A line whose
// audience names no member is heard by all of them: they are then part of the narration.
func listeners(members []cast.Member, audience []string) []cast.Member {
	hears := func(m cast.Member) bool { return slices.Contains(audience, m.ID) }
	if !slices.ContainsFunc(members, hears) {
		return members
	}
	members = slices.Clone(members)
	for i, m := range members {
		members[i].Muted = m.Muted || !hears(m)
	}
	return members
}

// KeepReply records an accepted reply of a cast and applies its requests, so that the next speaker has
// the state after it. Without a cast the reply is recorded with the turn.
func KeepReply(t *Turn) Next {
	if t.Casting.Speaking() == "" {
		return ToSettle
	}
	t.Stage.ApplyRequests(t.Written(), t.Out.Requests)
	t.Casting.Add(state.Reply{Text: t.Narration(), Structured: t.Out.Last.Extra}, t.Written())
	t.Stage.Chain(t.Casting.ReplyEvents(&t.Order)...)
	t.Casting.Refused = append(t.Casting.Refused, t.Out.RefusedCalls...)
	t.Casting.Overridden = append(t.Casting.Overridden, t.Out.Accepted...)
	t.Stage.Checkpoint()
	return ToSpoken
}

// NextSpeaker continues with the next speaker, or with the settlement after the last one. If no reply of
// the turn was accepted, a person decides.
func NextSpeaker(t *Turn) Next {
	isLast := t.Casting.Index+1 == len(t.Casting.Speakers)
	if isLast && len(t.Casting.Spoken) == 0 {
		return ToReport
	}
	t.Casting.Index++
	BeginReply(t)
	if t.Casting.Speaking() != "" {
		return ToSpeaker
	}
	return ToNext
}
