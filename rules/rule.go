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
// The zero values of the optional fields are the documented defaults: on,
// priority 0, no cooldown, no maximum, certain. JSON is the form that authors
// write; null means absent. Content is never refused as a whole: a member that
// cannot be read is kept in Extra, named by [Compile], and left out.
type Rule struct {
	// ID is what switches, counts, cooldowns and other rules go by. Two of one id share them
	// all, and one firing in a chain retires both.
	ID string `json:"id"`
	// Name and Description are for people.
	Name        string `json:"name,omitempty"`
	Description string `json:"description,omitempty"`
	// Trigger is the WHEN. Without one, as with one of an unknown type, the rule is inert:
	// it waits for its author and not for any event.
	Trigger *Trigger `json:"trigger,omitempty"`
	// Conditions are the ONLY IF, joined by ConditionLogic. An empty list holds.
	Conditions     []Condition `json:"conditions"`
	ConditionLogic Logic       `json:"conditionLogic,omitempty"`
	// Actions are the DO. They are applied in order, each seeing those before it.
	Actions effect.Actions `json:"actions"`

	// Priority orders what one event fires, higher first and then by place. The effects
	// come in that order too, so that the lowest has the last word on a variable. It keeps
	// nobody from firing: all see the state from before.
	Priority float64 `json:"priority"`
	// Enabled is how the rule starts; a switch at run time beats it. Nil means true.
	Enabled *bool `json:"enabled,omitempty"`
	// CooldownTurns is the distance between firings: after one on turn T the next is
	// possible on turn T+N. Nil, 0 and less mean none.
	CooldownTurns *int `json:"cooldownTurns,omitempty"`
	// MaxFireCount is how often it fires in a whole game, switched off in between or not.
	// Nil means without limit; with 0 it never does.
	MaxFireCount *int `json:"maxFireCount,omitempty"`
	// Chance is in percent, and asked last: what stops earlier costs no random number.
	// Nil, or 100 and more, is certain and draws none either.
	Chance *float64 `json:"chance,omitempty"`

	// StopConditions suppress, any one that holds. A missing variable makes a condition
	// false, so it never suppresses.
	StopConditions []Condition `json:"stopConditions,omitempty"`
	// ElseMessage is a warning for the player when the trigger was satisfied and the
	// conditions were not: a button that does nothing should say why.
	ElseMessage string `json:"elseMessage,omitempty"`
	// MaxChainDepth ends the chain after so many hops from the one in which the rule fires,
	// that one included. Of all that fired the smallest counts; nil and 0 leave the chain its
	// own bound.
	MaxChainDepth *int `json:"maxChainDepth,omitempty"`
	// BookID is the [Module] that it belongs to; it fires only while that is active.
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

// UnmarshalJSON fails for invalid JSON only. Whatever else is wrong is found by
// [Compile].
func (r *Rule) UnmarshalJSON(data []byte) error { return authorjson.Unmarshal(data, r, readRule) }

// readRule takes the members apart. The order of the calls is that of the fields, and null
// is everywhere the same as absent: authors' tools write it for a limit that is not set.
func readRule(f *authorjson.Fields) Rule {
	r := Rule{
		ID:             f.Text("id"),
		Name:           f.Text("name"),
		Description:    f.Text("description"),
		Trigger:        authorjson.Part(f, "trigger", ReadTrigger),
		Conditions:     authorjson.List(f, "conditions", ReadCondition),
		ConditionLogic: Logic(f.Text("conditionLogic")),
		Actions:        effect.ReadActions(f.List("actions")),
		Priority:       authorjson.OrZero(f.Number("priority")),
		Enabled:        f.Flag("enabled"),
		CooldownTurns:  f.Whole("cooldownTurns"),
		MaxFireCount:   f.Whole("maxFireCount"),
		Chance:         f.Number("chance"),
		StopConditions: authorjson.List(f, "stopConditions", ReadCondition),
		ElseMessage:    f.Text("elseMessage"),
		MaxChainDepth:  f.Whole("maxChainDepth"),
		BookID:         f.Text("worldbookId"),
	}
	r.Extra = f.Rest()
	return r
}

// Load reads a JSON list of rules. Text that is no JSON list is a fatal problem. An
// element that is no object becomes an inert zero rule, so that places stay what
// they are; [Compile] reports it, and everything else.
func Load(data []byte) ([]Rule, talewright.Problems) {
	v, err := authorjson.File(data)
	text := "not a JSON list of rules; write [{\"id\": …}, …]"
	if err != nil {
		text = "no JSON: " + err.Error()
	}
	if !v.IsArray() {
		return nil, talewright.Problems{{Path: "rules", Code: Unreadable, Severity: talewright.Fatal, Text: text}}
	}
	list := make([]Rule, v.Len())
	for i, e := range v.Elements() {
		if e.IsObject() { // else Compile says so
			list[i] = readRule(authorjson.Of(e))
		}
	}
	return list, nil
}

// Handler returns the rule in the general form. Compiling it gives what compiling
// the rule gives.
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
		// Nil would mean that the pattern decides, and a rule has none.
		h.Trigger = &Trigger{}
	}
	h.Problems = r.shape()
	return h
}

// shape names what of the rule could not be read.
func (r Rule) shape() talewright.Problems {
	var ps report.Findings
	if r.isZero() {
		ps.Add("", "", Unreadable, "not a rule; write an object with id, trigger and actions")
		return talewright.Problems(ps)
	}
	if r.ID == "" {
		ps.Add(".id", "", MissingID,
			"no id; without one nothing can switch or count the rule; add one")
	}
	if r.Trigger == nil {
		ps.Add(".trigger", r.ID, BadTrigger, "no trigger; add an object with a type")
	}
	if r.Trigger == nil && r.Conditions == nil && r.Actions == nil && r.Extra["conditions"] == nil {
		// A rule needs none, but what has nothing of a rule is told all that it could have.
		ps.Add(".conditions", r.ID, BadConditions, "no conditions either; they are a list of objects")
	}
	if r.Actions == nil && r.Extra["actions"] == nil {
		ps.Add(".actions", r.ID, BadActions,
			"no actions; the rule does nothing; add a list of them")
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

// isZero recognises what [Load] makes of an element that is no object.
func (r Rule) isZero() bool {
	return r.ID == "" && r.Name == "" && r.Trigger == nil && r.Conditions == nil &&
		r.Actions == nil && r.Extra == nil
}

// Handler is the general form of a consequence: what both rules and the reactions
// of package reactions compile to. A Trigger, where there is one, decides
// alone; otherwise When does. The other fields are those of [Rule].
type Handler struct {
	ID   string
	Name string
	// When is the pattern of a reaction; with a Trigger nobody looks at it.
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

	// Problems were found while converting. Their paths begin behind the handler, as in
	// ".conditions"; [Compile] puts its place before them.
	Problems talewright.Problems
}
