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
	// optional fields are left out when they hold their zero value.
	optional bool
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
	fieldCharacterFilter
	fieldWorld
	fieldConditions
	fieldExtensions
)

// fields lists the members in the order of the constants above, which is also
// the order of writing.
func fields() [fieldExtensions + 1]field {
	return fieldTable
}

var fieldTable = [fieldExtensions + 1]field{
	fieldUID:                       {name: "uid", at: func(e *Entry) any { return (*uid)(&e.UID) }},
	fieldKeys:                      {name: "key", at: func(e *Entry) any { return &e.Keys }},
	fieldSecondary:                 {name: "keysecondary", at: func(e *Entry) any { return &e.SecondaryKeys }},
	fieldComment:                   {name: "comment", at: func(e *Entry) any { return &e.Comment }},
	fieldContent:                   {name: "content", at: func(e *Entry) any { return &e.Content }},
	fieldConstant:                  {name: "constant", at: func(e *Entry) any { return &e.Constant }},
	fieldVectorized:                {name: "vectorized", at: func(e *Entry) any { return &e.Vectorized }},
	fieldSelective:                 {name: "selective", at: func(e *Entry) any { return &e.Selective }},
	fieldLogic:                     {name: "selectiveLogic", at: func(e *Entry) any { return (*int)(&e.Logic) }},
	fieldAddMemo:                   {name: "addMemo", at: func(e *Entry) any { return &e.AddMemo }},
	fieldOrder:                     {name: "order", at: func(e *Entry) any { return &e.Order }},
	fieldPosition:                  {name: "position", at: func(e *Entry) any { return &e.Position }},
	fieldDisable:                   {name: "disable", at: func(e *Entry) any { return (*looseTrue)(&e.Disable) }},
	fieldIgnoreBudget:              {name: "ignoreBudget", at: func(e *Entry) any { return &e.IgnoreBudget }},
	fieldExcludeRecursion:          {name: "excludeRecursion", at: func(e *Entry) any { return &e.ExcludeRecursion }},
	fieldPreventRecursion:          {name: "preventRecursion", at: func(e *Entry) any { return &e.PreventRecursion }},
	fieldDelayUntilRecursion:       {name: "delayUntilRecursion", at: func(e *Entry) any { return &e.DelayUntilRecursion }},
	fieldProbability:               {name: "probability", at: func(e *Entry) any { return &e.Probability }},
	fieldUseProbability:            {name: "useProbability", at: func(e *Entry) any { return &e.UseProbability }},
	fieldDepth:                     {name: "depth", at: func(e *Entry) any { return (*fourDefault)(&e.Depth) }},
	fieldRole:                      {name: "role", at: func(e *Entry) any { return (*int)(&e.Role) }},
	fieldGroupWeight:               {name: "groupWeight", at: func(e *Entry) any { return (*weight)(&e.GroupWeight) }},
	fieldScanDepth:                 {name: "scanDepth", at: func(e *Entry) any { return &e.ScanDepth }},
	fieldCaseSensitive:             {name: "caseSensitive", at: func(e *Entry) any { return &e.CaseSensitive }},
	fieldMatchWholeWords:           {name: "matchWholeWords", at: func(e *Entry) any { return &e.MatchWholeWords }},
	fieldUseGroupScoring:           {name: "useGroupScoring", at: func(e *Entry) any { return &e.UseGroupScoring }},
	fieldSticky:                    {name: "sticky", at: func(e *Entry) any { return &e.Sticky }},
	fieldCooldown:                  {name: "cooldown", at: func(e *Entry) any { return &e.Cooldown }},
	fieldDelay:                     {name: "delay", at: func(e *Entry) any { return &e.Delay }},
	fieldDisplayIndex:              {name: "displayIndex", at: func(e *Entry) any { return &e.DisplayIndex }},
	fieldOutletName:                {name: "outletName", at: func(e *Entry) any { return &e.OutletName }},
	fieldGroup:                     {name: "group", at: func(e *Entry) any { return &e.Group }},
	fieldGroupOverride:             {name: "groupOverride", at: func(e *Entry) any { return &e.GroupOverride }},
	fieldAutomationID:              {name: "automationId", at: func(e *Entry) any { return &e.AutomationID }},
	fieldMatchPersonaDescription:   {name: "matchPersonaDescription", at: func(e *Entry) any { return &e.MatchPersonaDescription }},
	fieldMatchCharacterDescription: {name: "matchCharacterDescription", at: func(e *Entry) any { return &e.MatchCharacterDescription }},
	fieldMatchCharacterPersonality: {name: "matchCharacterPersonality", at: func(e *Entry) any { return &e.MatchCharacterPersonality }},
	fieldMatchCharacterDepthPrompt: {name: "matchCharacterDepthPrompt", at: func(e *Entry) any { return &e.MatchCharacterDepthPrompt }},
	fieldMatchScenario:             {name: "matchScenario", at: func(e *Entry) any { return &e.MatchScenario }},
	fieldMatchCreatorNotes:         {name: "matchCreatorNotes", at: func(e *Entry) any { return &e.MatchCreatorNotes }},
	fieldTriggers:                  {name: "triggers", at: func(e *Entry) any { return &e.Triggers }},
	fieldCharacterFilter:           {name: "characterFilter", at: func(e *Entry) any { return &e.CharacterFilter }, optional: true},
	fieldWorld:                     {name: "world", at: func(e *Entry) any { return &e.World }, optional: true},
	fieldConditions:                {name: "conditions", at: func(e *Entry) any { return &e.Conditions }, optional: true},
	fieldExtensions:                {name: "extensions", at: func(e *Entry) any { return &e.Extensions }, optional: true},
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
	for i, f := range fields() {
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
	for i, f := range fields() {
		raw, state := e.source(i)
		if state == sourceOdd {
			add(f.name, raw)
		}
		if state != sourceTyped || f.optional && isZero(f.at(&e)) {
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

func isFieldName(name string) bool {
	for _, f := range fields() {
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
	var was Entry
	v := jsValue{}
	if odd {
		v = decodeValue(raw)
	}
	coerce(f.at(&was), v, raw)
	switch {
	case !sameField(f.at(&was), f.at(e)):
		return nil, sourceTyped
	case odd:
		return raw, sourceOdd
	}
	return nil, sourceAbsent
}

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
