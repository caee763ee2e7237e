package scripting

import (
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/prompt/macro"
)

// Keep takes over what the macros of a run have written, if there was one.
func (t *Texts) Keep(run *macro.Run) {
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
	t.KeepMacros(chat, global)
}

// maxMacroBytes bounds the JSON of each of the two, since a text may add to a variable
// in every prompt.
const maxMacroBytes = 64 << 10

// KeepMacros takes over the variables that macros have written; nil is none. More than
// fits stays as it was before.
func (t *Texts) KeepMacros(chat, global map[string]any) {
	hiddenChat, hiddenGlobal := t.Sight().HiddenMacros()
	keep := func(to *tree.Value, values map[string]any, hidden []tree.Member, what string) {
		if values == nil {
			return
		}
		v, err := tree.Of(values)
		for _, m := range hidden {
			v = v.With(m.Key, m.Value)
		}
		switch {
		case err != nil:
			t.Warn("macros: the %s variables are lost: %v", what, err)
		case len(v.String()) > maxMacroBytes:
			t.Warn("macros: the %s variables take more than %d bytes: they stay as they were",
				what, maxMacroBytes)
		default:
			*to = v
		}
	}
	keep(&t.State.Macros.Chat, chat, hiddenChat, "chat")
	keep(&t.State.Macros.Global, global, hiddenGlobal, "global")
}
