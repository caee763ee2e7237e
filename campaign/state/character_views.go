package state

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
)

// The authoritative values of characters are also available as variables. A rule may watch
// "hp.<character>"; a macro or a condition of an entry may read it; a rule, a reaction or a hook
// may write it. These variables are views: the values are stored only in the character.
const (
	varHP    = "hp."
	varMaxHP = "max_hp."
	varArea  = "area."
	varAlive = "alive."
)

// IsView reports whether a name is the name of a view.
func IsView(name string) bool {
	_, _, ok := viewOf(name)
	return ok
}

// viewOf splits the name of a view into its kind and the character's ID.
func viewOf(name string) (kind, character string, ok bool) {
	for _, kind := range []string{varHP, varMaxHP, varArea, varAlive} {
		if id, ok := strings.CutPrefix(name, kind); ok {
			return kind, id, true
		}
	}
	return "", "", false
}

// Views are the views on the characters of a state, with the results of writes to them.
type Views struct {
	State    *State // never modified
	Life     map[AliveState]LifeRule
	Written  []Character       // nil: State.Characters
	Evidence []conflict.Action // of the writes, for the detectors
}

func (v Views) characters() []Character {
	if v.Written != nil {
		return v.Written
	}
	return v.State.Characters
}

// View returns the value of a view.
func (v Views) View(name string) (tree.Value, bool) {
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

// Views lists the views on one character.
func (c *Character) Views() []tree.Member {
	var out []tree.Member
	for _, kind := range []string{varHP, varMaxHP, varArea, varAlive} {
		out = append(out, tree.Member{Key: kind + c.ID, Value: c.view(kind)})
	}
	return out
}

// WithView writes the value of a view, within the usual bounds of the character's fields.
func (v Views) WithView(name string, value tree.Value) (rules.Views, tree.Value, error) {
	kind, id, _ := viewOf(name)
	v.Written = slices.Clone(v.characters())
	i := slices.IndexFunc(v.Written, func(c Character) bool { return c.ID == id })
	if i < 0 {
		return v, tree.Value{}, fmt.Errorf("no character %q", id)
	}
	c := &v.Written[i]
	var did conflict.Action
	switch kind {
	case varHP:
		n, ok := wholeNumber(value)
		if !ok {
			return v, tree.Value{}, fmt.Errorf("takes a whole number, not %s", value.Kind())
		}
		did = c.ChangeHP(n-c.HP.Current, v.Life)
	case varMaxHP:
		n, ok := wholeNumber(value)
		if !ok || n < 0 {
			return v, tree.Value{}, fmt.Errorf("takes a whole number from 0 on")
		}
		c.HP.Max = n
		c.setHP(c.HP.Current, v.Life)
	case varArea:
		to, _ := value.AsText()
		if _, known := v.State.Map.Area(to); !known {
			return v, tree.Value{}, fmt.Errorf("takes the id of an area of the map")
		}
		did.Moves = []conflict.Move{{CharacterID: c.ID, From: c.AreaID, To: to}}
		c.AreaID = to
	case varAlive:
		text, _ := value.AsText()
		state := AliveState(text)
		if _, known := v.Life[state]; !known {
			return v, tree.Value{}, fmt.Errorf("takes a life state that is registered")
		}
		did.Lives = lifeChange(c.ID, c.Status.AliveState, state)
		c.Status.AliveState = state
	}
	v.Evidence = append(slices.Clip(v.Evidence), did)
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
