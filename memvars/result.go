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

// Effect is a request of a command to the host. The only kind is "backup": a world was left, and
// Data is the old content of its branch at Path.
type Effect struct {
	Kind  string     `json:"kind"`
	Path  tree.Path  `json:"path"`
	World string     `json:"world"`
	Data  tree.Value `json:"data"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members
}

// Note says that a pass did not change a place.
type Note struct {
	Pass string    `json:"pass"`
	Path tree.Path `json:"path"`
	Text string    `json:"text"`
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

// String returns the pass, the place and the text.
func (n Note) String() string { return n.Pass + " " + n.Path.String() + ": " + n.Text }

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

// Code is a word for the reason why a command was rejected, or why nothing was deleted. The set is
// closed for the commands of this package; dialects may add their own codes.
type Code string

// Reasons why the text of a command could not be read. They have a position.
const (
	UnterminatedString Code = "unterminated_string" // no mark closes the string
	Unbalanced         Code = "unbalanced"          // the text ends inside the call
	UnexpectedToken    Code = "unexpected_token"    // a different token was expected here
)

// Reasons why a readable command was rejected.
const (
	BadArity            Code = "bad_arity"            // too few or too many arguments
	BadPath             Code = "bad_path"             // the path violates the grammar
	BadKey              Code = "bad_key"              // the key is blank
	BadJSON             Code = "bad_json"             // an object that cannot be repaired
	PathNotFound        Code = "path_not_found"       // set_* creates nothing
	IndexOutOfRange     Code = "index_out_of_range"   // past the end of a list
	NotAContainer       Code = "not_a_container"      // a scalar cannot have members
	TypeMismatch        Code = "type_mismatch"        // the field has a different type
	WrongModule         Code = "wrong_module"         // the path names a different module
	DescriptionReadonly Code = "description_readonly" // the text of a leaf is fixed
	ReadonlyDerived     Code = "readonly_derived"     // a formula computes the field
	ReadonlyAuto        Code = "readonly_auto"        // the clock maintains the field
	ProtectedNode       Code = "protected"            // the node is protected by _is_protected
	StructuralBranch    Code = "structural"           // the branch is part of the frame
	PermissionDenied    Code = "permission_denied"    // not for this actor
	SourceNotFound      Code = "source_not_found"     // nothing to move
	DestinationExists   Code = "destination_exists"   // a move never overwrites
	MoveIntoSelf        Code = "move_into_self"       // a node cannot contain itself
	PlaceholderWrite    Code = "placeholder_write"    // a write of the text that hides a node
	OnceTrue            Code = "once_true"            // declared to stay true
	OldMismatch         Code = "old_mismatch"         // the old value is different
	TooLong             Code = "too_long"             // a number of more than MaxDigits
	TooMany             Code = "too_many"             // the message already changes too much
	UnknownCommand      Code = "unknown_command"      // no such command
	Aborted             Code = "aborted"              // a different command failed
)

// Codes for other reports than one rejected command.
const (
	MoreRejected Code = "more_rejected" // replaces the commands that a feedback does not list
	NotFound     Code = "not_found"     // the command had nothing to delete
)

// Warning is a remark about a command that was applied.
type Warning string

// The warnings.
const (
	warnBareWord        Warning = "bare_word"        // a text without quotation marks
	warnRepairedJSON    Warning = "repaired_json"    // the JSON had mistakes
	WarnSkippedKeys     Warning = "skipped_keys"     // set_* adds no fields
	WarnSkippedReadonly Warning = "skipped_readonly" // computed fields were left out
	WarnOldMismatch     Warning = "old_mismatch"     // the old value was different
	WarnDottedKey       Warning = "dotted_key"       // probably meant as a path
	WarnProtectedFlag   Warning = "protected_flag"   // the flag was not removed
	WarnProtectedKept   Warning = "protected_kept"   // protected nodes stayed
	WarnAdjusted        Warning = "adjusted"         // changed to fit the declared bounds
)
