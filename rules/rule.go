package rules

import (
	"encoding/json"
	"fmt"

	"github.com/talewright/talewright/memvars"
)

// Rule is one mechanic: WHEN its trigger, ONLY IF its conditions, DO its actions.
//
// The zero values of the optional fields are the documented defaults: on,
// priority 0, no cooldown, no maximum, certain. JSON is the form that authors
// write; null means absent. Content is never refused as a whole: a member that
// cannot be read is kept in Extra, named by [Compile], and left out.
type Rule struct {
	ID             string      `json:"id"`
	Name           string      `json:"name,omitempty"`
	Description    string      `json:"description,omitempty"`
	Trigger        *Trigger    `json:"trigger,omitempty"` // nil: inert
	Conditions     []Condition `json:"conditions"`
	ConditionLogic Logic       `json:"conditionLogic,omitempty"`
	Actions        Actions     `json:"actions"`

	Priority      float64  `json:"priority"`                // higher fires first
	Enabled       *bool    `json:"enabled,omitempty"`       // nil: true
	CooldownTurns *int     `json:"cooldownTurns,omitempty"` // fired on turn T, again from T+N on
	MaxFireCount  *int     `json:"maxFireCount,omitempty"`  // nil: unlimited
	Chance        *float64 `json:"chance,omitempty"`        // percent; nil: certain

	StopConditions []Condition `json:"stopConditions,omitempty"` // any that holds suppresses
	ElseMessage    string      `json:"elseMessage,omitempty"`    // shown when the conditions fail
	MaxChainDepth  *int        `json:"maxChainDepth,omitempty"`  // hops of the chain from here, its own included
	BookID         string      `json:"worldbookId,omitempty"`    // the [Module] that it belongs to

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// MarshalJSON writes the known fields and then the unknown ones.
func (r Rule) MarshalJSON() ([]byte, error) {
	type plain Rule
	if r.Conditions == nil {
		r.Conditions = []Condition{}
	}
	return encodeOpen(plain(r), r.Extra)
}

// UnmarshalJSON fails for invalid JSON only. Whatever else is wrong is found by
// [Compile].
func (r *Rule) UnmarshalJSON(data []byte) error {
	f, err := ReadFields(data)
	if err != nil {
		return err
	}
	*r = readRule(f)
	return nil
}

// readRule takes the members apart. The order of the calls is that of the fields.
func readRule(f *Fields) Rule {
	r := Rule{
		ID:             f.Text("id"),
		Name:           f.Text("name"),
		Description:    f.Text("description"),
		Trigger:        f.Trigger("trigger"),
		Conditions:     f.Conditions("conditions"),
		ConditionLogic: Logic(f.Text("conditionLogic")),
		Actions:        f.Actions("actions"),
		Priority:       orZero(f.Number("priority")),
		Enabled:        f.Flag("enabled"),
		CooldownTurns:  f.Whole("cooldownTurns"),
		MaxFireCount:   f.Whole("maxFireCount"),
		Chance:         f.Number("chance"),
		StopConditions: f.Conditions("stopConditions"),
		ElseMessage:    f.Text("elseMessage"),
		MaxChainDepth:  f.Whole("maxChainDepth"),
		BookID:         f.Text("worldbookId"),
	}
	r.Extra = f.Rest()
	return r
}

// Load reads a JSON list of rules. It never fails: text that is no JSON list, an
// element that is no object and a rule without conditions are problems, and an
// element that cannot be read becomes an inert zero rule, so that places stay what
// they are. [Compile] finds everything else.
func Load(data []byte) ([]Rule, Problems) {
	var ps Problems
	v, err := memvars.ParseValue(data)
	if err != nil || !v.IsArray() {
		ps.add("rules", "", Unreadable, "not a JSON list of rules; write [{\"id\": …}, …]")
		return nil, ps
	}
	list := make([]Rule, v.Len())
	for i, e := range v.Elements() {
		if !e.IsObject() {
			continue // Compile says so
		}
		list[i] = readRule(FieldsOf(e))
		if !e.Get("conditions").Exists() {
			ps.add(fmt.Sprintf("rules[%d].conditions", i), list[i].ID, BadConditions,
				"no conditions; write [] for none")
		}
	}
	return list, ps
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
		Then:           Effects(r.Actions),
		Priority:       r.Priority,
		Enabled:        r.Enabled,
		CooldownTurns:  r.CooldownTurns,
		MaxFireCount:   r.MaxFireCount,
		Chance:         r.Chance,
		MaxChainDepth:  r.MaxChainDepth,
		BookID:         r.BookID,
	}
	if h.Trigger == nil {
		h.Trigger = &Trigger{}
	}
	h.Problems = r.shape()
	return h
}

