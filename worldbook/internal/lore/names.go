package lore

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"slices"

	"github.com/talewright/talewright/internal/keyindex"

	"github.com/talewright/talewright/worldbook/internal/jsobject"
)

func sortedNames(members map[string]json.RawMessage) []string {
	return slices.Sorted(maps.Keys(members))
}

// ObjectValues lists the values of a JSON object in JavaScript property order.
func ObjectValues(raw json.RawMessage) ([]json.RawMessage, error) {
	if !bytes.HasPrefix(bytes.TrimSpace(raw), []byte("{")) {
		return nil, errors.New("neither a list nor an object")
	}
	members, err := jsobject.Members(raw)
	list := make([]json.RawMessage, len(members))
	for i, m := range members {
		list[i] = m.Value
	}
	return list, err
}

// NotBlank trims texts and drops the empty ones.
func NotBlank(list []string) []string {
	out := []string{}
	for _, s := range list {
		if s = keyindex.TrimSpace(s); s != "" {
			out = append(out, s)
		}
	}
	return out
}

// Blank reports whether a text is empty or white space.
func Blank(s string) bool { return keyindex.TrimSpace(s) == "" }
