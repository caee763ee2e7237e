package memvars

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/memvars/tree"
)

// Result is the result of a message or of the end of a turn.
type Result struct {
	// Calls has one entry per command, in the order of the text.
	Calls []CallResult `json:"results,omitempty"`
	// Changes are the events in the order in which they happened.
	Changes []tree.Change `json:"changes,omitempty"`
	// Effects are for the host to apply.
	Effects []Effect `json:"effects,omitempty"`
	// Notes list the places that the passes did not change, with reasons.
	Notes []Note `json:"notes,omitempty"`
	// Problems are mistakes in the options; with problems nothing is done.
	Problems talewright.Problems `json:"problems,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members
}

// Status is the outcome of a command.
type Status string

// The outcomes of a command.
const (
	Applied   Status = "applied"   // something changed
	Unchanged Status = "unchanged" // valid, but there was nothing to do
	Rejected  Status = "rejected"  // nothing changed; the code says why
)

// CallResult is the result of one command.
type CallResult struct {
	Op     string    `json:"op"`
	Line   int       `json:"line"` // from 1
	Col    int       `json:"col"`  // from 1, in code points
	Offset int       `json:"offset"`
	Status Status    `json:"status"`
	Code   Code      `json:"code,omitempty"`
	At     *Position `json:"at,omitempty"` // place of a mistake in the text
	// Warnings are sorted.
	Warnings []Warning `json:"warnings,omitempty"`
	// Reason is the author's comment after the call.
	Reason string `json:"reason,omitempty"`
	// Near is the text of a rejected call, shortened. Hint is a short correction. [System.Feedback]
	// includes both.
	Near string `json:"near,omitempty"`
	Hint string `json:"hint,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members
}

// Note says that a pass did not change a place.
type Note struct {
	Pass string    `json:"pass"`
	Path tree.Path `json:"path"`
	Text string    `json:"text"`
}

// String returns the pass, the place and the text.
func (n Note) String() string { return n.Pass + " " + n.Path.String() + ": " + n.Text }

// Effect is a request of a command to the host. The only kind is "backup": a world was left, and
// Data is the old content of its branch at Path.
type Effect struct {
	Kind  string     `json:"kind"`
	Path  tree.Path  `json:"path"`
	World string     `json:"world"`
	Data  tree.Value `json:"data"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members
}

// String returns the result of a command in one line: its place, its name, the status and the
// reason.
func (r CallResult) String() string {
	text := fmt.Sprintf("%d:%d %s %s", r.Line, r.Col, r.Op, r.Status)
	if r.Code != "" {
		text += " " + string(r.Code)
	}
	if r.Hint != "" {
		text += ": " + r.Hint
	}
	return text
}

// String returns the kind, the place, the world and the data as JSON.
func (e Effect) String() string {
	data := "-"
	if e.Data.Exists() {
		data = e.Data.String()
	}
	return strings.TrimSpace(e.Kind+" "+e.Path.String()+" "+e.World) + ": " + data
}

// MarshalJSON writes the known fields and then the unknown ones.
func (r Result) MarshalJSON() ([]byte, error) { return openjson.Write(r) }

// UnmarshalJSON keeps unknown members in Extra.
func (r *Result) UnmarshalJSON(data []byte) error { return openjson.Read(data, r) }

// MarshalJSON writes the known fields and then the unknown ones.
func (r CallResult) MarshalJSON() ([]byte, error) { return openjson.Write(r) }

// UnmarshalJSON keeps unknown members in Extra.
func (r *CallResult) UnmarshalJSON(data []byte) error { return openjson.Read(data, r) }

// MarshalJSON writes the known fields and then the unknown ones.
func (e Effect) MarshalJSON() ([]byte, error) { return openjson.Write(e) }

// UnmarshalJSON keeps unknown members in Extra.
func (e *Effect) UnmarshalJSON(data []byte) error { return openjson.Read(data, e) }

// Rejected returns the calls that were rejected. For the report to a model use [System.Feedback].
func (r Result) Rejected() []CallResult {
	var out []CallResult
	for _, c := range r.Calls {
		if c.Status == Rejected {
			out = append(out, c)
		}
	}
	return out
}
