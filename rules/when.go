package rules

import (
	"cmp"
	"encoding/json"
	"slices"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/internal/authorjson"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/event"
)

// TriggerType is the kind of events that fire a [Rule].
type TriggerType string

// The trigger types. A rule with any other type never fires, and [Compile] reports it.
const (
	VariableCrossed TriggerType = "variable-crossed" // a number crosses Threshold
	StateChange     TriggerType = "state-change"     // VariableID, or any variable, changed
	TurnCount       TriggerType = "turn-count"       // AtTurn, or every EveryNTurns, or either
	OnSessionStart  TriggerType = "session-start"    // after the first turn
	Keyword         TriggerType = "keyword"          // the player's message has a keyword
	AIKeyword       TriggerType = "ai-keyword"       // the reply has a keyword
	EveryTurn       TriggerType = "every-turn"       // after every turn
	OnAction        TriggerType = "action"           // the control ActionID, or any, was used
	Manual          TriggerType = "manual"           // only by hand: see [effect.TriggerRule]
)

// triggerTypes lists all types, for hints.
var triggerTypes = [...]TriggerType{
	VariableCrossed, StateChange, TurnCount, OnSessionStart, Keyword, AIKeyword, EveryTurn,
	OnAction, Manual,
}

// triggerEvents are the events that fire the rules of each type. No event fires a manual rule.
var triggerEvents = map[TriggerType]string{
	VariableCrossed: event.TypeStateChanged, StateChange: event.TypeStateChanged,
	TurnCount: event.TypeTurnComplete, EveryTurn: event.TypeTurnComplete,
	OnSessionStart: event.TypeSessionStart, OnAction: event.TypeActionFired,
	Keyword: event.TypePlayerMessage, AIKeyword: event.TypeModelMessage,
}

// EventType returns the type of the events that fire such a rule. For [Manual] and for an unknown
// type it is the event that fires a rule by hand.
func (t TriggerType) EventType() string { return cmp.Or(triggerEvents[t], event.TypeTrigger) }

// Direction is the way in which a number crosses a threshold. Leaving the threshold counts; landing
// on it does not.
type Direction string

// The directions. Without one, either counts.
const (
	RisesAbove Direction = "rises-above" // old <= threshold and new > threshold
	DropsBelow Direction = "drops-below" // old >= threshold and new < threshold
)

// ways returns which crossings count. For an unknown direction none counts.
func (d Direction) ways() (rises, drops bool) {
	return d == RisesAbove || d == "", d == DropsBelow || d == ""
}

// Secondary joins the secondary keywords of a trigger. They are checked after a keyword was found.
type Secondary string

// The ways to join secondary keywords; anything else means [AndAny].
const (
	AndAny Secondary = "AND_ANY" // at least one of them
	AndAll Secondary = "AND_ALL" // all of them
	NotAny Secondary = "NOT_ANY" // no clause
	NotAll Secondary = "NOT_ALL" // not all of them
)

