package prompt

import (
	"time"

	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/prompt/macro"
	"github.com/talewright/talewright/worldbook"
)

// Env is the environment of macros; see [macro.Env].
type Env = macro.Env

// Line is one element of the history: something said, or a round of tool calls
// with their results.
type Line struct {
	Role llm.Role `json:"role"`           // assistant, system for a narrator, else the user's
	Name string   `json:"name,omitempty"` // speaker; empty: the user or the character of Env
	// Forced marks an assistant line of a speaker other than the main character, and a line of one
	// of several users, see [NamesForced].
	Forced bool   `json:"forced,omitempty"`
	Text   string `json:"text"`
	// Calls makes the line a tool round. It is kept or dropped as a whole. Results are in the order
	// of the calls.
	Calls   []llm.ToolCall `json:"calls,omitempty"`
	Results []string       `json:"results,omitempty"`
	// Hidden lines are skipped and not counted.
	Hidden bool `json:"hidden,omitempty"`
	// Literal turns off all macros in Text, also if the layout expands the history.
	Literal bool `json:"literal,omitempty"`

	// Keep replaces the keep of the layout; a Required line is never dropped.
	Keep     *int `json:"keep,omitempty"`
	Required bool `json:"required,omitempty"`

	Time   time.Time `json:"time,omitzero"`
	Swipes int       `json:"swipes,omitempty"` // see [macro.Message]
	Swipe  int       `json:"swipe,omitempty"`
}

// Input is the input of one request, in addition to names and variables.
type Input struct {
	Blocks  []Block `json:"blocks,omitempty"`
	History []Line  `json:"history,omitempty"` // oldest first
	// FollowUps are the messages of the running turn: calls of the model, their results, refusals,
	// instructions to try again. They are sent unchanged, after the last slot.
	FollowUps []llm.Message `json:"follow_ups,omitempty"`

	// Generation is the kind of reply; empty: [worldbook.Normal].
	//
	//   - normal answers the newest message.
	//   - continue continues the newest message: the message is sent after the last slot, followed
	//     by the control prompt. With ContinueByPrefill it is sent as the prefill instead, without a
	//     control prompt.
	//   - impersonate writes for the player; the control prompt asks for it.
	//   - quiet asks a question outside the story, in the control prompt.
	//   - swipe writes an alternative: a trailing assistant line is left out.
	//   - regenerate changes nothing; the host removes the old reply.
	Generation worldbook.GenerationType `json:"generation,omitempty"`
	// Control is the control prompt, a template. For [worldbook.Continue] it is the nudge, in which
	// {{lastChatMessage}} is the text to be continued. For [worldbook.Impersonate] and
	// [worldbook.Quiet] it is the instruction. It is a system message. If there is nothing to
	// continue, no nudge is sent.
	Control string `json:"control,omitempty"`
	// Prefill is the beginning of the reply, a template, sent as the last message.
	// With PrefillApart it is not sent but returned in [Result.Prefill].
	Prefill      string `json:"prefill,omitempty"`
	PrefillApart bool   `json:"prefill_apart,omitempty"`
	// ContinueByPrefill changes [worldbook.Continue]: an assistant line becomes the prefill, other lines
	// become the last message.
	ContinueByPrefill bool `json:"continue_by_prefill,omitempty"`
	// Replacement, if not blank, becomes the newest user line if the newest visible line is the
	// assistant's. For [worldbook.Continue], the line before the continued one is used instead of the newest.
	// The Replacement is sent as it is, without a name.
	Replacement string `json:"replacement,omitempty"`

	// Tools says that the model accepts tool calls. Without it, tool rounds of the history are left
	// out.
	Tools bool `json:"tools,omitempty"`

	// HistoryStart is the start that the previous [Result] returned: older lines are not used while
	// everything from it fits. TrimSlack is the number of tokens that stay free when the start
	// moves, so that the start can stay for some turns.
	HistoryStart int `json:"history_start,omitempty"`
	TrimSlack    int `json:"trim_slack,omitempty"`

	// Previous are the messages of the previous request. They are used only to measure the shared
	// prefix in the report.
	Previous []llm.Message `json:"previous,omitempty"`
}
