package campaign

import (
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/prompt/macro"
)

// MacroVariables are the variables of macros such as setvar, apart from the document
// that rules and commands work on. Both kinds are the campaign's own: no two campaigns
// share any.
type MacroVariables struct {
	Chat   tree.Value `json:"chat,omitzero"`   // an object: setvar
	Global tree.Value `json:"global,omitzero"` // an object: setglobalvar
}

// maxMacroBytes bounds the JSON of each of the two, since a text may add to a variable
// in every prompt.
const maxMacroBytes = 64 << 10

// read gives the variables to macros.
func (v MacroVariables) read() (chat, global map[string]any) {
	chat, _ = v.Chat.Any().(map[string]any)
	global, _ = v.Global.Any().(map[string]any)
	return chat, global
}

// keepRun takes over what the macros of a run have written, if there was one.
func (t *turn) keepRun(run *macro.Run) {
	if run == nil {
		return
	}
	var chat, global map[string]any
	if values, written := run.Vars(); written {
		chat = values
	}
	if values, written := run.Globals(); written {
		global = values
	}
	t.keepMacros(chat, global)
}

// keepMacros takes over the variables that macros have written; nil is none. More than
// fits stays as it was before.
func (t *turn) keepMacros(chat, global map[string]any) {
	keep := func(to *tree.Value, values map[string]any, what string) {
		if values == nil {
			return
		}
		v, err := valueOf(values)
		switch {
		case err != nil:
			t.warn("macros: the %s variables are lost: %v", what, err)
		case len(v.String()) > maxMacroBytes:
			t.warn("macros: the %s variables take more than %d bytes: they stay as they were",
				what, maxMacroBytes)
		default:
			*to = v
		}
	}
	keep(&t.staged.state.Macros.Chat, chat, "chat")
	keep(&t.staged.state.Macros.Global, global, "global")
}
