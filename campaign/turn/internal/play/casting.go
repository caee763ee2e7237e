package play

import (
	"slices"
	"strings"

	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/campaign/internal/answer"
	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/event"
)

// Casting says which members of a cast speak in a turn, and how many of them have done so.
type Casting struct {
	Decided        bool        // the speakers are decided; there may be none
	Speakers       []string    // ids, in order; nobody without a cast
	Index          int         // in Speakers: who speaks now
	AttemptsBefore int         // those of the turn before this reply was asked for
	RetriesBefore  int         // likewise
	StateBefore    state.State // when this reply was asked for
	kept           bool        // this reply has passed
	raw            []string    // the replies that are kept, as the model wrote them

	Spoken     []state.Reply       // what members of the cast have said
	Dropped    []string            // those of them whose replies were left out
	Refused    []state.FailedCall  // refused calls of earlier outputs, whose results the model has seen
	Overridden []conflict.Conflict // conflicts of earlier outputs that a person overrode
}

// Speaking is the id of the member who speaks now, "" without a cast and when all have.
func (c *Casting) Speaking() string {
	if c.Index < len(c.Speakers) {
		return c.Speakers[c.Index]
	}
	return ""
}

// Opens says that a member of the cast says the greeting, nobody where the id is empty.
func (c *Casting) Opens(member string) {
	if member != "" {
		c.Speakers = []string{member}
	}
}

// Active reports whether the model plays several characters in this turn.
func (c *Casting) Active() bool { return len(c.Speakers) > 0 || c.Decided }

// Texts are the replies of the turn, one for each who spoke; without a cast the narration.
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

// Written is all that the model wrote in the replies of the turn, the last of which is given.
func (c *Casting) Written(last string) string {
	if !c.Active() {
		return last
	}
	return strings.Join(c.raw, BetweenReplies)
}

// ReplyEvents are the events of the newest reply: rules and reactions hear of each by itself, since what has
// fired once does not fire again for the same cause. The line goes before the first.
func (c *Casting) ReplyEvents(o *Order) []rules.Event {
	said := event.ModelMessage(c.Spoken[len(c.Spoken)-1].Text)
	if len(c.Spoken) > 1 || !o.HasLine {
		return []rules.Event{said}
	}
	return []rules.Event{event.PlayerMessage(o.In.Text), said}
}

// RemainingEvents are the events of a turn that nobody has heard of yet.
func (c *Casting) RemainingEvents(o *Order, all []rules.Event) []rules.Event {
	return slices.DeleteFunc(all, func(e rules.Event) bool {
		return e.Type == event.TypeModelMessage || e.Type == event.TypePlayerMessage && (!o.HasLine || len(c.Spoken) > 0)
	})
}

// Add notes what the speaker said: as it is shown, and as the model wrote it.
func (c *Casting) Add(said state.Reply, raw string) {
	said.Speaker = c.Speaking()
	c.Spoken, c.raw, c.kept = append(c.Spoken, said), append(c.raw, raw), true
}

// BeginReply forgets the reply of the speaker before, so that this one is asked for afresh.
func BeginReply(t *Turn) {
	c := &t.Casting
	c.AttemptsBefore, c.RetriesBefore, c.kept = len(t.Attempts), t.Retries, false
	t.Talk.Request, t.Talk.Sent, t.Talk.Text, t.Talk.TooLong, t.Talk.RetryReason = question.Request{}, 0, nil, nil, ""
	t.Talk.Rounds, t.Talk.Narrating, t.Talk.CallsTold = 0, false, len(t.Stage.Staged.Applied)
	t.Out.Last, t.Out.Asks, t.Found.Forced = answer.Answer{}, nil, nil
	t.Out.Findings, t.Out.Blocking, t.Out.Unsettled = nil, nil, nil
	t.Calls.Refused = map[string]state.CallCode{} // what was refused to another
}

// BetweenReplies stands between the replies of a turn where they are one text.
const BetweenReplies = "\n\n"
