package card

import (
	"encoding/json"

	"github.com/talewright/talewright/internal/openjson"
)

// The kinds of JSON values, as the subject of a sentence.
const (
	isNull   = "null"
	isText   = "a text"
	isNumber = "a number"
	isList   = "a list"
	isObject = "an object"
)

// kindOf returns the kind of a value. A missing value counts as null.
func kindOf(raw json.RawMessage) string {
	if len(raw) == 0 {
		return isNull
	}
	return openjson.Kind(raw)
}

// clean returns a copy of a raw value without surrounding blanks, or nil if it is not JSON. Use it
// for raw values from outside.
func clean(raw json.RawMessage) json.RawMessage {
	var value json.RawMessage
	if len(raw) == 0 || json.Unmarshal(raw, &value) != nil {
		return nil
	}
	return value
}

// membersOf returns the members of an object; of a repeated name it returns the last. For other
// values it returns nil. The values stay as written and share their bytes with raw, which must be
// valid JSON.
func membersOf(raw json.RawMessage) map[string]json.RawMessage {
	var r reader // its problems are discarded
	members, _ := r.object("", raw)
	return members
}

// elementsOf returns the elements of a list, never nil. For other values it returns nil.
func elementsOf(raw json.RawMessage) []json.RawMessage {
	if kindOf(raw) != isList {
		return nil
	}
	list := []json.RawMessage{}
	for c := openjson.Scan(raw); c.Next(); {
		list = append(list, c.Value)
	}
	return list
}
