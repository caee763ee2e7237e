package state

import (
	"reflect"
	"strings"
	"testing"
	"time"
)

// partyOf returns a state whose members have the given life states.
func partyOf(states ...AliveState) State {
	var s State
	for i, alive := range states {
		id := string(rune('a' + i))
		s.Characters = append(s.Characters, Character{ID: id, Status: Status{AliveState: alive}})
		s.Selected.Party = append(s.Selected.Party, id)
	}
	return s
}

func builtinLife() map[AliveState]LifeRule {
	life := map[AliveState]LifeRule{}
	for _, l := range BuiltinLifeRules() {
		life[l.State] = l
	}
	return life
}

// TestLifecycle: when a campaign ends automatically (CA-06, CA-10).
func TestLifecycle(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 5, 1, 14, 0, 0, 0, time.FixedZone("", 2*3600))
	for _, c := range []struct {
		name     string
		party    []AliveState
		zeroEnds bool
		want     EndReason
	}{
		{"nobody is there", nil, true, ""},
		{"one stands", []AliveState{Dead, Alive}, true, ""},
		{"all down", []AliveState{Downed, Downed}, true, PartyDefeated},
		{"all down, the rule is off", []AliveState{Downed, Downed}, false, ""},
		{"one down, one dead, the rule is off", []AliveState{Downed, Dead}, false, ""},
		{"all dead, the rule is off", []AliveState{Dead, Dead}, false, PartyDefeated},
		{"dead or restrained, the rule is off", []AliveState{Dead, Restrained}, false, PartyDefeated},
		{"all restrained", []AliveState{Restrained, Restrained}, true, PartyRestrained},
		{"all restrained, the rule is off", []AliveState{Restrained}, false, PartyRestrained},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := partyOf(c.party...)
			s.Lifecycle = s.SettledLifecycle(builtinLife(), c.zeroEnds, at)
			if s.Lifecycle.Reason != c.want || s.Lifecycle.Ended != (c.want != "") {
				t.Errorf("got %+v, want %q", s.Lifecycle, c.want)
			}
			if s.Lifecycle.Ended && s.Lifecycle.EndedAt != "2026-05-01T12:00:00Z" {
				t.Errorf("ended at %s", s.Lifecycle.EndedAt)
			}
		})
	}
	s := partyOf(Dead)
	s.Lifecycle.End(GoalAchieved, time.Time{})
	if got := s.SettledLifecycle(builtinLife(), true, at); !reflect.DeepEqual(got, Lifecycle{Ended: true, Reason: GoalAchieved}) {
		t.Errorf("the first end counts, got %+v", got)
	}
}

// TestNextActor: round robin selects the next member who is alive.
func TestNextActor(t *testing.T) {
	t.Parallel()
	s := partyOf(Alive, Downed, Alive, Dead)
	s.Selected.ActorID = "a"
	var order []string
	for range 4 {
		s.Selected.ActorID = s.NextActor()
		order = append(order, s.Selected.ActorID)
	}
	if got := strings.Join(order, ""); got != "caca" {
		t.Errorf("order %s, want caca", got)
	}
	s = partyOf(Downed, Dead)
	s.Selected.ActorID = "a"
	if got := s.NextActor(); got != "a" {
		t.Errorf("nobody else is alive, but %s is next", got)
	}
}

// TestMilestonePolicies: at most one step for each turn, with the counters of the policy (CA-28).
func TestMilestonePolicies(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name     string
		policy   AdvancePolicy
		tokens   int
		versions []int // of the summary, turn by turn
		want     string
	}{
		{"six turns", AdvancePolicy{}, 1, make([]int, 13), "0000011111122"},
		{"n turns", AdvancePolicy{Type: byTurnCount, N: 2}, 1, make([]int, 5), "01122"},
		{"tokens, one step at most", AdvancePolicy{Type: byTokenEstimate, Threshold: 10}, 25,
			make([]int, 4), "1234"},
		{"tokens carry over", AdvancePolicy{Type: byTokenEstimate, Threshold: 10}, 4, make([]int, 8),
			"00112223"},
		{"exactly the threshold", AdvancePolicy{Type: byTokenEstimate, Threshold: 8}, 4, make([]int, 4),
			"0112"},
		{"summary versions", AdvancePolicy{Type: bySummaryVersion}, 1, []int{0, 1, 1, 3, 3}, "01122"},
		{"every second version", AdvancePolicy{Type: bySummaryVersion, Step: 2}, 1, []int{0, 1, 2, 3, 4},
			"00112"},
		{"by hand", AdvancePolicy{Type: byHand}, 9999, make([]int, 3), "000"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			m := Milestone{Policy: c.policy}
			got := ""
			for i, version := range c.versions {
				before := m.Value
				if stepped := m.Advance(i+1, c.tokens, version); stepped != (m.Value == before+1) {
					t.Errorf("turn %d: reported %t", i+1, stepped)
				}
				got += string(rune('0' + int(m.Value)))
			}
			if got != c.want {
				t.Errorf("values %s, want %s", got, c.want)
			}
		})
	}
}
