package conflict

import (
	"slices"

	"github.com/talewright/talewright/campaign/conflict/internal/parse"
)

// A hpFact is a claim about the hit points of a character.
type hpFact struct {
	Delta      int  // the claimed change, or 0 for a value
	Value, Max int  // the claimed hit points; Max is 0 if the text has no maximum
	Listed     bool // in the short form of panels, HP-3
	either     bool // the text does not say what happens to the amount
}

// maximal is the value of hit points that are claimed to be full.
const maximal = -1

// hpEvidence is what the turn settled about one character's hit points, and the part that claims
// have used. One settled amount supports one claim: a text that mentions a loss of 5 twice claims a
// loss of 10.
type hpEvidence struct {
	changes []HPChange
	amounts map[int]*supply // by requested and by effective amount, and by the sums of changes
	applied int             // the sum of the effective changes
}

// supply counts the claims that one amount can support, and those in prose and in a panel that used it.
type supply struct{ have, told, listed int }

// evidenceOf returns the evidence about a character. It is created at the first claim.
func (v *View) evidenceOf(id string, made map[string]*hpEvidence) *hpEvidence {
	if e := made[id]; e != nil {
		return e
	}
	e := &hpEvidence{changes: v.hpChanges(id), amounts: map[int]*supply{}}
	made[id] = e
	var all, gains, losses HPChange
	for _, ch := range e.changes {
		e.offer(ch.Requested)
		if ch.Effective != ch.Requested {
			e.offer(ch.Effective)
		}
		direction := &gains
		if ch.Requested < 0 {
			direction = &losses
		}
		for _, sum := range []*HPChange{&all, direction} {
			sum.Requested += ch.Requested
			sum.Effective += ch.Effective
		}
	}
	e.applied = all.Effective
	sums := []int{all.Requested, all.Effective, gains.Requested, gains.Effective, losses.Requested, losses.Effective}
	for i, sum := range sums {
		if len(e.changes) > 1 && sum != 0 && !slices.Contains(sums[:i], sum) {
			e.offer(sum)
		}
	}
	return e
}

// offer adds one claim to those that an amount can support.
func (e *hpEvidence) offer(amount int) {
	if e.amounts[amount] == nil {
		e.amounts[amount] = &supply{}
	}
	e.amounts[amount].have++
}

// supports reports whether the evidence supports a claim. A value is supported if the character has
// it now or had it after one of the changes. An amount is supported if one change, or several
// together, requested or made it and no earlier claim has used it.
func (e *hpEvidence) supports(c *Character, claim hpFact) bool {
	if claim.Delta == 0 {
		return e.supportsValue(c, claim)
	}
	return claim.either && (e.take(-claim.Delta, claim.Listed) || e.supportsValue(c, hpFact{Value: max(claim.Delta, -claim.Delta)})) ||
		e.take(claim.Delta, claim.Listed)
}

// take reports whether the evidence supports an amount that no claim has used, and marks it as
// used. A panel may repeat amounts of the prose: the two are counted separately.
func (e *hpEvidence) take(amount int, listed bool) bool {
	s := e.amounts[amount]
	if s == nil {
		return false
	}
	used := &s.told
	if listed {
		used = &s.listed
	}
	if *used == s.have {
		return false
	}
	*used++
	return true
}

// supportsValue reports whether the character has the claimed hit points now or had them after one
// of the changes.
func (e *hpEvidence) supportsValue(c *Character, claim hpFact) bool {
	if claim.Max != 0 && claim.Max != c.HP.Max {
		return false
	}
	if claim.Value == maximal {
		claim.Value = c.HP.Max
	}
	return claim.Value == c.HP.Current || slices.ContainsFunc(e.changes, func(ch HPChange) bool { return ch.After == claim.Value })
}

// hpChanges returns the applied changes of a character's hit points.
func (v *View) hpChanges(id string) []HPChange {
	var out []HPChange
	for _, a := range v.Actions {
		for _, ch := range a.HP {
			if ch.CharacterID == id {
				out = append(out, ch)
			}
		}
	}
	return out
}

// changedHP reports whether an action of the turn requested or made a change of the character's hit
// points in the direction of sign.
func (v *View) changedHP(id string, sign int) bool {
	return slices.ContainsFunc(v.hpChanges(id), func(ch HPChange) bool { return ch.Requested*sign > 0 || ch.Effective*sign > 0 })
}

