package game

import (
	"encoding/json"

	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/prompt/card"
)

// helperVariables are the variables of TavernHelper in an extension. The extension is read only when
// a macro needs them, because it may contain large scripts.
type helperVariables struct{ extension json.RawMessage }

// MarshalJSON returns the object of variables, or null.
func (h helperVariables) MarshalJSON() ([]byte, error) {
	v := helperMember(jsonOf(h.extension), "variables")
	if !v.IsObject() {
		return []byte("null"), nil
	}
	return v.MarshalJSON()
}

// Stores returns the variables for macros such as {{get_message_variable::path}}: the
// variables of a document, of the card owner, and of the preset. The card may be nil.
func (c *Content) Stores(d tree.Document, owner *card.Card) map[string]any {
	stores := map[string]any{"message": d.Root()}
	if owner != nil && len(owner.Extensions["tavern_helper"]) > 0 {
		stores["character"] = helperVariables{owner.Extensions["tavern_helper"]}
	}
	if extension := c.Prompt.presetExtensions()["tavern_helper"]; len(extension) > 0 {
		stores["preset"] = helperVariables{extension}
	}
	return stores
}

// helperMember returns a member of an extension: of an object, or of a list of pairs of a name and a
// value.
func helperMember(v tree.Value, name string) tree.Value {
	if v.IsObject() {
		return v.Get(name)
	}
	for _, pair := range v.Elements() {
		if textOf(pair.At(0)) == name {
			return pair.At(1)
		}
	}
	return tree.Value{}
}

// HelperScripts visits the enabled scripts of TavernHelper in the cards and the preset, each with
// the path of its extension. The scripts never run.
func (c *Content) HelperScripts(visit func(path, code string)) {
	visitExtensions := func(part string, extensions map[string]json.RawMessage) {
		for _, member := range helperMembers {
			eachHelperScript(helperList(jsonOf(extensions[member])), true, 0, func(_, code string, enabled bool) {
				if enabled {
					visit(part+".extensions."+member, code)
				}
			})
		}
	}
	if c.People.Card != nil {
		visitExtensions("card", c.People.Card.Extensions)
	}
	visitExtensions("preset", c.Prompt.presetExtensions())
}

// helperMembers are the extensions with scripts of TavernHelper, the older one last.
var helperMembers = [...]string{"tavern_helper", "TavernHelper_scripts"}
