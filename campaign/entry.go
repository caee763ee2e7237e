package campaign

import (
	"slices"
	"strings"

	"github.com/talewright/talewright/llm"
)

// enter replaces invalid UTF-8 in what people and models wrote, before anything
// looks at it: what is played and what is stored must be the same text.
func enter(in Input) Input {
	switch in := in.(type) {
	case Submit:
		in.Text, in.ActorID, in.UserID = valid(in.Text), valid(in.ActorID), valid(in.UserID)
		in.ClientTurnID, in.Channel = valid(in.ClientTurnID), valid(in.Channel)
		return in
	case Replied:
		in.Text = valid(in.Text)
		in.ToolCalls = slices.Clone(in.ToolCalls)
		for i, c := range in.ToolCalls {
			in.ToolCalls[i] = llm.ToolCall{ID: valid(c.ID), Name: valid(c.Name),
				Arguments: valid(c.Arguments), Extra: c.Extra}
		}
		return in
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
