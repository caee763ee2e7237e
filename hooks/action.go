package hooks

import (
	"github.com/talewright/talewright/memvars/tree"
)

// Action is one entry of a hook's list: a JSON object with a text member "type"
// and the parameters of that type. Whatever it holds is kept as it is; what is
// not such an object fails with [CodeInvalidAction] when it is run.
type Action struct {
	JSON tree.Value
}

// NewAction returns the action of a type with the given parameters.
func NewAction(typ string, params ...tree.Member) Action {
	all := append([]tree.Member{{Key: "type", Value: tree.Text(typ)}}, params...)
	return Action{tree.Object(all...)}
}

// Type returns the action's type, "" if it has none.
func (a Action) Type() string {
	typ, _ := a.JSON.Get("type").AsText()
	return typ
}

// Get returns a parameter, absent if there is none of that name.
func (a Action) Get(name string) tree.Value { return a.JSON.Get(name) }

// MarshalJSON writes the action as it was read.
func (a Action) MarshalJSON() ([]byte, error) { return a.JSON.MarshalJSON() }

// UnmarshalJSON reads any JSON value; Compile reports one that is no action.
func (a *Action) UnmarshalJSON(data []byte) (err error) {
	a.JSON, err = tree.ParseValue(data)
	return err
}

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

// Failure is an error with a [Code]. Handlers and sinks return one where
// "handler_error" would say too little; every other error becomes that.
type Failure struct {
	// Code is one of not_found, unavailable, forbidden, missing_params,
	// invalid_value, unknown_field and protected_field; others count as handler_error.
	Code   Code
	Detail string

	param string // the parameter to blame, for the path of a Problem
}

// Error returns the code and the detail.
func (f *Failure) Error() string { return string(f.Code) + ": " + f.Detail }
