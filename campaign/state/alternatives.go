package state

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/internal/openjson"
)

// Answers returns the IDs of the turns that answer the line of the head turn, oldest first. It
// includes the chosen one. [Campaign.Choose] can move to each of the others. Before the first turn
// the list is empty.
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

// HeadAlternatives returns the alternatives of the head turn. It reports false if a rollback or a
// switch of the branch led to the head.
func (c Campaign) HeadAlternatives() (Alternatives, bool) {
	if a := c.headAlternatives(); a != nil {
		return *a, true
	}
	return Alternatives{}, false
}

// headAlternatives returns the alternatives of the head turn, nil if there is no record of them.
func (c Campaign) headAlternatives() *Alternatives {
	if a := c.Alternatives; a != nil && a.Chosen == c.State.HeadTurnID {
		return a
	}
	return nil
}

// BeforeHead returns the alternatives of the line of the head turn. Their BeforeRef names the state
// before the line. It reports false if that state is no longer available. This happens if a
// rollback or a switch of the branch led to the head, and the checkpoint before it was dropped.
func (c Campaign) BeforeHead(head Turn) (Alternatives, bool) {
	if a := c.headAlternatives(); a != nil {
		return *a.clone(), true
	}
	a := Alternatives{Chosen: head.ID}
	for _, cp := range slices.Backward(c.Checkpoints) {
		switch cp.TurnID {
		case head.ID:
			a.Submission = cp.Submission
		case head.ParentID:
			a.BeforeRef = cp.SnapshotRef
			return a, true
		}
	}
	return Alternatives{}, false
}

// KeepBefore stores the present state as the state before the next head turn, for further answers
// to its line.
func (c *Campaign) KeepBefore(a Alternatives) {
	a.BeforeRef = c.keep(c.Version)
	c.Alternatives = &a
}

// LeaveHead makes the head turn an answer that is not chosen. Its labelled checkpoints are stored
// with it, the others are dropped. The argument a holds the alternatives of the head. The limit is
// the number of answers to keep, including the answer that will be chosen.
func (c *Campaign) LeaveHead(a Alternatives, limit int) {
	answer := Alternative{TurnID: c.State.HeadTurnID, SnapshotRef: c.keep(c.Version), Evidence: a.Evidence}
	a.First = cmp.Or(a.First, answer.TurnID)
	answer.Checkpoints = c.dropHeadCheckpoints(true)
	a.Others = append(slices.Clip(a.Others), answer)
	slices.SortFunc(a.Others, func(x, y Alternative) int { return compareTurnIDs(x.TurnID, y.TurnID) })
	excess := len(a.Others) - max(limit-1, 0)
	a.Others = slices.Delete(a.Others, 0, max(excess, 0))
	a.Chosen, a.Evidence = "", nil // the caller sets them
	c.Alternatives = &a
}

// dropHeadCheckpoints drops the checkpoints of the head turn without a label, and with withLabels all
// of them. It returns the dropped ones with a label. The start is never dropped, even if it is the
// head turn.
func (c *Campaign) dropHeadCheckpoints(withLabels bool) (labelled []Checkpoint) {
	var kept []Checkpoint
	for i, cp := range c.Checkpoints {
		hasLabel := cp.Label != ""
		switch {
		case i == 0 || cp.TurnID != c.State.HeadTurnID || hasLabel && !withLabels:
			kept = append(kept, cp)
		case hasLabel:
			labelled = append(labelled, cp)
		}
	}
	c.Checkpoints = kept
	return labelled
}

// RenewHead prepares the head turn to be replaced by a longer version of it. It drops the
// unlabelled checkpoints of the turn and sets its dice and its evidence.
func (c *Campaign) RenewHead(rolls map[string][]int, evidence []conflict.Action) {
	c.dropHeadCheckpoints(false)
	if a := c.headAlternatives(); a != nil {
		a.Rolls, a.Evidence = rolls, evidence
	}
}

// RenewStart makes the present state the state that a rollback to the start restores.
func (c *Campaign) RenewStart() {
	c.Checkpoints = slices.Clone(c.Checkpoints)
	c.Checkpoints[0].SnapshotRef = c.keep(c.Version + 1)
	c.DropUnreferenced()
}

// ChoiceRef returns the reference to the state that the choice of an answer needs, or a [*Refusal].
func (c Campaign) ChoiceRef(turnID string) (ref string, err error) {
	if at := c.otherIndex(turnID); at >= 0 {
		return c.Alternatives.Others[at].SnapshotRef, nil
	}
	return "", &Refusal{Code: UnknownAlternative, Detail: fmt.Sprintf("%q is no other answer to the line of %s: those are %q",
		turnID, c.State.HeadTurnID, c.Answers())}
}

// otherIndex returns the index of an answer that is not chosen in Others, -1 if it is not there.
func (c Campaign) otherIndex(turnID string) int {
	a := c.headAlternatives()
	if a == nil {
		return -1
	}
	return slices.IndexFunc(a.Others, func(o Alternative) bool { return o.TurnID == turnID })
}

// Choose moves the head to a different answer to its line. s is the state that [Campaign.ChoiceRef]
// named: the state after that answer.
func (c *Campaign) Choose(turnID string, s State) {
	at := c.otherIndex(turnID)
	rest := *c.Alternatives.clone()
	chosen := rest.Others[at]
	rest.Others = slices.Delete(rest.Others, at, at+1)
	c.PendingConflict = nil               // it was about the previous answer
	c.LeaveHead(rest, len(rest.Others)+2) // their number does not grow
	c.State = s
	c.Alternatives.Chosen, c.Alternatives.Evidence = turnID, chosen.Evidence
	c.Checkpoints = append(c.Checkpoints, chosen.Checkpoints...)
}

// MarshalJSON writes the known fields and then the unknown ones.
func (a Alternatives) MarshalJSON() ([]byte, error) { return openjson.Write(a) }

// UnmarshalJSON stores unknown members in Extra.
func (a *Alternatives) UnmarshalJSON(data []byte) error { return openjson.Read(data, a) }

// MarshalJSON writes the known fields and then the unknown ones.
func (a Alternative) MarshalJSON() ([]byte, error) { return openjson.Write(a) }

// UnmarshalJSON stores unknown members in Extra.
func (a *Alternative) UnmarshalJSON(data []byte) error { return openjson.Read(data, a) }
