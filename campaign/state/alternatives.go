package state

import (
	"fmt"
	"slices"

	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/internal/openjson"
)

// Answers are the turns that answer the line of the head turn, oldest first, the chosen one
// among them: those that a choice can lead to. There are none before the first turn.
func (c Campaign) Answers() []string {
	var ids []string
	if c.State.HeadTurnID != StartTurnID {
		ids = append(ids, c.State.HeadTurnID)
	}
	if a := c.headAlternatives(); a != nil {
		for _, o := range a.Others {
			ids = append(ids, o.TurnID)
		}
	}
	slices.SortFunc(ids, compareTurnIDs)
	return ids
}

// HeadAlternatives are what is known of the answers to the line of the head turn. It reports
// false where a rollback or another branch has led to the head.
func (c Campaign) HeadAlternatives() (Alternatives, bool) {
	if a := c.headAlternatives(); a != nil {
		return *a, true
	}
	return Alternatives{}, false
}

// headAlternatives are those of the turn at the head, nil if nothing is known.
func (c Campaign) headAlternatives() *Alternatives {
	if a := c.Alternatives; a != nil && a.Chosen == c.State.HeadTurnID {
		return a
	}
	return nil
}

// BeforeHead returns what the head turn was played on: the alternatives of the line, of which
// BeforeRef names the state before it. It reports false if that state is known no more: then
// the head stands where a rollback or another branch has led, and the checkpoint of the turn
// before is gone.
func (c Campaign) BeforeHead(head Turn) (Alternatives, bool) {
	if a := c.headAlternatives(); a != nil {
		return *a.clone(), true
	}
	for _, cp := range slices.Backward(c.Checkpoints) {
		if cp.TurnID == head.ParentID {
			return Alternatives{Chosen: head.ID, BeforeRef: cp.SnapshotRef}, true
		}
	}
	return Alternatives{}, false
}

// KeepBefore keeps the present state as the one before the turn that is about to become the
// head, for further answers to its line.
func (c *Campaign) KeepBefore(a Alternatives) {
	a.BeforeRef = c.keep(c.Version)
	c.Alternatives = &a
}

// LeaveHead sets the head turn aside as an answer that is not chosen. Its labelled checkpoints
// go with it, the others are dropped. a are the alternatives of the head, limit is how many
// answers are kept, with the one that will be chosen.
func (c *Campaign) LeaveHead(a Alternatives, limit int) {
	left := Alternative{TurnID: c.State.HeadTurnID, SnapshotRef: c.keep(c.Version), Evidence: a.Evidence}
	if a.First == "" {
		a.First = left.TurnID
	}
	left.Checkpoints = c.dropHeadCheckpoints(true)
	a.Others = append(slices.Clip(a.Others), left)
	slices.SortFunc(a.Others, func(x, y Alternative) int { return compareTurnIDs(x.TurnID, y.TurnID) })
	if more := len(a.Others) - max(limit-1, 0); more > 0 {
		a.Others = slices.Delete(a.Others, 0, more)
	}
	a.Chosen, a.Evidence = "", nil // whoever comes next
	c.Alternatives = &a
}

// dropHeadCheckpoints drops the checkpoints of the head turn, those with a label only if it is
// wanted, and returns these. The start stays, also of a story that was begun elsewhere.
func (c *Campaign) dropHeadCheckpoints(labelled bool) (dropped []Checkpoint) {
	var kept []Checkpoint
	for i, cp := range c.Checkpoints {
		switch {
		case i == 0 || cp.TurnID != c.State.HeadTurnID || cp.Label != "" && !labelled:
			kept = append(kept, cp)
		case cp.Label != "":
			dropped = append(dropped, cp)
		}
	}
	c.Checkpoints = kept
	return dropped
}

// RenewHead is called before the head turn is replaced by a longer one: its checkpoint goes, and
// its dice and its evidence are those that are given.
func (c *Campaign) RenewHead(rolls map[string][]int, evidence []conflict.Action) {
	c.dropHeadCheckpoints(false)
	if a := c.headAlternatives(); a != nil {
		a.Rolls, a.Evidence = rolls, evidence
	}
}

// RenewStart makes the present state the one that a rollback to the start restores.
func (c *Campaign) RenewStart() {
	c.Checkpoints = slices.Clone(c.Checkpoints)
	c.Checkpoints[0].SnapshotRef = c.keep(c.Version + 1)
	c.DropUnreferenced()
}

// ChoiceRef returns the state that a choice among the answers needs, or a [*Refusal].
func (c Campaign) ChoiceRef(turnID string) (ref string, err error) {
	if at := c.otherIndex(turnID); at >= 0 {
		return c.Alternatives.Others[at].SnapshotRef, nil
	}
	return "", &Refusal{Code: UnknownAlternative, Detail: fmt.Sprintf("%q is no other answer to the line of %s: those are %q",
		turnID, c.State.HeadTurnID, c.Answers())}
}

// otherIndex is the place of an answer among those that are not chosen, -1 if it is none.
func (c Campaign) otherIndex(turnID string) int {
	a := c.headAlternatives()
	if a == nil {
		return -1
	}
	return slices.IndexFunc(a.Others, func(o Alternative) bool { return o.TurnID == turnID })
}

// Choose moves the head to another answer to its line, to the state that [Campaign.ChoiceRef]
// has named: the one in which that was left.
func (c *Campaign) Choose(turnID string, s State) {
	at := c.otherIndex(turnID)
	rest := *c.Alternatives.clone()
	chosen := rest.Others[at]
	rest.Others = slices.Delete(rest.Others, at, at+1)
	c.PendingConflict = nil               // it was about the answer that is left
	c.LeaveHead(rest, len(rest.Others)+2) // there are no more of them than before
	c.State = s
	c.Alternatives.Chosen, c.Alternatives.Evidence = turnID, chosen.Evidence
	c.Checkpoints = append(c.Checkpoints, chosen.Checkpoints...)
}

// MarshalJSON writes the known fields and then the unknown ones.
func (a Alternatives) MarshalJSON() ([]byte, error) { return openjson.Write(a) }

// UnmarshalJSON keeps members that it does not know in Extra.
func (a *Alternatives) UnmarshalJSON(data []byte) error { return openjson.Read(data, a) }

// MarshalJSON writes the known fields and then the unknown ones.
func (a Alternative) MarshalJSON() ([]byte, error) { return openjson.Write(a) }

// UnmarshalJSON keeps members that it does not know in Extra.
func (a *Alternative) UnmarshalJSON(data []byte) error { return openjson.Read(data, a) }
