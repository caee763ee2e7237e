package card

import (
	"encoding/json"
	"fmt"
	"strings"
)

// MarshalJSON writes the asset with its Extra members.
func (a Asset) MarshalJSON() ([]byte, error) { return encodeMembers(a.members(), a.Extra) }

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

// members lists the members in the order of writing.
func (a Asset) members() []memberValue {
	return []memberValue{
		{"type", a.Type, a.Type != "", always},
		{"uri", a.URI, a.URI != "", always},
		{"name", a.Name, a.Name != "", always},
		{"ext", a.Ext, a.Ext != "", always},
	}
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
func (r *reader) asset(path string, members map[string]json.RawMessage) Asset {
	at := source{r, path, members}
	a := Asset{
		Type: take(at, "type", (*reader).text),
		URI:  take(at, "uri", (*reader).text),
		Name: take(at, "name", (*reader).text),
		Ext:  take(at, "ext", (*reader).text),
	}
	for _, part := range [...]memberText{{"type", a.Type}, {"name", a.Name}, {"ext", a.Ext}} {
		if isPath(part.text) {
			r.add(codeBadAssetPath, member(path, part.name), fmt.Sprintf("%.60q is a path, not a %s; "+
				"store the asset under its FileName", part.text, part.name))
		}
	}
	a.Extra = at.rest(a.members())
	return a
}

// memberText is the text of a member.
type memberText struct{ name, text string }

// isPath reports whether a text could change the folder if it were part of a file name.
func isPath(s string) bool {
	drive := len(s) > 1 && s[1] == ':'
	return s == "." || s == ".." || drive || strings.ContainsAny(s, "/\\\x00")
}
