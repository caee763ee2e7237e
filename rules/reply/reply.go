package reply

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/internal/jsregex"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/declare"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/rules/event"
)

// Reply rules are for status blocks: what a card asks its model to append to each reply, for a
// screen to show. Routing them into variables lets rules hear of them, without asking anything
// else of the card. A model forgets tags and invents values, so nothing here is an error after
// Compile: what is not found is not routed, and what does not fit is left out.

// Rule says what is taken out of a reply and where it goes.
type Rule struct {
	// ID names the rule in problems, and in the events that it raises.
	ID string `json:"id"`
	// Name is for people, and goes along to the channels of the host.
	Name    string `json:"name,omitempty"`
	Enabled *bool  `json:"enabled,omitempty"` // nil: true
	Match   Match  `json:"match"`
	// Hide keeps the passage from the player, and from the rules after this one.
	Hide bool `json:"hide,omitempty"`
	// To are the places that each passage goes to, all of them.
	To []Route `json:"to"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// Match finds passages: between <tag> and </tag>, 【tag】 and 【/tag】 or [tag] and [/tag];
// or those of a regular expression, whose first group, if it has one, is the content.
type Match struct {
	Tag string `json:"tag,omitempty"`
	// Pattern is a regular expression of JavaScript, bare or as /pattern/flags.
	Pattern string `json:"pattern,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// Kind is the kind of a [Route].
type Kind string

// The kinds.
const (
	// Fields reads pairs of a name and a value, "name: value", one per line or divided
	// by | ; and their full-width forms, and sets the variables of those names.
	Fields Kind = "fields"
	// Variable sets VariableID to the content, or pushes the content onto its list.
	Variable Kind = "variable"
	// Event raises an event with the fields content and ruleId. Its type is the first line of
	// the passage, and its content what follows. The types that the engine itself raises are
	// not the model's to name: such a passage goes nowhere.
	Event Kind = "event"
	// Channel hands the content to the host, as a write of {rule, content} to the path
	// @ui.<channel>, where rule is the name of the rule or else its id.
	Channel Kind = "channel"
)

// Route is where a passage goes.
type Route struct {
	Kind Kind `json:"kind"`
	// VariableID is an id or a display name: models write the names that they were shown,
	// and so do authors.
	VariableID string `json:"variableId,omitempty"`
	// Operation of the kind [Variable] is set (also empty) or push.
	Operation effect.Operation `json:"op,omitempty"`
	Channel   string           `json:"channel,omitempty"` // of the kind of that name

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// Set is a compiled list of rules. It is immutable and safe for concurrent use.
type Set struct {
	rules  []compiled
	schema bool // variables are declared
	byID   map[string]declare.Variable
	byName map[string]string // ids; of two variables of one name the last
}

// compiled is a rule that can find something.
type compiled struct {
	Rule
	find finder
}

// Compile compiles rules for the declared variables, whose types decide how values are
// read. Nil means that there is no schema: then a route may name any variable, and a passage
// that is JSON is read as such. A rule that finds nothing or leads nowhere is a problem and
// left out; one that is not enabled is left out without one.
func Compile(list []Rule, variables []declare.Variable) (*Set, talewright.Problems) {
	s := &Set{
		schema: variables != nil,
		byID:   make(map[string]declare.Variable),
		byName: make(map[string]string),
	}
	for _, v := range variables {
		s.byID[v.ID] = v
		if v.Name != "" {
			s.byName[v.Name] = v.ID
		}
	}
	var ps talewright.Problems
	for i, r := range list {
		path := "replyRules[" + strconv.Itoa(i) + "]"
		ps = append(ps, r.misread(path)...)
		find, text := newFinder(r.Match)
		if text != "" {
			ps = append(ps, talewright.Problem{
				Path: path + ".match", ID: r.ID, Code: rules.BadPattern, Text: text,
			})
			continue
		}
		for n, to := range r.To {
			if text := s.check(to); text != "" {
				ps = append(ps, talewright.Problem{
					Path: path + ".to[" + strconv.Itoa(n) + "]",
					ID:   r.ID, Code: rules.UnknownID, Text: text,
				})
			}
		}
		if r.Enabled == nil || *r.Enabled {
			s.rules = append(s.rules, compiled{r, find})
		}
	}
	return s, ps
}

// check says what is wrong with a route, "" if nothing is.
func (s *Set) check(to Route) string {
	switch to.Kind {
	case Fields, Event:
		return ""
	case Variable:
		v, ok := s.resolve(to.VariableID)
		switch {
		case !ok:
			return "no variable " + strconv.Quote(to.VariableID) + "; declare it, or correct the id"
		case to.Operation == effect.Push && v.Type != declare.JSON:
			return "push adds to a list, and " + v.ID + " is " + string(v.Type) + "; use set"
		case to.Operation != "" && to.Operation != effect.Set && to.Operation != effect.Push:
			return "unknown op " + strconv.Quote(string(to.Operation)) + "; there are set and push"
		}
		return ""
	case Channel:
		if to.Channel == "" {
			return "no channel; nothing is handed over; name one"
		}
		return ""
	}
	return "unknown kind " + strconv.Quote(string(to.Kind)) +
		"; there are fields, variable, event and channel"
}

// resolve finds a variable by id or display name: models write the names that they were
// shown.
func (s *Set) resolve(name string) (declare.Variable, bool) {
	if !s.schema { // any value fits
		return declare.Variable{ID: name, Type: declare.JSON}, name != ""
	}
	if v, ok := s.byID[name]; ok {
		return v, true
	}
	v, ok := s.byID[s.byName[name]]
	return v, ok
}

// Result is a reply without its hidden passages, and what the passages ask for.
type Result struct {
	Text    string
	Effects []effect.Effect // by rule, then by place in the text
	// Cut says that a rule found more passages, or a passage more fields, than one reply may
	// have. The rest is neither routed nor hidden.
	Cut bool
	// GivenUp are the ids of the rules whose pattern takes too many steps on this reply. What
	// it had found by then counts.
	GivenUp []string
	// Passages are what the effects came of, by rule, then by place.
	Passages []Passage
}

// Passage is a part of a reply that a rule took.
type Passage struct {
	From, To int // in bytes, in the text of the reply
	// Hidden passages are gone from Text.
	Hidden  bool
	Effects []effect.Effect
}

// The bounds of one reply: passages that one rule takes, and effects that all of them come to.
const (
	maxPassages = 200
	maxEffects  = 1000
)

// Apply takes the passages out of a reply, rule after rule. A passage that one rule hid
// is gone for those after it, and leaves its line break; more than two line breaks become two.
// Apply never fails, for the text came from a model: what does not fit its variable goes
// nowhere. One rule takes at most 200 passages, all of them come to at most 1,000 effects, and
// the patterns of all rules have a bound of steps that depends on the length of the text alone.
// Bytes that are no UTF-8 become U+FFFD first, a run of them one, and places count from there.
// It is pure and safe for concurrent use; the effects are for [rules.Program.Apply], after
// [rules.Program.FilterWrites].
func (s *Set) Apply(text string) Result {
	var out Result
	text = strings.ToValidUTF8(text, "\uFFFD") // places are counted in characters
	left := jsregex.Limit(len(text))           // for the patterns of all rules together
	rest := remainder{text: text}
	for _, r := range s.rules {
		whole, passages, ok := r.find.find(rest.text, maxPassages+1, &left)
		if !ok {
			out.GivenUp = append(out.GivenUp, r.ID)
		}
		if len(passages) > maxPassages {
			passages, out.Cut = passages[:maxPassages], true
		}
		places := within(r.find.places(whole, passages), len(rest.text))
		for i, p := range passages {
			content := strings.TrimSpace(r.find.plain(p.content))
			from := len(out.Effects)
			for _, to := range r.To {
				out.Effects = append(out.Effects, s.route(r.Rule, to, content)...)
			}
			if len(out.Effects) > maxEffects {
				out.Effects, out.Cut = out.Effects[:maxEffects], true
			}
			at := rest.origin(places[i])
			at.Hidden, at.Effects = r.Hide, slices.Clone(out.Effects[min(from, len(out.Effects)):])
			out.Passages = append(out.Passages, at)
		}
		if r.Hide && len(passages) > 0 {
			rest = rest.without(places)
		}
	}
	out.Text = rest.text
	return out
}

// route turns a passage into effects. A value that does not fit goes nowhere: the passage
// came from a model.
func (s *Set) route(r Rule, to Route, content string) []effect.Effect {
	switch to.Kind {
	case Fields:
		return s.fields(content)
	case Variable:
		if v, ok := s.resolve(to.VariableID); ok && s.check(to) == "" {
			if value, ok := valueFor(v.Type, content); ok {
				op := effect.Set
				if to.Operation == effect.Push {
					op = effect.Push
				}
				return []effect.Effect{effect.SetVariable{Path: v.ID, Operation: op, Value: value}}
			}
		}
	case Event:
		name, rest, _ := strings.Cut(content, "\n")
		if name = strings.TrimSpace(name); free(name) {
			return []effect.Effect{effect.Emit{Event: event.New(name,
				tree.Member{Key: "content", Value: tree.Text(strings.TrimSpace(rest))},
				tree.Member{Key: "ruleId", Value: tree.Text(r.ID)})}}
		}
	case Channel:
		if to.Channel != "" {
			name := r.Name
			if name == "" {
				name = r.ID
			}
			return []effect.Effect{effect.System{Path: "@ui." + to.Channel, Value: tree.Object(
				tree.Member{Key: "rule", Value: tree.Text(name)},
				tree.Member{Key: "content", Value: tree.Text(content)})}}
		}
	}
	return nil
}

// maxEventName bounds the type of an event that a model names.
const maxEventName = 100

// free reports whether a model may raise an event of that type. What the engine raises, rules
// rely on: a reply that says "turn:complete" completes no turn.
func free(typ string) bool {
	if typ == "" || len(typ) > maxEventName {
		return false
	}
	area, _, _ := strings.Cut(typ, ":")
	switch area {
	case "message", "turn", "session", "state", "action", "rule", "ui", "audio", "ai",
		"timer", "clock", "spatial":
		return false
	}
	return true
}

// assign sets a variable.
func assign(id string, v tree.Value) effect.Effect {
	return effect.SetVariable{Path: id, Operation: effect.Set, Value: v}
}
