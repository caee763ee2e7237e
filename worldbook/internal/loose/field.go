package loose

import (
	"bytes"
	"encoding/json"
	"math"
	"reflect"
	"slices"
	"strconv"

	"github.com/tidwall/gjson"

	"github.com/talewright/talewright/internal/openjson"
)

// These are the types of fields with their own conversion of missing or odd JSON. A field of a
// different package is passed as a pointer to one of them, or as a pointer to string, bool, int,
// float64, *int, *bool, []string or json.RawMessage.
type (
	// UID is a JSON number if it is a whole number without leading zeros. Null is the text "null".
	UID string
	// World is nil if it is missing. Null is the text "null".
	World *string
	// Switch is on for values that equal true: true, 1, "1".
	Switch bool
	// Depth is NoDepth if it is missing.
	Depth int
	// Logic is NoLogic if it is missing.
	Logic int
	// Position is NoPosition if it is missing or not a whole number from 0.
	Position int
	// Weight is 100 if it is missing.
	Weight float64
	// Choices are texts that are compared as a whole.
	Choices []string
)

// The values of fields whose members are missing. They have no JSON form.
const (
	NoDepth    = math.MinInt32
	NoLogic    = -1
	NoPosition = -1
)

// Custom is a field with its own reader and writer.
type Custom interface {
	// Read reads a value and reports whether writing the field gives the value back.
	Read(raw json.RawMessage) bool
	// Write returns the JSON of the field, or nil if the field has its zero value.
	Write() []byte
}

// read sets the field at p to the meaning of a member. It reports whether the member has the field's
// own type, so that writing the field gives raw back. A missing member has the zero Value. It does
// not get the defaults of the editor: a missing flag is off even if a new entry has it on. Flags are
// on for values that are truthy in JavaScript. Nullable fields are nil only for null and missing
// members.
func read(p any, v Value, raw json.RawMessage) (exact bool) {
	switch p := p.(type) {
	case *UID:
		if *p = UID(v.String()); v.Kind == Null {
			*p = "null"
		}
		return v.Kind == Number && isCanonicalInt(string(*p)) && string(*p) == string(raw) ||
			v.Kind == String && !isCanonicalInt(v.text)
	case *World:
		*p = nil
		if v.Kind == Null {
			*p = new("null")
		} else if v.Kind != Undefined {
			*p = new(v.String())
		}
		return v.Kind == String
	case *string:
		if *p = ""; v.Truthy() { // 0 and false are not texts
			*p = v.String()
		}
		return v.Kind == String
	case *bool:
		*p = v.Truthy()
		return v.Kind == Bool
	case *Switch:
		*p = Switch(v.equals(1))
		return v.Kind == Bool
	case *float64:
		*p = v.Number()
		return v.Kind == Number
	case *Weight:
		if *p = Weight(v.Number()); v.Missing() {
			*p = 100
		}
		return v.Kind == Number
	case *int:
		*p = toInt(v.Number())
		return isWhole(v)
	case *Depth:
		if *p = Depth(toInt(v.Number())); v.Missing() {
			*p = NoDepth
		}
		return isWhole(v)
	case *Logic:
		if *p = Logic(toInt(v.Number())); v.Missing() {
			*p = NoLogic
		}
		return isWhole(v) && v.num != NoLogic
	case *Position:
		if *p = NoPosition; isWhole(v) && v.num >= 0 {
			*p = Position(v.num)
		}
		return *p != NoPosition
	case **int:
		if *p = nil; !v.Missing() {
			*p = new(toInt(v.Number()))
		}
		return isWhole(v) || v.Kind == Null
	case **bool:
		if *p = nil; !v.Missing() {
			*p = new(v.Truthy())
		}
		return v.Kind == Bool || v.Kind == Null
	case *[]string:
		return readTexts(p, raw, keyText)
	case *Choices:
		return readTexts((*[]string)(p), raw, sameText)
	case Custom:
		return p.Read(raw)
	case *json.RawMessage:
		*p = slices.Clone(raw)
	}
	return true
}

// readTexts reads a list of texts. text converts the items of a list that are not texts.
func readTexts(p *[]string, raw json.RawMessage, text func(gjson.Result) string) (exact bool) {
	if isTexts(raw) && json.Unmarshal(raw, p) == nil {
		return true
	}
	*p = textsOf(raw, text)
	return false
}

// isWhole reports whether v is a whole number that fits an int on every platform.
func isWhole(v Value) bool {
	return v.Kind == Number && v.num == math.Trunc(v.num) && math.Abs(v.num) <= math.MaxInt32
}

// toInt cuts off fractions. A number that does not fit an int is 0, on every platform.
func toInt(n float64) int {
	if math.IsNaN(n) || math.Abs(n) > math.MaxInt32 {
		return 0
	}
	return int(n)
}

// write returns the JSON of the field at p. It returns false for fields without a JSON form (NaN,
// no position, no raw JSON); they are left out.
func write(p any) ([]byte, bool) {
	switch p := p.(type) {
	case *UID:
		if isCanonicalInt(string(*p)) {
			return []byte(*p), true
		}
	case *World:
		if *p == nil {
			return nil, false
		}
	case *float64:
		if math.IsNaN(*p) || math.IsInf(*p, 0) {
			return nil, false
		}
		return []byte(strconv.FormatFloat(*p, 'f', -1, 64)), true
	case *Weight:
		return write((*float64)(p))
	case *Depth:
		if *p == NoDepth {
			return nil, false
		}
	case *Logic:
		if *p == NoLogic {
			return nil, false
		}
	case *Position:
		if *p < 0 {
			return nil, false
		}
	case *[]string:
		if *p == nil {
			return []byte("[]"), true
		}
	case *Choices:
		return write((*[]string)(p))
	case Custom:
		out := p.Write()
		return out, out != nil
	case *json.RawMessage:
		if len(*p) == 0 {
			return nil, false
		}
	}
	out, err := openjson.Marshal(p)
	return out, err == nil
}

// same compares two pointers to the same field of two values. Empty and nil lists are equal.
func same(a, b any) bool {
	switch a := a.(type) {
	case *float64:
		b := *b.(*float64)
		return *a == b || math.IsNaN(*a) && math.IsNaN(b)
	case *Weight:
		return same((*float64)(a), (*float64)(b.(*Weight)))
	case *[]string:
		return slices.Equal(*a, *b.(*[]string))
	case *Choices:
		return slices.Equal(*a, *b.(*Choices))
	case Custom:
		return bytes.Equal(a.Write(), b.(Custom).Write())
	case *json.RawMessage:
		return bytes.Equal(*a, *b.(*json.RawMessage))
	}
	return reflect.DeepEqual(a, b)
}

// isCanonicalInt reports whether s is the JSON form of a whole number.
func isCanonicalInt(s string) bool {
	n, err := strconv.ParseInt(s, 10, 64)
	return err == nil && strconv.FormatInt(n, 10) == s
}
