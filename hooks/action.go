package hooks

import (
	"github.com/talewright/talewright/hooks/trace"
	"github.com/talewright/talewright/memvars/tree"
)

// Action is one entry of a hook's list: a JSON object with a text member "type"
// and the parameters of that type. Whatever it holds is kept as it is; what is
// not such an object fails with [trace.CodeInvalidAction] when it is run.
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

// Failure is an error with a [trace.Code]. Handlers and sinks return one where
// "handler_error" would say too little; every other error becomes that.
type Failure struct {
	// Code is one of not_found, unavailable, forbidden, missing_params,
	// invalid_value, unknown_field and protected_field; others count as handler_error.
	Code   trace.Code
	Detail string

	param string // the parameter to blame, for the path of a Problem
}

// Error returns the code and the detail.
func (f *Failure) Error() string { return string(f.Code) + ": " + f.Detail }
