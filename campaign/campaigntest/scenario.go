package campaigntest

import (
	"encoding/json"
	"time"

	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/llm"
)

// Scenario is one story that is played from its beginning.
type Scenario struct {
	// File is the name of its file, for messages.
	File string
	// Setup is a JSON object whose members replace members of the setup, or nil.
	Setup json.RawMessage
	Steps []ScenarioStep
	// Goals are checked after the last step.
	Goals []ScenarioCheck
}

// ScenarioStep is one action, the answers from outside the engine, and the checks afterwards. The
// package documentation explains its parts.
type ScenarioStep struct {
	Line    int      // in the file, from 1; 0 if the step does not come from a file
	Comment string   // the comment before it, without "#"
	Do      string   // the word of its first line
	Args    []string // the arguments of Do; a VALUE or OBJECT as JSON

	As       string
	With     json.RawMessage // an object
	Clock    time.Time
	Draws    []float64
	Route    string
	Verdicts []conflict.Verdict
	Summary  string
	Sinks    map[string]string // the error texts, by the kind of sink
	Replies  []ScenarioReply
	Answers  []ScenarioAnswer // about calls that wait for approval
	Wants    []ScenarioCheck

	// Recorded means that the step has a line "----". Happened is the text below it.
	Recorded bool
	Happened string
}

// ScenarioReply is one reply of the model. Fail is an error code instead of a reply.
type ScenarioReply struct {
	Text  string
	Calls []ScenarioCall
	Fail  llm.ErrorCode
}

// ScenarioCall is a tool call of a reply. Args is the model's text for the arguments, usually a
// JSON object.
type ScenarioCall struct {
	Tool string
	Args string
}

// ScenarioAnswer is a person's decision about the calls of a tool that wait for approval. Args are
// new arguments, a JSON object. Without Args the calls are denied, with a Reason.
type ScenarioAnswer struct {
	Tool   string
	Args   string
	Reason string
}

// ScenarioCheck is a condition that must be true, or false if Not is set. The package documentation
// lists the names and their arguments.
type ScenarioCheck struct {
	Line int // in the file; 0 if the check does not come from a file
	Not  bool
	Name string
	Args []string // a VALUE as JSON
}
