package act

import (
	"encoding/json"

	"github.com/talewright/talewright/internal/openjson"
)

// Status is how a hook ended.
type Status string

// The six statuses.
const (
	StatusSuccess Status = "success" // all actions succeeded, or there were none
	StatusPartial Status = "partial" // some succeeded; their effects are in force
	StatusFailed  Status = "failed"  // none succeeded, or the hook is atomic and one failed
	StatusTimeout Status = "timeout" // the last attempt passed its deadline
	StatusDenied  Status = "denied"  // its permissions exclude the event's channel, or each of its actions
	StatusSkipped Status = "skipped" // a limit kept it from running; see Reason
)

// Reason says why a hook was skipped.
type Reason string

// The reasons.
const (
	AlreadyRan       Reason = "already_ran_this_turn"
	AlreadyTriggered Reason = "already_triggered" // once_per_conversation is used up
	AlreadyDenied    Reason = "already_denied"
	TurnLimit        Reason = "turn_limit"
)

// Log is the record of one hook and one event.
type Log struct {
	// ID is made from the event, the hook and the place in the turn.
	ID             string `json:"id"`
	HookID         string `json:"hook_id"`
	HookName       string `json:"hook_name"`
	EventID        string `json:"event_id"`
	EventType      string `json:"event_type"`
	ConversationID string `json:"conversation_id"`
	Status         Status `json:"status"`
	Reason         Reason `json:"reason,omitempty"` // of a skipped hook
	// ActionsExecuted counts the actions that are in force at the end.
	ActionsExecuted int `json:"actions_executed"`
	// Attempts is 0 for a hook that did not run.
	Attempts int `json:"attempts"`
	// Error joins the details of the failed results with "; ", or is "Timeout"
	// or "Permission denied".
	Error string `json:"error,omitempty"`
	// DurationMS is 0 where Env has no clock.
	DurationMS int64 `json:"duration_ms"`
	// CreatedAt is Env.Now in RFC 3339, "" where that is zero.
	CreatedAt string `json:"created_at,omitempty"`
	// Depth is that of the event in its chain.
	Depth   int            `json:"depth"`
	Results []ActionResult `json:"results"`
	// DisplayMessage is for notifications: the first log or message text among
	// the hook's actions, else its name.
	DisplayMessage string `json:"display_message,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// MarshalJSON writes the known fields and then the unknown ones.
func (l Log) MarshalJSON() ([]byte, error) {
	if l.Results == nil {
		l.Results = []ActionResult{}
	}
	return openjson.Write(l)
}

// UnmarshalJSON keeps members that it does not know in Extra.
func (l *Log) UnmarshalJSON(data []byte) error { return openjson.Read(data, l) }
