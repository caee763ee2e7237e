package reactions

import (
	"encoding/json"
	"slices"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/internal/authorjson"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
)

// Pattern is the WHEN of a reaction.
type Pattern = rules.Pattern

// Reaction is one consequence of an event.
//
// Only When and Then are required. Without the other fields a reaction is on, has priority 0, and
// has no conditions or limits. The fields have the same meaning as in [rules.Rule]. [FromRule] sets
// Trigger for triggers that no pattern can express. Then only Trigger decides.
type Reaction struct {
	ID   string `json:"id"`
	Name string `json:"name,omitempty"`
	// When is the event pattern that it waits for.
	When           Pattern           `json:"when"`
	Trigger        *rules.Trigger    `json:"trigger,omitempty"`
	Conditions     []rules.Condition `json:"conditions"`
	ConditionLogic rules.Logic       `json:"conditionLogic,omitempty"`
	StopConditions []rules.Condition `json:"stopConditions,omitempty"`
	// Then is applied in order. Each effect sees the results of earlier ones.
	Then Effects `json:"then"`

	// Priority is also compared with the priority of rules. On equal priorities, rules come first.
	Priority      float64  `json:"priority"`
	Enabled       *bool    `json:"enabled,omitempty"` // nil: true
	CooldownTurns *int     `json:"cooldownTurns,omitempty"`
	MaxFireCount  *int     `json:"maxFireCount,omitempty"`
	Chance        *float64 `json:"chance,omitempty"`
	// MaxChainDepth counts hops, including the hop in which the reaction fires; 0 means no limit.
	MaxChainDepth *int   `json:"maxChainDepth,omitempty"`
	ElseMessage   string `json:"elseMessage,omitempty"`
	BookID        string `json:"worldbookId,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// MarshalJSON writes the known fields and then the unknown ones.
func (r Reaction) MarshalJSON() ([]byte, error) {
	if r.Conditions == nil {
		r.Conditions = []rules.Condition{}
	}
	return authorjson.Write(r)
}

// UnmarshalJSON fails only for invalid JSON. Members that cannot be read are kept in Extra and
// reported by [rules.Compile].
func (r *Reaction) UnmarshalJSON(data []byte) error { return authorjson.Unmarshal(data, r, read) }

// read reads the members.
func read(f *authorjson.Fields) Reaction {
	r := authorjson.Filled[Reaction](f)
	r.When = authorjson.Part(f, "when", rules.ParsePattern)
	r.Trigger = authorjson.Part(f, "trigger", rules.ParseTrigger)
	r.Conditions = authorjson.List(f, "conditions", rules.ParseCondition)
	r.StopConditions = authorjson.List(f, "stopConditions", rules.ParseCondition)
	if r.Trigger == nil {
		r.Trigger = authorjson.Part(f, "_legacyTrigger", rules.ParseTrigger) // the same member, in worlds of other programs
	}
	r.Then = readEffects(f.List("then"))
	r.Extra = f.Rest()
	return r
}

// Parse reads a JSON list of reactions, like [rules.Parse].
func Parse(data []byte) ([]Reaction, talewright.Problems) {
	return authorjson.ParseFile(data, "reactions", "not a JSON list of reactions; write [{\"id\": …}, …]", read)
}

// Handlers converts reactions for [rules.Content], each at its index.
func Handlers(list []Reaction) []rules.Handler {
	out := make([]rules.Handler, len(list))
	for i, r := range list {
		out[i] = r.Handler()
	}
	return out
}

// Handler converts the reaction to the general form.
func (r Reaction) Handler() rules.Handler {
	return rules.Handler{
		ID:             r.ID,
		Name:           r.Name,
		When:           r.When,
		Trigger:        r.Trigger,
		Conditions:     r.Conditions,
		ConditionLogic: r.ConditionLogic,
		StopConditions: r.StopConditions,
		ElseMessage:    r.ElseMessage,
		Then:           effect.List(r.Then),
		Priority:       r.Priority,
		Enabled:        r.Enabled,
		CooldownTurns:  r.CooldownTurns,
		MaxFireCount:   r.MaxFireCount,
		Chance:         r.Chance,
		MaxChainDepth:  r.MaxChainDepth,
		BookID:         r.BookID,
		Problems:       r.shape(),
	}
}

// shape reports the parts of the reaction that could not be read.
func (r Reaction) shape() talewright.Problems {
	var ps talewright.Problems
	add := func(path string, code talewright.Code, text string) {
		ps = append(ps, talewright.Problem{Path: path, ID: r.ID, Code: code, Text: text})
	}
	if r.ID == "" {
		add(".id", rules.MissingID,
			"no id: the reaction cannot be switched or counted; add an id")
	}
	ps = slices.Concat(ps,
		authorjson.Misread("", r.ID, r.Extra, "an object with an eventType", "when"),
		authorjson.Misread("", r.ID, r.Extra, "a list of objects", "conditions", "stopConditions", "then"),
		authorjson.Misread("", r.ID, r.Extra, "a text",
			"id", "name", "conditionLogic", "elseMessage", "worldbookId"),
		authorjson.Misread("", r.ID, r.Extra, "true or false", "enabled"),
		authorjson.Misread("", r.ID, r.Extra, "a number",
			"priority", "cooldownTurns", "maxFireCount", "chance", "maxChainDepth"))
	if _, script := r.Extra["code"]; script {
		add(".code", rules.Ignored, "scripts are not run; write a hook instead")
	}
	return ps
}

// Compile compiles reactions alone. With rules or variables use [rules.Compile].
func Compile(list []Reaction) (*rules.Program, talewright.Problems) {
	return rules.Compile(rules.Content{Handlers: Handlers(list)})
}

// Evaluate decides which reactions fire for events, for tests and small uses. It compiles the
// reactions each time. Chances and random operands draw 0.5.
func Evaluate(list []Reaction, events []rules.Event, vars rules.Vars) []rules.Fired {
	program, _ := Compile(list)
	return program.EvaluateVars(vars, events)
}
