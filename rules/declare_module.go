package rules

import (
	"encoding/json"

	"github.com/talewright/talewright/internal/authorjson"
	"github.com/talewright/talewright/memvars/tree"
)

// The declare part has what authors declare of a game: its variables, with their types and bounds, the
// modules that its content is divided into, and when either is active. Package rules compiles it.

// ModuleMode is the way in which a module or variable is active.
type ModuleMode string

// The modes. An empty or unknown mode means [ModeAlways].
const (
	ModeAlways     ModuleMode = "always"
	ModeManual     ModuleMode = "manual"     // on unless switched off
	ModeConditions ModuleMode = "conditions" // while the conditions hold
	ModeKeywords   ModuleMode = "keywords"   // latched by the player's words, see [Program.Say]
	ModeGreeting   ModuleMode = "greeting"   // with certain openings of the story
)

// Activation says when a module or a variable is active.
type Activation struct {
	Mode           ModuleMode  `json:"mode,omitempty"`
	Conditions     []Condition `json:"conditions,omitempty"`
	ConditionLogic Logic       `json:"conditionLogic,omitempty"`
	// Keywords switch on, any of them; LeaveKeywords switch off, any of them, unless a
	// keyword was said as well.
	Keywords      []string `json:"keywords,omitempty"`
	LeaveKeywords []string `json:"leaveKeywords,omitempty"`
	// GreetingIDs are the openings of the story that it belongs to.
	GreetingIDs []string `json:"greetingIds,omitempty"`
	// Exclusive modules take turns: one that is hit closes the others of its kind.
	Exclusive bool `json:"exclusive,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// IsZero reports whether nothing is said, which means always.
func (a Activation) IsZero() bool {
	return a.Mode == "" && a.Conditions == nil && a.Keywords == nil &&
		a.LeaveKeywords == nil && a.GreetingIDs == nil && !a.Exclusive && a.Extra == nil
}

// MarshalJSON writes the known fields and then the unknown ones.
func (a Activation) MarshalJSON() ([]byte, error) { return authorjson.Write(a) }

// UnmarshalJSON reads what it can and keeps the rest in Extra.
func (a *Activation) UnmarshalJSON(data []byte) error {
	return authorjson.UnmarshalValue(data, a, readActivation)
}

func readActivation(v tree.Value) Activation {
	f := authorjson.Of(v)
	a := Activation{
		Mode:           ModuleMode(f.Text("mode")),
		Conditions:     authorjson.List(f, "conditions", ReadCondition),
		ConditionLogic: Logic(f.Text("conditionLogic")),
		Keywords:       f.Texts("keywords"),
		LeaveKeywords:  f.Texts("leaveKeywords"),
		GreetingIDs:    f.Texts("greetingIds"),
		Exclusive:      f.True("exclusive"),
	}
	if id := f.Text("greetingId"); id != "" {
		a.GreetingIDs = append(a.GreetingIDs, id)
	}
	a.Extra = f.Rest()
	return a
}

// Module is a named part of the content, such as a world book, whose rules,
// reactions and variables are active together. Members name it by their BookID;
// a member of an unknown module is active, a member of [Unplaced] never.
type Module struct {
	ID         string     `json:"id"`
	Name       string     `json:"name,omitempty"`
	Order      float64    `json:"order,omitempty"`
	Activation Activation `json:"activation,omitzero"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// Unplaced is the module id of members that belong nowhere yet and take no part in play.
const Unplaced = "unplaced"

// MarshalJSON writes the known fields and then the unknown ones.
func (m Module) MarshalJSON() ([]byte, error) { return authorjson.Write(m) }

// UnmarshalJSON reads what it can and keeps the rest in Extra.
func (m *Module) UnmarshalJSON(data []byte) error {
	f, err := authorjson.Read(data)
	if err != nil {
		return err
	}
	*m = Module{
		ID:         f.Text("id"),
		Name:       f.Text("name"),
		Order:      authorjson.OrZero(f.Number("order")),
		Activation: authorjson.Part(f, "activation", readActivation),
	}
	if f.True("exclusive") {
		m.Activation.Exclusive = true
	}
	m.Extra = f.Rest()
	return nil
}
