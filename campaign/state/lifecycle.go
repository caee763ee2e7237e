package state

import "time"

// The reasons with which the engine itself ends a campaign. A host may end it
// with any other word, such as [GoalAchieved].
const (
	PartyRestrained = "party_restrained"
	PartyDefeated   = "party_defeated"
	GoalAchieved    = "goal_achieved"
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
func (s *State) End(reason string, at time.Time) {
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
