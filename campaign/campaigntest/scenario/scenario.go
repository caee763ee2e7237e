package scenario

import (
	"encoding/json"
	"time"

	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/llm"
)

// Scenario is one story that is played from its beginning.
type Scenario struct {
	// File is where it comes from, for messages.
	File string
	// Setup holds members in place of those of the setup; a JSON object, or nil.
	Setup json.RawMessage
	Steps []Step
	// Goals are what the scenario is to reach, looked at after the last step.
	Goals []Check
}

// Step is one thing that is done, what the outside answers meanwhile, and what has to be so
// afterwards. The package documentation says what its parts mean.
type Step struct {
	Line    int      // in the file, from 1; 0 for a step that does not come from one
	Comment string   // the comment before it, without "#"
	Do      string   // the word of its first line
	Args    []string // what follows it; a VALUE or OBJECT as JSON

	As       string
	With     json.RawMessage // an object
	Clock    time.Time
	Draws    []float64
	Route    string
	Verdicts []conflict.Verdict
	Summary  string
	Sinks    map[string]string // what goes wrong, by the kind of sink
	Replies  []Reply
	Answers  []Answer // about calls that wait for approval
	Wants    []Check

	// Recorded says that the step has a line "----", Happened what stands below.
	Recorded bool
	Happened string
}

// Reply is one answer of the model. Fail is an error code in place of one.
type Reply struct {
	Text  string
	Calls []Call
	Fail  llm.ErrorCode
}

// Call is a tool call of a reply. Args are what a model writes there, usually a JSON object.
type Call struct {
	Tool string
	Args string
}

// Answer is what somebody decides about the calls of a tool that wait for approval: other
// arguments, a JSON object, or, without them, a denial for a reason.
type Answer struct {
	Tool   string
	Args   string
	Reason string
}

// Check is one thing that has to be so, or, with Not, that must not be. The package
// documentation lists the names, and what belongs to each.
type Check struct {
	Line int // in the file; 0 for a check that does not come from one
	Not  bool
	Name string
	Args []string // a VALUE as JSON
}
