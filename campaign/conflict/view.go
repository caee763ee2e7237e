package conflict

import (
	"encoding/json"

	"github.com/talewright/talewright/campaign/conflict/internal/parse"
)

// A View is the data for the detectors: the state after the actions of the turn, and these actions.
// It is plain data and never modified. The zero View has no tracked characters and no areas.
type View struct {
	// ActorID is the acting character, the meaning of "you" and 你.
	ActorID string `json:"active_actor_id"`
	// Party lists the members that 你们 and "the party" mean.
	Party []string `json:"party_character_ids"`
	// Characters are the characters with a state. A character who is not in the list is untracked,
	// and no claim about it is a conflict.
	Characters []Character `json:"characters"`
	// Areas are the known places.
	Areas []Area `json:"areas"`
	// Connections are the existing paths, whether open or locked.
	Connections []Connection `json:"connections"`
	// Rules are the rules of the world that a text may name by keywords.
	Rules []WorldRule `json:"world_rules,omitempty"`
	// Goal is the goal of the campaign.
	Goal Goal `json:"goal"`
	// Actions are the applied actions of this turn, in order.
	Actions []Action `json:"applied_actions"`
	// CheckAllowed says that the model may request dice rolls. Then it has no reason to invent
	// them.
	CheckAllowed bool `json:"check_allowed"`
	// Language "zh" means that instructions are in Chinese, whatever the language of the text is.
	// Any other value means the language of the text.
	Language string `json:"language,omitempty"`
}

// A Character is a tracked character after the actions of the turn.
type Character struct {
	ID      string   `json:"character_id"`
	Name    string   `json:"name"`
	Aliases []string `json:"aliases,omitempty"`
	HP      HP       `json:"hp"`
	// AliveState is alive, downed, dead, restrained_permanent or a host's own state.
	AliveState string `json:"alive_state"`
	// Unconscious says that a text may describe a host's own state as unconsciousness. For downed
	// and dead this is always allowed.
	Unconscious bool   `json:"unconscious,omitempty"`
	AreaID      string `json:"area_id"`
	// Card lists fields of the card that a text may name in addition to the usual attributes: own
	// attributes and skills. With a value, a true statement is accepted.
	Card []CardField `json:"card,omitempty"`
}

// HP is a pair of hit points.
type HP struct {
	Current int `json:"current"`
	Max     int `json:"max"`
}

// A CardField is one field of a character card: its label in texts and its value as text, empty if
// unknown. The label may be one of the standard English names (strength, dexterity, constitution,
// intelligence, wisdom, charisma, perception, agility, level). Then its Chinese name is also known.
type CardField struct {
	Label string `json:"label"`
	Value string `json:"value,omitempty"`
}

// An Area is a known place. A character in an area is also in its parent.
type Area struct {
	ID      string   `json:"id"`
	Name    string   `json:"name"`
	Aliases []string `json:"aliases,omitempty"`
	Parent  string   `json:"parent,omitempty"`
	// Locked says that the area is closed, so a text may call it sealed.
	Locked bool `json:"locked,omitempty"`
}

// A Connection is a path between two areas. Detectors use it in both directions.
type Connection struct {
	From string `json:"from"`
	To   string `json:"to"`
}

// A WorldRule is a rule of the world with the words that name it in a text, such as "curfew". A
// narration that says that the rule changed is a conflict.
type WorldRule struct {
	ID       string   `json:"id"`
	Keywords []string `json:"keywords,omitempty"`
}

// A Goal is the goal of the campaign. A text must not reveal a hidden goal.
type Goal struct {
	Text   string `json:"ultimate_goal_text"`
	Hidden bool   `json:"is_hidden"`
}

// The fields that an action may affect, for [Action.Affects].
const (
	FieldHP         = "hp"
	FieldPosition   = "position"
	FieldAliveState = "alive_state"
	FieldCard       = "card"
	FieldMap        = "map"
	FieldWorldRules = "world_rules"
	FieldGoal       = "goal"
)

// An Action is an applied action of this turn with its evidence. Evidence supports only claims of
// its own kind: a move does not support a loss of hit points.
type Action struct {
	// ID is the ID of the call, empty if there was no call.
	ID     string          `json:"id,omitempty"`
	Tool   string          `json:"tool"`
	Args   json.RawMessage `json:"args,omitempty"`
	Result json.RawMessage `json:"result,omitempty"`
	// HP lists the changes of hit points, in order.
	HP []HPChange `json:"hp,omitempty"`
	// Moves lists the changes of place, in order.
	Moves []Move `json:"moves,omitempty"`
	// Rolls lists the dice.
	Rolls []Roll `json:"rolls,omitempty"`
	// Lives lists the changes of life states, in order.
	Lives []LifeChange `json:"lives,omitempty"`
	// Affects lists the other fields that the tool changes, by the constants Field…. An action that
	// affects the card, the map, the world rules or the goal supports claims about them. Claims
	// about hit points, life states and positions need HP, Lives and Moves, because that evidence
	// is about one character.
	Affects []string `json:"affects,omitempty"`
	// CharacterIDs lists the characters that Affects concerns, for a card; empty means all.
	CharacterIDs []string `json:"character_ids,omitempty"`
}

// An HPChange is one applied change of a character's hit points.
type HPChange struct {
	CharacterID string `json:"character_id"`
	// Requested is the change that the call requested. Effective is the change after clamping.
	// After is the resulting hit points.
	Requested int `json:"requested"`
	Effective int `json:"effective"`
	After     int `json:"after"`
}

// A Move is one applied change of place.
type Move struct {
	CharacterID string `json:"character_id"`
	From        string `json:"from"`
	To          string `json:"to"`
}

// A LifeChange is one applied change of a character's life state.
type LifeChange struct {
	CharacterID string `json:"character_id"`
	Before      string `json:"before"`
	After       string `json:"after"`
}

// A Roll is one roll of the engine: the die and the total with modifiers.
type Roll struct {
	CharacterID string `json:"character_id"`
	Roll        int    `json:"roll"`
	Total       int    `json:"total"`
}

// cast returns the people and places that names in a text may mean.
func (v *View) cast() parse.Cast {
	c := parse.Cast{Actor: v.ActorID, Party: v.Party, HP: map[byte][]int{}}
	c.People = make([]parse.Named, len(v.Characters))
	for i := range v.Characters {
		is := &v.Characters[i]
		c.People[i] = parse.Named{ID: is.ID, Name: is.Name, Aliases: is.Aliases}
		c.HP['M'], c.HP['N'] = append(c.HP['M'], is.HP.Max), append(c.HP['N'], is.HP.Current)
		for _, f := range is.Card {
			c.Labels = append(c.Labels, f.Label)
		}
	}
	for _, rule := range v.Rules {
		c.Rules = append(c.Rules, parse.Named{ID: rule.ID, Aliases: rule.Keywords})
	}
	c.Areas = make([]parse.Named, len(v.Areas))
	for i := range v.Areas {
		is := &v.Areas[i]
		c.Areas[i] = parse.Named{ID: is.ID, Name: is.Name, Aliases: is.Aliases}
	}
	return c
}

// ReadsAsWords reports whether a name consists of words that narrations use, in English or Chinese:
// "dies", "HP", "five", "you", or "Ann dies" if Ann is in names, the names of other people and
// places. Such a name confuses readers and detectors. A campaign should refuse it when a model
// chooses names. A name that ends in a noun for people or places, such as Fallen Guard, is allowed.
func ReadsAsWords(name string, names ...string) bool { return parse.ReadsAsWords(name, names) }
