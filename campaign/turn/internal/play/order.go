package play

import (
	"reflect"
	"time"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn/internal/draft"
)

// Order is the request for a turn.
type Order struct {
	In        state.Submission // the submission, with its line after scripts
	Submitted state.Submission // the submission as it was given
	HasLine   bool             // there is a player's line, even if scripts have emptied it
	// Fingerprint distinguishes a repeated instruction from a different one with the same ID.
	Fingerprint string
	Ask         *state.Ask // the request; nil: the answer to a new line
	// Suggestions is the number of suggestions outside the story; 0: a turn is played.
	Suggestions      int
	Renewal          *Renewal    // set if the line already has an answer
	Continues        *state.Turn // the turn that is continued; nil: a new turn
	HostEventsRaised int         // number of In.Events for which hooks have run
}

// WithContinued returns the narration, after the continued text if there is one. raw is the narration
// before trimming.
func (o *Order) WithContinued(narration, raw string) string {
	return draft.Joined(o.ContinuedText(), narration, raw)
}

// ContinuedText returns the text that the turn continues, "" for a new turn. With a cast it is the
// last reply.
func (o *Order) ContinuedText() string {
	if o.Continues == nil {
		return ""
	}
	if n := len(o.Continues.Replies); n > 0 {
		return o.Continues.Replies[n-1].Text
	}
	return o.Continues.Text
}

// Lines returns the player's line, nil without one.
func (o *Order) Lines() []string {
	if !o.HasLine {
		return nil
	}
	return []string{o.In.Text}
}

// Unrecorded returns the part of the submission that is not in the record of the turn, nil if
// nothing is missing.
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

// Renewal has the data for a new answer to the line of the head turn.
type Renewal struct {
	HeadState    state.State        // the state of the campaign if the turn has no result
	Alternatives state.Alternatives // alternatives of the head turn
}
