package script

import (
	"fmt"
	"strings"
)

// Report is what the scripts did to a text.
type Report struct {
	Ran []Ran `json:"ran,omitempty"`
}

// Ran is one script that fitted the text.
type Ran struct {
	Source  Source `json:"source"`
	Owner   string `json:"owner,omitempty"`
	Index   int    `json:"index"` // in its list
	ID      string `json:"id,omitempty"`
	Name    string `json:"name,omitempty"`
	Matches int    `json:"matches"` // that were replaced
	Before  int    `json:"before"`  // bytes
	After   int    `json:"after"`
	Changed bool   `json:"changed,omitempty"`
	// Problem is why the text stayed as it was: [BadPattern], [Limit], [TooLong],
	// [SplitPair] or [MacroFailed]. Detail says more, for [BadPattern].
	Problem string `json:"problem,omitempty"`
	Detail  string `json:"detail,omitempty"`
}

// Changed reports whether any script changed the text.
func (r Report) Changed() bool {
	for _, ran := range r.Ran {
		if ran.Changed {
			return true
		}
	}
	return false
}

// String gives a line for each script.
func (r Report) String() string {
	var b strings.Builder
	for _, ran := range r.Ran {
		fmt.Fprintf(&b, "%s[%d] %q: ", ran.Source, ran.Index, ran.Name)
		switch {
		case ran.Problem != "":
			b.WriteString(ran.Problem)
			if ran.Detail != "" {
				b.WriteString(": " + ran.Detail)
			}
		case ran.Matches == 0:
			b.WriteString("no match")
		default:
			fmt.Fprintf(&b, "%d replaced, %d to %d bytes", ran.Matches, ran.Before, ran.After)
		}
		b.WriteByte('\n')
	}
	return b.String()
}
