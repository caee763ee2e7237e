// Package loose reads and writes JSON objects some of whose members have another type
// than the field that they belong to, as SillyTavern's files do that people, models and
// other programs wrote. A value is read as JavaScript converts it, and written back as
// it was.
package loose

import (
	"encoding/json"
	"math"
	"strconv"

	"github.com/tidwall/gjson"

	"github.com/talewright/talewright/internal/jsnumber"
	"github.com/talewright/talewright/internal/keyindex"
)

// Kind is the type of a JSON value as JavaScript sees it.
type Kind uint8

// The kinds. Items of lists do not matter to the rules here, so that lists are objects.
const (
	Undefined Kind = iota // the member is missing
	Null
	Bool
	Number
	String
	Object
)

// Value is the value of a member.
type Value struct {
	Kind Kind
	num  float64 // of Number; 1 or 0 of Bool
	text string  // of String; the JSON of Object
}

// Parse reads one JSON value. Empty text reads as null.
func Parse(raw json.RawMessage) Value {
	r := gjson.ParseBytes(raw)
	switch r.Type {
	case gjson.Null:
		return Value{Kind: Null}
	case gjson.True:
		return Value{Kind: Bool, num: 1}
	case gjson.False:
		return Value{Kind: Bool}
	case gjson.Number:
		return Value{Kind: Number, num: r.Num}
	case gjson.String:
		return Value{Kind: String, text: r.Str}
	}
	return Value{Kind: Object, text: string(raw)}
}

// Missing reports whether the operator ?? would take its right side.
func (v Value) Missing() bool { return v.Kind == Undefined || v.Kind == Null }

// Truthy is the conversion of conditions: false, 0, NaN, the empty text, null
// and a missing member are false, all else is true, empty lists included.
func (v Value) Truthy() bool {
	switch v.Kind {
	case Bool, Number:
		return v.num != 0 && !math.IsNaN(v.num)
	case String:
		return v.text != ""
	case Object:
		return true
	}
	return false
}

// Number is the conversion of arithmetic and of the comparison operators.
func (v Value) Number() float64 {
	switch v.Kind {
	case Null:
		return 0
	case Bool, Number:
		return v.num
	case String:
		return textNumber(v.text)
	}
	return math.NaN()
}

// equals is the operator == with a number on the right side.
func (v Value) equals(n float64) bool {
	switch v.Kind {
	case Bool, Number, String:
		return v.Number() == n
	}
	return false
}

// textNumber converts a text as JavaScript's Number does: white space around is
// ignored, empty is 0, anything but a complete number is NaN.
func textNumber(s string) float64 {
	s = keyindex.TrimSpace(s)
	if s == "" {
		return 0
	}
	if n, ok := jsnumber.Parse(s); ok {
		return n
	}
	return math.NaN()
}

// String is the conversion to text; null and a missing member have none.
func (v Value) String() string {
	switch v.Kind {
	case Bool:
		return strconv.FormatBool(v.num != 0)
	case Number:
		return jsnumber.Format(v.num)
	case String, Object:
		return v.text
	}
	return ""
}

// NumberText prints a number as JavaScript does.
func NumberText(n float64) string { return jsnumber.Format(n) }
