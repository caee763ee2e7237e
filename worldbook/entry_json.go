package worldbook

import (
	"bytes"
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strconv"

	"github.com/talewright/talewright/internal/openjson"
)

// field ties a JSON member to a field of [Entry].
type field struct {
	name string
	at   func(*Entry) any // pointer to the field
}

// The places of fields whose JavaScript meaning the compiler asks for.
const (
	fieldUID = iota
	fieldKeys
	fieldSecondary
	fieldComment
	fieldContent
	fieldConstant
	fieldVectorized
	fieldSelective
	fieldLogic
	fieldAddMemo
	fieldOrder
	fieldPosition
	fieldDisable
	fieldIgnoreBudget
	fieldExcludeRecursion
	fieldPreventRecursion
	fieldDelayUntilRecursion
	fieldProbability
	fieldUseProbability
	fieldDepth
	fieldRole
	fieldGroupWeight
	fieldScanDepth
	fieldCaseSensitive
	fieldMatchWholeWords
	fieldUseGroupScoring
	fieldSticky
	fieldCooldown
	fieldDelay
	fieldDisplayIndex
	fieldOutletName
	fieldGroup
	fieldGroupOverride
	fieldAutomationID
	fieldMatchPersonaDescription
	fieldMatchCharacterDescription
	fieldMatchCharacterPersonality
	fieldMatchCharacterDepthPrompt
	fieldMatchScenario
	fieldMatchCreatorNotes
	fieldTriggers
	fieldCharacterFilter // this and the following are left out where zero
	fieldWorld
	fieldConditions
	fieldExtensions
	fieldLiteral
)

// fieldTable lists the members in the order of the constants above, which is
// also the order of writing.
var fieldTable = [fieldLiteral + 1]field{
	{"uid", func(e *Entry) any { return (*uid)(&e.UID) }},
	{"key", func(e *Entry) any { return &e.Keys }},
	{"keysecondary", func(e *Entry) any { return &e.SecondaryKeys }},
	{"comment", func(e *Entry) any { return &e.Comment }},
	{"content", func(e *Entry) any { return &e.Content }},
	{"constant", func(e *Entry) any { return &e.Constant }},
	{"vectorized", func(e *Entry) any { return &e.Vectorized }},
	{"selective", func(e *Entry) any { return &e.Selective }},
	{"selectiveLogic", func(e *Entry) any { return (*int)(&e.Logic) }},
	{"addMemo", func(e *Entry) any { return &e.AddMemo }},
	{"order", func(e *Entry) any { return &e.Order }},
	{"position", func(e *Entry) any { return &e.Position }},
	{"disable", func(e *Entry) any { return (*looseTrue)(&e.Disable) }},
	{"ignoreBudget", func(e *Entry) any { return &e.IgnoreBudget }},
	{"excludeRecursion", func(e *Entry) any { return &e.ExcludeRecursion }},
	{"preventRecursion", func(e *Entry) any { return &e.PreventRecursion }},
	{"delayUntilRecursion", func(e *Entry) any { return &e.DelayUntilRecursion }},
	{"probability", func(e *Entry) any { return &e.Probability }},
	{"useProbability", func(e *Entry) any { return &e.UseProbability }},
	{"depth", func(e *Entry) any { return (*fourDefault)(&e.Depth) }},
	{"role", func(e *Entry) any { return (*int)(&e.Role) }},
	{"groupWeight", func(e *Entry) any { return (*weight)(&e.GroupWeight) }},
	{"scanDepth", func(e *Entry) any { return &e.ScanDepth }},
	{"caseSensitive", func(e *Entry) any { return &e.CaseSensitive }},
	{"matchWholeWords", func(e *Entry) any { return &e.MatchWholeWords }},
	{"useGroupScoring", func(e *Entry) any { return &e.UseGroupScoring }},
	{"sticky", func(e *Entry) any { return &e.Sticky }},
	{"cooldown", func(e *Entry) any { return &e.Cooldown }},
	{"delay", func(e *Entry) any { return &e.Delay }},
	{"displayIndex", func(e *Entry) any { return &e.DisplayIndex }},
	{"outletName", func(e *Entry) any { return &e.OutletName }},
	{"group", func(e *Entry) any { return &e.Group }},
	{"groupOverride", func(e *Entry) any { return &e.GroupOverride }},
	{"automationId", func(e *Entry) any { return &e.AutomationID }},
	{"matchPersonaDescription", func(e *Entry) any { return &e.MatchPersonaDescription }},
	{"matchCharacterDescription", func(e *Entry) any { return &e.MatchCharacterDescription }},
	{"matchCharacterPersonality", func(e *Entry) any { return &e.MatchCharacterPersonality }},
	{"matchCharacterDepthPrompt", func(e *Entry) any { return &e.MatchCharacterDepthPrompt }},
	{"matchScenario", func(e *Entry) any { return &e.MatchScenario }},
	{"matchCreatorNotes", func(e *Entry) any { return &e.MatchCreatorNotes }},
	{"triggers", func(e *Entry) any { return &e.Triggers }},
	{"characterFilter", func(e *Entry) any { return &e.CharacterFilter }},
	{"world", func(e *Entry) any { return &e.World }},
	{"conditions", func(e *Entry) any { return &e.Conditions }},
	{"extensions", func(e *Entry) any { return &e.Extensions }},
	{"literal", func(e *Entry) any { return &e.Literal }},
}

