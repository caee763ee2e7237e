package rules

import (
	"encoding/json"

	"github.com/talewright/talewright/internal/authorjson"
	"github.com/talewright/talewright/memvars/tree"
)

// The declare files have the declarations of an author: variables with their types and bounds, the
// modules of the content, and when either is active.

// ModuleMode decides when a module or variable is active.
type ModuleMode string

// The modes. An empty or unknown mode means [ModeAlways].
const (
	ModeAlways     ModuleMode = "always"
	ModeManual     ModuleMode = "manual"     // on unless switched off
	ModeConditions ModuleMode = "conditions" // while the conditions hold
	ModeKeywords   ModuleMode = "keywords"   // switched by the player's words, see [Program.ActivateModules]
	ModeGreeting   ModuleMode = "greeting"   // with certain openings of the story
)

// Activation says when a module or a variable is active.
type Activation struct {
	Mode           ModuleMode  `json:"mode,omitempty"`
	Conditions     []Condition `json:"conditions,omitempty"`
	ConditionLogic Logic       `json:"conditionLogic,omitempty"`
	// Any of Keywords switches the module on. Any of LeaveKeywords switches it off, unless a
	// keyword was said too.
	Keywords      []string `json:"keywords,omitempty"`
	LeaveKeywords []string `json:"leaveKeywords,omitempty"`
	// GreetingIDs are the openings of the story that it belongs to.
	GreetingIDs []string `json:"greetingIds,omitempty"`
	// Exclusive modules close each other: a keyword of one closes the other open exclusive modules.
	Exclusive bool `json:"exclusive,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// IsZero reports whether the value is empty, which means always active.
func (a Activation) IsZero() bool {
	return a.Mode == "" && a.Conditions == nil && a.Keywords == nil &&
		a.LeaveKeywords == nil && a.GreetingIDs == nil && !a.Exclusive && a.Extra == nil
}

// MarshalJSON writes the known fields and then the unknown ones.
func (a Activation) MarshalJSON() ([]byte, error) { return authorjson.Write(a) }

// UnmarshalJSON reads all readable members and keeps the others in Extra.
func (a *Activation) UnmarshalJSON(data []byte) error {
	return authorjson.UnmarshalValue(data, a, readActivation)
}

// readActivation reads an activation as authors write it.
func readActivation(v tree.Value) Activation {
	f := authorjson.Of(v)
	a := authorjson.Filled[Activation](f)
	a.Conditions = authorjson.List(f, "conditions", ParseCondition)
	if id := f.Text("greetingId"); id != "" {
		a.GreetingIDs = append(a.GreetingIDs, id)
	}
	a.Extra = f.Rest()
	return a
}

// Module is a named part of the content, such as a world book. Its rules, reactions and variables
// are active together. Members name it by their BookID. A member of an unknown module is active, a
// member of [Unplaced] never.
type Module struct {
	ID         string     `json:"id"`
	Name       string     `json:"name,omitempty"`
	Order      float64    `json:"order,omitempty"`
	Activation Activation `json:"activation,omitzero"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// Unplaced is the module id of members that belong to no module yet and take no part in play.
const Unplaced = "unplaced"

// MarshalJSON writes the known fields and then the unknown ones.
func (m Module) MarshalJSON() ([]byte, error) { return authorjson.Write(m) }

// UnmarshalJSON reads all readable members and keeps the others in Extra.
func (m *Module) UnmarshalJSON(data []byte) error {
	f, err := authorjson.Read(data)
	if err != nil {
		return err
	}
	*m = authorjson.Filled[Module](f)
	m.Activation = authorjson.Part(f, "activation", readActivation)
	if f.True("exclusive") {
		m.Activation.Exclusive = true
	}
	m.Extra = f.Rest()
	return nil
}
