package turn

import (
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/prompt/macro"
)

// maxMacroBytes bounds the JSON of each of the two, since a text may add to a variable
// in every prompt.
const maxMacroBytes = 64 << 10

// keepRun takes over what the macros of a run have written, if there was one.
func (p *prompter) keepRun(run *macro.Run) {
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
	p.keepMacros(chat, global)
}

// keepMacros takes over the variables that macros have written; nil is none. More than
// fits stays as it was before.
func (p *prompter) keepMacros(chat, global map[string]any) {
	hiddenChat, hiddenGlobal := p.Sight().HiddenMacros()
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
			p.warn("macros: the %s variables are lost: %v", what, err)
		case len(v.String()) > maxMacroBytes:
			p.warn("macros: the %s variables take more than %d bytes: they stay as they were",
				what, maxMacroBytes)
		default:
			*to = v
		}
	}
	keep(&p.State.Macros.Chat, chat, hiddenChat, "chat")
	keep(&p.State.Macros.Global, global, hiddenGlobal, "global")
}
