package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"strconv"
	"strings"

	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/llm"
)

// Value is valid JSON text without white space around it. Its methods read the text in place and
// copy nothing. For a value of the wrong kind they return an empty result.
type Value []byte

// Parse checks data and returns the errors of a reply: a truncated text is incomplete, any other
// mistake is malformed. A byte order mark is ignored. The value shares the bytes of data.
func Parse(data []byte) (Value, error) {
	data = trim(data)
	if json.Valid(data) {
		return data, nil
	}
	var whole json.RawMessage
	err := json.Unmarshal(data, &whole) // for invalid text, Unmarshal copies nothing
	if endsEarly(data, err) {
		return nil, llm.Incomplete("the reply breaks off in " + Begin(data))
	}
	return nil, Malformed(data, err)
}

// trim removes a byte order mark, and the white space around a text.
func trim(data []byte) []byte {
	return bytes.Trim(bytes.TrimPrefix(data, []byte("\xEF\xBB\xBF")), " \t\r\n")
}

// endsEarly reports whether the mistake is a truncated text. Unmarshal reports an invalid blank
// after the last byte, which the text does not have.
func endsEarly(data []byte, err error) bool {
	mistake, ok := errors.AsType[*json.SyntaxError](err)
	if !ok || mistake.Offset < int64(len(data)) {
		return false
	}
	return mistake.Error() == "unexpected end of JSON input" || strings.HasPrefix(mistake.Error(), "invalid character ' ' ")
}

// Null reports whether the value is absent or null.
func (v Value) Null() bool { return len(v) == 0 || v[0] == 'n' }

// IsObject reports whether the value is an object.
func (v Value) IsObject() bool { return len(v) > 0 && v[0] == '{' }

// Is reports whether the value is the string text. text must not need escapes.
func (v Value) Is(text string) bool {
	return len(v) == len(text)+2 && v[0] == '"' && string(v[1:len(v)-1]) == text
}

// Get returns the first member of an object with this name.
func (v Value) Get(name string) Value {
	for c := v.Members(); c.Next(); {
		if string(c.Name) == name {
			return c.Value
		}
	}
	return nil
}

// Word returns a string, or a number as text. Any other value gives an empty text.
func (v Value) Word() string {
	if v.Null() || v[0] == '{' || v[0] == '[' {
		return ""
	}
	return word(json.RawMessage(v))
}

// Count returns a count or an index: an integer from 0 to MaxInt32, also in the forms 5.0 and "5".
func (v Value) Count() (int, bool) {
	text := bytes.Trim(v, `"`)
	if len(text) > 32 {
		return 0, false
	}
	f, err := strconv.ParseFloat(string(text), 64)
	if err != nil || f < 0 || f > math.MaxInt32 || f != math.Trunc(f) {
		return 0, false
	}
	return int(f), true
}

// Member says where [Value.Pick] stores the member with this name.
type Member struct {
	Name string
	To   *Value
}

// As returns the Member that stores the value of name in to.
func As(name string, to *Value) Member { return Member{Name: name, To: to} }

// Pick finds members of an object in one pass. If a member is missing, its variable does not
// change. If a member occurs twice, the later one counts.
func (v Value) Pick(members ...Member) {
	for c := v.Members(); c.Next(); {
		for _, m := range members {
			if string(c.Name) == m.Name {
				*m.To = c.Value
			}
		}
	}
}

// Members returns a cursor before the first member of an object.
func (v Value) Members() openjson.Cursor[Value] {
	if !v.IsObject() {
		return openjson.Cursor[Value]{}
	}
	return openjson.Scan(v)
}

// Elements returns a cursor before the first element of a list.
func (v Value) Elements() openjson.Cursor[Value] {
	if len(v) == 0 || v[0] != '[' {
		return openjson.Cursor[Value]{}
	}
	return openjson.Scan(v)
}
