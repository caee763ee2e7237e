package reply

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/rules"
)

// Reply rules are for status blocks: what a card asks its model to append to each reply, for a
// screen to show. Routing them into variables lets rules hear of them, without asking anything
// else of the card. A model forgets tags and invents values, so nothing here is an error after
// Compile: what is not found is not routed, and what does not fit is left out.

// Rule says what is taken out of a reply and where it goes.
type Rule struct {
	// ID names the rule in problems, and in the events that it raises.
	ID    string `json:"id"`
	Match Match  `json:"match"`
	// Hide keeps the passage from the player, and from the rules after this one.
	Hide bool `json:"hide,omitempty"`
	// To are the places that each passage goes to, all of them.
	To []Route `json:"to"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// Match finds passages: between <tag> and </tag>, 【tag】 and 【/tag】 or [tag] and [/tag];
// or those of a regular expression, whose first group, if it has one, is the content.
type Match struct {
	Tag   string `json:"tag,omitempty"`
	Regex string `json:"regex,omitempty"` // as /pattern/flags or as a bare pattern
}

// Kind is the kind of a [Route].
type Kind string

// The kinds.
const (
	// Fields reads pairs of a name and a value, "name: value", one per line or divided
	// by | ; and their full-width forms, and sets the variables of those names.
	Fields Kind = "fields"
	// Variable sets VariableID to the content.
	Variable Kind = "variable"
	// Event raises an event of the type EventType with the fields content and ruleId.
	Event Kind = "event"
	// UI hands the content to the host, as a write to the path @ui.<channel>.
	UI Kind = "ui"
)

// Route is where a passage goes. Each kind but [Fields] has a field of its own, which it
// cannot do without.
type Route struct {
	Kind Kind `json:"kind"`
	// VariableID is an id or a display name: models write the names that they were shown,
	// and so do authors.
	VariableID string `json:"variableId,omitempty"`
	EventType  string `json:"eventType,omitempty"`
	Channel    string `json:"channel,omitempty"`
}

// MarshalJSON writes the known fields and then the unknown ones.
func (r Rule) MarshalJSON() ([]byte, error) {
	type plain Rule
	return openjson.Encode(plain(r), r.Extra)
}

// UnmarshalJSON keeps members that it does not know in Extra.
func (r *Rule) UnmarshalJSON(data []byte) (err error) {
	type plain Rule
	var p plain
	p.Extra, err = openjson.Decode(data, &p)
	*r = Rule(p)
	return err
}

// Set is a compiled list of rules. It is immutable and safe for concurrent use.
type Set struct {
	rules  []compiled
	byID   map[string]rules.Variable
	byName map[string]string // ids; of two variables of one name the last
}

// compiled is a rule that can find something.
type compiled struct {
	Rule
	find finder
}

// Compile compiles rules for the declared variables, whose types decide how values are
// read. A rule that finds nothing or leads nowhere is a problem and left out.
func Compile(list []Rule, variables []rules.Variable) (*Set, rules.Problems) {
	s := &Set{byID: make(map[string]rules.Variable), byName: make(map[string]string)}
	for _, v := range variables {
		s.byID[v.ID] = v
		if v.Name != "" {
			s.byName[v.Name] = v.ID
		}
	}
	var ps rules.Problems
	for i, r := range list {
		path := "replyRules[" + strconv.Itoa(i) + "]"
		find, text := newFinder(r.Match)
		if text != "" {
			ps = append(ps, rules.Problem{
				Path: path + ".match", ID: r.ID, Code: rules.BadPattern, Text: text,
			})
			continue
		}
		for n, to := range r.To {
			if text := s.check(to); text != "" {
				ps = append(ps, rules.Problem{
					Path: path + ".to[" + strconv.Itoa(n) + "]",
					ID:   r.ID, Code: rules.UnknownID, Text: text,
				})
			}
		}
		s.rules = append(s.rules, compiled{r, find})
	}
	return s, ps
}

// check says what is wrong with a route, "" if nothing is.
func (s *Set) check(to Route) string {
	switch to.Kind {
	case Fields:
		return ""
	case Variable:
		if _, ok := s.resolve(to.VariableID); !ok {
			return "no variable " + strconv.Quote(to.VariableID) + "; declare it, or correct the id"
		}
		return ""
	case Event:
		if to.EventType == "" {
			return "no eventType; nothing is raised; name one"
		}
		return ""
	case UI:
		if to.Channel == "" {
			return "no channel; nothing is handed over; name one"
		}
		return ""
	}
	return "unknown kind " + strconv.Quote(string(to.Kind)) +
		"; there are fields, variable, event and ui"
}

// resolve finds a variable by id or display name: models write the names that they were
// shown.
func (s *Set) resolve(name string) (rules.Variable, bool) {
	if v, ok := s.byID[name]; ok {
		return v, true
	}
	v, ok := s.byID[s.byName[name]]
	return v, ok
}

// Result is a reply without its hidden passages, and what the passages ask for.
type Result struct {
	Text    string
	Effects []rules.Effect // by rule, then by place in the text
}

// Apply takes the passages out of a reply, rule after rule. A passage that one rule hid
// is gone for those after it. It never fails, for the text came from a model: what does not
// fit its variable goes nowhere. It is pure and safe for concurrent use; the effects are for
// [rules.Program.Apply], after [rules.Program.FilterWrites].
func (s *Set) Apply(text string) Result {
	var out Result
	for _, r := range s.rules {
		passages := r.find(text)
		for _, p := range passages {
			for _, to := range r.To {
				out.Effects = append(out.Effects, s.route(r.ID, to, strings.TrimSpace(p.content))...)
			}
		}
		if r.Hide {
			text = without(text, passages)
		}
	}
	out.Text = text
	return out
}

// route turns a passage into effects. A value that does not fit goes nowhere: the passage
// came from a model.
func (s *Set) route(id string, to Route, content string) []rules.Effect {
	switch to.Kind {
	case Fields:
		return s.fields(content)
	case Variable:
		if v, ok := s.resolve(to.VariableID); ok {
			if value, ok := valueFor(v.Type, content); ok {
				return []rules.Effect{assign(v.ID, value)}
			}
		}
	case Event:
		if to.EventType != "" {
			return []rules.Effect{rules.Emit{Event: rules.NewEvent(to.EventType,
				memvars.Member{Key: "content", Value: memvars.Text(content)},
				memvars.Member{Key: "ruleId", Value: memvars.Text(id)})}}
		}
	case UI:
		if to.Channel != "" {
			return []rules.Effect{rules.System{Path: "@ui." + to.Channel, Value: memvars.Text(content)}}
		}
	}
	return nil
}

// assign sets a variable.
func assign(id string, v memvars.Value) rules.Effect {
	return rules.SetVariable{Path: id, Operation: rules.Set, Value: v}
}
