package draft

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/talewright/talewright/campaign/cast"
	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/campaign/conflict/claimlist"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/internal/secret"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/prompt/card"
	"github.com/talewright/talewright/worldbook"
)

// Turn is what can be read of a turn: the game, the campaign, what is asked for and how far it is. It is for
// one goroutine, as the turn is.
type Turn struct {
	Game     *game.Game
	Campaign *state.Campaign // its State is that before the turn
	State    *state.State    // as the turn has made it by now
	In       *state.Submission
	Ask      *state.Ask // what is asked for; nil: the answer to a new line
	// Suggestions is how many are wanted beside the story, 0: a turn is played.
	Suggestions int
	HasLine     bool        // the player has said something
	Continues   *state.Turn // the turn whose text goes on; nil: a new one
	Dialog      *game.DialogType
	Values      setting.Values
	Spoken      []state.Reply  // what has been said in the turn by members of the cast
	Speaker     string         // id of the member of the cast who speaks, "" for nobody
	Narrating   bool           // the second phase of plan_narrate runs
	Draw        func() float64 // the random source of the turn
	// As is a viewer in place of the one that mode and dialog type say; nil: that one.
	As *state.Viewer
}

// NumberOf is the place on its branch of the turn that is played, from 1, which is that of the head if that
// goes on.
func NumberOf(c *state.Campaign, head *state.Turn) int {
	if head != nil {
		return c.State.TurnCount
	}
	return c.State.TurnCount + 1
}

// Number is the turn's place on its branch, from 1.
func (v Turn) Number() int { return NumberOf(v.Campaign, v.Continues) }

// Companion is the character whose mood and relationship hooks speak of: the one of the cast
// who speaks, else the one that has the name of the card, else the first one that has any, else the
// acting character.
func (v Turn) Companion() state.Character {
	if c, ok := v.State.Character(v.Speaker); ok {
		return c
	}
	if of := v.Game.Content().Card; of != nil {
		for _, c := range v.State.Characters {
			if c.Name == of.CharName() {
				return c
			}
		}
	}
	for _, c := range v.State.Characters {
		if c.Mood.Exists() || c.Relationship.Exists() {
			return c
		}
	}
	c, _ := v.State.Character(v.In.ActorID)
	return c
}

// OffersTools reports whether calls are possible in the turn's dialog type.
func (v Turn) OffersTools() bool {
	for _, of := range v.Values.Get(setting.ToolTypes).Elements() {
		if id, _ := of.AsText(); id == v.Dialog.ID {
			return true
		}
	}
	return false
}

// NativeTools are the names of the tools that a request lists.
func (v Turn) NativeTools() []string {
	if !v.OffersTools() || !v.Values.Bool(setting.NativeTools) || v.Game.IsText() {
		return nil // the prompt tells of them all the same, and calls in texts are understood
	}
	names := v.Game.ToolNames(v.Campaign.Allowlist, v.Campaign.DisabledTools)
	if len(names) > 0 && ListsClaims(v.Values) && v.Suggestions == 0 && !slices.Contains(names, claimlist.ToolName) {
		names = append(names, claimlist.ToolName)
	}
	return names
}

// Planning reports whether this is the phase in which only calls count.
func (v Turn) Planning() bool {
	return v.Values.Text(setting.TurnMode) == "plan_narrate" && !v.Narrating && v.OffersTools()
}

// Scope is what dialects may know now, to read an answer.
func (v Turn) Scope() game.Scope {
	return ScopeOf(v.Game, secret.Joined(v.State, v.Viewer()), v.Number())
}

// GenerationKind is the kind of answer that is asked for.
func (v Turn) GenerationKind() worldbook.GenerationType {
	return cmp.Or(v.In.Generation, worldbook.Normal)
}

// Card is that of whom the model plays, nil for a plain game master.
func (v Turn) Card() *card.Card {
	if m, ok := v.Game.Member(v.Speaker); ok {
		return m.Card
	}
	return v.Game.Content().Card
}

// Sheet is what the prompt holds of the cards of a cast.
func (v Turn) Sheet() cast.Sheet {
	texts := v.Game.Content().CastTexts
	s, _ := cast.MakeSheet(v.Game.Cast(), nil, v.Speaker, cast.Putting{
		Cards: cast.Cards(v.Values.Text(setting.CastCards)), Prefix: texts.Prefix, Suffix: texts.Suffix,
		Scenario: texts.Scenario, Examples: texts.Examples,
	})
	return s
}

// ListsClaims reports whether the model has to list what it claims.
func ListsClaims(values setting.Values) bool {
	return values.Text(setting.Claims) == "listed" && values.Text(setting.ConflictMode) != string(conflict.Off)
}

// ActorName is the name of a character as prompts write it: that of the user, where the content has one.
func (v Turn) ActorName(id string) string {
	if v.Game.Content().UserName != "" {
		return v.Game.Content().UserName
	}
	if c, ok := v.State.Character(id); ok {
		return c.Name
	}
	return id
}

// UserName is the name of the acting character.
func (v Turn) UserName() string { return v.ActorName(v.In.ActorID) }

// CharName is whom the model plays.
func (v Turn) CharName() string {
	if v.Speaker != "" {
		return v.MemberName(v.Speaker)
	}
	return v.TellerName()
}

// MemberName is the name of a member of the cast, the id of one who has left it.
func (v Turn) MemberName(id string) string {
	for _, m := range v.Game.Cast() {
		if m.ID == id {
			return m.Name
		}
	}
	return id
}

// Opener returns who says the greeting that the story began with: the id of a member of the cast, empty
// without one, and the name.
func (v Turn) Opener() (id, name string) {
	n, err := strconv.Atoi(v.Campaign.State.GreetingID)
	if all := v.Game.Openings(); err == nil && n >= 0 && n < len(all) && all[n].Speaker != "" {
		return all[n].Speaker, v.MemberName(all[n].Speaker)
	}
	return "", v.TellerName()
}

// TellerName is whom the model plays without a cast.
func (v Turn) TellerName() string {
	if c := v.Game.Content().Card; c != nil {
		return c.CharName()
	}
	if c := v.Companion(); c.ID != v.In.ActorID {
		return c.Name
	}
	return "GM"
}

// CharacterName is the name of a character or of a member of the cast, else the id.
func (v Turn) CharacterName(id string) string {
	if i := v.State.CharacterIndex(id); i >= 0 {
		return v.State.Characters[i].Name
	}
	return v.MemberName(id)
}
