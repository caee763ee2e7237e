package trace

import "github.com/talewright/talewright/memvars/tree"

// Code says in one word how an action ended.
type Code string

// The codes.
const (
	CodeOK             Code = "ok"
	CodeInvalidAction  Code = "invalid_action"  // no object with a text member "type"
	CodeUnknownType    Code = "unknown_type"    // the action table has no such type
	CodeMissingParams  Code = "missing_params"  // a required parameter is missing or empty
	CodeInvalidValue   Code = "invalid_value"   // a parameter of the wrong type or range
	CodeUnknownField   Code = "unknown_field"   // a state or relationship field that is not there
	CodeProtectedField Code = "protected_field" // an identity or private field
	CodeUnavailable    Code = "unavailable"     // what the action needs is not there
	CodeNotFound       Code = "not_found"       // such as an unknown world book
	CodeForbidden      Code = "forbidden"       // not among the action types the hook may use
	CodeHandlerError   Code = "handler_error"   // a handler or sink returned an error
	CodePanic          Code = "panic"           // a handler or sink panicked
	CodeTimeout        Code = "timeout"         // the deadline passed before the action succeeded
	CodeAborted        Code = "aborted"         // an earlier action failed under on_error abort
	CodeRolledBack     Code = "rolled_back"     // succeeded, but the hook's effects were dropped
)

// ActionResult is how one action of a hook ended.
type ActionResult struct {
	Success bool `json:"success"`
	// ActionType is the action's type, "" if it had none.
	ActionType string `json:"action_type"`
	Code       Code   `json:"code"`
	// Detail is free text for people.
	Detail string     `json:"detail,omitempty"`
	Output tree.Value `json:"output,omitzero"`
}
