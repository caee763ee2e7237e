package turn

import (
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/prompt/macro"
)

// everything is what authors' conditions, macros and hooks read: the document, and beside it
// the views.
type everything struct {
	views    state.Views
	game     *game.Game
	document tree.Document
}

// Get reads a variable by its name or path.
func (e everything) Get(path string) (any, bool) {
	v, ok := e.views.View(path)
	if !ok && len(e.game.Content().Variables) > 0 {
		v, ok = e.game.Rules().Declared(e.document, path)
	}
	if !ok {
		return e.document.Get(path)
	}
	switch v.Kind() {
	case tree.KindNull:
		return nil, true
	case tree.KindArray, tree.KindObject:
		return v, true
	case tree.KindBool:
		on, _ := v.AsBool()
		return on, true
	case tree.KindNumber:
		n, _ := v.AsNumber()
		return n, true
	}
	text, _ := v.AsText()
	return text, true
}

// readable is the state as authors read it in texts: what the viewer may know of it.
func (sc scenery) readable() everything { return sc.reading(sc.sight().State) }

// reading is a state as authors read it.
func (sc scenery) reading(s *state.State) everything {
	return everything{state.Views{State: s, Life: sc.game.Life()}, sc.game, s.Variables}
}

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
	hiddenChat, hiddenGlobal := p.sight().HiddenMacros()
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
	keep(&p.state.Macros.Chat, chat, hiddenChat, "chat")
	keep(&p.state.Macros.Global, global, hiddenGlobal, "global")
}
