// Package loose reads and writes JSON objects some of whose members have another type
// than the field that they belong to, as SillyTavern's files do that people, models and
// other programs wrote. A value is read as JavaScript converts it, and written back as
// it was.
package loose

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/talewright/talewright/internal/jsnumber"
	"github.com/talewright/talewright/internal/keyindex"
)

// Kind is the type of a JSON value as JavaScript sees it.
type Kind uint8

// The kinds. A list is an object whose text and number are those of its items.
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
	case String, Object:
		return TextNumber(v.String())
	}
	return math.NaN()
}

// equals is the operator == with a number on the right side.
func (v Value) equals(n float64) bool { return !v.Missing() && v.Number() == n }

// TextNumber converts a text as JavaScript's Number does: white space around is
// ignored, empty is 0, anything but a complete number is NaN.
func TextNumber(s string) float64 {
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
	case String:
		return v.text
	case Object:
		return objectText(v.text)
	}
	return ""
}

// objectText is the text of a list, its items with commas between them, or of an object.
func objectText(raw string) string {
	var b strings.Builder
	var empty []bool // of the open lists
	d := json.NewDecoder(strings.NewReader(raw))
	d.UseNumber()
	for {
		token, err := d.Token()
		if err != nil {
			return b.String()
		}
		top := len(empty) - 1
		if token == json.Delim(']') {
			empty = empty[:top]
			continue
		}
		if top >= 0 && !empty[top] {
			b.WriteByte(',')
		} else if top >= 0 {
			empty[top] = false
		}
		switch t := token.(type) {
		case json.Delim:
			if t == '[' {
				empty = append(empty, true)
				break
			}
			b.WriteString("[object Object]")
			for open := 1; open > 0 && err == nil; {
				switch token, err = d.Token(); token {
				case json.Delim('{'), json.Delim('['):
					open++
				case json.Delim('}'), json.Delim(']'):
					open--
				}
			}
		case nil:
		case json.Number:
			b.WriteString(Parse(json.RawMessage(t)).String())
		default:
			fmt.Fprint(&b, t)
		}
	}
}

// NumberText prints a number as JavaScript does.
func NumberText(n float64) string { return jsnumber.Format(n) }