// Trigger is the WHEN of a [Rule]. Type decides which fields are used. The others are kept for
// editors.
type Trigger struct {
	Type TriggerType `json:"type"`
	// VariableID, of [VariableCrossed] and [StateChange], is a variable's id or a path into it, as
	// [tree.ParsePath] reads it. If it is empty, any variable matches.
	VariableID string `json:"variableId,omitempty"`
	// Direction and Threshold are for [VariableCrossed]. Without a direction both ways count.
	// Without a threshold the trigger never fires.
	Direction Direction `json:"direction,omitempty"`
	Threshold *float64  `json:"threshold,omitempty"`
	// AtTurn and EveryNTurns, of [TurnCount], are a turn, and a number whose multiples match. With
	// both, either counts.
	AtTurn      *float64 `json:"atTurn,omitempty"`
	EveryNTurns *float64 `json:"everyNTurns,omitempty"`
	// Keywords, of [Keyword] and [AIKeyword]: the message must contain one of them. They match
	// parts of words in any case, or whole words with MatchWholeWords. A keyword written as
	// /pattern/flags is a regular expression; see [MatchKeyword].
	Keywords        []string `json:"keywords,omitempty"`
	MatchWholeWords bool     `json:"matchWholeWords,omitempty"`
	// SecondaryKeywords are checked after a keyword was found, joined by their logic.
	SecondaryKeywords     []string  `json:"secondaryKeywords,omitempty"`
	SecondaryKeywordLogic Secondary `json:"secondaryKeywordLogic,omitempty"`
	// ActionID, of [OnAction], is the control that was used. If it is empty, any control matches.
	ActionID string `json:"actionId,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// MarshalJSON writes the known fields and then the unknown ones.
func (t Trigger) MarshalJSON() ([]byte, error) { return authorjson.Write(t) }

// UnmarshalJSON reads all readable members and keeps the others in Extra.
func (t *Trigger) UnmarshalJSON(data []byte) error {
	return authorjson.Unmarshal(data, t, authorjson.Decoded)
}

// ParseTrigger reads a trigger as authors write it. Fields that the type does not use are also kept, so
// that an editor that changes the type back finds them.
func ParseTrigger(v tree.Value) *Trigger {
	t := decoded[Trigger](v)
	return &t
}

// misread reports the members that could not be read, and whether the trigger works without them. A
// member that limits it to a variable or an action cannot be ignored: the rule would fire for all
// of them.
func (t *Trigger) misread(path, id string) (ps talewright.Problems, usable bool) {
	ps = slices.Concat(
		authorjson.Misread(path, id, t.Extra, "a text", "variableId", "direction", "secondaryKeywordLogic", "actionId"),
		authorjson.Misread(path, id, t.Extra, "a number", "threshold", "atTurn", "everyNTurns"),
		authorjson.Misread(path, id, t.Extra, "a list of texts", "keywords", "secondaryKeywords"),
		authorjson.Misread(path, id, t.Extra, "true or false", "matchWholeWords"))
	usable = true
	for _, narrowing := range []string{"variableId", "direction", "actionId"} {
		if _, bad := t.Extra[narrowing]; bad {
			ps = append(ps, talewright.Problem{Path: path + "." + narrowing, ID: id, Code: NeverFires,
				Text: "the rule never fires while this cannot be read; repair it, or leave it out for any"})
			usable = false
		}
	}
	return ps, usable
}

// Pattern is a test of events.
//
// EventType is an event's type; "area:*" is every type that begins with "area:", "*" is every type.
// All clauses of Match must hold. So must the shorthand Equal: each field must have exactly this
// value. The shorthand "zone" is satisfied by the event's zone, zoneId or zoneName.
//
// The type "state:crossed" with a numeric clause on "threshold" also matches a
// [event.TypeStateChanged] event whose numbers cross it; see [Direction].
type Pattern struct {
	EventType string
	// Match has the clauses by the field that they test. Fields are top-level: a dot is part of the
	// name.
	Match map[string]Clause
	// Equal is shorthand; in JSON these are the members other than eventType and match.
	Equal map[string]tree.Value
}

// Clause tests one top-level field of an event. The operators are the operators of conditions,
// strict about types, with three differences. The operator neq is true for a missing field. The
// operator contains needs two texts, ignores case and accepts alternatives separated by commas.
// [Every] tests the turn count.
type Clause struct {
	Operator Operator   `json:"operator"`
	Value    tree.Value `json:"value,omitzero"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// Every is an operator only for the field turnCount of [event.TypeTurnComplete]: the turn must be a
// multiple of the value. All other clauses of the pattern are then ignored.
const Every Operator = "every"

// MarshalJSON writes the known fields and then the unknown ones.
func (c Clause) MarshalJSON() ([]byte, error) { return authorjson.Write(c) }

// UnmarshalJSON reads all readable members and keeps the others in Extra.
func (c *Clause) UnmarshalJSON(data []byte) error {
	return authorjson.Unmarshal(data, c, authorjson.Decoded)
}

// MarshalJSON writes eventType, match and the shorthand fields.
func (p Pattern) MarshalJSON() ([]byte, error) {
	shorthand := make(map[string]json.RawMessage, len(p.Equal))
	for k, v := range p.Equal {
		if v.Exists() && k != "eventType" && (k != "match" || p.Match == nil) {
			shorthand[k] = v.AppendJSON(nil)
		}
	}
	return authorjson.Encode(struct {
		EventType string            `json:"eventType"`
		Match     map[string]Clause `json:"match,omitzero"`
	}{p.EventType, p.Match}, shorthand)
}

// UnmarshalJSON reads every member other than eventType and match as shorthand. A match or a clause
// that is not an object never holds.
func (p *Pattern) UnmarshalJSON(data []byte) error { return authorjson.Unmarshal(data, p, readPattern) }

// ParsePattern reads an event pattern as authors write it. A value that is not an object matches
// nothing.
func ParsePattern(v tree.Value) Pattern { return readPattern(authorjson.Of(v)) }

// readPattern reads every member other than eventType and match as shorthand, like the example in
// the documentation.
func readPattern(f *authorjson.Fields) Pattern {
	p := Pattern{EventType: f.Text("eventType")}
	// A match that is not an object becomes a shorthand that no event satisfies: a pattern that
	// lost its clauses must not match more than before.
	if m := f.Peek("match"); m.IsObject() || m.IsNull() {
		f.Take("match")
		p.Match = make(map[string]Clause, m.Len())
		for k, v := range m.Members() {
			p.Match[k] = decoded[Clause](v)
		}
	}
	for _, k := range f.Left() {
		if k == "eventType" { // not a text
			continue
		}
		if p.Equal == nil {
			p.Equal = make(map[string]tree.Value)
		}
		p.Equal[k] = f.Peek(k)
	}
	return p
}

// Wanted returns the value that a pattern needs for a field, from a clause or the shorthand. Only
// the value of a clause is read, because a crossing compares in its own way.
func (p Pattern) Wanted(field string) tree.Value {
	if c, ok := p.Match[field]; ok {
		return c.Value
	}
	return p.Equal[field]
}

// Covers reports whether the type of the pattern covers an event type. Field tests are not checked.
func (p Pattern) Covers(typ string) bool { return covers(p.EventType, typ) }
