package state

import (
	"encoding/json"
	"fmt"
	"time"
)

// Milestone counts how far the story has been pushed. Value only grows within a
// branch.
type Milestone struct {
	Value                   float64       `json:"value"`
	LastAdvancedAtTurn      int           `json:"last_advanced_at_turn"`
	TokensSince             int           `json:"tokens_since,omitempty"`
	SummaryVersionAtAdvance int           `json:"summary_version_at_advance,omitempty"`
	Policy                  AdvancePolicy `json:"advance_policy,omitzero"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// AdvancePolicy says when a milestone is reached.
type AdvancePolicy struct {
	Type      AdvanceBy `json:"type,omitempty"`      // empty: [ByTurnCount]
	N         int       `json:"n,omitempty"`         // turns; 0 means 6
	Threshold int       `json:"threshold,omitempty"` // tokens; 0 means 8000
	Step      int       `json:"step,omitempty"`      // summary versions; 0 means 1

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// AdvanceBy is what a milestone advances by.
type AdvanceBy string

// What there is to advance by.
const (
	ByTurnCount      AdvanceBy = "by_turn_count"
	ByTokenEstimate  AdvanceBy = "by_token_estimate"
	BySummaryVersion AdvanceBy = "by_summary_version"
	ByHand           AdvanceBy = "manual" // by the instruction for that alone
)

// Problem says what is wrong with a policy, "" if nothing is.
func (p AdvancePolicy) Problem() string {
	switch p.Type {
	case "", ByTurnCount, ByTokenEstimate, BySummaryVersion, ByHand:
	default:
		return fmt.Sprintf("unknown type %q: want %s, %s, %s or %s", p.Type,
			ByTurnCount, ByTokenEstimate, BySummaryVersion, ByHand)
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

// Advance evaluates the policy after a committed turn: at most one step. turns is
// the number of turns on the branch including this one, tokens the estimate of
// its input and its final text. It reports whether a step was made.
func (m *Milestone) Advance(turns, tokens, summaryVersion int) bool {
	or := func(n, def int) int {
		if n == 0 {
			return def
		}
		return n
	}
	reached := false
	switch m.Policy.Type {
	case ByTokenEstimate:
		m.TokensSince += tokens
		if threshold := or(m.Policy.Threshold, 8000); m.TokensSince >= threshold {
			m.TokensSince -= threshold // the rest carries over
			reached = true
		}
	case BySummaryVersion:
		reached = summaryVersion-m.SummaryVersionAtAdvance >= or(m.Policy.Step, 1)
	case ByHand:
	default:
		reached = turns-m.LastAdvancedAtTurn >= or(m.Policy.N, 6)
	}
	if reached {
		m.Step(turns, summaryVersion)
	}
	return reached
}

// Step makes one step, whatever the policy says.
func (m *Milestone) Step(turns, summaryVersion int) {
	m.Value++
	m.LastAdvancedAtTurn = turns
	m.SummaryVersionAtAdvance = summaryVersion
	if m.Policy.Type != ByTokenEstimate {
		m.TokensSince = 0
	}
}

// EndReason says why a campaign ended. Hosts have words of their own.
type EndReason string

// The engine itself ends a campaign for the first two of these reasons.
const (
	PartyRestrained EndReason = "party_restrained"
	PartyDefeated   EndReason = "party_defeated"
	GoalAchieved    EndReason = "goal_achieved"
)

// SettleLifecycle ends the campaign when every member of the party is defeated:
// all restrained; or, if hit points at zero end the game, in any mixture; or all
// dead or restrained.
func (s *State) SettleLifecycle(life map[AliveState]LifeRule, zeroEnds bool, at time.Time) {
	party := s.PartyMembers()
	if s.Lifecycle.Ended || len(party) == 0 {
		return
	}
	restrained, gone := 0, 0
	for _, c := range party {
		if !life[c.Status.AliveState].Defeated {
			return
		}
		switch c.Status.AliveState {
		case Restrained:
			restrained++
			gone++
		case Dead:
			gone++
		}
	}
	switch {
	case restrained == len(party):
		s.End(PartyRestrained, at)
	case zeroEnds || gone == len(party):
		s.End(PartyDefeated, at)
	}
}

// End ends the campaign; the time may be zero.
func (s *State) End(reason EndReason, at time.Time) {
	s.Lifecycle = Lifecycle{Ended: true, Reason: reason}
	if !at.IsZero() {
		s.Lifecycle.EndedAt = at.UTC().Format(time.RFC3339)
	}
}

// NextActor returns whose turn it is after the given one in round robin: the
// next member in party order who is alive, else the same again.
func (s State) NextActor() string {
	at := 0
	for i, id := range s.Selected.Party {
		if id == s.Selected.ActorID {
			at = i
		}
	}
	n := len(s.Selected.Party)
	for step := 1; step < n; step++ {
		id := s.Selected.Party[(at+step)%n]
		if c, ok := s.Character(id); ok && c.Status.AliveState == Alive {
			return id
		}
	}
	return s.Selected.ActorID
}
