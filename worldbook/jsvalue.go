package worldbook

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/talewright/talewright/internal/keyindex"
)

// jsKind is the type of a JSON value as JavaScript sees it.
type jsKind uint8

const (
	jsUndefined jsKind = iota // the member is missing
	jsNull
	jsBool
	jsNumber
	jsString
	jsObject // also lists: their items do not matter to the rules here
)

// jsValue is a loosely typed member of an entry. The scan rules of the exact
// profile are stated in terms of JavaScript's conversions.
type jsValue struct {
	kind jsKind
	num  float64 // of jsNumber; 1 or 0 of jsBool
	text string  // of jsString; the JSON of jsObject
}

// decodeValue reads one JSON value. Empty text reads as null.
func decodeValue(raw json.RawMessage) jsValue {
	r := gjson.ParseBytes(raw)
	switch r.Type {
	case gjson.Null:
		return jsValue{kind: jsNull}
	case gjson.True:
		return jsValue{kind: jsBool, num: 1}
	case gjson.False:
		return jsValue{kind: jsBool}
	case gjson.Number:
		return jsValue{kind: jsNumber, num: r.Num}
	case gjson.String:
		return jsValue{kind: jsString, text: r.Str}
	}
	return jsValue{kind: jsObject, text: string(raw)}
}

func numberValue(n float64) jsValue { return jsValue{kind: jsNumber, num: n} }

func boolValue(b bool) jsValue {
	v := jsValue{kind: jsBool}
	if b {
		v.num = 1
	}
	return v
}

// missing reports whether the operator ?? would take its right side.
func (v jsValue) missing() bool { return v.kind == jsUndefined || v.kind == jsNull }

// truthy is the conversion of conditions: false, 0, NaN, the empty text, null
// and a missing member are false, all else is true, empty lists included.
func (v jsValue) truthy() bool {
	switch v.kind {
	case jsBool, jsNumber:
		return v.num != 0 && !math.IsNaN(v.num)
	case jsString:
		return v.text != ""
	case jsObject:
		return true
	}
	return false
}

// number is the conversion of arithmetic and of the comparison operators.
func (v jsValue) number() float64 {
	switch v.kind {
	case jsNull:
		return 0
	case jsBool, jsNumber:
		return v.num
	case jsString:
		return textNumber(v.text)
	}
	return math.NaN()
}

// looseEquals is the operator == with a number on the right side.
func (v jsValue) looseEquals(n float64) bool {
	switch v.kind {
	case jsBool, jsNumber, jsString:
		return v.number() == n
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
	if len(s) > 2 && s[0] == '0' {
		if base, ok := map[byte]int{'x': 16, 'o': 8, 'b': 2}[s[1]|0x20]; ok {
			n, err := strconv.ParseUint(s[2:], base, 64)
			if err != nil {
				return math.NaN()
			}
			return float64(n)
		}
	}
	switch s {
	case "Infinity", "+Infinity":
		return math.Inf(1)
	case "-Infinity":
		return math.Inf(-1)
	}
	if strings.Trim(s, "0123456789+-.eE") != "" {
		return math.NaN()
	}
	n, err := strconv.ParseFloat(s, 64)
	if err != nil && !math.IsInf(n, 0) {
		return math.NaN()
	}
	return n
}

// jsText is the conversion to text.
func jsText(v jsValue) string {
	switch v.kind {
	case jsBool:
		return strconv.FormatBool(v.num != 0)
	case jsNumber:
		return numberText(v.num)
	case jsString, jsObject:
		return v.text
	}
	return ""
}

// numberText prints a number as JavaScript does.
func numberText(n float64) string {
	switch size := math.Abs(n); {
	case n == 0:
		return "0" // the sign of -0 does not show
	case math.IsInf(n, 0):
		return strings.TrimPrefix(strconv.FormatFloat(n, 'f', -1, 64), "+") + "inity"
	case size >= 1e-6 && size < 1e21:
		return strconv.FormatFloat(n, 'f', -1, 64)
	}
	// Go writes at least two digits of the exponent.
	return strings.NewReplacer("e-0", "e-", "e+0", "e+").Replace(
		strconv.FormatFloat(n, 'e', -1, 64))
}
