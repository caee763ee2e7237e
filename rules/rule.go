package rules

import (
	"encoding/json"
	"slices"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/internal/authorjson"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/rules/internal/report"
)

// Rule is one mechanic: WHEN its trigger, ONLY IF its conditions, DO its actions.
//
// The zero values of the optional fields are the documented defaults: on, priority 0, no cooldown,
// no maximum, certain. JSON is the form that authors write; null means absent. Content is never
// refused as a whole: a member that cannot be read is kept in Extra, reported by [Compile], and
// ignored.
type Rule struct {
	// ID is the name for switches, counts, cooldowns and other rules. Two rules with one id share
	// all of them, and if one fires in a chain, neither fires again in it.
	ID string `json:"id"`
	// Name and Description are for people.
	Name        string `json:"name,omitempty"`
	Description string `json:"description,omitempty"`
	// Trigger is the WHEN. A rule without a trigger or with an unknown trigger type never fires by
	// an event.
	Trigger *Trigger `json:"trigger,omitempty"`
	// Conditions are the ONLY IF, joined by ConditionLogic. An empty list holds.
	Conditions     []Condition `json:"conditions"`
	ConditionLogic Logic       `json:"conditionLogic,omitempty"`
	// Actions are the DO. They are applied in order. Each sees the results of earlier ones.
	Actions effect.Actions `json:"actions"`

	// Priority orders the rules that one event fires: higher first, then by place. Effects are
	// applied in this order too, so the rule with the lowest priority determines the final value of
	// a variable. Priority prevents no rule from firing: all see the state before the hop.
	Priority float64 `json:"priority"`
	// Enabled is the initial position; a run-time switch overrides it. Nil means true.
	Enabled *bool `json:"enabled,omitempty"`
	// CooldownTurns is the distance between firings: after a firing on turn T the next is possible
	// on turn T+N. Nil, 0 and less mean no cooldown.
	CooldownTurns *int `json:"cooldownTurns,omitempty"`
	// MaxFireCount is the greatest number of firings in a whole game, also if the rule was switched
	// off in between. Nil means no limit; with 0 it never fires.
	MaxFireCount *int `json:"maxFireCount,omitempty"`
	// Chance is in percent and is the last gate, so a rule that stops earlier draws no random
	// number. Nil, or 100 and more, is certain and draws none either.
	Chance *float64 `json:"chance,omitempty"`

	// StopConditions suppress the rule if at least one of them is true. A missing variable makes a
	// condition false, so it never suppresses.
	StopConditions []Condition `json:"stopConditions,omitempty"`
	// ElseMessage is a warning for the player if the trigger was satisfied and the conditions
	// failed: a button that does nothing should say why.
	ElseMessage string `json:"elseMessage,omitempty"`
	// MaxChainDepth ends the chain after so many hops from the hop in which the rule fires,
	// including that hop. The smallest value of all fired rules counts. With nil and 0 the chain
	// has its own limit.
	MaxChainDepth *int `json:"maxChainDepth,omitempty"`
	// BookID is its [Module]. It fires only while the module is active.
	BookID string `json:"worldbookId,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// MarshalJSON writes the known fields and then the unknown ones.
func (r Rule) MarshalJSON() ([]byte, error) {
	if r.Conditions == nil {
		r.Conditions = []Condition{}
	}
	return authorjson.Write(r)
}

// UnmarshalJSON fails only for invalid JSON. [Compile] reports all other mistakes.
func (r *Rule) UnmarshalJSON(data []byte) error { return authorjson.Unmarshal(data, r, readRule) }

// readRule reads the members. Null always means absent, because authors' tools write null for a limit
// that is not set.
func readRule(f *authorjson.Fields) Rule {
	r := authorjson.Filled[Rule](f)
	r.Trigger = authorjson.Part(f, "trigger", ParseTrigger)
	r.Conditions = authorjson.List(f, "conditions", ParseCondition)
	r.StopConditions = authorjson.List(f, "stopConditions", ParseCondition)
	r.Actions = effect.ParseActions(f.List("actions"))
	r.Extra = f.Rest()
	return r
}

// Parse reads a JSON list of rules. A text that is not a JSON list is a fatal problem. An element
// that is not an object becomes a zero rule that never fires, so that indexes do not change.
// [Compile] reports it, and all other mistakes.
func Parse(data []byte) ([]Rule, talewright.Problems) {
	return authorjson.ParseFile(data, "rules", "not a JSON list of rules; write [{\"id\": …}, …]", readRule)
}

// Handler converts the rule to the general form. Compiling the result is equivalent to compiling
// the rule.
func (r Rule) Handler() Handler {
	h := Handler{
		ID:             r.ID,
		Name:           r.Name,
		Trigger:        r.Trigger,
		Conditions:     r.Conditions,
		ConditionLogic: r.ConditionLogic,
		StopConditions: r.StopConditions,
		ElseMessage:    r.ElseMessage,
		Then:           effect.List(r.Actions),
		Priority:       r.Priority,
		Enabled:        r.Enabled,
		CooldownTurns:  r.CooldownTurns,
		MaxFireCount:   r.MaxFireCount,
		Chance:         r.Chance,
		MaxChainDepth:  r.MaxChainDepth,
		BookID:         r.BookID,
	}
	if h.Trigger == nil {
		// Nil would mean that the pattern decides, but a rule has no pattern.
		h.Trigger = &Trigger{}
	}
	h.Problems = r.shape()
	return h
}

// shape reports the parts of the rule that could not be read.
func (r Rule) shape() talewright.Problems {
	var ps report.Findings
	if r.isZero() {
		ps.Add("", "", Unreadable, "not a rule; write an object with id, trigger and actions")
		return talewright.Problems(ps)
	}
	if r.ID == "" {
		ps.Add(".id", "", MissingID, "no id: the rule cannot be switched or counted; add an id")
	}
	if r.Trigger == nil {
		ps.Add(".trigger", r.ID, BadTrigger, "no trigger; add an object with a type")
	}
	if r.Trigger == nil && r.Conditions == nil && r.Actions == nil && r.Extra["conditions"] == nil {
		// A rule needs no conditions, but for an element without any member of a rule, all missing
		// parts are reported.
		ps.Add(".conditions", r.ID, BadConditions, "no conditions either; they are a list of objects")
	}
	if r.Actions == nil && r.Extra["actions"] == nil {
		ps.Add(".actions", r.ID, BadActions, "no actions; the rule does nothing; add a list of them")
	}
	for _, name := range []string{"conditions", "stopConditions", "actions"} {
		if _, bad := r.Extra[name]; bad {
			code := BadConditions
			if name == "actions" {
				code = BadActions
			}
			ps.Add("."+name, r.ID, code, "not readable as a list of objects; write [{…}, …]")
		}
	}
	return slices.Concat(talewright.Problems(ps),
		authorjson.Misread("", r.ID, r.Extra, "a text",
			"id", "name", "conditionLogic", "elseMessage", "worldbookId"),
		authorjson.Misread("", r.ID, r.Extra, "true or false", "enabled"),
		authorjson.Misread("", r.ID, r.Extra, "a number",
			"priority", "cooldownTurns", "maxFireCount", "chance", "maxChainDepth"))
}

// isZero reports whether r is the rule that [Parse] returns for an element that is not an object.
func (r Rule) isZero() bool {
	return r.ID == "" && r.Name == "" && r.Trigger == nil && r.Conditions == nil &&
		r.Actions == nil && r.Extra == nil
}

// Handler is the general form of a consequence. Rules and the reactions of package reactions
// compile to it. A Trigger, if set, decides alone; otherwise When decides. The other fields are the
// fields of [Rule].
type Handler struct {
	ID   string
	Name string
	// When is the pattern of a reaction. It is ignored if Trigger is set.
	When    Pattern
	Trigger *Trigger

	Conditions     []Condition
	ConditionLogic Logic
	StopConditions []Condition
	ElseMessage    string
	Then           effect.List
	Priority       float64
	Enabled        *bool
	CooldownTurns  *int
	MaxFireCount   *int
	Chance         *float64
	MaxChainDepth  *int
	BookID         string

	// Problems were found during the conversion. Their paths are relative to the handler, as in
	// ".conditions". [Compile] adds the place of the handler.
	Problems talewright.Problems
}
