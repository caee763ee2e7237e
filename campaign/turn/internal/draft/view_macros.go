package draft

import (
	"github.com/talewright/talewright/campaign/cast"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/prompt/tavern"
)

// The view part is the read-only view of a turn from which its prompts and texts are made: what is played
// ([Turn]), by which names those who take part go, what of the state the one for whom the prompt is written
// may know, and what macros and conditions read. A view is a value that points to the state of the turn as
// it stands; nothing here changes it.

// readable is what authors' conditions, macros and hooks read: the document, and beside it
// the views.
type readable struct {
	views    state.Views
	game     *game.Game
	document tree.Document
}

// Get reads a variable by its name or path.
func (e readable) Get(path string) (any, bool) {
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

// Readable is the state as authors read it in texts: what the viewer may know of it.
func (v Turn) Readable() readable {
	s := v.Sight().State
	return readable{state.Views{State: s, Life: v.Game.Life()}, v.Game, s.Variables}
}

// Env is what macros in cards, lore and directives can see.
func (v Turn) Env() prompt.Env {
	env := prompt.Env{
		User: v.UserName(), Char: v.CharName(), Persona: v.Game.Content().Persona,
		ChatID: v.Campaign.ID, Clock: v.In.At, Random: v.Draw, Turn: v.Number(), Input: v.In.Text,
		Document: v.Readable(), GenerationType: string(v.GenerationKind()),
	}
	content := v.Game.Content()
	env.MaxContext, env.MaxResponse = content.Budget.Context, content.Budget.Response
	if !v.Game.IsText() { // a text has the separator of its context
		env.ExampleSeparator = tavern.ExampleSeparator
	}
	if own := content.Macros; own != nil {
		env.Compile = own.Compile
	}
	env.Vars, env.Globals = v.Sight().State.Macros.Maps()
	if c := v.Card(); c != nil {
		env.Card, _ = prompt.CardOf(*c)
	}
	for _, m := range v.Game.Cast() {
		if env.Group = append(env.Group, m.Name); m.Muted {
			env.Muted = append(env.Muted, m.Name)
		}
	}
	if v.Speaker != "" { // by ids, since two members may have one name
		env.Macros = cast.Macros(v.Game.Cast(), v.Speaker)
	}
	return env
}

// Note is the author's note. A prompt shows only the newest lines, so the campaign
// counts those of the player: the note is due in every prompt of the turn, or in none.
func (v Turn) Note() prompt.AuthorNote {
	n := v.Game.Content().Note
	if every := n.Interval; every != nil && *every != 1 {
		n.Interval = new(0)
		if *every > 1 && v.Number()%*every == 0 {
			n.Interval = new(1)
		}
	}
	return n
}