// supportsLife reports whether the state, or an event of the turn for this character, supports that
// the character is dead, downed or alive again. Events for other characters do not count. A wound
// that did not bring the character down does not count either.
func (v *View) supportsLife(c *Character, state string) bool {
	switch {
	case state == "alive":
		return c.AliveState != "dead"
	case c.AliveState == "dead" || v.wasOnce(c.ID, "dead"):
		return true
	case state == "dead":
		return false
	}
	raised := func(ch HPChange) bool { return ch.After == 0 } // downed, and raised again in the same turn
	return c.AliveState == "downed" || c.Unconscious || v.wasOnce(c.ID, "downed") || slices.ContainsFunc(v.hpChanges(c.ID), raised)
}

// wasOnce reports whether the character was in the state after an action of the turn.
func (v *View) wasOnce(id, state string) bool {
	is := func(l LifeChange) bool { return l.CharacterID == id && l.After == state }
	return slices.ContainsFunc(v.Actions, func(a Action) bool { return slices.ContainsFunc(a.Lives, is) })
}

// affected reports whether an action of the turn affects the field. If id is not empty, the action must
// concern this character or name no character.
func (v *View) affected(field, id string) bool {
	return slices.ContainsFunc(v.Actions, func(a Action) bool {
		concerns := id == "" || len(a.CharacterIDs) == 0 || slices.Contains(a.CharacterIDs, id)
		return concerns && slices.Contains(a.Affects, field)
	})
}

// rollSupports reports whether the turn has a roll or total with this value. If the claim has a
// certain subject and the roll names a character, the two must match.
func (v *View) rollSupports(value int, who parse.Subject) bool {
	fits := func(roll Roll) bool {
		return (roll.Roll == value || roll.Total == value) &&
			(roll.CharacterID == "" || len(who.IDs) == 0 || who.Doubtful || slices.Contains(who.IDs, roll.CharacterID))
	}
	return slices.ContainsFunc(v.Actions, func(a Action) bool { return slices.ContainsFunc(a.Rolls, fits) })
}

func (v *View) rollCount() int {
	n := 0
	for _, a := range v.Actions {
		n += len(a.Rolls)
	}
	return n
}

func (v *View) isLocked(id string) bool { return v.area(id) != nil && v.area(id).Locked }

// connected reports whether a path connects one of the areas a with one of the areas b, in any
// direction, or one area is inside the other.
func (v *View) connected(a, b []string) bool {
	return slices.ContainsFunc(v.Connections, func(c Connection) bool {
		return slices.Contains(a, c.From) && slices.Contains(b, c.To) || slices.Contains(a, c.To) && slices.Contains(b, c.From)
	}) || slices.ContainsFunc(a, func(id string) bool { return v.inside(id, b) }) ||
		slices.ContainsFunc(b, func(id string) bool { return v.inside(id, a) })
}

// placeSupports reports whether the turn supports a claim. It does if the character is in the area
// or inside it, or went there in this turn. With leaving, which means a presence before a settled
// arrival in the text, it does if the character came from there.
func (v *View) placeSupports(c *Character, areas []string, arrival, leaving bool) bool {
	went := func(m Move) bool {
		return m.CharacterID == c.ID && (arrival && v.inside(m.To, areas) || !arrival && leaving && v.inside(m.From, areas))
	}
	return v.inside(c.AreaID, areas) || slices.ContainsFunc(v.Actions, func(a Action) bool { return slices.ContainsFunc(a.Moves, went) })
}

// inside reports whether an area is one of some areas or inside one of them.
func (v *View) inside(area string, areas []string) bool {
	for range len(v.Areas) + 1 { // parents may form a cycle
		if slices.Contains(areas, area) {
			return true
		}
		a := v.area(area)
		if a == nil || a.Parent == "" {
			return false
		}
		area = a.Parent
	}
	return false
}

// character returns a tracked character, nil if the ID is unknown.
func (v *View) character(id string) *Character {
	for i := range v.Characters {
		if c := &v.Characters[i]; c.ID == id {
			return c
		}
	}
	return nil
}

// area returns a known area, nil if the ID is unknown.
func (v *View) area(id string) *Area {
	for i := range v.Areas {
		if a := &v.Areas[i]; a.ID == id {
			return a
		}
	}
	return nil
}
