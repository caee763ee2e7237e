package rules

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/internal/authorjson"
	"github.com/talewright/talewright/internal/jsregex"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/rules/event"
)

// The reply part takes marked passages out of a model's reply and routes them: a status
// block into variables, a mood into one variable, a sign into an event.
//
//	set, problems := directive.CompileReplies(list, variables)
//	result := set.Apply(text)
//	applied := program.Apply(state, rules.By("reply", result.Effects...), options)

// Reply rules are for status blocks: what a card asks its model to append to each reply, for a
// screen to show. Routing them into variables lets rules hear of them, without asking anything
// else of the card. A model forgets tags and invents values, so nothing here is an error after
// Compile: what is not found is not routed, and what does not fit is left out.

// ReplyRule says what is taken out of a reply and where it goes.
type ReplyRule struct {
	// ID names the rule in problems, and in the events that it raises.
	ID string `json:"id"`
	// Name is for people, and goes along to the channels of the host.
	Name    string     `json:"name,omitempty"`
	Enabled *bool      `json:"enabled,omitempty"` // nil: true
	Match   ReplyMatch `json:"match"`
	// Hide keeps the passage from the player, and from the rules after this one.
	Hide bool `json:"hide,omitempty"`
	// To are the places that each passage goes to, all of them.
	To []ReplyRoute `json:"to"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// ReplyMatch finds passages: between <tag> and </tag>, 【tag】 and 【/tag】 or [tag] and [/tag];
// or those of a regular expression, whose first group, if it has one, is the content.
type ReplyMatch struct {
	Tag string `json:"tag,omitempty"`
	// Pattern is a regular expression of JavaScript, bare or as /pattern/flags.
	Pattern string `json:"pattern,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// ReplyKind is the kind of a [ReplyRoute].
type ReplyKind string

// The kinds.
const (
	// ReplyFields reads pairs of a name and a value, "name: value", one per line or divided
	// by | ; and their full-width forms, and sets the variables of those names.
	ReplyFields ReplyKind = "fields"
	// ReplyVariable sets VariableID to the content, or pushes the content onto its list.
	ReplyVariable ReplyKind = "variable"
	// ReplyEvent raises an event with the fields content and ruleId. Its type is the first line of
	// the passage, and its content what follows. The types that the engine itself raises are
	// not the model's to name: such a passage goes nowhere.
	ReplyEvent ReplyKind = "event"
	// ReplyChannel hands the content to the host, as a write of {rule, content} to the path
	// @ui.<channel>, where rule is the name of the rule or else its id.
	ReplyChannel ReplyKind = "channel"
)

// ReplyRoute is where a passage goes.
type ReplyRoute struct {
	Kind ReplyKind `json:"kind"`
	// VariableID is an id or a display name: models write the names that they were shown,
	// and so do authors.
	VariableID string `json:"variableId,omitempty"`
	// Operation of the kind [ReplyVariable] is set (also empty) or push.
	Operation effect.Operation `json:"op,omitempty"`
	Channel   string           `json:"channel,omitempty"` // of the kind of that name

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// ReplySet is a compiled list of rules. It is immutable and safe for concurrent use.
type ReplySet struct {
	rules  []compiled
	schema bool // variables are declared
	byID   map[string]Variable
	byName map[string]string // ids; of two variables of one name the last
}

// compiled is a rule that can find something.
type compiled struct {
	ReplyRule
	find directiveFinder
}

// CompileReplies compiles rules for the declared variables, whose types decide how values are
// read. Nil means that there is no schema: then a route may name any variable, and a passage
// that is JSON is read as such. A rule that finds nothing or leads nowhere is a problem and
// left out; one that is not enabled is left out without one.
func CompileReplies(list []ReplyRule, variables []Variable) (*ReplySet, talewright.Problems) {
	s := &ReplySet{
		schema: variables != nil,
		byID:   make(map[string]Variable),
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
				Path: path + ".match", ID: r.ID, Code: BadPattern, Text: text,
			})
			continue
		}
		for n, to := range r.To {
			if text := s.check(to); text != "" {
				ps = append(ps, talewright.Problem{
					Path: path + ".to[" + strconv.Itoa(n) + "]",
					ID:   r.ID, Code: UnknownID, Text: text,
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
func (s *ReplySet) check(to ReplyRoute) string {
	switch to.Kind {
	case ReplyFields, ReplyEvent:
		return ""
	case ReplyVariable:
		v, ok := s.resolve(to.VariableID)
		switch {
		case !ok:
			return "no variable " + strconv.Quote(to.VariableID) + "; declare it, or correct the id"
		case to.Operation == effect.Push && v.Type != TypeJSON:
			return "push adds to a list, and " + v.ID + " is " + string(v.Type) + "; use set"
		case to.Operation != "" && to.Operation != effect.Set && to.Operation != effect.Push:
			return "unknown op " + strconv.Quote(string(to.Operation)) + "; there are set and push"
		}
		return ""
	case ReplyChannel:
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
func (s *ReplySet) resolve(name string) (Variable, bool) {
	if !s.schema { // any value fits
		return Variable{ID: name, Type: TypeJSON}, name != ""
	}
	if v, ok := s.byID[name]; ok {
		return v, true
	}
	v, ok := s.byID[s.byName[name]]
	return v, ok
}

// ReplyResult is a reply without its hidden passages, and what the passages ask for.
type ReplyResult struct {
	Text    string
	Effects []effect.Effect // by rule, then by place in the text
	// Cut says that a rule found more passages, or a passage more fields, than one reply may
	// have. The rest is neither routed nor hidden.
	Cut bool
	// GivenUp are the ids of the rules whose pattern takes too many steps on this reply. What
	// it had found by then counts.
	GivenUp []string
	// Passages are what the effects came of, by rule, then by place.
	Passages []ReplyPassage
}

// ReplyPassage is a part of a reply that a rule took.
type ReplyPassage struct {
	From, To int // in bytes, in the text of the reply
	// Hidden passages are gone from Text.
	Hidden  bool
	Effects []effect.Effect
}

// The bounds of one reply: passages that one rule takes, and effects that all of them come to.
const (
	maxPassages     = 200
	replyMaxEffects = 1000
)

// Apply takes the passages out of a reply, rule after rule. A passage that one rule hid
// is gone for those after it, and leaves its line break; more than two line breaks become two.
// Apply never fails, for the text came from a model: what does not fit its variable goes
// nowhere. One rule takes at most 200 passages, all of them come to at most 1,000 effects, and
// the patterns of all rules have a bound of steps that depends on the length of the text alone.
// Bytes that are no UTF-8 become U+FFFD first, a run of them one, and places count from there.
// It is pure and safe for concurrent use; the effects are for [Program.Apply], after
// [Program.FilterWrites].
func (s *ReplySet) Apply(text string) ReplyResult {
	var out ReplyResult
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
		places := directiveWithin(r.find.places(whole, passages), len(rest.text))
		for i, p := range passages {
			content := strings.TrimSpace(r.find.plain(p.content))
			from := len(out.Effects)
			for _, to := range r.To {
				out.Effects = append(out.Effects, s.route(r.ReplyRule, to, content)...)
			}
			if len(out.Effects) > replyMaxEffects {
				out.Effects, out.Cut = out.Effects[:replyMaxEffects], true
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
func (s *ReplySet) route(r ReplyRule, to ReplyRoute, content string) []effect.Effect {
	switch to.Kind {
	case ReplyFields:
		return s.fields(content)
	case ReplyVariable:
		if v, ok := s.resolve(to.VariableID); ok && s.check(to) == "" {
			if value, ok := valueFor(v.Type, content); ok {
				op := effect.Set
				if to.Operation == effect.Push {
					op = effect.Push
				}
				return []effect.Effect{effect.SetVariable{Path: v.ID, Operation: op, Value: value}}
			}
		}
	case ReplyEvent:
		name, rest, _ := strings.Cut(content, "\n")
		if name = strings.TrimSpace(name); free(name) {
			return []effect.Effect{effect.Emit{Event: event.New(name,
				tree.Member{Key: "content", Value: tree.Text(strings.TrimSpace(rest))},
				tree.Member{Key: "ruleId", Value: tree.Text(r.ID)})}}
		}
	case ReplyChannel:
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

// Rules are written by authors, so that reading them never fails over a member of the wrong
// type: it stays with the unknown ones, and Compile names it.

// MarshalJSON writes the known fields and then the unknown ones.
func (r ReplyRule) MarshalJSON() ([]byte, error) { return authorjson.Write(r) }

// UnmarshalJSON fails for invalid JSON only. Members that cannot be read are kept in Extra
// and named by [CompileReplies].
func (r *ReplyRule) UnmarshalJSON(data []byte) error {
	f, err := authorjson.Read(data)
	if err != nil {
		return err
	}
	*r = ReplyRule{
		ID:      f.Text("id"),
		Name:    f.Text("name"),
		Enabled: f.Flag("enabled"),
		Hide:    f.True("hide"),
	}
	if m, ok := f.Object("match"); ok {
		r.Match = ReplyMatch{Tag: m.Text("tag"), Pattern: m.Text("pattern")}
		r.Match.Extra = m.Rest()
	}
	if list := f.List("to"); list.Exists() {
		r.To = make([]ReplyRoute, 0, list.Len())
		for _, e := range list.Elements() {
			g := authorjson.Of(e)
			to := ReplyRoute{
				Kind:       ReplyKind(g.Text("kind")),
				VariableID: g.Text("variableId"),
				Operation:  effect.Operation(g.Text("op")),
				Channel:    g.Text("channel"),
			}
			to.Extra = g.Rest()
			r.To = append(r.To, to)
		}
	}
	r.Extra = f.Rest()
	return nil
}

// MarshalJSON writes the known fields and then the unknown ones.
func (m ReplyMatch) MarshalJSON() ([]byte, error) { return authorjson.Write(m) }

// MarshalJSON writes the known fields and then the unknown ones.
func (to ReplyRoute) MarshalJSON() ([]byte, error) { return authorjson.Write(to) }

// misread names the members that could not be read.
func (r ReplyRule) misread(path string) talewright.Problems {
	ps := authorjson.Misread(path, r.ID, r.Extra, "a text", "id", "name")
	ps = append(ps, authorjson.Misread(path, r.ID, r.Extra, "true or false", "enabled", "hide")...)
	ps = append(ps, authorjson.Misread(path, r.ID, r.Extra, "an object", "match")...)
	ps = append(ps, authorjson.Misread(path, r.ID, r.Extra, "a list of objects", "to")...)
	return append(ps, authorjson.Misread(path+".match", r.ID, r.Match.Extra, "a text", "tag", "pattern")...)
}

// remainder is what hidden passages left of a reply, with the places at which its bytes
// stood before.
type remainder struct {
	text string
	at   []int // nil: nothing is gone
}

// origin is a place of the remainder in the reply. What was cut out of the middle of a
// passage belongs to it.
func (r remainder) origin(s replySpan) ReplyPassage {
	switch {
	case r.at == nil:
		return ReplyPassage{From: s.from, To: s.to}
	case s.from < s.to:
		return ReplyPassage{From: r.at[s.from], To: r.at[s.to-1] + 1}
	case s.from < len(r.at):
		return ReplyPassage{From: r.at[s.from], To: r.at[s.from]}
	case s.from > 0: // at the end
		return ReplyPassage{From: r.at[s.from-1] + 1, To: r.at[s.from-1] + 1}
	}
	return ReplyPassage{}
}

// directiveWithin keeps places inside of a text of the given length.
func directiveWithin(places []replySpan, length int) []replySpan {
	for i, p := range places {
		to := min(max(p.to, 0), length)
		places[i] = replySpan{min(max(p.from, 0), to), to}
	}
	return places
}

// without cuts passages out. The line break of a passage stays, and of more than two in a
// row two.
func (r remainder) without(places []replySpan) remainder {
	out := make([]byte, 0, len(r.text))
	at := make([]int, 0, len(r.text))
	breaks := 0
	keep := func(from, to int) {
		for i := from; i < to; i++ {
			if breaks++; r.text[i] != '\n' {
				breaks = 0
			} else if breaks > 2 {
				continue
			}
			out = append(out, r.text[i])
			if r.at == nil {
				at = append(at, i)
			} else {
				at = append(at, r.at[i])
			}
		}
	}
	last := 0
	for _, p := range places {
		keep(last, max(last, p.from))
		last = max(last, p.to)
	}
	keep(last, len(r.text))
	text := string(out)
	start := len(text) - len(strings.TrimLeftFunc(text, unicode.IsSpace))
	text = strings.TrimSpace(text)
	return remainder{text, at[start : start+len(text)]}
}
