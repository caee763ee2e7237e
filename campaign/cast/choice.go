package cast

import (
	"fmt"
	"strings"
)

// Reason says why a member speaks or does not speak.
//
// Its values:
//
//   - forced: the host names it
//   - listed: the order is list
//   - named: the newest line has a word of its name
//   - talkative: its talkativeness is not below the draw
//   - drawn: no other member was chosen, so one was drawn
//   - first: no member has spoken yet
//   - spoke: it spoke last: its line is answered again or continued, or is the newest
//   - muted
//   - gone: it has no card
//   - spoke_last: the newest line has its name
//   - silent: its talkativeness is below the draw
type Reason string

// Reasons to speak.
const (
	reasonForced    Reason = "forced"
	reasonListed    Reason = "listed"
	reasonNamed     Reason = "named"
	reasonTalkative Reason = "talkative"
	reasonDrawn     Reason = "drawn"
	Spoke           Reason = "spoke" // it spoke last: its line is answered again or continued, or is the newest
	reasonFirst     Reason = "first"
)

// Reasons not to speak.
const (
	reasonMuted     Reason = "muted"
	reasonGone      Reason = "gone"
	reasonSpokeLast Reason = "spoke_last"
	reasonSilent    Reason = "silent"
)

func (r Reason) speaks() bool {
	switch r {
	case reasonMuted, reasonGone, reasonSpokeLast, reasonSilent:
		return false
	}
	return true
}

// Note is one step of a choice.
type Note struct {
	ID     string `json:"id"`
	Reason Reason `json:"reason"`
	// Draw is the number that decided, nil if there was none.
	Draw *float64 `json:"draw,omitempty"`
}

// Choice is the result of [Choose]: who speaks, and why.
type Choice struct {
	// Speakers are the IDs of the speakers in order, each once. Without speakers, the player's
	// line gets no reply.
	Speakers []string `json:"speakers,omitempty"`
	// Draws are the random numbers that were used, in order. A source that returns them again gives
	// the same choice.
	Draws []float64 `json:"draws,omitempty"`
	// Trace has the steps of the choice in order. A member may have several.
	Trace []Note `json:"trace,omitempty"`
}

// String returns the trace, one line for each step.
func (c Choice) String() string {
	var out strings.Builder
	for _, n := range c.Trace {
		verb := "is passed over"
		if n.Reason.speaks() {
			verb = "speaks"
		}
		fmt.Fprintf(&out, "%s %s: %s", n.ID, verb, n.Reason)
		if n.Draw != nil {
			fmt.Fprintf(&out, ", draw %.3g", *n.Draw)
		}
		out.WriteByte('\n')
	}
	if len(c.Speakers) == 0 {
		out.WriteString("nobody speaks\n")
	}
	return out.String()
}
