package state

import "github.com/talewright/talewright/memvars/tree"

// MacroVariables are the variables of macros such as setvar, apart from the document
// that rules and commands work on. Both kinds are the campaign's own: no two campaigns
// share any.
type MacroVariables struct {
	Chat   tree.Value `json:"chat,omitzero"`   // an object: setvar
	Global tree.Value `json:"global,omitzero"` // an object: setglobalvar
}

// Maps gives the variables to macros.
func (v MacroVariables) Maps() (chat, global map[string]any) {
	chat, _ = v.Chat.Any().(map[string]any)
	global, _ = v.Global.Any().(map[string]any)
	return chat, global
}
