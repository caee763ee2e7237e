package state

import (
	"cmp"
	"fmt"
	"slices"
	"time"
)

// Problem says what is wrong with a policy, "" if nothing is.
func (p AdvancePolicy) Problem() string {
	switch p.Type {
	case "", byTurnCount, byTokenEstimate, bySummaryVersion, byHand:
	default:
		return fmt.Sprintf("unknown type %q: want %s, %s, %s or %s", p.Type,
			byTurnCount, byTokenEstimate, bySummaryVersion, byHand)
	}
	for _, n := range []struct {
		name  string
		value int
	}{{"n", p.N}, {"threshold", p.Threshold}, {"step", p.Step}} {
		if n.value < 0 {
			return fmt.Sprintf("%s must not be negative, not %d", n.name, n.value)
		}
	}
	return ""
}

// Advance evaluates the policy after a committed turn and makes at most one step. The argument
// turns is the number of turns on the branch including this one. The argument tokens is the
// estimate for the turn's input and final text. It reports whether a step was made.
func (m *Milestone) Advance(turns, tokens, summaryVersion int) bool {
	reached := false
	switch m.Policy.Type {
	case byTokenEstimate:
		m.TokensSince += tokens
		if threshold := cmp.Or(m.Policy.Threshold, 8000); m.TokensSince >= threshold {
			m.TokensSince -= threshold // the remainder counts for the next step
			reached = true
		}
	case bySummaryVersion:
		reached = summaryVersion-m.SummaryVersionAtAdvance >= cmp.Or(m.Policy.Step, 1)
	case byHand:
	default:
		reached = turns-m.LastAdvancedAtTurn >= cmp.Or(m.Policy.N, 6)
	}
	if reached {
		m.Step(turns, summaryVersion)
	}
	return reached
}

// Step makes one step. It ignores the policy.
func (m *Milestone) Step(turns, summaryVersion int) {
	m.Value++
	m.LastAdvancedAtTurn = turns
	m.SummaryVersionAtAdvance = summaryVersion
	if m.Policy.Type != byTokenEstimate {
		m.TokensSince = 0
	}
}

// SettledLifecycle returns the lifecycle after a turn. The campaign ends when every member of the
// party is in a defeated state. The reason is [PartyRestrained] if all are restrained. It is
// [PartyDefeated] if all are dead or restrained. With zeroEnds, which means that hit points at zero
// end the game, it is [PartyDefeated] for any mixture of defeated states.
func (s State) SettledLifecycle(life map[AliveState]LifeRule, zeroEnds bool, at time.Time) Lifecycle {
	party := s.PartyMembers()
	if s.Lifecycle.Ended || len(party) == 0 {
		return s.Lifecycle
	}
	count := map[AliveState]int{}
	for _, c := range party {
		if !life[c.Status.AliveState].Defeated {
			return s.Lifecycle
		}
		count[c.Status.AliveState]++
	}
	switch {
	case count[Restrained] == len(party):
		s.Lifecycle.End(PartyRestrained, at)
	case zeroEnds || count[Restrained]+count[Dead] == len(party):
		s.Lifecycle.End(PartyDefeated, at)
	}
	return s.Lifecycle
}

// End ends the campaign. The time may be zero.
func (l *Lifecycle) End(reason EndReason, at time.Time) {
	*l = Lifecycle{Ended: true, Reason: reason}
	if !at.IsZero() {
		l.EndedAt = at.UTC().Format(time.RFC3339)
	}
}

// NextActor returns the actor after the active one in round robin: the next member in party order
// who is alive, else the same again.
func (s State) NextActor() string {
	at, n := max(0, slices.Index(s.Selected.Party, s.Selected.ActorID)), len(s.Selected.Party)
	for step := 1; step < n; step++ {
		id := s.Selected.Party[(at+step)%n]
		if c, _ := s.Character(id); c.Status.AliveState == Alive {
			return id
		}
	}
	return s.Selected.ActorID
}
