package act

import "github.com/talewright/talewright/memvars/tree"

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
