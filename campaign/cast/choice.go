package cast

import (
	"fmt"
	"strings"
)

// Reason says why a member speaks, or why not.
type Reason string

// Why a member speaks.
const (
	Forced    Reason = "forced"    // the host calls it
	Listed    Reason = "listed"    // everybody does
	Named     Reason = "named"     // the newest line has a word of its name
	Talkative Reason = "talkative" // its talkativeness is not below the draw
	Drawn     Reason = "drawn"     // one had to be found
	Spoke     Reason = "spoke"     // its line is answered anew, continued, or the newest
	First     Reason = "first"     // nobody has spoken yet
)

// Why it does not.
const (
	Muted     Reason = "muted"
	Gone      Reason = "gone"       // it has no card
	SpokeLast Reason = "spoke_last" // the newest line bears its name
	Silent    Reason = "silent"     // its talkativeness is below the draw
)

func (r Reason) speaks() bool {
	switch r {
	case Muted, Gone, SpokeLast, Silent:
		return false
	}
	return true
}

// Note is one step of a choice.
type Note struct {
	ID     string `json:"id"`
	Reason Reason `json:"reason"`
	// Draw is the number that decided, nil where none did.
	Draw *float64 `json:"draw,omitempty"`
}

// Choice is who speaks, and why.
type Choice struct {
	// Speakers are ids in the order in which they speak, each once. If there are none, the
	// line of the player stands alone.
	Speakers []string `json:"speakers,omitempty"`
	// Draws are the random numbers that were taken, in order. A source that gives them again
	// leads to the same choice.
	Draws []float64 `json:"draws,omitempty"`
	// Trace tells the steps of the choice in order. A member may have several.
	Trace []Note `json:"trace,omitempty"`
}

// String writes the trace, a line for each step.
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
