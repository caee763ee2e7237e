package campaign

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/talewright/talewright/memvars/tree"
)

// Character is a person of the campaign, of the party or not. What stands here
// is authoritative: a model may only ask to change it.
type Character struct {
	ID         string   `json:"character_id"`
	Name       string   `json:"name"`
	Aliases    []string `json:"aliases,omitempty"`
	Title      string   `json:"title,omitempty"`
	Background string   `json:"background,omitempty"`
	Job        string   `json:"job,omitempty"`
	Race       string   `json:"race,omitempty"`
	HP         HP       `json:"hp"`
	Skills     []Skill  `json:"skills,omitempty"`
	// Attributes is an object from names to numbers, open for any game system.
	Attributes tree.Value `json:"attributes,omitzero"`
	Status     Status     `json:"status"`
	AreaID     string     `json:"area_id,omitempty"`

	// Mood and Relationship are what hooks call the character's state and its
	// relationship to the player: objects such as {"mood": "calm", "energy": 80}
	// and {"affection": 40}. Absent: hooks find no such data.
	Mood         tree.Value `json:"mood_state,omitzero"`
	Relationship tree.Value `json:"relationship,omitzero"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// HP are hit points: 0 ≤ Current ≤ Max.
type HP struct {
	Current int `json:"current"`
	Max     int `json:"max"`
}

// Skill is something a character has learnt. A nil Level means that the game
// does not grade it.
type Skill struct {
	Name  string `json:"name"`
	Level *int   `json:"level,omitempty"`
}

// Status says whether a character lives, and what else marks it.
type Status struct {
	AliveState AliveState `json:"alive_state"`
	Flags      []string   `json:"flags,omitempty"`
}

// AliveState is the name of a life state. The four of this package are always
// registered; a host adds its own through [Content].
type AliveState string

// The built-in life states.
const (
	Alive      AliveState = "alive"
	Downed     AliveState = "downed"
	Dead       AliveState = "dead"
	Restrained AliveState = "restrained_permanent"
)

// LifeRule says what a life state allows, and which state follows from hit points.
type LifeRule struct {
	State          AliveState `json:"state"`
	MayAct         bool       `json:"may_act"`         // may take a turn
	MayUseTools    bool       `json:"may_use_tools"`   // its turn's calls are judged at all
	SelfHealOnly   bool       `json:"self_heal_only"`  // of the tools only hp_delta > 0 on oneself
	Defeated       bool       `json:"defeated"`        // counts for the end of the campaign
	AcceptsHealing bool       `json:"accepts_healing"` // hp_delta may be positive
	// AtZero is the state that follows when the hit points are 0 after a change, and
	// AboveZero when they are above. Empty: the state stays as it is.
	AtZero    AliveState `json:"at_zero,omitempty"`
	AboveZero AliveState `json:"above_zero,omitempty"`
}

// check reports a rule without a state, or one that leads to a state without a rule.
func (l LifeRule) check(i int, known map[AliveState]LifeRule) error {
	if l.State == "" {
		return fmt.Errorf("campaign: life states[%d].state: no name; nobody can be in it; add one", i)
	}
	for field, next := range map[string]AliveState{"at_zero": l.AtZero, "above_zero": l.AboveZero} {
		if _, ok := known[next]; next != "" && !ok {
			return fmt.Errorf("campaign: life states[%d].%s: %q is no life state; add a rule for it, or name another",
				i, field, next)
		}
	}
	return nil
}

// builtinLifeRules are the four states of the specification.
func builtinLifeRules() []LifeRule {
	return []LifeRule{
		{State: Alive, MayAct: true, MayUseTools: true, AcceptsHealing: true, AtZero: Downed},
		{State: Downed, MayAct: true, SelfHealOnly: true, Defeated: true, AcceptsHealing: true,
			AboveZero: Alive},
		{State: Dead, Defeated: true},
		{State: Restrained, Defeated: true, AcceptsHealing: true},
	}
}

// clone returns a copy that shares nothing that the engine edits.
func (c Character) clone() Character {
	c.Status.Flags = slices.Clone(c.Status.Flags)
	return c
}

// settle keeps the invariant of hit points and the life state that follows from them:
// at 0 an alive character goes down, above 0 a downed one is alive, and the host's own
// states do what their rules say.
func (c *Character) settle(hp int, life map[AliveState]LifeRule) {
	c.HP.Current = min(max(hp, 0), c.HP.Max)
	rule := life[c.Status.AliveState]
	next := rule.AboveZero
	if c.HP.Current == 0 {
		next = rule.AtZero
	}
	if _, known := life[next]; known {
		c.Status.AliveState = next
	}
}
