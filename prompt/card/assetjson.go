package card

import (
	"encoding/json"
	"fmt"
	"strings"
)

// MarshalJSON writes the asset with its Extra members.
func (a Asset) MarshalJSON() ([]byte, error) { return encodeFields(assetFields, &a, a.Extra) }

// UnmarshalJSON reads an asset like an asset of a card and discards the problems.
func (a *Asset) UnmarshalJSON(data []byte) error {
	var r reader
	members, ok := r.object("", clean(data))
	if !ok {
		return fail(codeBadAsset, "an asset is an object with type, uri, name and ext")
	}
	*a = r.asset("", members)
	return nil
}

// assetFields lists the members in the order of writing.
var assetFields = []field[Asset]{
	textField("type", func(a *Asset) *string { return &a.Type }),
	textField("uri", func(a *Asset) *string { return &a.URI }),
	textField("name", func(a *Asset) *string { return &a.Name }),
	textField("ext", func(a *Asset) *string { return &a.Ext }),
}

// assets reads the list of assets. One object counts as a list of one. Elements that are not
// objects are left out.
func (r *reader) assets(path string, raw json.RawMessage) ([]Asset, bool) {
	elements := []json.RawMessage{raw}
	switch kindOf(raw) {
	case isList:
		elements = elementsOf(raw)
	case isObject:
		r.add(codeBadType, path, "an object where a list is expected; read as a list of one")
	default:
		r.add(codeBadType, path, kindOf(raw)+" where a list is expected; read as missing")
		return nil, false
	}
	return objects(r, path, elements, nil, r.asset), true
}

// asset reads one asset from its members, which become Extra.
func (r *reader) asset(path string, members map[string]json.RawMessage) (a Asset) {
	a.Extra = readFields(r, path, members, assetFields, &a)
	for _, part := range [...]struct{ name, text string }{{"type", a.Type}, {"name", a.Name}, {"ext", a.Ext}} {
		if isPath(part.text) {
			r.add(codeBadAssetPath, member(path, part.name), fmt.Sprintf("%.60q is a path, not a %s; "+
				"store the asset under its FileName", part.text, part.name))
		}
	}
	return a
}

// isPath reports whether a text could change the folder if it were part of a file name.
func isPath(s string) bool {
	drive := len(s) > 1 && s[1] == ':'
	return s == "." || s == ".." || drive || strings.ContainsAny(s, "/\\\x00")
}
