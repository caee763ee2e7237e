package state

import (
	"encoding/json"
	"time"

	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/campaign/memory"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/worldbook"
)

// Turn is the record of one committed turn.
type Turn struct {
	ID       string `json:"turn_id"` // turn_0001; the counter never decreases
	Index    int    `json:"index"`   // position on its branch, from 1
	ParentID string `json:"parent_turn_id"`
	BranchID string `json:"branch_id"`
	ActorID  string `json:"actor_id"`
	// Audience lists the characters who heard the turn, including the actor; empty means everybody.
	Audience []string `json:"audience,omitempty"`

	UserInput string `json:"user_input"`
	Text      string `json:"assistant_output_text"` // as the player saw it
	// Structured is an object with the other members of the output. It is absent if the object
	// would be empty. Its member tool_calls lists the calls of the turn, applied or refused, in the
	// order of the replies and as the model wrote them: {tool, args, reason?, id}. Calls of
	// rejected outputs are only in Attempts. The same is true for calls far beyond the setting
	// turn.max_tool_calls.
	Structured tree.Value `json:"assistant_structured,omitzero"`
	// Replies are the replies of the members of a cast, in order. Text is then all of them
	// together.
	Replies []Reply `json:"replies,omitempty"`
	// EarlierReplies is the number of messages in the turns before this one, minus two for each
	// turn (a line and a reply). It may be negative. Together with Index it gives the number of
	// earlier messages.
	EarlierReplies int `json:"earlier_replies,omitempty"`
	// Dropped are the members of the cast whose replies were left out because they always
	// contradicted the state. The attempts say why.
	Dropped   []string  `json:"dropped_speakers,omitempty"`
	Applied   []Applied `json:"applied_actions,omitempty"`
	Timestamp time.Time `json:"timestamp,omitzero"`

	DialogType       string              `json:"dialog_type"`
	DialogTypeSource DialogSource        `json:"dialog_type_source"`
	SettingsRevision int                 `json:"settings_revision"`
	RetriesUsed      int                 `json:"retries_used"`
	Attempts         []Attempt           `json:"attempts,omitempty"` // for audits, never in a prompt
	Unresolved       []CallCode          `json:"unresolved_failures,omitempty"`
	Overridden       []conflict.Conflict `json:"overridden_conflicts,omitempty"`
	StateSummary     string              `json:"state_summary,omitempty"`
	Approvals        []ApprovalGiven     `json:"approvals,omitempty"` // decisions about calls

	// Changes, Commands and Trace say what the turn did to the variables and why.
	Changes  []tree.Change   `json:"changes,omitempty"`
	Commands []CommandResult `json:"commands,omitempty"`
	Trace    TurnTrace       `json:"trace,omitzero"`

	ClientTurnID string `json:"client_turn_id,omitempty"`
	Fingerprint  string `json:"fingerprint,omitempty"` // of actor and input

	// Generation is the kind of the answer if it is not a normal one. Instructions are the
	// instructions to the model in addition to the line. AlternativeOf is the first answer to the
	// same line, "" for the first answer itself.
	Generation    worldbook.GenerationType `json:"generation,omitempty"`
	Instructions  string                   `json:"instructions,omitempty"`
	AlternativeOf string                   `json:"alternative_of,omitempty"`

	// Continued lists the places where the text was continued. The trace belongs to the last
	// continuation, except for its Lore, which lists the entries of all parts, and for its Cast.
	Continued []Continuation `json:"continued,omitempty"`
	// Original is the text of the model if a person edited it. EditFindings are the contradictions
	// that the edit had at that time.
	Original     string              `json:"original_text,omitempty"`
	EditFindings []conflict.Conflict `json:"edit_findings,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// Reply is the reply of one member of a cast in a turn.
type Reply struct {
	Speaker    string     `json:"speaker"` // its id
	Text       string     `json:"text"`
	Structured tree.Value `json:"structured,omitzero"` // other members of the output

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// Continuation is a part of a text that was added after the turn was over.
type Continuation struct {
	At           int    `json:"at"` // where it begins, in bytes
	Instructions string `json:"instructions,omitempty"`
	ClientTurnID string `json:"client_turn_id,omitempty"`
	Fingerprint  string `json:"fingerprint,omitempty"`
}

// FingerprintOf returns the fingerprint of the instruction with the given client turn ID, which
// made or continued the turn.
func (t Turn) FingerprintOf(clientTurnID string) string {
	for _, c := range t.Continued {
		if c.ClientTurnID == clientTurnID {
			return c.Fingerprint
		}
	}
	return t.Fingerprint
}

// Applied is a tool call that changed the state.
type Applied struct {
	ID     string     `json:"id"`
	Tool   string     `json:"tool"`
	Args   tree.Value `json:"args,omitzero"`
	Reason string     `json:"reason,omitempty"`
	Result tree.Value `json:"result"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// FailedCall is a refused tool call, in the form that the model gets.
type FailedCall struct {
	ID             string     `json:"id"`
	Tool           string     `json:"tool"`
	Status         CallStatus `json:"status"`
	Reason         CallCode   `json:"reason"`
	Message        string     `json:"message,omitempty"`
	DisabledUntil  string     `json:"disabled_until,omitempty"`
	Expected       tree.Value `json:"expected,omitzero"`
	Hint           tree.Value `json:"hint,omitzero"`
	Violations     []string   `json:"violations,omitempty"`
	OriginalReason CallCode   `json:"original_reason,omitempty"`
}

// CallStatus says how a call failed: the state or the rules refused it, or it was malformed.
type CallStatus string

// The ways in which a call fails.
const (
	CallRejected CallStatus = "rejected"
	CallError    CallStatus = "error"
)

// Attempt is one output of the model within a turn.
type Attempt struct {
	// Speaker is the member of the cast who should reply, empty without a cast.
	Speaker string `json:"speaker,omitempty"`
	// Updates marks the answer to the second request of the turn, see the setting variables.second_model.
	Updates     bool                `json:"updates,omitempty"`
	Output      string              `json:"output"`
	Calls       []llm.ToolCall      `json:"calls,omitempty"` // native tool calls of the reply
	FailedCalls []FailedCall        `json:"failed_calls,omitempty"`
	Conflicts   []conflict.Conflict `json:"conflicts,omitempty"`
	Warnings    []conflict.Conflict `json:"warnings,omitempty"`
	Usage       *llm.Usage          `json:"usage,omitempty"`
	// Finish says why the output ended; it is empty for "stop" and for unknown reasons. Reasoning
	// is the model's reasoning text, truncated to 64 KiB. ModelWarnings are the warnings of the
	// adapter.
	Finish        llm.FinishReason `json:"finish,omitempty"`
	Reasoning     string           `json:"reasoning,omitempty"`
	ModelWarnings []llm.Warning    `json:"model_warnings,omitempty"`
	// NoProgress marks a retry that failed in the same ways as the attempt before it.
	NoProgress bool `json:"no_progress,omitempty"`
	// Questions are the questions about the output, without the sentences around the quotes, and
	// Answers the answers to them, see the setting conflict.ask. AskUsage counts the tokens of asking.
	Questions []conflict.Question `json:"questions,omitempty"`
	Answers   []conflict.Verdict  `json:"answers,omitempty"`
	AskUsage  *llm.Usage          `json:"ask_usage,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// CommandResult is the result of one variable command in the player's or the model's text. It is
// also used for commands in other dialects; then Op is the name of the [game.Dialect].
type CommandResult = memvars.CallResult

// CallCode says why a call was refused. It is one of the codes of this package, or a code of a
// host's own tool, see [tool.Tool.Reasons]. [game.Texts.Reasons] has the texts for the model.
type CallCode string

// Memory returns the turn in the form that a memory stores. It does not include a summary.
func (t Turn) Memory() memory.Turn {
	return memory.Turn{ID: t.ID, Parent: t.ParentID, Index: t.Index, Player: t.UserInput, Text: t.Text, Witnesses: t.Audience}
}

// DialogSource says how the dialog type of a turn was chosen.
type DialogSource string

// The sources.
const (
	DialogByHand     DialogSource = "manual"   // the player chose it
	DialogByRouter   DialogSource = "router"   // see the setting dialog.auto_route_enabled
	DialogByFallback DialogSource = "fallback" // the router gave no answer
)
