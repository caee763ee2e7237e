package campaigntest

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
)

// character returns a character. For an unknown ID it returns the result of the check instead.
func (m *snapshot) character(id string) (state.Character, checkResult) {
	c, ok := m.after.State.Character(id)
	if ok {
		return c, checkResult{}
	}
	return c, unknownName("character", id, namesOf(m.after.State.Characters, func(c state.Character) string { return c.ID }))
}

func checkHP(m *snapshot, args []string) checkResult {
	c, unknown := m.character(args[0])
	if unknown.isUnknownName {
		return unknown
	}
	want, err := strconv.Atoi(second(args))
	return checkResult{
		holds: err == nil && c.HP.Current == want, got: fmt.Sprintf("%s has %d of %d hit points", c.ID, c.HP.Current, c.HP.Max),
		why: m.whyCalls("hp_delta"),
	}
}

func checkIn(m *snapshot, args []string) checkResult {
	c, unknown := m.character(args[0])
	if unknown.isUnknownName {
		return unknown
	}
	known := namesOf(m.after.State.Map.Areas, func(a state.MapArea) string { return a.ID })
	if !slices.Contains(known, second(args)) {
		return unknownName("area", second(args), known)
	}
	at := c.AreaID
	for range known { // at most as many parents as areas, because parents may form a circle
		if at == second(args) {
			return checkResult{holds: true, got: c.ID + " is in " + c.AreaID}
		}
		area, _ := m.after.State.Map.Area(at)
		at = area.Parent
	}
	return checkResult{got: fmt.Sprintf("%s is in %q", c.ID, c.AreaID), why: m.whyCalls("move")}
}

func checkAlive(m *snapshot, args []string) checkResult {
	c, unknown := m.character(args[0])
	if unknown.isUnknownName {
		return unknown
	}
	if _, is := m.game.Life()[state.AliveState(second(args))]; !is {
		var known []string
		for s := range m.game.Life() {
			known = append(known, string(s))
		}
		return unknownName("life state", second(args), known)
	}
	return checkResult{holds: string(c.Status.AliveState) == second(args), got: fmt.Sprintf("%s is %s", c.ID, c.Status.AliveState)}
}

// variable finds the value of a declared variable, a view, or a path.
func (m *snapshot) variable(name string) (tree.Value, error) {
	s := &m.after.State
	for _, c := range s.Characters {
		for _, view := range c.Views() {
			if view.Key == name {
				return view.Value, nil
			}
		}
	}
	for _, v := range m.game.Content().Rules.Variables {
		if v.ID == name && v.Path != "" {
			name = v.Path
			break
		}
	}
	path, err := tree.ParsePath(name)
	if err != nil {
		return tree.Value{}, err
	}
	v := s.Variables.Lookup(path)
	if v.IsPair() {
		v = v.At(0)
	}
	return v, nil
}

func checkVar(m *snapshot, args []string) checkResult {
	v, err := m.variable(args[0])
	if err != nil {
		return checkResult{got: err.Error()}
	}
	if !v.Exists() {
		a := unknownName("variable", args[0], namesOf(m.game.Content().Rules.Variables, func(v rules.Variable) string { return v.ID }))
		a.isUnknownName = false // variables may be created and deleted during play
		return a
	}
	a := checkResult{holds: equalsJSON(v, second(args)), got: fmt.Sprintf("%s is %s", args[0], v), why: m.whyWrites(args[0])}
	return a
}

func checkBetween(m *snapshot, args []string) checkResult {
	v, err := m.variable(args[0])
	if err != nil || !v.Exists() || len(args) != 3 {
		return checkVar(m, args)
	}
	least, err1 := strconv.ParseFloat(args[1], 64)
	most, err2 := strconv.ParseFloat(args[2], 64)
	n, is := v.AsFloat()
	return checkResult{
		holds: is && err1 == nil && err2 == nil && least <= n && n <= most, got: fmt.Sprintf("%s is %s", args[0], v),
		why: m.whyWrites(args[0]),
	}
}

func checkState(m *snapshot, args []string) checkResult {
	path, err := tree.ParsePath(args[0])
	if err != nil {
		return checkResult{got: err.Error()}
	}
	head, err := m.after.HeadValue()
	if err != nil {
		return checkResult{got: err.Error()}
	}
	v := head.Lookup(path)
	if !v.Exists() {
		a := checkResult{holds: second(args) == "null", got: args[0] + " is not there"}
		if within := append(tree.Path{"state"}, path...); head.Lookup(within).Exists() {
			a.got += fmt.Sprintf(": did you mean %s?", within)
			a.isUnknownName = true
		}
		return a
	}
	return checkResult{holds: equalsJSON(v, second(args)), got: fmt.Sprintf("%s is %s", args[0], v)}
}

func checkEnded(m *snapshot, args []string) checkResult {
	l := m.after.State.Lifecycle
	if !l.Ended {
		return checkResult{got: "the campaign goes on"}
	}
	return checkResult{holds: first(args) == "" || first(args) == string(l.Reason), got: "the campaign has ended: " + string(l.Reason)}
}

// equalsJSON reports whether a value equals the value of a JSON text.
func equalsJSON(v tree.Value, text string) bool {
	want, err := tree.ParseValue([]byte(text))
	return err == nil && v.Equal(want)
}
