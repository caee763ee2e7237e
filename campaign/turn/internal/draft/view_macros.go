package draft

import (
	"cmp"
	"slices"

	"github.com/talewright/talewright/campaign/cast"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/prompt/macro"
	"github.com/talewright/talewright/prompt/tavern"
)

// The view files are a read-only view of a turn. Prompts and texts are made from it. It has the
// order of the turn ([Turn]) and the names of the participants. It also has the part of the state
// that the viewer of the prompt may know, and the data for macros and conditions. A view is a value
// that points to the present state of the turn; it changes nothing.

// readable is the data for conditions, macros and hooks of authors: the document and the views of
// characters.
type readable struct {
	views    state.Views
	game     *game.Game
	document tree.Document
}

// Get reads a variable by its name or path.
func (e readable) Get(path string) (any, bool) {
	v, ok := e.views.View(path)
	if !ok && len(e.game.Content().Rules.Variables) > 0 {
		v, ok = e.game.Rules().Declared(e.document, path)
	}
	if !ok {
		if v = e.stored(path); !v.Exists() {
			return nil, false
		}
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

// stored reads a member of the document by its name, or else a path through the leaves of the game's
// profile.
func (e readable) stored(path string) tree.Value {
	if v := e.document.Root().Get(path); v.Exists() {
		return v
	}
	p, err := tree.ParsePath(path)
	if err != nil {
		return tree.Value{}
	}
	return e.game.Vars().Read(e.document, p)
}

// Readable returns the state for texts of authors, limited to the viewer's knowledge.
func (v Turn) Readable() readable {
	s := v.Sight().State
	return readable{state.Views{State: s, Life: v.Game.Life()}, v.Game, s.Variables}
}

// Persona returns the description of the player: the one of the content, else the background of the
// acting character.
func (v Turn) Persona() string {
	c, _ := v.State.Character(v.In.ActorID)
	return cmp.Or(v.Game.Content().People.Persona, c.Background)
}

// Env returns the environment of macros in cards, lore and directives.
func (v Turn) Env() prompt.Env {
	env := prompt.Env{
		User: v.UserName(), Char: v.CharName(), Persona: v.Persona(),
		ChatID: v.Campaign.ID, Clock: v.In.At, Random: v.Draw, Turn: v.Number(), Input: v.In.Text,
		Document: v.Readable(), GenerationType: string(v.GenerationKind()),
	}
	content := v.Game.Content()
	if content.People.Persona == "" {
		env.PersonaMode = macro.Names // a background is data
		if v.Dialog != nil && slices.Contains(v.Dialog.Blocks, game.BlockParty) {
			env.Persona = "" // the party's sheets have it
		}
	}
	env.Stores = content.Stores(v.Sight().State.Variables, v.Card())
	env.NoFold = content.Prompt.NoFold
	env.MaxContext, env.MaxResponse = content.Prompt.Budget.Context, content.Prompt.Budget.Response
	if !v.Game.IsText() { // a prompt in one text has the separator of its context
		env.ExampleSeparator = tavern.ExampleSeparator
	}
	if own := content.Extensions.Macros; own != nil {
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
	if v.Speaker != "" { // by IDs, because two members may have the same name
		env.Macros = cast.Macros(v.Game.Cast(), v.Speaker)
	}
	return env
}

// Note returns the author's note. A prompt shows only the newest lines, so the interval counts
// turns of the campaign: the note is in every prompt of the turn, or in none.
func (v Turn) Note() prompt.AuthorNote {
	n := v.Game.Content().Prompt.Note
	if every := n.Interval; every != nil {
		n.Interval = new(0)
		if *every > 0 && v.Number()%*every == 0 {
			n.Interval = new(1)
		}
	}
	return n
}
