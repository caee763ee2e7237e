package prompt

import (
	"time"

	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/prompt/macro"
)

// Env is what macros can see; see [macro.Env].
type Env = macro.Env

// Generation is the kind of reply that is asked for.
type Generation string

// The kinds of generation. The empty one is [Normal].
const (
	// Normal answers the newest message.
	Normal Generation = "normal"
	// Continue goes on with the newest message: it is sent behind the last
	// slot, followed by the control prompt. With [Input.ContinueByPrefill] it
	// is sent as the prefill instead, without a control prompt.
	Continue Generation = "continue"
	// Impersonate writes for the player; the control prompt says so.
	Impersonate Generation = "impersonate"
	// Quiet asks something beside the story, in the control prompt.
	Quiet Generation = "quiet"
	// Swipe writes an alternative: a trailing assistant line is left out.
	Swipe Generation = "swipe"
	// Regenerate changes nothing; the host removes the old reply.
	Regenerate Generation = "regenerate"
)

// Line is one element of the history: something said, or a round of tool calls
// with their results.
type Line struct {
	Role llm.Role `json:"role"`           // assistant, system for a narrator, else the user's
	Name string   `json:"name,omitempty"` // speaker; empty: the user or the character of Env
	// Forced says that an assistant line is spoken by another than the
	// main character.
	Forced bool   `json:"forced,omitempty"`
	Text   string `json:"text"`
	// Calls makes the line a tool round, which is kept or dropped as a whole.
	// Results are in the order of the calls.
	Calls   []llm.ToolCall `json:"calls,omitempty"`
	Results []string       `json:"results,omitempty"`
	// Hidden lines are skipped and count for nothing.
	Hidden bool `json:"hidden,omitempty"`
	// Literal says that no macro in Text is expanded, whatever the layout expands in the history.
	Literal bool `json:"literal,omitempty"`

	// Keep replaces the keep of the layout; a Required line is never dropped.
	Keep     *int `json:"keep,omitempty"`
	Required bool `json:"required,omitempty"`

	Time   time.Time `json:"time,omitzero"`
	Swipes int       `json:"swipes,omitempty"` // see [macro.Message]
	Swipe  int       `json:"swipe,omitempty"`
}

// Input is what one request is made of, beside names and variables.
type Input struct {
	Blocks  []Block `json:"blocks,omitempty"`
	History []Line  `json:"history,omitempty"` // oldest first
	// FollowUps are the messages of the running turn: calls of the model, their
	// results, refusals, instructions to try again. They are sent as they are,
	// behind the last slot.
	FollowUps []llm.Message `json:"follow_ups,omitempty"`

	Generation Generation `json:"generation,omitempty"`
	// Control is the control prompt, a template: the nudge of [Continue], in which
	// {{lastChatMessage}} is the text that goes on, the instruction of [Impersonate]
	// or [Quiet]. It is a system message. Where there is nothing to go on with, there
	// is no nudge.
	Control string `json:"control,omitempty"`
	// Prefill is the beginning of the reply, a template, sent as the last message.
	// With PrefillApart it is not sent but returned in [Result.Prefill].
	Prefill      string `json:"prefill,omitempty"`
	PrefillApart bool   `json:"prefill_apart,omitempty"`
	// ContinueByPrefill changes [Continue]: an assistant line becomes the prefill,
	// any other the last message.
	ContinueByPrefill bool `json:"continue_by_prefill,omitempty"`
	// Replacement, if not blank, becomes the newest user line where the newest visible line is
	// the assistant's. For [Continue] that is the line before the one that goes on. It is sent as
	// it is, without a name.
	Replacement string `json:"replacement,omitempty"`

	// Tools says that the model takes tool calls. Without it tool rounds of
	// the history are left out.
	Tools bool `json:"tools,omitempty"`

	// HistoryStart is the start that the previous [Result] returned: older
	// lines are not used as long as everything from it fits. TrimSlack is the
	// room left free when the start has to move, in tokens, so that it can stay
	// for some turns.
	HistoryStart int `json:"history_start,omitempty"`
	TrimSlack    int `json:"trim_slack,omitempty"`

	// Previous are the messages of the request before, for the measure of the
	// shared prefix in the report. It changes nothing else.
	Previous []llm.Message `json:"previous,omitempty"`
}
