package campaign

import (
	"slices"
	"strings"
	"time"

	"github.com/talewright/talewright/llm"
)

// enter replaces invalid UTF-8 in what people and models wrote, before anything
// looks at it: what is played and what is stored must be the same text.
func enter(in Input) Input {
	switch in := in.(type) {
	case Submit:
		in.Text, in.ActorID, in.UserID = valid(in.Text), valid(in.ActorID), valid(in.UserID)
		in.ClientTurnID, in.Channel = valid(in.ClientTurnID), valid(in.Channel)
		in.Events = slices.Clone(in.Events)
		for i := range in.Events {
			in.Events[i].Event = valid(in.Events[i].Event)
		}
		return in
	case Replied:
		in.Text = valid(in.Text)
		in.ToolCalls = slices.Clone(in.ToolCalls)
		for i, c := range in.ToolCalls {
			in.ToolCalls[i] = llm.ToolCall{ID: valid(c.ID), Name: valid(c.Name),
				Arguments: valid(c.Arguments), Extra: c.Extra}
		}
		return in.bound()
	case Summarized:
		in.Summary.Text = valid(in.Summary.Text)
		in.Summary.Pins = slices.Clone(in.Summary.Pins)
		for i, p := range in.Summary.Pins {
			in.Summary.Pins[i] = valid(p)
		}
		return in
	case ResolveConflict:
		in.Text = valid(in.Text)
		return in
	case MakeCheckpoint:
		in.Label = valid(in.Label)
		return in
	case EndCampaign:
		in.Reason = valid(in.Reason)
		return in
	}
	return in
}

func valid(text string) string { return strings.ToValidUTF8(text, "\uFFFD") }

// stamp gives an instruction the present time if it has none.
func stamp(in Input, now time.Time) Input {
	at := func(t time.Time) time.Time {
		if t.IsZero() {
			return now
		}
		return t
	}
	switch in := in.(type) {
	case Submit:
		in.At = at(in.At)
		return in
	case ResolveConflict:
		in.At = at(in.At)
		return in
	case PatchSettings:
		in.At = at(in.At)
		return in
	case SelectActor:
		in.At = at(in.At)
		return in
	case SetCharacter:
		in.At = at(in.At)
		return in
	case SetTools:
		in.At = at(in.At)
		return in
	case SetLocks:
		in.At = at(in.At)
		return in
	case RaiseEvents:
		in.At = at(in.At)
		return in
	case Announce:
		in.At = at(in.At)
		return in
	case AdvanceMilestone:
		in.At = at(in.At)
		return in
	case EndCampaign:
		in.At = at(in.At)
		return in
	case MakeCheckpoint:
		in.At = at(in.At)
		return in
	case RollBack:
		in.At = at(in.At)
		return in
	case UndoRollBack:
		in.At = at(in.At)
		return in
	case SwitchBranch:
		in.At = at(in.At)
		return in
	case Summarized:
		in.At = at(in.At)
		return in
	}
	return in
}
