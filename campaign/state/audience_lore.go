package state

import "encoding/json"

// AudienceOfExtensions is who may see an entry of lore: the list "visible_to" of its extensions, at the
// top or in their member "talewright". Nil is everybody. problem says why a list cannot be
// read, "" if nothing is wrong; then nobody sees the entry but a game master.
func AudienceOfExtensions(extensions json.RawMessage) (witnesses []string, problem string) {
	if len(extensions) == 0 {
		return nil, ""
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(extensions, &members) != nil {
		return nil, "" // no object: there is no such member
	}
	list := members["visible_to"]
	if list == nil {
		var nested map[string]json.RawMessage
		if json.Unmarshal(members["talewright"], &nested) == nil {
			list = nested["visible_to"]
		}
	}
	if list == nil || string(list) == "null" {
		return nil, ""
	}
	if err := json.Unmarshal(list, &witnesses); err != nil {
		return []string{""}, "visible_to must be a list of ids of characters"
	}
	return witnesses, ""
}
