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
	ID       string `json:"turn_id"` // turn_0001; the counter never goes back
	Index    int    `json:"index"`   // place on its branch, from 1
	ParentID string `json:"parent_turn_id"`
	BranchID string `json:"branch_id"`
	ActorID  string `json:"actor_id"`
	// Audience are those who heard the turn, the actor among them; empty: everybody.
	Audience []string `json:"audience,omitempty"`

	UserInput string `json:"user_input"`
	Text      string `json:"assistant_output_text"` // what the player was shown
	// Structured is an object with the other members of the output, absent if it would be empty. Its
	// member tool_calls lists the calls of the turn, applied or refused, in the order of the replies and
	// as the model wrote them: {tool, args, reason?, id}. Calls of rejected outputs are in Attempts only, and
	// so are calls far beyond the setting turn.max_tool_calls.
	Structured tree.Value `json:"assistant_structured,omitzero"`
	// Replies are what the members of a cast said, in order; Text is all of it then.
	Replies []Reply `json:"replies,omitempty"`
	// EarlierReplies are how many messages the turns before it have beyond two each, a line and a
	// reply; fewer count against them. With Index it says how many messages came before.
	EarlierReplies int `json:"earlier_replies,omitempty"`
	// Dropped are the members of the cast whose replies could not be brought in line with the
	// state, and were left out; the attempts say why.
	Dropped   []string  `json:"dropped_speakers,omitempty"`
	Applied   []Applied `json:"applied_actions,omitempty"`
	Timestamp time.Time `json:"timestamp,omitzero"`

	DialogType       string              `json:"dialog_type"`
	DialogTypeSource DialogSource        `json:"dialog_type_source"`
	SettingsRevision int                 `json:"settings_revision"`
	RetriesUsed      int                 `json:"retries_used"`
	Attempts         []Attempt           `json:"attempts,omitempty"` // audit only, never prompted again
	Unresolved       []CallCode          `json:"unresolved_failures,omitempty"`
	Overridden       []conflict.Conflict `json:"overridden_conflicts,omitempty"`
	StateSummary     string              `json:"state_summary,omitempty"`
	Approvals        []ApprovalGiven     `json:"approvals,omitempty"` // who decided what about calls

	// Changes, Commands, Fired, Lore and Hooks say what the turn did to the variables and why.
	Changes  []tree.Change   `json:"changes,omitempty"`
	Commands []CommandResult `json:"commands,omitempty"`
	Trace    TurnTrace       `json:"trace,omitzero"`

	ClientTurnID string `json:"client_turn_id,omitempty"`
	Fingerprint  string `json:"fingerprint,omitempty"` // of actor and input

	// Generation is the kind of the answer, where it is no normal one, and Instructions what
	// was asked of the model beside the line. AlternativeOf is the first answer to the same
	// line, "" for that itself.
	Generation    worldbook.GenerationType `json:"generation,omitempty"`
	Instructions  string                   `json:"instructions,omitempty"`
	AlternativeOf string                   `json:"alternative_of,omitempty"`

	// Continued are the places at which the text was continued. The trace is that of the
	// last one.
	Continued []Continuation `json:"continued,omitempty"`
	// Original is the text as the model gave it, if it was edited by hand, and EditFindings
	// what the edit contradicted at that time.
	Original     string              `json:"original_text,omitempty"`
	EditFindings []conflict.Conflict `json:"edit_findings,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// Reply is what one member of a cast said in a turn.
type Reply struct {
	Speaker    string     `json:"speaker"` // its id
	Text       string     `json:"text"`
	Structured tree.Value `json:"structured,omitzero"` // other members of the output

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// Continuation is a part of a text that was asked for when the turn was over.
type Continuation struct {
	At           int    `json:"at"` // where it begins, in bytes
	Instructions string `json:"instructions,omitempty"`
	ClientTurnID string `json:"client_turn_id,omitempty"`
	Fingerprint  string `json:"fingerprint,omitempty"`
}

// FingerprintOf returns that of the instruction with the given client turn id, which made the
// turn or made it longer.
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

// FailedCall is a tool call that was refused, in the form that goes back to the
// model.
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

// CallStatus says how a call failed: the state or the rules refused it, or it
// was no proper call.
type CallStatus string

// The ways in which a call fails.
const (
	CallRejected CallStatus = "rejected"
	CallError    CallStatus = "error"
)

// Attempt is one output of the model within a turn.
type Attempt struct {
	// Speaker is the member of the cast that the output was for, empty without a cast.
	Speaker     string              `json:"speaker,omitempty"`
	Output      string              `json:"output"`
	Calls       []llm.ToolCall      `json:"calls,omitempty"` // native tool calls of the reply
	FailedCalls []FailedCall        `json:"failed_calls,omitempty"`
	Conflicts   []conflict.Conflict `json:"conflicts,omitempty"`
	Warnings    []conflict.Conflict `json:"warnings,omitempty"`
	Usage       *llm.Usage          `json:"usage,omitempty"`
	// Finish says why the output ended, where that is not "stop" or unknown. Reasoning is
	// the model's thinking, cut at 64 KiB, and ModelWarnings what the adapter said.
	Finish        llm.FinishReason `json:"finish,omitempty"`
	Reasoning     string           `json:"reasoning,omitempty"`
	ModelWarnings []llm.Warning    `json:"model_warnings,omitempty"`
	// NoProgress marks a re-generation that failed in the same ways as the
	// attempt before.
	NoProgress bool `json:"no_progress,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// CommandResult is what became of one variable command in the player's or the model's
// text, or of what another dialect read; then Op is the name of the [game.Dialect].
type CommandResult = memvars.CallResult

// CallCode says why a call was refused: one of the codes below, or one of a host's own
// tool, see [tool.Tool.Reasons]. [game.Texts.Reasons] has their texts for the model.
type CallCode string

// Memory is what there is to remember of a turn. A summary is not part of it.
func (t Turn) Memory() memory.Turn {
	return memory.Turn{ID: t.ID, Parent: t.ParentID, Index: t.Index, Player: t.UserInput, Text: t.Text, Witnesses: t.Audience}
}

// DialogSource says how the dialog type of a turn was found.
type DialogSource string

// The sources.
const (
	DialogByHand     DialogSource = "manual"   // the player chose it
	DialogByRouter   DialogSource = "router"   // see [setting.AutoRouteEnabled]
	DialogByFallback DialogSource = "fallback" // the router had no answer
)
