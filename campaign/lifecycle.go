package campaign

import "time"

// The reasons with which the engine itself ends a campaign. A host may end it
// with any other word, such as [GoalAchieved].
const (
	PartyRestrained = "party_restrained"
	PartyDefeated   = "party_defeated"
	GoalAchieved    = "goal_achieved"
)

// settleLifecycle ends the campaign when every member of the party is defeated:
// all restrained; or, if hit points at zero end the game, in any mixture; or all
// dead or restrained.
func (s *State) settleLifecycle(life map[AliveState]LifeRule, zeroEnds bool, at time.Time) {
	party := s.party()
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
		s.end(PartyRestrained, at)
	case zeroEnds || gone == len(party):
		s.end(PartyDefeated, at)
	}
}

func (s *State) end(reason string, at time.Time) {
	s.Lifecycle = Lifecycle{Ended: true, Reason: reason}
	if !at.IsZero() {
		s.Lifecycle.EndedAt = at.UTC().Format(time.RFC3339)
	}
}

// nextActor returns whose turn it is after the given one in round robin: the
// next member in party order who is alive, else the same again.
func (s State) nextActor() string {
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
