// Package loose reads and writes JSON objects whose members may have a different type than their
// fields. Files for SillyTavern that people, models and other programs wrote have such members. A
// value is read as JavaScript converts it, and written back unchanged.
package loose

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/talewright/talewright/internal/keyindex"
	"github.com/talewright/talewright/internal/openjson"
)

// Kind is the type of a JSON value in JavaScript.
type Kind uint8

// The kinds. A list is an object; its text and number are made from its items.
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

// Missing reports whether the operator ?? would use its right side.
func (v Value) Missing() bool { return v.Kind == Undefined || v.Kind == Null }

// Truthy converts like a JavaScript condition: false, 0, NaN, the empty text, null and a missing
// member are false. All other values are true, including empty lists.
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

// Number converts like arithmetic and the comparison operators in JavaScript.
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

// TextNumber converts a text as JavaScript's Number does. It ignores surrounding white space. The
// empty text is 0, and a text that is not a complete number is NaN.
func TextNumber(s string) float64 {
	s = keyindex.TrimSpace(s)
	if s == "" {
		return 0
	}
	if n, ok := openjson.ParseNumber(s); ok {
		return n
	}
	return math.NaN()
}

// String converts to text. Null and a missing member give the empty text.
func (v Value) String() string {
	switch v.Kind {
	case Bool:
		return strconv.FormatBool(v.num != 0)
	case Number:
		return openjson.FormatNumber(v.num)
	case String:
		return v.text
	case Object:
		return objectText(v.text)
	}
	return ""
}

// objectText returns the text of a list or an object, as JavaScript's String does: the items of a list with
// commas between them, and "[object Object]" for an object. Nested lists are joined in the same way.
func objectText(raw string) string {
	var b strings.Builder
	var empty []bool // for each open list: no item has been written yet
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
