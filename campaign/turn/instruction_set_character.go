package turn

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn/internal/draft"
	"github.com/talewright/talewright/memvars/tree"
)

// SetCharacter replaces fields of a character, or adds a new character. Fields is an object in the
// form of [state.Character]. Members of hp and status that it does not name keep their values. Every
// other field that it names is replaced as a whole, also lists and objects such as attributes. An
// instruction that returns to an earlier state reverts the change, see [SetParty].
type SetCharacter struct {
	CharacterID string     `json:"character_id"`
	Fields      tree.Value `json:"fields"`
	At          time.Time  `json:"at,omitzero"`
}

func (SetCharacter) inputType() string { return "set_character" }

func (in SetCharacter) apply(m *Machine) (Stop, error) {
	next := m.base.Clone()
	if err := setCharacter(&next, in.CharacterID, in.Fields, m.game.Life()); err != nil {
		return idle, err
	}
	return m.change(in, in.At, next), nil
}

// setCharacter replaces the given fields of a character and keeps the invariant of its hit points.
func setCharacter(c *state.Campaign, id string, fields tree.Value, life map[state.AliveState]state.LifeRule) error {
	i := c.State.CharacterIndex(id)
	if i < 0 {
		c.State.Characters = append(c.State.Characters, state.Character{
			ID: id, Status: state.Status{AliveState: state.Alive}})
		i = len(c.State.Characters) - 1
	}
	character := c.State.Characters[i].Clone()
	if !fields.IsObject() {
		return &state.Refusal{Code: state.InvalidCharacter, Detail: "fields must be an object"}
	}
	old, err := tree.Of(character)
	if err != nil {
		return err
	}
	var members []tree.Member
	for key, v := range old.Members() {
		members = append(members, tree.Member{Key: key, Value: v})
	}
	for key, v := range fields.Members() {
		if key == "hp" || key == "status" {
			v = old.Get(key).Merge(v)
		}
		members = append(members, tree.Member{Key: key, Value: v})
	}
	var edited state.Character
	if err := json.Unmarshal(draft.Raw(tree.Object(members...)), &edited); err != nil {
		return &state.Refusal{Code: state.InvalidCharacter, Detail: err.Error()}
	}
	problem := edited.Problem(life)
	if _, known := c.State.Map.Area(edited.AreaID); !known && edited.AreaID != character.AreaID {
		problem = fmt.Sprintf("no area %q", edited.AreaID)
	}
	if edited.ID != id {
		problem = "character_id cannot be changed"
	}
	if problem != "" {
		return &state.Refusal{Code: state.InvalidCharacter, Detail: problem}
	}
	c.State.Characters[i] = edited
	return nil
}
