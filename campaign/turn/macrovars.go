package turn

import (
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/prompt/macro"
)

// maxMacroBytes bounds the JSON of each of the two, since a text may add to a variable
// in every prompt.
const maxMacroBytes = 64 << 10

// keepRun takes over what the macros of a run have written, if there was one.
func (t *run) keepRun(run *macro.Run) {
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
func (t *run) keepMacros(chat, global map[string]any) {
	keep := func(to *tree.Value, values map[string]any, what string) {
		if values == nil {
			return
		}
		v, err := tree.Of(values)
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
