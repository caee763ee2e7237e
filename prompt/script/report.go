package script

import (
	"fmt"
	"slices"
	"strings"

	"github.com/talewright/talewright"
)

// Report lists the changes of a text by scripts.
type Report struct {
	Ran []Ran `json:"ran,omitempty"`
}

// Ref identifies a script of a set.
type Ref struct {
	Source Source `json:"source"`
	Owner  string `json:"owner,omitempty"`
	Index  int    `json:"index"` // in its list
	ID     string `json:"id,omitempty"`
	Name   string `json:"name,omitempty"`
}

// String returns the place and the name, for example global[3] "Tidy".
func (r Ref) String() string {
	text := fmt.Sprintf("%s[%d] %q", r.Source, r.Index, r.Name)
	if r.Owner != "" {
		text += " of " + r.Owner
	}
	return text
}

// Ran is one script that matched the text.
type Ran struct {
	Ref
	Matches int  `json:"matches"` // number of replaced matches
	Before  int  `json:"before"`  // bytes
	After   int  `json:"after"`
	Changed bool `json:"changed,omitempty"`
	// Problem is the reason why the text did not change: "bad_pattern", "limit", "too_long",
	// "split_pair" or "macro_failed". Detail has more information for "bad_pattern".
	Problem talewright.Code `json:"problem,omitempty"`
	Detail  string          `json:"detail,omitempty"`
}

// Changed reports whether any script changed the text.
func (r Report) Changed() bool {
	return slices.ContainsFunc(r.Ran, func(ran Ran) bool { return ran.Changed })
}

// String returns a line for each script.
func (r Report) String() string {
	var b strings.Builder
	for _, ran := range r.Ran {
		b.WriteString(ran.String() + "\n")
	}
	return b.String()
}

// String describes what the script did.
func (r Ran) String() string {
	text := r.Ref.String() + ": "
	switch {
	case r.Problem != "" && r.Detail != "":
		return text + string(r.Problem) + ": " + r.Detail
	case r.Problem != "":
		return text + string(r.Problem)
	case r.Matches == 0:
		return text + "no match"
	}
	return text + fmt.Sprintf("%d replaced, %d to %d bytes", r.Matches, r.Before, r.After)
}
