package campaign

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
)

// The authoritative values of characters are variables too: a rule may watch "hp.<character>",
// a macro or an entry's condition read it, and a rule, a reaction or a hook write it. They are
// views on the character, which is the one place where they are kept.
const (
	varHP    = "hp."
	varMaxHP = "max_hp."
	varArea  = "area."
	varAlive = "alive."
)

// reserved reports whether a variable's name is one that belongs to the views.
func reserved(name string) bool {
	_, _, ok := viewOf(name)
	return ok
}

// viewOf splits the name of a view.
func viewOf(name string) (kind, character string, ok bool) {
	for _, kind := range []string{varHP, varMaxHP, varArea, varAlive} {
		if id, ok := strings.CutPrefix(name, kind); ok {
			return kind, id, true
		}
	}
	return "", "", false
}

// characterViews are the views on the characters of a state, and what writes to them have done.
type characterViews struct {
	state    *State // never modified
	life     map[AliveState]LifeRule
	written  []Character       // nil: those of the state
	evidence []conflict.Action // of the writes, for the detectors
}

func (v characterViews) characters() []Character {
	if v.written != nil {
		return v.written
	}
	return v.state.Characters
}

// View reads a value of a character.
func (v characterViews) View(name string) (tree.Value, bool) {
	kind, id, ok := viewOf(name)
	if !ok {
		return tree.Value{}, false
	}
	list := v.characters()
	for i := range list {
		if list[i].ID == id {
			return list[i].view(kind), true
		}
	}
	return tree.Value{}, false
}

func (c *Character) view(kind string) tree.Value {
	switch kind {
	case varHP:
		return tree.Int(int64(c.HP.Current))
	case varMaxHP:
		return tree.Int(int64(c.HP.Max))
	case varArea:
		return tree.Text(c.AreaID)
	}
	return tree.Text(string(c.Status.AliveState))
}

// variables lists the views on one character.
func (c *Character) variables() []tree.Member {
	var out []tree.Member
	for _, kind := range []string{varHP, varMaxHP, varArea, varAlive} {
		out = append(out, tree.Member{Key: kind + c.ID, Value: c.view(kind)})
	}
	return out
}

// WithView writes a value of a character, within the bounds that hold for everybody.
func (v characterViews) WithView(name string, value tree.Value) (rules.Views, tree.Value, error) {
	kind, id, _ := viewOf(name)
	v.written = slices.Clone(v.characters())
	i := slices.IndexFunc(v.written, func(c Character) bool { return c.ID == id })
	if i < 0 {
		return v, tree.Value{}, fmt.Errorf("no character %q", id)
	}
	c := &v.written[i]
	var did conflict.Action
	switch kind {
	case varHP:
		n, ok := wholeNumber(value)
		if !ok {
			return v, tree.Value{}, fmt.Errorf("takes a whole number, not %s", value.Kind())
		}
		did = c.settleHP(n-c.HP.Current, v.life)
	case varMaxHP:
		n, ok := wholeNumber(value)
		if !ok || n < 0 {
			return v, tree.Value{}, fmt.Errorf("takes a whole number from 0 on")
		}
		c.HP.Max = n
		c.settle(c.HP.Current, v.life)
	case varArea:
		to, _ := value.AsText()
		if _, known := v.state.Map.Area(to); !known {
			return v, tree.Value{}, fmt.Errorf("takes the id of an area of the map")
		}
		did.Moves = []conflict.Move{{CharacterID: c.ID, From: c.AreaID, To: to}}
		c.AreaID = to
	case varAlive:
		text, _ := value.AsText()
		state := AliveState(text)
		if _, known := v.life[state]; !known {
			return v, tree.Value{}, fmt.Errorf("takes a life state that is registered")
		}
		did.Lives = lifeChange(c.ID, c.Status.AliveState, state)
		c.Status.AliveState = state
	}
	v.evidence = append(slices.Clip(v.evidence), did)
	return v, c.view(kind), nil
}

func wholeNumber(v tree.Value) (int, bool) {
	n, ok := v.AsNumber()
	if !ok {
		return 0, false
	}
	i, ok := n.Int64()
	return int(min(max(i, math.MinInt32), math.MaxInt32)), ok
}

// ruleState is the state as rules see it.
func (g *Game) ruleState(s *State, turn int) rules.State {
	return rules.State{Variables: s.Variables, Turn: turn, Ledger: s.Ledger, GreetingID: s.GreetingID,
		Views: characterViews{state: s, life: g.life}}
}

// tookRules takes over what rules made of variables, characters and ledger.
func (t *turn) tookRules(after rules.State) {
	p := &t.staged
	p.state.Variables = after.Variables
	p.state.Ledger = t.dated(after.Ledger)
	if views, ok := after.Views.(characterViews); ok && views.written != nil {
		p.state.Characters = views.written
		p.evidence = append(p.evidence, views.evidence...)
	}
}

// everything is what authors' conditions, macros and hooks read: the document, and beside it
// the views.
type everything struct {
	views    characterViews
	game     *Game
	document tree.Document
}

// Get reads a variable by its name or path.
func (e everything) Get(path string) (any, bool) {
	v, ok := e.views.View(path)
	if !ok && len(e.game.content.Variables) > 0 {
		v, ok = e.game.rules.Declared(e.document, path)
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
func (t *turn) readable() everything {
	s := &t.staged.state
	return everything{characterViews{state: s, life: t.game.life}, t.game, s.Variables}
}

// withoutViews leaves out the declarations of what belongs to characters: there is one truth.
func withoutViews(list []rules.Variable, problems *findings) []rules.Variable {
	out := list
	for i, v := range list {
		if !reserved(v.ID) {
			continue
		}
		problems.unplayed(fmt.Sprintf("variables[%d]", i),
			"%q is a value of a character and needs no declaration; take it out", v.ID)
		if out = slices.DeleteFunc(slices.Clone(out), func(o rules.Variable) bool { return o.ID == v.ID }); out == nil {
			out = []rules.Variable{} // an empty schema is one
		}
	}
	return out
}
