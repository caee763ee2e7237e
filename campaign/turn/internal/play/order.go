package play

import (
	"reflect"
	"time"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn/internal/wording"
)

// Order is what a turn is asked for.
type Order struct {
	In    state.Submission
	Asked state.Submission // the submission as it came; scripts may change the line in it
	Line  bool             // there is a line of the player's, whatever became of it
	// Fingerprint tells a repeated instruction from another one with the same id.
	Fingerprint string
	Ask         *state.Ask // what is asked for but for the answer to a new line, nil: that
	// Suggestions is how many are wanted beside the story, 0: it is a turn.
	Suggestions int
	Again       *Renewal    // the line has an answer already; nil: it is new
	Head        *state.Turn // the turn that goes on, nil for one of its own
	Told        int         // events of the host that hooks have heard of
}

// Whole is the text of the turn with a narration that may go on with it; raw is that as it came.
func (o *Order) Whole(narration, raw string) string {
	if o.Head == nil {
		return narration
	}
	return wording.Joined(o.HeadText(), narration, raw)
}

// HeadText is the text that the turn goes on with, "" if it is a turn of its own: of a cast it is
// the last reply.
func (o *Order) HeadText() string {
	if o.Head == nil {
		return ""
	}
	if n := len(o.Head.Replies); n > 0 {
		return o.Head.Replies[n-1].Text
	}
	return o.Head.Text
}

// Lines is what the player said, nothing where the cast goes on by itself.
func (o *Order) Lines() []string {
	if !o.Line {
		return nil
	}
	return []string{o.In.Text}
}

// Kept is what a turn does not say of its submission, nil if it says all.
func (o *Order) Kept(record state.Turn) *state.Submission {
	s := o.Asked
	s.ActorID, s.Audience, s.ClientTurnID, s.ExpectedHead, s.At, s.Recall = "", nil, "", "", time.Time{}, false
	if s.Text == record.UserInput {
		s.Text = ""
	}
	if reflect.ValueOf(s).IsZero() {
		return nil
	}
	return &s
}

// Renewal is what a turn has beside others that gives another answer to the line of the
// head turn.
type Renewal struct {
	Head state.State        // where the campaign stands if nothing comes of it
	Line state.Alternatives // of the head turn
}
