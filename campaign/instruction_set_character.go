package campaign

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/talewright/talewright/memvars/tree"
)

// SetCharacter replaces fields of a character, or adds one that is not there yet.
// Fields is an object in the form of [Character].
type SetCharacter struct {
	CharacterID string     `json:"character_id"`
	Fields      tree.Value `json:"fields"`
	At          time.Time  `json:"at,omitzero"`
}

func (SetCharacter) inputType() string { return "set_character" }

func (in SetCharacter) stamped(now time.Time) Input { in.At = orNow(in.At, now); return in }

func (in SetCharacter) apply(m *Machine) (Stop, error) {
	next := m.base.clone()
	if err := next.setCharacter(in.CharacterID, in.Fields, m.game.life); err != nil {
		return idle, err
	}
	return m.change(in, in.At, next), nil
}

// setCharacter replaces the given fields of a character and keeps the invariant
// of its hit points.
func (c *Campaign) setCharacter(id string, fields tree.Value, life map[AliveState]LifeRule) error {
	i := c.State.characterIndex(id)
	if i < 0 {
		c.State.Characters = append(c.State.Characters, Character{
			ID: id, Status: Status{AliveState: Alive}})
		i = len(c.State.Characters) - 1
	}
	ch := c.State.Characters[i].clone()
	if !fields.IsObject() {
		return &Refusal{Code: InvalidCharacter, Detail: "fields must be an object"}
	}
	old, err := valueOf(ch)
	if err != nil {
		return err
	}
	var members []tree.Member
	for key, v := range old.Members() {
		members = append(members, tree.Member{Key: key, Value: v})
	}
	for key, v := range fields.Members() {
		members = append(members, tree.Member{Key: key, Value: v})
	}
	var edited Character
	if err := json.Unmarshal(raw(tree.Object(members...)), &edited); err != nil {
		return &Refusal{Code: InvalidCharacter, Detail: err.Error()}
	}
	problem := edited.problem(life)
	if _, known := c.State.Map.Area(edited.AreaID); !known && edited.AreaID != ch.AreaID {
		problem = fmt.Sprintf("no area %q", edited.AreaID)
	}
	if edited.ID != id {
		problem = "character_id cannot be changed"
	}
	if problem != "" {
		return &Refusal{Code: InvalidCharacter, Detail: problem}
	}
	c.State.Characters[i] = edited
	return nil
}

// problem says what keeps a character from being used, "" if nothing does.
func (c Character) problem(life map[AliveState]LifeRule) string {
	_, known := life[c.Status.AliveState]
	switch {
	case c.ID == "":
		return "character_id is missing"
	case c.HP.Current < 0 || c.HP.Current > c.HP.Max:
		return fmt.Sprintf("hp must lie between 0 and max, not %d of %d", c.HP.Current, c.HP.Max)
	case !known:
		return fmt.Sprintf("unknown alive_state %q", c.Status.AliveState)
	}
	return ""
}
