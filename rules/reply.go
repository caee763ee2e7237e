package rules

import (
	"cmp"
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/internal/authorjson"
	"github.com/talewright/talewright/internal/jsregex"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/rules/event"
	"github.com/talewright/talewright/rules/internal/report"
)

// This file routes marked passages of a model's reply. For example, a status block goes into
// variables, a mood into one variable, a sign into an event.
//
//	set, problems := rules.CompileReplies(list, variables)
//	result := set.Apply(text)
//	applied := program.Apply(state, effect.By("reply", result.Effects...), options)
//
// Reply rules are for status blocks, which a card asks its model to append to each reply for
// display. If they are routed into variables, rules can react to them without changes to the card.
// A model forgets tags and invents values, so there are no errors after compiling: missing passages
// are not routed, and values that do not fit are left out.

// ReplyRule says which passages are taken out of a reply and where they go.
type ReplyRule struct {
	// ID names the rule in problems and in its events.
	ID string `json:"id"`
	// Name is for people, and is passed to the channels of the host.
	Name    string     `json:"name,omitempty"`
	Enabled *bool      `json:"enabled,omitempty"` // nil: true
	Match   ReplyMatch `json:"match"`
	// Hide removes the passage from the player's text, and from the text for later rules.
	Hide bool `json:"hide,omitempty"`
	// To lists the routes of each passage. All of them apply.
	To []ReplyRoute `json:"to"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// ReplyMatch finds passages between <tag> and </tag>, 【tag】 and 【/tag】 or [tag] and [/tag], or by a
// regular expression. The first group of the expression, if it has one, is the content.
type ReplyMatch struct {
	Tag string `json:"tag,omitempty"`
	// Pattern is a JavaScript regular expression, bare or as /pattern/flags.
	Pattern string `json:"pattern,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// ReplyKind is the kind of a [ReplyRoute].
type ReplyKind string

// The kinds.
const (
	// ReplyFields reads pairs "name: value", one per line or separated by | ; and their full-width
	// forms. It sets the variables with those names.
	ReplyFields ReplyKind = "fields"
	// ReplyVariable sets VariableID to the content, or pushes the content onto its list.
	ReplyVariable ReplyKind = "variable"
	// ReplyEvent raises an event with the fields content and ruleId. Its type is the first line of
	// the passage, and its content is the rest. A model must not raise the event types of the
	// engine: such a passage is dropped.
	ReplyEvent ReplyKind = "event"
	// ReplyChannel sends the content to the host, as a write of {rule, content} to the path
	// @ui.<channel>. rule is the name of the rule, or else its id.
	ReplyChannel ReplyKind = "channel"
)

// ReplyRoute is a destination of a passage.
type ReplyRoute struct {
	Kind ReplyKind `json:"kind"`
	// VariableID is an id or a display name: models write the names that they see, and so do
	// authors.
	VariableID string `json:"variableId,omitempty"`
	// Operation of the kind [ReplyVariable] is set (also empty) or push.
	Operation effect.Operation `json:"op,omitempty"`
	Channel   string           `json:"channel,omitempty"` // of the kind channel

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// ReplySet is a compiled list of rules. It is immutable and safe for concurrent use.
type ReplySet struct {
	rules  []compiledReply
	schema bool // variables are declared
	byID   map[string]Variable
	byName map[string]string // ids; of two variables with one name, the last
}

// compiledReply is a rule with its finder.
type compiledReply struct {
	ReplyRule
	find passageFinder
}

// CompileReplies compiles rules for the declared variables, whose types decide how values are read.
// Nil means that there is no schema: then a route may name any variable, and a JSON passage is read
// as JSON. A rule without a valid match or route is left out and reported as a problem. A rule that
// is not enabled is left out without a problem.
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
	var ps report.Findings
	for i, r := range list {
		path := "replyRules[" + strconv.Itoa(i) + "]"
		ps = append(ps, r.misread(path)...)
		find, text := newFinder(r.Match.Tag, r.Match.Pattern)
		if text != "" {
			ps.Add(path+".match", r.ID, BadPattern, "%s", text)
			continue
		}
		for n, to := range r.To {
			if text := s.check(to); text != "" {
				ps.Add(path+".to["+strconv.Itoa(n)+"]", r.ID, UnknownID, "%s", text)
			}
		}
		if r.Enabled == nil || *r.Enabled {
			s.rules = append(s.rules, compiledReply{r, find})
		}
	}
	return s, talewright.Problems(ps)
}

// check returns the mistake in a route, or "" if there is none.
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

// resolve finds a variable by id or display name, because models write the names that they see.
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

// ReplyResult is a reply without its hidden passages, with the effects of the passages.
type ReplyResult struct {
	Text    string
	Effects []effect.Effect // by rule, then by place in the text
	// Cut says that a rule found more passages, or a passage more fields, than the limit of one
	// reply. The rest is neither routed nor hidden.
	Cut bool
	// GivenUp lists the ids of the rules whose pattern takes too many steps on this reply. The
	// passages found before that count.
	GivenUp []string
	// Passages are the sources of the effects, by rule, then by place.
	Passages []ReplyPassage
}

// ReplyPassage is a part of a reply that a rule matched.
type ReplyPassage struct {
	From, To int // in bytes, in the text of the reply
	// Hidden passages are removed from Text.
	Hidden  bool
	Effects []effect.Effect
}

// The limits of one reply: the passages of one rule, and the effects of all rules.
const (
	maxPassages     = 200
	replyMaxEffects = 1000
)

// Apply takes the passages out of a reply, rule by rule. A passage that one rule hides is not
// visible to later rules. Its line break stays, and more than two line breaks become two. Apply
// never fails, because the text comes from a model: a value that does not fit its variable is
// dropped. One rule takes at most 200 passages, and all rules have at most 1,000 effects. The
// patterns of all rules share a step limit that depends only on the length of the text. Invalid
// UTF-8 is first replaced: each run of invalid bytes becomes one U+FFFD. Places refer to the
// result. Apply is pure and safe for concurrent use. Pass the effects to [Program.FilterWrites] and
// then to [Program.Apply].
func (s *ReplySet) Apply(text string) ReplyResult {
	var out ReplyResult
	text = strings.ToValidUTF8(text, "\uFFFD") // places refer to valid UTF-8
	left := jsregex.Limit(len(text))           // for the patterns of all rules together
	rest := remainder{text: text}
	for _, r := range s.rules {
		passages, ok := r.find(rest.text, maxPassages+1, &left)
		if !ok {
			out.GivenUp = append(out.GivenUp, r.ID)
		}
		if len(passages) > maxPassages {
			passages, out.Cut = passages[:maxPassages], true
		}
		clampPassages(passages, len(rest.text))
		for _, p := range passages {
			content := strings.TrimSpace(p.content)
			from := len(out.Effects)
			for _, to := range r.To {
				out.Effects = append(out.Effects, s.route(r.ReplyRule, to, content)...)
			}
			if len(out.Effects) > replyMaxEffects {
				out.Effects, out.Cut = out.Effects[:replyMaxEffects], true
			}
			passage := rest.placeInReply(p)
			passage.Hidden, passage.Effects = r.Hide, slices.Clone(out.Effects[min(from, len(out.Effects)):])
			out.Passages = append(out.Passages, passage)
		}
		if r.Hide && len(passages) > 0 {
			rest = rest.without(passages)
		}
	}
	out.Text = rest.text
	return out
}

// route converts a passage to effects. A value that does not fit is dropped, because the passage
// comes from a model.
func (s *ReplySet) route(r ReplyRule, to ReplyRoute, content string) []effect.Effect {
	switch to.Kind {
	case ReplyFields:
		return s.fields(content)
	case ReplyVariable:
		if v, ok := s.resolve(to.VariableID); ok && s.check(to) == "" {
			if value, ok := valueFor(v.Type, content); ok {
				op := cmp.Or(to.Operation, effect.Set)
				return []effect.Effect{effect.SetVariable{Path: v.ID, Operation: op, Value: value}}
			}
		}
	case ReplyEvent:
		name, rest, _ := strings.Cut(content, "\n")
		if name = strings.TrimSpace(name); mayRaise(name) {
			return []effect.Effect{effect.Emit{Event: event.New(name,
				tree.Member{Key: "content", Value: tree.Text(strings.TrimSpace(rest))},
				tree.Member{Key: "ruleId", Value: tree.Text(r.ID)})}}
		}
	case ReplyChannel:
		if to.Channel != "" {
			return []effect.Effect{effect.System{Path: "@ui." + to.Channel, Value: tree.Object(
				tree.Member{Key: "rule", Value: tree.Text(cmp.Or(r.Name, r.ID))},
				tree.Member{Key: "content", Value: tree.Text(content)})}}
		}
	}
	return nil
}

// maxEventName limits the type of an event from a model.
const maxEventName = 100

// mayRaise reports whether a model may raise an event of that type. Rules rely on events of the
// engine: a reply that says "turn:complete" completes no turn.
func mayRaise(typ string) bool {
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

// remainder is the reply without hidden passages.
type remainder struct {
	text    string
	offsets []int // the original offset of each byte, and of the end; nil: nothing was removed
}

// offset returns the original offset of a byte or of the end.
func (r remainder) offset(i int) int {
	if r.offsets == nil {
		return i
	}
	return r.offsets[i]
}

// placeInReply converts a place of the remainder to a place in the reply. Text that was removed
// from the middle of a passage belongs to the passage.
func (r remainder) placeInReply(p passage) ReplyPassage {
	place := ReplyPassage{From: r.offset(p.start), To: r.offset(p.start)}
	if p.start < p.end {
		place.To = r.offset(p.end-1) + 1
	}
	return place
}

// clampPassages limits the places of passages to a text of the given length.
func clampPassages(list []passage, length int) {
	for i, p := range list {
		end := min(max(p.end, 0), length)
		list[i].start, list[i].end = min(max(p.start, 0), end), end
	}
}

// without removes passages. The line break of a passage stays, and more than two line breaks in a
// row become two.
func (r remainder) without(passages []passage) remainder {
	out := make([]byte, 0, len(r.text))
	offsets := make([]int, 0, len(r.text))
	breaks := 0
	keep := func(from, to int) {
		for i := from; i < to; i++ {
			if breaks++; r.text[i] != '\n' {
				breaks = 0
			} else if breaks > 2 {
				continue
			}
			out, offsets = append(out, r.text[i]), append(offsets, r.offset(i))
		}
	}
	last := 0
	for _, p := range passages {
		keep(last, max(last, p.start))
		last = max(last, p.end)
	}
	keep(last, len(r.text))
	text := string(out)
	start := len(text) - len(strings.TrimLeftFunc(text, unicode.IsSpace))
	text = strings.TrimSpace(text)
	offsets, end := offsets[start:start+len(text)], 0
	if text != "" {
		end = offsets[len(text)-1] + 1
	}
	return remainder{text, append(offsets, end)}
}

// fields reads pairs of names and values. It skips unknown names, names of variables that a model
// never sees, and values that do not fit their variable.
func (s *ReplySet) fields(content string) []effect.Effect {
	if !s.schema { // without a schema, names from a model cannot be checked
		return nil
	}
	var out []effect.Effect
	separates := func(r rune) bool { return strings.ContainsRune("\n|｜;；", r) }
	for pair := range strings.FieldsFuncSeq(content, separates) {
		// The first sign separates: "mood: happy: very" is the mood "happy: very".
		i := strings.IndexAny(pair, ":：=＝")
		if i < 0 {
			continue
		}
		name := strings.TrimSpace(pair[:i])
		_, size := utf8.DecodeRuneInString(pair[i:])
		value := strings.TrimSpace(pair[i+size:])
		v, ok := s.resolve(name)
		if !ok || v.Internal || v.AIAccess == AINone {
			continue
		}
		if value, ok := valueFor(v.Type, value); ok {
			out = append(out, effect.SetVariable{Path: v.ID, Operation: effect.Set, Value: value})
		}
	}
	return out
}

// valueFor reads a text as a value of a variable's type.
func valueFor(t VariableType, s string) (tree.Value, bool) {
	switch t {
	case TypeNumber:
		return firstNumber(s)
	case TypeBoolean:
		// The words that models use in status lines, in English and Chinese.
		switch strings.ToLower(s) {
		case "true", "yes", "on", "1", "是", "真", "有", "开":
			return tree.Bool(true), true
		case "false", "no", "off", "0", "否", "假", "无", "没有", "关":
			return tree.Bool(false), true
		}
		return tree.Value{}, false
	case TypeJSON: // text that is not JSON stays a text, which the variable may refuse
		if v, err := tree.ParseValue([]byte(s)); err == nil {
			return v, true
		}
	}
	return tree.Text(s), true
}

// digitRun matches digits with an optional fraction.
var digitRun = regexp.MustCompile(`[0-9]+(?:\.[0-9]+)?`)

// firstNumber returns the first number in a text, such as 45 in "45分".
func firstNumber(s string) (tree.Value, bool) {
	run := digitRun.FindStringIndex(s)
	if run == nil {
		return tree.Value{}, false
	}
	// Models pad numbers, as in 007, which is not valid JSON.
	digits := strings.TrimLeft(s[run[0]:run[1]], "0")
	if digits == "" || digits[0] == '.' {
		digits = "0" + digits
	}
	// Models that write Chinese use the full-width minus or the minus sign U+2212.
	switch before, _ := utf8.DecodeLastRuneInString(s[:run[0]]); before {
	case '-', '－', '−':
		digits = "-" + digits
	}
	v, err := tree.ParseValue([]byte(digits))
	return v, err == nil
}

// MarshalJSON writes the known fields and then the unknown ones.
func (r ReplyRule) MarshalJSON() ([]byte, error) { return authorjson.Write(r) }

// UnmarshalJSON fails only for invalid JSON, because authors write these rules. Members that cannot be
// read are kept in Extra and reported by [CompileReplies].
func (r *ReplyRule) UnmarshalJSON(data []byte) error {
	return authorjson.Unmarshal(data, r, readReplyRule)
}

func readReplyRule(f *authorjson.Fields) ReplyRule {
	r := authorjson.Filled[ReplyRule](f)
	r.Match = authorjson.Part(f, "match", decoded[ReplyMatch])
	r.To = authorjson.ReadList(f.List("to"), decoded[ReplyRoute])
	r.Extra = f.Rest()
	return r
}

// MarshalJSON writes the known fields and then the unknown ones.
func (m ReplyMatch) MarshalJSON() ([]byte, error) { return authorjson.Write(m) }

// MarshalJSON writes the known fields and then the unknown ones.
func (to ReplyRoute) MarshalJSON() ([]byte, error) { return authorjson.Write(to) }

// misread reports the members that could not be read.
func (r ReplyRule) misread(path string) talewright.Problems {
	return slices.Concat(
		authorjson.Misread(path, r.ID, r.Extra, "a text", "id", "name"),
		authorjson.Misread(path, r.ID, r.Extra, "true or false", "enabled", "hide"),
		authorjson.Misread(path, r.ID, r.Extra, "an object", "match"),
		authorjson.Misread(path, r.ID, r.Extra, "a list of objects", "to"),
		authorjson.Misread(path+".match", r.ID, r.Match.Extra, "a text", "tag", "pattern"))
}
