package conflict

import "slices"

// hpEvidence is what the turn settled about one character's hit points, and what of
// it the text has used. One settled amount supports one claim: who tells a loss of 5
// twice tells of 10.
type hpEvidence struct {
	changes []HPChange
	amounts map[int]*supply // by requested and by effective amount
	totals  []total
}

// supply counts what one amount can still support.
type supply struct {
	changes []int // that have the amount, in order
	told    int   // of them told as prose
	listed  int   // of them listed in a panel
}

// A total is a sum of several changes.
type total struct {
	amount       int
	told, listed bool
}

// evidenceOf returns the evidence about a character, made at its first claim.
func (r *Reading) evidenceOf(id string, made map[string]*hpEvidence) *hpEvidence {
	if e := made[id]; e != nil {
		return e
	}
	e := &hpEvidence{changes: r.hpChanges(id), amounts: map[int]*supply{}}
	made[id] = e
	for i, ch := range e.changes {
		e.offer(ch.Requested, i)
		if ch.Effective != ch.Requested {
			e.offer(ch.Effective, i)
		}
	}
	if len(e.changes) > 1 {
		e.totals = totalsOf(e.changes)
	}
	return e
}

func (e *hpEvidence) offer(amount, change int) {
	s := e.amounts[amount]
	if s == nil {
		s = &supply{}
		e.amounts[amount] = s
	}
	s.changes = append(s.changes, change)
}

// totalsOf returns the different sums that a text may tell: of all changes and of
// those of one direction, as asked for and as they took effect.
func totalsOf(changes []HPChange) []total {
	var sums [6]int
	for _, ch := range changes {
		direction := 2 // gains
		if ch.Requested < 0 {
			direction = 4 // losses
		}
		sums[0] += ch.Requested
		sums[1] += ch.Effective
		sums[direction] += ch.Requested
		sums[direction+1] += ch.Effective
	}
	var out []total
	for _, sum := range sums {
		if sum != 0 && !slices.Contains(out, total{amount: sum}) {
			out = append(out, total{amount: sum})
		}
	}
	return out
}

// take reports whether the evidence supports an amount that no claim has used yet,
// and uses it up. A panel may list what the prose has told: each counts for itself.
func (e *hpEvidence) take(amount int, listed bool) bool {
	if s := e.amounts[amount]; s != nil {
		used := &s.told
		if listed {
			used = &s.listed
		}
		if *used < len(s.changes) {
			*used++
			return true
		}
	}
	for i := range e.totals {
		t := &e.totals[i]
		used := &t.told
		if listed {
			used = &t.listed
		}
		if t.amount == amount && !*used {
			*used = true
			return true
		}
	}
	return false
}

// supportsValue reports whether the character has, or had after one of the changes,
// the hit points told.
func (e *hpEvidence) supportsValue(c *Character, claim hpClaim) bool {
	if claim.max != 0 && claim.max != c.HP.Max {
		return false
	}
	if claim.value == maximal {
		claim.value = c.HP.Max
	}
	return claim.value == c.HP.Current || slices.ContainsFunc(e.changes, func(ch HPChange) bool {
		return ch.After == claim.value
	})
}

// applied is what the changes of the turn came to.
func (e *hpEvidence) applied() int {
	sum := 0
	for _, ch := range e.changes {
		sum += ch.Effective
	}
	return sum
}

// hpChanges returns the applied changes of a character's hit points.
func (r *Reading) hpChanges(id string) []HPChange {
	var out []HPChange
	for _, a := range r.View.Actions {
		for _, ch := range a.HP {
			if ch.CharacterID == id {
				out = append(out, ch)
			}
		}
	}
	return out
}

// affectedOf reports whether an action of the turn that concerns the character, or
// does not say whom it concerns, affects the field.
func (r *Reading) affectedOf(field, id string) bool {
	return slices.ContainsFunc(r.View.Actions, func(a Action) bool {
		return slices.Contains(a.Affects, field) &&
			(len(a.CharacterIDs) == 0 || slices.Contains(a.CharacterIDs, id))
	})
}

// wasOnce reports whether the character was in the state after an action of the turn.
func (r *Reading) wasOnce(id, state string) bool {
	return slices.ContainsFunc(r.View.Actions, func(a Action) bool {
		return slices.ContainsFunc(a.Lives, func(l LifeChange) bool {
			return l.CharacterID == id && l.After == state
		})
	})
}
