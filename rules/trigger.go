package rules

import "encoding/json"

// TriggerType says which events fire a [Rule].
type TriggerType string

// The trigger types. A rule with any other type is inert, and [Compile] says so.
const (
	VariableCrossed TriggerType = "variable-crossed" // a number crosses Threshold
	StateChange     TriggerType = "state-change"     // VariableID, or any variable, changed
	TurnCount       TriggerType = "turn-count"       // AtTurn, or every EveryNTurns, or either
	OnSessionStart  TriggerType = "session-start"    // after the first turn
	Keyword         TriggerType = "keyword"          // the player's message has a keyword
	AIKeyword       TriggerType = "ai-keyword"       // the reply has a keyword
	EveryTurn       TriggerType = "every-turn"       // after every turn
	OnAction        TriggerType = "action"           // the control ActionID, or any, was used
	Manual          TriggerType = "manual"           // never by itself: see [TriggerRule]
)

// triggerTypes are all of them, for hints.
var triggerTypes = [...]TriggerType{
	VariableCrossed, StateChange, TurnCount, OnSessionStart, Keyword, AIKeyword, EveryTurn,
	OnAction, Manual,
}

// Direction is the way in which a number crosses a threshold. Leaving the
// threshold counts, landing on it does not.
type Direction string

// The directions. Without one, either counts.
const (
	RisesAbove Direction = "rises-above" // old <= threshold and new > threshold
	DropsBelow Direction = "drops-below" // old >= threshold and new < threshold
)

// Secondary joins the secondary keywords of a trigger, which are looked at after
// a keyword was found.
type Secondary string

// The ways to join secondary keywords; anything else means [AndAny].
const (
	AndAny Secondary = "AND_ANY" // at least one of them
	AndAll Secondary = "AND_ALL" // all of them
	NotAny Secondary = "NOT_ANY" // none of them
	NotAll Secondary = "NOT_ALL" // not all of them
)

// Trigger is the WHEN of a [Rule]. Which fields count depends on Type.
//
// VariableID is a variable's id or a dot path into it. Keywords match as parts of
// words in any case, as whole words with MatchWholeWords, or, written as
// /pattern/flags, as regular expressions.
type Trigger struct {
	Type                  TriggerType `json:"type"`
	VariableID            string      `json:"variableId,omitempty"`
	Direction             Direction   `json:"direction,omitempty"`
	Threshold             *float64    `json:"threshold,omitempty"`
	AtTurn                *float64    `json:"atTurn,omitempty"`
	EveryNTurns           *float64    `json:"everyNTurns,omitempty"`
	Keywords              []string    `json:"keywords,omitempty"`
	MatchWholeWords       bool        `json:"matchWholeWords,omitempty"`
	SecondaryKeywords     []string    `json:"secondaryKeywords,omitempty"`
	SecondaryKeywordLogic Secondary   `json:"secondaryKeywordLogic,omitempty"`
	ActionID              string      `json:"actionId,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// MarshalJSON writes the known fields and then the unknown ones.
func (t Trigger) MarshalJSON() ([]byte, error) {
	type plain Trigger
	return encodeOpen(plain(t), t.Extra)
}

// UnmarshalJSON reads what it can and keeps the rest in Extra.
func (t *Trigger) UnmarshalJSON(data []byte) error {
	f, err := ReadFields(data)
	if err != nil {
		return err
	}
	*t = readTrigger(f)
	return nil
}

// readTrigger takes the members apart. Fields that the type has no use for are kept all
// the same.
func readTrigger(f *Fields) Trigger {
	t := Trigger{
		Type:                  TriggerType(f.Text("type")),
		VariableID:            f.Text("variableId"),
		Direction:             Direction(f.Text("direction")),
		Threshold:             f.Number("threshold"),
		AtTurn:                f.Number("atTurn"),
		EveryNTurns:           f.Number("everyNTurns"),
		Keywords:              f.Texts("keywords"),
		MatchWholeWords:       f.True("matchWholeWords"),
		SecondaryKeywords:     f.Texts("secondaryKeywords"),
		SecondaryKeywordLogic: Secondary(f.Text("secondaryKeywordLogic")),
		ActionID:              f.Text("actionId"),
	}
	t.Extra = f.Rest()
	return t
}

// Trigger takes an object as a trigger, nil if there is none.
func (f *Fields) Trigger(name string) *Trigger {
	v := f.obj(name)
	if !v.IsObject() {
		f.missing(name, v)
		return nil
	}
	f.take(name)
	t := readTrigger(FieldsOf(v))
	return &t
}
