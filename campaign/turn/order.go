package turn

import (
	"reflect"
	"time"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn/internal/wording"
)

// order is what a turn is asked for.
type order struct {
	in    state.Submission
	asked state.Submission // the submission as it came; scripts may change the line in it
	line  bool             // there is a line of the player's, whatever became of it
	// fingerprint tells a repeated instruction from another one with the same id.
	fingerprint string
	ask         *state.Ask // what is asked for but for the answer to a new line, nil: that
	// suggestions is how many are wanted beside the story, 0: it is a turn.
	suggestions int
	again       *renewal    // the line has an answer already; nil: it is new
	head        *state.Turn // the turn that goes on, nil for one of its own
	told        int         // events of the host that hooks have heard of
}

// whole is the text of the turn with a narration that may go on with it; raw is that as it came.
func (o *order) whole(narration, raw string) string {
	if o.head == nil {
		return narration
	}
	return wording.Joined(o.headText(), narration, raw)
}

// headText is the text that the turn goes on with, "" if it is a turn of its own: of a cast it is
// the last reply.
func (o *order) headText() string {
	if o.head == nil {
		return ""
	}
	if n := len(o.head.Replies); n > 0 {
		return o.head.Replies[n-1].Text
	}
	return o.head.Text
}

// lines is what the player said, nothing where the cast goes on by itself.
func (o *order) lines() []string {
	if !o.line {
		return nil
	}
	return []string{o.in.Text}
}

// kept is what a turn does not say of its submission, nil if it says all.
func (o *order) kept(record state.Turn) *state.Submission {
	s := o.asked
	s.ActorID, s.Audience, s.ClientTurnID, s.ExpectedHead, s.At, s.Recall = "", nil, "", "", time.Time{}, false
	if s.Text == record.UserInput {
		s.Text = ""
	}
	if reflect.ValueOf(s).IsZero() {
		return nil
	}
	return &s
}
