package state

import "encoding/json"

// AudienceOfExtensions returns the characters who may see an entry of lore: the list "visible_to"
// of its extensions, at the top level or in their member "talewright". Nil means everybody. problem
// says why a list cannot be read, "" if it can. An entry with a problem is visible only to a game
// master.
func AudienceOfExtensions(extensions json.RawMessage) (witnesses []string, problem string) {
	if len(extensions) == 0 { // of most entries; reading nothing costs seven allocations
		return nil, ""
	}
	var members map[string]json.RawMessage
	_ = json.Unmarshal(extensions, &members) // a value other than an object has no such member
	list := members["visible_to"]
	if list == nil {
		var nested map[string]json.RawMessage
		_ = json.Unmarshal(members["talewright"], &nested)
		list = nested["visible_to"]
	}
	if list == nil {
		return nil, ""
	}
	if err := json.Unmarshal(list, &witnesses); err != nil {
		return []string{""}, "visible_to must be a list of ids of characters"
	}
	return witnesses, ""
}
