package play

import (
	"slices"

	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/campaign/internal/answer"
	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/event"
)

// Casting records the speakers of a turn and their progress.
type Casting struct {
	Decided        bool        // the speakers were chosen; the list may be empty
	Speakers       []string    // IDs, in order; empty without a cast
	Index          int         // index in Speakers of the present speaker
	AttemptsBefore int         // number of attempts of the turn before this reply
	RetriesBefore  int         // number of retries of the turn before this reply
	StateBefore    state.State // the state before this reply
	kept           bool        // this reply has passed
	raw            []string    // the kept replies as the model wrote them

	Spoken     []state.Reply       // replies of members of the cast
	Dropped    []string            // the members whose replies were dropped
	Refused    []state.FailedCall  // refused calls of earlier outputs; the model has seen their results
	Overridden []conflict.Conflict // conflicts of earlier outputs that a person overrode
}

// Speaking returns the ID of the present speaker, "" without a cast and after the last speaker.
func (c *Casting) Speaking() string {
	if c.Index < len(c.Speakers) {
		return c.Speakers[c.Index]
	}
	return ""
}

// Active reports whether the model plays several characters in this turn.
func (c *Casting) Active() bool { return len(c.Speakers) > 0 || c.Decided }

// Texts returns the replies of the turn, one for each speaker; without a cast the narration.
func (c *Casting) Texts(narration func() string) []string {
	if !c.Active() {
		return []string{narration()}
	}
	out := make([]string, len(c.Spoken))
	for i, r := range c.Spoken {
		out[i] = r.Text
	}
	return out
}

// ReplyEvents returns the events of the newest reply. Rules and reactions run for each reply
// separately, because a rule does not fire twice for the same cause. The player's line comes before
// the first reply.
func (c *Casting) ReplyEvents(o *Order) []rules.Event {
	said := event.ModelMessage(c.Spoken[len(c.Spoken)-1].Text)
	if len(c.Spoken) > 1 || !o.HasLine {
		return []rules.Event{said}
	}
	return []rules.Event{event.PlayerMessage(o.In.Text), said}
}

// RemainingEvents returns the events of a turn for which rules have not run yet.
func (c *Casting) RemainingEvents(o *Order, all []rules.Event) []rules.Event {
	return slices.DeleteFunc(all, func(e rules.Event) bool {
		return e.Type == event.TypeModelMessage || e.Type == event.TypePlayerMessage && (!o.HasLine || len(c.Spoken) > 0)
	})
}

// Add records a reply of the present speaker: the shown text, and the text as the model wrote it.
func (c *Casting) Add(said state.Reply, raw string) {
	said.Speaker = c.Speaking()
	c.Spoken, c.raw, c.kept = append(c.Spoken, said), append(c.raw, raw), true
}

// BeginReply clears the reply of the previous speaker, so that the next one starts without it.
func BeginReply(t *Turn) {
	c := &t.Casting
	c.AttemptsBefore, c.RetriesBefore, c.kept = len(t.Attempts), t.Retries, false
	t.Talk.Request, t.Talk.Sent, t.Talk.Text, t.Talk.TooLong, t.Talk.RetryReason = question.Request{}, 0, nil, nil, ""
	t.Talk.Rounds, t.Talk.Narrating, t.Talk.ResultsSent = 0, false, len(t.Stage.Pending.Applied)
	t.Out.Last, t.Out.Requests, t.Found.Forced = answer.Answer{}, nil, nil
	t.Out.Findings, t.Out.Blocking, t.Out.RefusedCalls, t.Out.Accepted = nil, nil, nil, nil
	t.Calls.Refused = map[string]state.CallCode{} // refusals of a different speaker
}

// BetweenReplies separates the replies of a turn in one text.
const BetweenReplies = "\n\n"
