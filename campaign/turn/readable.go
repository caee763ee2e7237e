package turn

import (
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
)

// tookRules takes over what rules made of variables, characters and ledger.
func (t *run) tookRules(after rules.State) {
	p := &t.staged
	p.state.Variables = after.Variables
	p.state.Ledger = t.dated(after.Ledger)
	if views, ok := after.Views.(state.Views); ok && views.Written != nil {
		p.state.Characters = views.Written
		p.evidence = append(p.evidence, views.Evidence...)
	}
}

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

// readable is the state as authors read it.
func (t *run) readable() everything {
	s := &t.staged.state
	return everything{state.Views{State: s, Life: t.game.Life()}, t.game, s.Variables}
}
