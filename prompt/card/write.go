package card

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"

	"github.com/talewright/talewright/internal/openjson"
)

// namedValue is one member to write.
type namedValue struct {
	name  string
	value any
}

// fieldValues lists the members of fields, in order. If a field is not set, the extra member of its name,
// which was read for it, is written instead.
func fieldValues[T any](fields []field[T], from *T, extra map[string]json.RawMessage) (list []namedValue) {
	for _, f := range fields {
		value, set := f.value(from)
		raw, kept := extra[f.name]
		switch {
		case !set && kept:
			list = append(list, namedValue{f.name, raw})
		case set || !f.optional:
			list = append(list, namedValue{f.name, value})
		}
	}
	return list
}

// encodeFields writes an object of fields and extra members.
func encodeFields[T any](fields []field[T], from *T, extra map[string]json.RawMessage) ([]byte, error) {
	o := newObject()
	for _, m := range fieldValues(fields, from, extra) {
		o.add(m.name, m.value)
	}
	for _, name := range slices.Sorted(maps.Keys(extra)) {
		if !slices.ContainsFunc(fields, func(f field[T]) bool { return f.name == name }) {
			o.add(name, extra[name])
		}
	}
	return o.end()
}

// object writes a JSON object member by member.
type object struct {
	buf bytes.Buffer
	err error
}

func newObject() *object {
	o := &object{}
	o.buf.WriteByte('{')
	return o
}

// add writes one member. After a value that is not JSON it does nothing.
func (o *object) add(name string, value any) {
	if o.err != nil {
		return
	}
	text, err := openjson.Marshal(value)
	if err != nil {
		o.err = &Error{Code: codeBadJSON, Path: name, Err: err,
			Message: "a raw value of the card is not JSON. Set it with json.Marshal"}
		return
	}
	o.addText(name, text)
}

// addText writes one member whose value is already JSON.
func (o *object) addText(name string, text []byte) {
	if o.err != nil {
		return
	}
	if o.buf.Len() > 1 {
		o.buf.WriteByte(',')
	}
	quoted, _ := openjson.Marshal(name) // a string always encodes
	o.buf.Write(quoted)
	o.buf.WriteByte(':')
	o.buf.Write(text)
}

// end closes the object and returns it, or the first error.
func (o *object) end() ([]byte, error) {
	if o.err != nil {
		return nil, o.err
	}
	o.buf.WriteByte('}')
	return o.buf.Bytes(), nil
}

// marshalValid encodes values made of strings and valid raw JSON. It cannot fail.
func marshalValid(v any) json.RawMessage {
	text, _ := openjson.Marshal(v)
	return text
}
