package tool

import (
	"testing"

	"github.com/talewright/talewright/campaign/state"
)

// TestFreeIDs: an ID in use gets the first free number.
func TestFreeIDs(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		taken []string
		want  string
	}{{nil, "yard"}, {[]string{"yard"}, "yard_2"}, {[]string{"yard", "yard_2"}, "yard_3"}, {[]string{"yard_2"}, "yard"}} {
		taken := map[string]bool{}
		for _, id := range c.taken {
			taken[id] = true
		}
		if got := newID("yard", taken); got != c.want {
			t.Errorf("%q are taken: %s", c.taken, got)
		}
	}
}

// TestBlankNames: blank names of the present characters and areas match no new name.
func TestBlankNames(t *testing.T) {
	t.Parallel()
	n := names{keys: map[string]bool{}}
	n.add("", " ", "Ann")
	if len(n.list) != 1 || n.list[0] != "Ann" {
		t.Errorf("names: %q", n.list)
	}
}

// TestTooManyCharacters: no character is generated beyond the limit.
func TestTooManyCharacters(t *testing.T) {
	t.Parallel()
	s := state.State{Characters: make([]state.Character, 2)}
	for limit, want := range map[int]bool{1: true, 2: true, 3: false} {
		if got := judgeCharacter(characterArgs{}, s, GenerateLimits{Characters: limit}).Reason == codeTooManyCharacters; got != want {
			t.Errorf("limit %d: %v", limit, got)
		}
	}
}

// TestPointsOfASkill: a skill without a level has one point.
func TestPointsOfASkill(t *testing.T) {
	t.Parallel()
	level := 4
	v := View{ActorID: "ann", State: state.State{Characters: []state.Character{{ID: "ann", Skills: []state.Skill{{Name: "climb"}, {Name: "swim", Level: &level}}}}}}
	for name, want := range map[string]int{"climb": 1, "swim": 4} {
		if got, ok := (PoolRules{}).points(v, name); !ok || got != want {
			t.Errorf("%s: %d, %v", name, got, ok)
		}
	}
	if got, ok := (PoolRules{}).points(v, "fly"); ok || got != 0 {
		t.Errorf("no skill: %d, %v", got, ok)
	}
}
