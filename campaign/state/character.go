package state

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/memvars/tree"
)

// Character is a person of the campaign, in the party or not. Its fields are authoritative: a model
// can only ask for changes.
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
	// Attributes is an object from names to numbers, for any game system.
	Attributes tree.Value `json:"attributes,omitzero"`
	Status     Status     `json:"status"`
	AreaID     string     `json:"area_id,omitempty"`

	// Mood and Relationship are the character's state and its relationship to the player, as hooks
	// name them: objects such as {"mood": "calm", "energy": 80} and {"affection": 40}. If they are
	// absent, hooks find no such data.
	//
	// A hook reads and changes the data of one character, the first of these that exists: the
	// speaking member of the cast; the character with the name of the model's card; the first
	// character of the setup with such data; the acting character. The actions state_delta and
	// relationship_delta can name a different character by ID or name in their member character.
	Mood         tree.Value `json:"mood_state,omitzero"`
	Relationship tree.Value `json:"relationship,omitzero"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// HP are hit points: 0 ≤ Current ≤ Max. A character may begin with 0 of 0, as in a chat, and is
// alive. But the first change of its hit points, even a healing, leaves 0 of 0 and makes it downed.
// Give hit points to characters that tools or rules may change, or do not allow such tools.
type HP struct {
	Current int `json:"current"`
	Max     int `json:"max"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// Skill is an ability that a character has learnt. A nil Level means that the game does not grade
// it.
type Skill struct {
	Name  string `json:"name"`
	Level *int   `json:"level,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// Status holds the life state of a character and its flags.
type Status struct {
	AliveState AliveState `json:"alive_state"`
	Flags      []string   `json:"flags,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// AliveState is the name of a life state. The four states of this package are always registered. A
// host adds its own through [game.Content].
type AliveState string

// The built-in life states.
const (
	Alive      AliveState = "alive"
	Downed     AliveState = "downed"
	Dead       AliveState = "dead"
	Restrained AliveState = "restrained_permanent"
)

// LifeRule says what a life state allows, and which state follows when hit points change.
type LifeRule struct {
	State          AliveState `json:"state"`
	MayAct         bool       `json:"may_act"`         // may act in a turn
	MayUseTools    bool       `json:"may_use_tools"`   // calls in its turn are adjudicated
	SelfHealOnly   bool       `json:"self_heal_only"`  // the only tool allowed is hp_delta > 0 on itself
	Defeated       bool       `json:"defeated"`        // counts for the end of the campaign
	AcceptsHealing bool       `json:"accepts_healing"` // hp_delta may be positive
	// AtZero is the next state if the hit points are 0 after a change. AboveZero is the next state
	// if they are above 0. Empty means that the state does not change.
	AtZero    AliveState `json:"at_zero,omitempty"`
	AboveZero AliveState `json:"above_zero,omitempty"`
}

// BuiltinLifeRules returns the rules of the four built-in states.
func BuiltinLifeRules() []LifeRule {
	return []LifeRule{
		{State: Alive, MayAct: true, MayUseTools: true, AcceptsHealing: true, AtZero: Downed},
		{State: Downed, MayAct: true, SelfHealOnly: true, Defeated: true, AcceptsHealing: true,
			AboveZero: Alive},
		{State: Dead, Defeated: true},
		{State: Restrained, Defeated: true, AcceptsHealing: true},
	}
}

// Clone returns a copy that shares no slices that the engine edits.
func (c Character) Clone() Character {
	c.Status.Flags = slices.Clone(c.Status.Flags)
	return c
}

// setHP sets hit points within 0 and Max and the life state that follows. By the built-in rules, an
// alive character is downed at 0, and a downed one is alive above 0. States of the host follow
// their own rules.
func (c *Character) setHP(hp int, life map[AliveState]LifeRule) {
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

// Problem says why a character cannot be used, "" if it can.
func (c Character) Problem(life map[AliveState]LifeRule) string {
	_, known := life[c.Status.AliveState]
	switch {
	case c.ID == "":
		return "character_id is missing"
	case c.HP.Current < 0 || c.HP.Current > c.HP.Max:
		return fmt.Sprintf("hp must lie between 0 and max, not %d of %d", c.HP.Current, c.HP.Max)
	case !known:
		return fmt.Sprintf("unknown alive_state %q", c.Status.AliveState)
	case c.Attributes.Exists() && !c.Attributes.IsNull() && !c.Attributes.IsObject():
		return "attributes must be an object from names to numbers"
	}
	return ""
}

// ChangeHP changes hit points and returns the change as evidence for the detectors.
func (c *Character) ChangeHP(delta int, life map[AliveState]LifeRule) conflict.Action {
	before, alive := c.HP.Current, c.Status.AliveState
	c.setHP(saturatingAdd(before, delta), life)
	return conflict.Action{HP: []conflict.HPChange{{
		CharacterID: c.ID, Requested: delta, Effective: c.HP.Current - before, After: c.HP.Current,
	}}, Lives: lifeChange(c.ID, alive, c.Status.AliveState)}
}

// saturatingAdd adds without overflow, because a model may give absurd numbers.
func saturatingAdd(a, b int) int {
	const limit = 1 << 29
	return min(max(a, -limit), limit) + min(max(b, -limit), limit)
}

// lifeChange returns the evidence of a change of a life state, nil if the state did not change.
func lifeChange(id string, before, after AliveState) []conflict.LifeChange {
	if before == after {
		return nil
	}
	return []conflict.LifeChange{{CharacterID: id, Before: string(before), After: string(after)}}
}