// Field types whose missing or odd JSON converts in a way of its own.
type (
	uid         string
	looseTrue   bool
	fourDefault int
	weight      float64
)

// UnmarshalJSON implements [json.Unmarshaler]. No member makes it fail: a value
// of another type than the field's is converted as SillyTavern's engine would
// and written back unchanged.
func (e *Entry) UnmarshalJSON(data []byte) error {
	var all map[string]json.RawMessage
	if err := json.Unmarshal(data, &all); err != nil {
		return err
	}
	out := Entry{}
	for i, f := range fieldTable {
		raw, ok := all[f.name]
		delete(all, f.name)
		switch {
		case !ok:
			out.absent |= 1 << i
			coerce(f.at(&out), jsValue{}, nil)
		case !decodeExact(f.at(&out), raw):
			if out.odd == nil {
				out.odd = map[string]json.RawMessage{}
			}
			out.odd[f.name] = slices.Clone(raw)
			coerce(f.at(&out), decodeValue(raw), raw)
		}
	}
	if len(all) > 0 {
		out.Extra = all
	}
	*e = out
	return nil
}

// MarshalJSON implements [json.Marshaler].
func (e Entry) MarshalJSON() ([]byte, error) {
	out := bytes.NewBufferString("{")
	add := func(name string, value []byte) {
		if out.Len() > 1 {
			out.WriteByte(',')
		}
		key, _ := openjson.Marshal(name)
		out.Write(key)
		out.WriteByte(':')
		out.Write(value)
	}
	for i, f := range fieldTable {
		raw, state := e.source(i)
		if state == sourceOdd {
			add(f.name, raw)
		}
		if state != sourceTyped || i >= fieldCharacterFilter && isZero(f.at(&e)) {
			continue
		}
		if value, ok := encodeExact(f.at(&e)); ok {
			add(f.name, value)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(e.Extra)) {
		if !isFieldName(name) {
			add(name, e.Extra[name])
		}
	}
	out.WriteByte('}')
	return out.Bytes(), nil
}

// isFieldName reports whether a field claims the member.
func isFieldName(name string) bool {
	for _, f := range fieldTable {
		if f.name == name {
			return true
		}
	}
	return false
}

// sourceState says what a member's JSON is.
type sourceState uint8

const (
	sourceTyped  sourceState = iota // what the field says
	sourceAbsent                    // the member is missing
	sourceOdd                       // a value of another type
)

// source tells where the value of a member comes from. What the JSON had counts
// until the field is set to something else.
func (e *Entry) source(i int) (json.RawMessage, sourceState) {
	if e.absent == 0 && e.odd == nil {
		return nil, sourceTyped
	}
	f := &fieldTable[i]
	raw, odd := e.odd[f.name]
	absent := e.absent&(1<<i) != 0
	if !odd && !absent {
		return nil, sourceTyped
	}
	state, was := sourceAbsent, &absentValues
	if odd {
		state, was = sourceOdd, new(Entry)
		coerce(f.at(was), decodeValue(raw), raw)
	}
	if !sameField(f.at(was), f.at(e)) {
		return nil, sourceTyped
	}
	return raw, state
}

// absentValues is what the fields of missing members are set to. It is read only:
// real books leave most members out, and one entry serves all comparisons.
var absentValues = func() (e Entry) {
	for i := range fieldTable {
		coerce(fieldTable[i].at(&e), jsValue{}, nil)
	}
	return e
}()

// value is the member as the scan rules see it.
func (e *Entry) value(i int) jsValue {
	raw, state := e.source(i)
	switch state {
	case sourceAbsent:
		return jsValue{}
	case sourceOdd:
		return decodeValue(raw)
	}
	switch p := fieldTable[i].at(e).(type) {
	case *uid:
		return jsValue{kind: jsString, text: string(*p)}
	case *string:
		return jsValue{kind: jsString, text: *p}
	case *bool:
		return boolValue(*p)
	case *looseTrue:
		return boolValue(bool(*p))
	case *float64:
		return floatValue(*p)
	case *weight:
		return floatValue(float64(*p))
	case *int:
		return numberValue(float64(*p))
	case *fourDefault:
		return numberValue(float64(*p))
	case *Position:
		if *p == PositionNone {
			return jsValue{}
		}
		return numberValue(float64(*p))
	case **int:
		if *p == nil {
			return jsValue{kind: jsNull}
		}
		return numberValue(float64(**p))
	case **bool:
		if *p == nil {
			return jsValue{kind: jsNull}
		}
		return boolValue(**p)
	}
	return jsValue{kind: jsObject}
}

// floatValue is a number, or a missing member for the Go value of one.
func floatValue(n float64) jsValue {
	if math.IsNaN(n) {
		return jsValue{}
	}
	return numberValue(n)
}

// isList reports whether the member is a list as the field expects it.
func (e *Entry) isList(i int) bool {
	raw, state := e.source(i)
	if state == sourceOdd {
		return bytes.HasPrefix(bytes.TrimSpace(raw), []byte("["))
	}
	return state == sourceTyped
}

// isCanonicalInt reports whether s is what JSON writes for a whole number.
func isCanonicalInt(s string) bool {
	n, err := strconv.ParseInt(s, 10, 64)
	return err == nil && strconv.FormatInt(n, 10) == s
}
