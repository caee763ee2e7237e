package draft

import (
	"cmp"
	"slices"

	"github.com/talewright/talewright/campaign/cast"
	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/internal/declared"
	"github.com/talewright/talewright/campaign/internal/secret"
	"github.com/talewright/talewright/campaign/internal/settingkey"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/prompt/card"
	"github.com/talewright/talewright/worldbook"
)

// Turn is the readable part of a turn: the game, the campaign, the request and the progress. It is
// for one goroutine, like the turn.
type Turn struct {
	Game     *game.Game
	Campaign *state.Campaign // its State is the state before the turn
	State    *state.State    // the present state of the turn
	In       *state.Submission
	Ask      *state.Ask // the request; nil: the answer to a new line
	// Suggestions is the number of suggestions outside the story; 0: a turn is played.
	Suggestions int
	HasLine     bool        // there is a player's line
	Continues   *state.Turn // the turn that is continued; nil: a new turn
	Dialog      *game.DialogType
	Values      setting.Values
	Spoken      []state.Reply  // the replies of members of the cast in this turn so far
	Speaker     string         // ID of the member of the cast who speaks, "" without one
	Narrating   bool           // the second phase of plan_narrate runs
	Updating    bool           // the second request of the turn is written, for changes of variables
	Draw        func() float64 // the random source of the turn
	Recorded    []tree.Value   // in a replay: the recorded programs of templates, see state.TurnTrace
	// As replaces the viewer that mode and dialog type give; nil: it is not replaced.
	As *state.Viewer
}

// NumberOf returns the number on its branch of the turn that is played, from 1. If head is
// continued, it is the number of head.
func NumberOf(c *state.Campaign, head *state.Turn) int {
	if head != nil {
		return c.State.TurnCount
	}
	return c.State.TurnCount + 1
}

// Number returns the number of the turn on its branch, from 1.
func (v Turn) Number() int { return NumberOf(v.Campaign, v.Continues) }

