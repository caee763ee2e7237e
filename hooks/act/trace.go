package act

import (
	"cmp"
	"encoding/json"
	"slices"

	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/memvars/tree"
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

// The defaults of a [LogBook].
const (
	defaultKeep  = 500
	defaultLimit = 50
)

// LogBook keeps the newest logs in memory. The zero LogBook is ready to use. It is not safe for
// concurrent use.
type LogBook struct {
	// Keep is the number of logs to keep; 0 means 500.
	Keep int `json:"keep,omitempty"`
	// Entries holds the logs, the oldest first. It is trimmed when it holds more than twice Keep.
	// Logs never returns more than Keep.
	Entries []Log `json:"entries,omitempty"`
}

// LogQuery selects logs.
type LogQuery struct {
	HookID string // empty means all hooks
	Limit  int    // the most logs to return; 0 means 50, negative means all
}

// Add appends logs, the oldest first, in the order in which a run returns them.
func (b *LogBook) Add(logs ...Log) {
	b.Entries = append(b.Entries, logs...)
	// Trimming at twice the number keeps the cost of a log constant for any Keep.
	if keep := b.keep(); len(b.Entries) > 2*keep {
		b.Entries = slices.Clone(b.Entries[len(b.Entries)-keep:])
	}
}

// Logs returns the kept logs that match the query, the newest first.
func (b *LogBook) Logs(q LogQuery) []Log {
	q.Limit = cmp.Or(q.Limit, defaultLimit)
	var out []Log
	oldest := max(0, len(b.Entries)-b.keep())
	for i := len(b.Entries) - 1; i >= oldest && (q.Limit < 0 || len(out) < q.Limit); i-- {
		if q.HookID == "" || b.Entries[i].HookID == q.HookID {
			out = append(out, b.Entries[i])
		}
	}
	return out
}

// keep returns Keep or its default.
func (b *LogBook) keep() int {
	if b.Keep <= 0 {
		return defaultKeep
	}
	return b.Keep
}

// ResultCode says how an action ended.
type ResultCode string

// The codes.
const (
	CodeOK             ResultCode = "ok"
	CodeInvalidAction  ResultCode = "invalid_action"  // not an object with a text member "type"
	CodeUnknownType    ResultCode = "unknown_type"    // the action table has no such type
	CodeMissingParams  ResultCode = "missing_params"  // a required parameter is missing or empty
	CodeInvalidValue   ResultCode = "invalid_value"   // a parameter has the wrong type or range
	CodeUnknownField   ResultCode = "unknown_field"   // a state or relationship field that does not exist
	CodeProtectedField ResultCode = "protected_field" // an identity or private field
	CodeUnavailable    ResultCode = "unavailable"     // the host does not have what the action needs
	CodeNotFound       ResultCode = "not_found"       // such as an unknown world book
	CodeForbidden      ResultCode = "forbidden"       // not among the action types the hook may use
	CodeHandlerError   ResultCode = "handler_error"   // a handler or sink returned an error
	CodePanic          ResultCode = "panic"           // a handler or sink panicked
	CodeTimeout        ResultCode = "timeout"         // the deadline passed before the action succeeded
	CodeAborted        ResultCode = "aborted"         // an earlier action failed under on_error abort
	CodeRolledBack     ResultCode = "rolled_back"     // succeeded, but the hook's effects were dropped
)

// ActionResult is the result of one action of a hook.
type ActionResult struct {
	Success bool `json:"success"`
	// ActionType is the action's type, "" if it has no type.
	ActionType string     `json:"action_type"`
	Code       ResultCode `json:"code"`
	// Detail is free text for people.
	Detail string     `json:"detail,omitempty"`
	Output tree.Value `json:"output,omitzero"`
}
