package act

import (
	"encoding/json"

	"github.com/talewright/talewright/internal/openjson"
)

// Status is the result of a hook.
type Status string

// The six statuses.
const (
	StatusSuccess Status = "success" // all actions succeeded, or there were none
	StatusPartial Status = "partial" // some actions succeeded; their effects are in force
	StatusFailed  Status = "failed"  // no action succeeded, or the hook is atomic and one action failed
	StatusTimeout Status = "timeout" // the last attempt passed its deadline
	StatusDenied  Status = "denied"  // its permissions exclude the event's channel
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

// Log is the record of one hook for one event.
type Log struct {
	// ID is made from the event, the hook and the position in the turn.
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
	// DurationMS is 0 if Env has no clock.
	DurationMS int64 `json:"duration_ms"`
	// CreatedAt is Env.Now in RFC 3339, or "" if Env.Now is zero.
	CreatedAt string `json:"created_at,omitempty"`
	// Depth is the depth of the event in its chain.
	Depth   int            `json:"depth"`
	Results []ActionResult `json:"results"`
	// DisplayMessage is for notifications: the first log or message text among the hook's actions,
	// or its name if there is no such text.
	DisplayMessage string `json:"display_message,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// MarshalJSON writes the known fields first, then the unknown fields.
func (l Log) MarshalJSON() ([]byte, error) {
	if l.Results == nil {
		l.Results = []ActionResult{}
	}
	return openjson.Write(l)
}

// UnmarshalJSON keeps unknown members in Extra.
func (l *Log) UnmarshalJSON(data []byte) error { return openjson.Read(data, l) }