// Companion returns the character whose mood and relationship hooks read. It is the first of these
// that exists: the speaking member of the cast, the character with the name of the card, the first
// character with a mood or relationship, the acting character.
func (v Turn) Companion() state.Character {
	if c, ok := v.State.Character(v.Speaker); ok {
		return c
	}
	if of := v.Game.Content().People.Card; of != nil {
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
	return slices.ContainsFunc(v.Values.Get(settingkey.ToolTypes).List(), tree.Text(v.Dialog.ID).Equal)
}

// AllowsChanges reports whether the model may change variables in the turn's dialog type. Prompts of
// other types do not explain how.
func (v Turn) AllowsChanges() bool {
	return v.Dialog.Has(game.BlockLanguages) || v.Dialog.Has(game.BlockVariables) && v.OffersTools()
}

// NativeTools returns the names of the tools that a request lists.
func (v Turn) NativeTools() []string {
	if !v.OffersTools() || !v.Values.Bool(settingkey.NativeTools) || v.Game.IsText() {
		return nil // the prompt still describes them, and calls in texts are understood
	}
	names := v.Game.ToolNames(v.Campaign.Allowlist, v.Campaign.DisabledTools)
	if len(names) > 0 && ListsClaims(v.Values) && v.Suggestions == 0 && !slices.Contains(names, declared.ToolName) {
		names = append(names, declared.ToolName)
	}
	return names
}

// Planning reports whether this is the phase in which only calls count.
func (v Turn) Planning() bool {
	return v.Values.Text(settingkey.TurnMode) == "plan_narrate" && !v.Narrating && v.OffersTools()
}

// HasSecond reports whether the turn has a second request for changes of variables.
func (v Turn) HasSecond() bool {
	_, split := v.Game.LoreLeftOut(true, nil)
	return split && v.Values.Bool(settingkey.SecondModel)
}

// Scope returns the data that dialects may use now to read an answer.
func (v Turn) Scope() game.Scope {
	return ScopeOf(v.Game, secret.Joined(v.State, v.Viewer()), v.Number())
}

// GenerationKind returns the kind of answer that is requested.
func (v Turn) GenerationKind() worldbook.GenerationType {
	return cmp.Or(v.In.Generation, worldbook.Normal)
}

// Card returns the card of the model's character, nil for a plain game master.
func (v Turn) Card() *card.Card {
	if m, ok := v.Game.Member(v.Speaker); ok {
		return m.Card
	}
	return v.Game.Content().People.Card
}

// Sheet returns the texts of the cards of a cast for the prompt.
func (v Turn) Sheet() cast.Sheet {
	texts := v.Game.Content().People.CastTexts
	s, _ := cast.MakeSheet(v.Game.Cast(), nil, v.Speaker, cast.Putting{
		Cards: cast.Cards(v.Values.Text(settingkey.CastCards)), Prefix: texts.Prefix, Suffix: texts.Suffix,
		Scenario: texts.Scenario, Examples: texts.Examples,
	})
	return s
}

// ListsClaims reports whether the model has to list what it claims.
func ListsClaims(values setting.Values) bool {
	return values.Text(settingkey.Claims) == "listed" && values.Text(settingkey.ConflictMode) != string(conflict.Off)
}

// ActorName returns the name of a character in prompts: the user name of the content, if it has
// one.
func (v Turn) ActorName(id string) string {
	if v.Game.Content().People.UserName != "" {
		return v.Game.Content().People.UserName
	}
	if c, ok := v.State.Character(id); ok {
		return c.Name
	}
	return id
}

// HasSeveralPlayers reports whether more than one member of the party may speak.
func (v Turn) HasSeveralPlayers() bool {
	return len(v.State.Selected.Party) > 1 && v.Values.Text(settingkey.TurnOrder) != "active_actor"
}

// UserName returns the name of the acting character.
func (v Turn) UserName() string { return v.ActorName(v.In.ActorID) }

// CharName returns the name of the model's character.
func (v Turn) CharName() string {
	if v.Speaker != "" {
		return v.MemberName(v.Speaker)
	}
	return v.TellerName()
}

// MemberName returns the name of a member of the cast, or the ID of a member who has left it.
func (v Turn) MemberName(id string) string {
	for _, m := range v.Game.Cast() {
		if m.ID == id {
			return m.Name
		}
	}
	return id
}

// Opener returns the speaker of the story's greeting: the ID of a member of the cast, empty without
// one, and the name.
func (v Turn) Opener() (id, name string) {
	n, ok := OpeningIndex(v.Campaign.State.GreetingID, v.Game)
	if all := v.Game.Openings(); ok && n >= 0 && n < len(all) && all[n].Speaker != "" {
		return all[n].Speaker, v.MemberName(all[n].Speaker)
	}
	return "", v.TellerName()
}

// TellerName returns the name of the model's character if there is no cast.
func (v Turn) TellerName() string {
	if c := v.Game.Content().People.Card; c != nil {
		return c.CharName()
	}
	if c := v.Companion(); c.ID != v.In.ActorID {
		return c.Name
	}
	return "GM"
}

// PlayerNames returns the names of a player's character: the name in prompts, then the others, by
// which entries of the world book may call it.
func (v Turn) PlayerNames(id string) []string {
	names := []string{v.ActorName(id), id}
	if c, ok := v.State.Character(id); ok {
		names = append(names, c.Name)
	}
	return distinct(names)
}

// MemberNames returns the names of a member of the cast.
func (v Turn) MemberNames(id string) []string { return distinct([]string{v.MemberName(id), id}) }

// TellerNames returns the names of the model's character if there is no cast.
func (v Turn) TellerNames() []string {
	names := []string{v.TellerName()}
	if of := v.Game.Content().People.Card; of != nil {
		names = append(names, of.Name)
	}
	if c := v.Companion(); c.Name == names[0] {
		names = append(names, c.ID)
	}
	return distinct(names)
}

// distinct removes repeated names.
func distinct(names []string) []string {
	out := names[:0]
	for _, n := range names {
		if !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	return out
}

// CharacterName returns the name of a character or of a member of the cast, else the ID.
func (v Turn) CharacterName(id string) string {
	if i := v.State.CharacterIndex(id); i >= 0 {
		return v.State.Characters[i].Name
	}
	return v.MemberName(id)
}
