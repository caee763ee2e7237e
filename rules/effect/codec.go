package effect

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/memvars/tree"
)

// Effects have two JSON forms. This file has the strict form for the library's own records: every
// member has its type, and a mistake is an error, because the record is damaged. The second form is
// for authors and never gives an error; see [Parse].

// List is a list of effects with a JSON form.
type List []Effect

// MarshalJSON writes a list of objects, each with its "type" first.
func (es List) MarshalJSON() ([]byte, error) { return openjson.MarshalList(es, Marshal) }

// UnmarshalJSON reads a list of objects. An unknown type becomes [Custom], so nothing is lost.
func (es *List) UnmarshalJSON(data []byte) error {
	var raw []json.RawMessage
	if err := json.Unmarshal(data, &raw); err != nil {
		return err
	}
	if raw == nil { // null is not a list, and not an empty list
		*es = nil
		return nil
	}
	out := make(List, len(raw))
	for i, r := range raw {
		e, err := Unmarshal(r)
		if err != nil {
			return fmt.Errorf("effects[%d]: %w", i, err)
		}
		out[i] = e
	}
	*es = out
	return nil
}

// Marshal writes one effect as an object with its "type" first. It is the strict form, for records
// and programs. [Write] writes the form of authors.
func Marshal(e Effect) ([]byte, error) {
	body, err := encodeEffect(e)
	if err != nil {
		return nil, err
	}
	head, err := openjson.Marshal(e.EffectType())
	if err != nil {
		return nil, err
	}
	// The type comes first, so that people find it and stream readers can decide early.
	out := append([]byte(`{"type":`), head...)
	if len(body) > 2 {
		out = append(out, ',')
	}
	return append(out, body[1:]...), nil
}

// Unmarshal reads the output of [Marshal]. An unknown type becomes [Custom]. A member of the wrong
// type is an error, because no program of this library writes one.
func Unmarshal(data []byte) (Effect, error) {
	var head struct {
		Type *string `json:"type"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return nil, err
	}
	if head.Type == nil {
		return nil, errors.New("effect: not an object with a text member \"type\"")
	}
	if c := kindNamed(*head.Type); c != nil {
		e, err := c.decode(data)
		if err != nil {
			return nil, fmt.Errorf("effect: %q: %w", *head.Type, err)
		}
		return e, nil
	}
	return decodeCustom(*head.Type, data)
}

// encodeEffect writes an effect without its type.
func encodeEffect(e Effect) ([]byte, error) {
	if e == nil {
		return nil, errors.New("effect: nothing to write")
	}
	if c, ok := e.(Custom); ok {
		if !c.Data.IsObject() {
			return []byte("{}"), nil
		}
		return c.Data.MarshalJSON()
	}
	extra, ok := extraOf(e)
	if !ok {
		return nil, fmt.Errorf("effect: %T is not of the closed set", e)
	}
	return openjson.Encode(e, extra)
}

// extraOf returns the unknown members of an effect; the unknown members of a [Custom] are in its
// data. The result ok is false for a value that is not a real effect: a struct that embeds one, or
// a pointer.
func extraOf(e Effect) (extra openjson.Extra, ok bool) {
	k := kindNamed(e.EffectType())
	if k == nil || reflect.TypeOf(e) != k.of {
		return nil, false
	}
	return reflect.ValueOf(e).FieldByIndex(k.extra).Interface().(openjson.Extra), true
}

// decodeCustom keeps all members except the type.
func decodeCustom(typ string, data []byte) (Effect, error) {
	v, err := tree.ParseValue(data)
	if err != nil {
		return nil, err
	}
	if v.Len() <= 1 {
		return Custom{Type: typ}, nil
	}
	return Custom{Type: typ, Data: v.Without("type")}, nil
}
