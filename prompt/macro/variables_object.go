package macro

import (
	"bytes"
	"encoding/json"
	"math"
	"slices"
	"strconv"

	"github.com/talewright/talewright/internal/openjson"
)

// object is a JSON object that keeps the order of its members as JavaScript does. Names that are
// list indexes come first, by number. The others follow in insertion order.
type object struct {
	names  []string
	values map[string]any
}

// set adds or replaces a member.
func (o *object) set(name string, value any) {
	if _, known := o.values[name]; !known {
		o.names = append(o.names, name)
	}
	o.values[name] = value
}

// order returns the names in the order in which they are written.
func (o *object) order() []string {
	names := slices.Clone(o.names)
	slices.SortStableFunc(names, openjson.Compare)
	return names
}

// readJSON reads a JSON text: nil, bool, float64, string, []any or *object. encoding/json limits
// the depth.
func readJSON(text string) (v any, ok bool) {
	if !json.Valid([]byte(text)) {
		return nil, false
	}
	d := json.NewDecoder(bytes.NewReader([]byte(text)))
	d.UseNumber()
	return readValue(d), true
}

// readValue reads one value of a text that is valid JSON.
func readValue(d *json.Decoder) any {
	token, _ := d.Token()
	switch t := token.(type) {
	case json.Delim:
		if t == '[' {
			return readList(d)
		}
		return readObject(d)
	case json.Number:
		n, _ := strconv.ParseFloat(string(t), 64)
		return n
	}
	return token
}

// readList reads the elements of a list and its closing bracket.
func readList(d *json.Decoder) []any {
	list := []any{}
	for d.More() {
		list = append(list, readValue(d))
	}
	_, _ = d.Token() // the bracket
	return list
}

// readObject reads the members of an object and its closing brace.
func readObject(d *json.Decoder) *object {
	o := &object{values: map[string]any{}}
	for d.More() {
		token, _ := d.Token()
		name, _ := token.(string)
		o.set(name, readValue(d))
	}
	_, _ = d.Token() // the brace
	return o
}

// appendJSON writes the values that [readJSON] returns. Infinite numbers are written as null.
func appendJSON(b []byte, v any) []byte {
	switch v := v.(type) {
	case float64:
		if math.IsInf(v, 0) || math.IsNaN(v) {
			return append(b, "null"...)
		}
		return append(b, openjson.FormatNumber(v)...)
	case []any:
		b = append(b, '[')
		for i, element := range v {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendJSON(b, element)
		}
		return append(b, ']')
	case *object:
		b = append(b, '{')
		for i, name := range v.order() {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(appendJSON(b, name), ':')
			b = appendJSON(b, v.values[name])
		}
		return append(b, '}')
	}
	text, _ := jsonText(v)
	return append(b, text...)
}

// showMember returns a member of a variable as text.
func showMember(v any) string {
	switch v.(type) {
	case nil, []any, *object:
		return string(appendJSON(nil, v))
	}
	return showVariable(v)
}