// shape names what of the rule could not be read.
func (r Rule) shape() Problems {
	var ps Problems
	if r.isZero() {
		ps.add("", "", Unreadable, "not a rule; write an object with id, trigger and actions")
		return ps
	}
	if r.ID == "" {
		ps.add(".id", "", MissingID,
			"no id; without one nothing can switch or count the rule; add one")
	}
	if r.Trigger == nil {
		ps.add(".trigger", r.ID, BadTrigger, "no trigger; add an object with a type")
	}
	if r.Actions == nil && r.Extra["actions"] == nil {
		ps.add(".actions", r.ID, BadActions,
			"no actions; the rule does nothing; add a list of them")
	}
	for _, name := range []string{"conditions", "stopConditions", "actions"} {
		if _, bad := r.Extra[name]; bad {
			code := BadConditions
			if name == "actions" {
				code = BadActions
			}
			ps.add("."+name, r.ID, code, "not readable as a list of objects; write [{…}, …]")
		}
	}
	for _, m := range memberTypes {
		if raw, bad := r.Extra[m.name]; bad {
			ps.add("."+m.name, r.ID, Unreadable, "ignored: "+string(raw)+" is not "+m.want)
		}
	}
	return ps
}

// memberTypes says what the simple members of a rule are.
var memberTypes = [...]struct{ name, want string }{
	{"id", "a text"}, {"name", "a text"}, {"conditionLogic", "a text"},
	{"enabled", "true or false"}, {"priority", "a number"}, {"cooldownTurns", "a number"},
	{"maxFireCount", "a number"}, {"chance", "a number"}, {"elseMessage", "a text"},
	{"maxChainDepth", "a number"}, {"worldbookId", "a text"},
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
	ID             string
	Name           string
	When           Pattern
	Trigger        *Trigger
	Conditions     []Condition
	ConditionLogic Logic
	StopConditions []Condition
	ElseMessage    string
	Then           Effects
	Priority       float64
	Enabled        *bool
	CooldownTurns  *int
	MaxFireCount   *int
	Chance         *float64
	MaxChainDepth  *int
	BookID         string

	// Problems found while converting, with paths that begin behind the handler.
	Problems Problems
}

// Actions is the DO list of a [Rule]: effects, in the JSON form that authors
// write, where a [SetVariable] is called "modify-variable" and its path
// "variableId". Known actions are [SetVariable], [InjectDirective],
// [RemoveDirective], [ToggleEntry], [ToggleRule], [Notify], [PlayAudio],
// [SendContext] and [TriggerRule]; any other effect may stand there too.
//
// An element that is none of them becomes [Custom] and goes to the host; a known
// action without its required fields, or an element that is no object, becomes a
// [Custom] that does nothing but survive.
type Actions []Effect

// MarshalJSON writes the list in the author's form.
func (a Actions) MarshalJSON() ([]byte, error) {
	out := []byte{'['}
	for i, e := range a {
		if i > 0 {
			out = append(out, ',')
		}
		b, err := marshalAction(e)
		if err != nil {
			return nil, err
		}
		out = append(out, b...)
	}
	return append(out, ']'), nil
}

// UnmarshalJSON reads the list in the author's form.
func (a *Actions) UnmarshalJSON(data []byte) error {
	v, err := memvars.ParseValue(data)
	if err != nil {
		return err
	}
	*a = readActions(v)
	return nil
}
