package act

import (
	"github.com/talewright/talewright/memvars/tree"
)

// Action is one entry of a hook's list: a JSON object with a text member "type" and the parameters
// of that type. All its members are kept unchanged. A value that is not such an object fails with
// invalid_action when it runs.
type Action struct {
	JSON tree.Value
}

// New returns the action of a type with the given parameters.
func New(typ string, params ...tree.Member) Action {
	all := append([]tree.Member{{Key: "type", Value: tree.Text(typ)}}, params...)
	return Action{tree.Object(all...)}
}

// Type returns the action's type, "" if it has none.
func (a Action) Type() string {
	typ, _ := a.JSON.Get("type").AsText()
	return typ
}

// Get returns a parameter, absent if there is no parameter of that name.
func (a Action) Get(name string) tree.Value { return a.JSON.Get(name) }

// MarshalJSON writes the action as it was read.
func (a Action) MarshalJSON() ([]byte, error) { return a.JSON.MarshalJSON() }

// UnmarshalJSON reads any JSON value. Compile reports a value that is not an action.
func (a *Action) UnmarshalJSON(data []byte) (err error) {
	a.JSON, err = tree.ParseValue(data)
	return err
}
