package play

import (
	"reflect"
	"time"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn/internal/draft"
)

// Order is what a turn is asked for.
type Order struct {
	In        state.Submission // its line as scripts have left it
	Submitted state.Submission // as it came
	HasLine   bool             // the player has said something, whatever scripts have left of it
	// Fingerprint tells a repeated instruction from another one with the same id.
	Fingerprint string
	Ask         *state.Ask // what is asked for; nil: the answer to a new line
	// Suggestions is how many are wanted beside the story; 0: a turn is played.
	Suggestions    int
	Renewal        *Renewal    // set where the line has an answer already
	Continues      *state.Turn // the turn whose text goes on; nil: a new one
	HostEventsTold int         // how many of In.Events hooks have heard of
}

// Whole is the text of the turn with a narration that may go on with it; raw is that as it came.
func (o *Order) Whole(narration, raw string) string {
	if o.Continues == nil {
		return narration
	}
	return draft.Joined(o.ContinuedText(), narration, raw)
}

// ContinuedText is the text that the turn goes on with, "" if it is a turn of its own: of a cast it is
// the last reply.
func (o *Order) ContinuedText() string {
	if o.Continues == nil {
		return ""
	}
	if n := len(o.Continues.Replies); n > 0 {
		return o.Continues.Replies[n-1].Text
	}
	return o.Continues.Text
}

// Lines is what the player said, nothing where the cast goes on by itself.
func (o *Order) Lines() []string {
	if !o.HasLine {
		return nil
	}
	return []string{o.In.Text}
}

// Unrecorded is the part of the submission that the record of the turn does not have, nil if it has all.
func (o *Order) Unrecorded(record state.Turn) *state.Submission {
	s := o.Submitted
	s.ActorID, s.Audience, s.ClientTurnID, s.ExpectedHead, s.At, s.Recall = "", nil, "", "", time.Time{}, false
	if s.Text == record.UserInput {
		s.Text = ""
	}
	if reflect.ValueOf(s).IsZero() {
		return nil
	}
	return &s
}

// Renewal is what a turn needs to give another answer to the line of the head turn.
type Renewal struct {
	HeadState    state.State        // where the campaign stands if nothing comes of it
	Alternatives state.Alternatives // of the head turn
}
