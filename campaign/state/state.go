package state

import (
	"encoding/json"
	"slices"

	"github.com/talewright/talewright/hooks"
	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/worldbook"
)

// State is what a rollback restores: everything that play changes. It is a
// plain value; the engine copies it before it edits, so a State that you hold
// never changes.
type State struct {
	HeadTurnID string   `json:"head_turn_id"` // turn_0000 before the first turn
	TurnCount  int      `json:"turn_count"`   // committed turns on this branch
	Selected   Selected `json:"selected"`

	World        World       `json:"world"`
	Map          Map         `json:"map"`
	MovementLock MapLock     `json:"movement_lock,omitzero"`
	Characters   []Character `json:"characters"`

	Milestone Milestone `json:"milestone"`
	Summary   Summary   `json:"summary,omitzero"`
	Lifecycle Lifecycle `json:"lifecycle,omitzero"`

	// Variables is the document that rules, hooks and variable commands work on.
	Variables     tree.Document   `json:"variables" openjson:"own"`
	VariableState memvars.State   `json:"variable_state,omitzero"`
	Ledger        rules.Memory    `json:"rule_state,omitzero"`
	Hooks         hooks.State     `json:"hook_state,omitzero"`
	Lore          worldbook.State `json:"lore_state,omitzero"`

	// Timers are the countdowns that run, Place is where the player is in the scenes of
	// the content.
	Timers rules.Timers       `json:"timers,omitempty"`
	Place  rules.SpatialPlace `json:"place,omitzero"`

	// Entries are world book entries that were added during play.
	Entries []effect.AddEntry `json:"added_entries,omitempty"`
	// LoreEdits are what play has changed of the entries of the content's books.
	LoreEdits LoreEdits `json:"lore_edits,omitzero"`
	// Secrets say who alone knows texts of this state that private turns have left in it.
	Secrets AudienceNotes `json:"secrets,omitempty"`
	// Groups are what lore and modules are for those alone who heard a private line, beyond Lore and
	// the switches of modules in Ledger, which are for everybody. The newest group that knows a module
	// decides about it.
	Groups []Group `json:"groups,omitempty"`
	// Injections are the prompt texts of hooks; those of scope turn last until the
	// next turn begins.
	Injections act.Injections `json:"injections,omitempty"`
	// Feedback holds what the model's last commands did wrong, for the next prompt.
	Feedback []CommandResult `json:"command_feedback,omitempty"`
	// Greeting is the opening message, shown before the first turn.
	Greeting string `json:"greeting,omitempty"`
	// GreetingID names the opening that was chosen, for modules and variables that belong
	// to certain openings, and for lore that does.
	GreetingID string `json:"greeting_id,omitempty"`
	// Macros are the variables that macros of cards, lore and prompts have set.
	Macros MacroVariables `json:"macro_variables,omitzero"`
	// AutoRounds counts the rounds of a cast since the player's last line.
	AutoRounds int `json:"auto_rounds,omitempty"`
	// HistoryStart is the message that the last prompt's history began with, counted from
	// the first of the campaign; it is kept for [game.Content.TrimSlack].
	HistoryStart int `json:"history_start,omitempty"`
	// Random is the number of random draws made so far.
	Random uint64 `json:"random_cursor,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// Group is what some characters alone know of the timed lore and the modules of a campaign.
type Group struct {
	Witnesses []string `json:"witnesses"`
	// Lore holds the timed effects of entries that a private line, or something else that only they
	// know, has activated.
	Lore worldbook.State `json:"lore_state,omitzero"`
	// Modules are those that their lines have opened and closed.
	Modules map[string]bool `json:"modules,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// Selected names what the campaign is played with.
type Selected struct {
	WorldID string   `json:"world_id,omitempty"`
	MapID   string   `json:"map_id,omitempty"`
	Party   []string `json:"party_character_ids"`
	ActorID string   `json:"active_actor_id"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// Summary is what compression made of old turns. It is not authoritative: where
// it disagrees with the status block, that one is right.
type Summary struct {
	Text          string     `json:"summary_text,omitempty"`
	Facts         tree.Value `json:"facts_json,omitzero"`
	Pins          []string   `json:"pins,omitempty"`
	Version       int        `json:"version,omitempty"`
	CoversThrough string     `json:"covers_through_turn,omitempty"`
	// Private is what is told of private turns, apart for each group of witnesses. A fact that is an
	// object may have its own list of "witnesses", see [VisibleFacts].
	Private []AudiencePart `json:"private,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// Lifecycle says whether the campaign is over.
type Lifecycle struct {
	Ended   bool      `json:"ended"`
	Reason  EndReason `json:"reason,omitempty"`
	EndedAt string    `json:"ended_at,omitempty"` // RFC 3339; may be empty

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// Clone returns a copy whose slices the engine may edit. Documents and the
// states of the other packages are values of their own and are replaced, never
// edited.
func (s State) Clone() State {
	s = s.Staged()
	s.Map.Areas = slices.Clone(s.Map.Areas)
	s.Map.Paths = slices.Clone(s.Map.Paths)
	return s
}

// Staged is clone for the work of a turn, which never edits the map.
func (s State) Staged() State {
	s.Selected.Party = slices.Clone(s.Selected.Party)
	s.Characters = slices.Clone(s.Characters)
	for i, c := range s.Characters {
		s.Characters[i] = c.Clone()
	}
	s.Summary.Pins = slices.Clone(s.Summary.Pins)
	s.Summary.Private = slices.Clone(s.Summary.Private)
	s.Entries = slices.Clone(s.Entries)
	s.Injections = slices.Clone(s.Injections)
	return s
}

// Character returns the character with the given id.
func (s State) Character(id string) (Character, bool) {
	if i := s.CharacterIndex(id); i >= 0 {
		return s.Characters[i], true
	}
	return Character{}, false
}

// CharacterIndex returns the place of a character in Characters, -1 if there is none.
func (s State) CharacterIndex(id string) int {
	for i := range s.Characters { // a Character is large: not copied to be looked at
		if s.Characters[i].ID == id {
			return i
		}
	}
	return -1
}

// InParty reports whether a character belongs to the party.
func (s State) InParty(id string) bool { return slices.Contains(s.Selected.Party, id) }

// PartyMembers returns the members in party order.
func (s State) PartyMembers() []Character {
	var out []Character
	for _, id := range s.Selected.Party {
		if c, ok := s.Character(id); ok {
			out = append(out, c)
		}
	}
	return out
}

// MacroVariables are the variables of macros such as setvar, apart from the document
// that rules and commands work on. Both kinds are the campaign's own: no two campaigns
// share any.
type MacroVariables struct {
	Chat   tree.Value `json:"chat,omitzero"`   // an object: setvar
	Global tree.Value `json:"global,omitzero"` // an object: setglobalvar
}

// Maps gives the variables to macros.
func (v MacroVariables) Maps() (chat, global map[string]any) {
	chat, _ = v.Chat.Any().(map[string]any)
	global, _ = v.Global.Any().(map[string]any)
	return chat, global
}

// Milestone counts how far the story has been pushed. Value only grows within a
// branch.
type Milestone struct {
	Value                   float64       `json:"value"`
	LastAdvancedAtTurn      int           `json:"last_advanced_at_turn"`
	TokensSince             int           `json:"tokens_since,omitempty"`
	SummaryVersionAtAdvance int           `json:"summary_version_at_advance,omitempty"`
	Policy                  AdvancePolicy `json:"advance_policy,omitzero"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// AdvancePolicy says when a milestone is reached.
type AdvancePolicy struct {
	Type      AdvanceBy `json:"type,omitempty"`      // empty: [ByTurnCount]
	N         int       `json:"n,omitempty"`         // turns; 0 means 6
	Threshold int       `json:"threshold,omitempty"` // tokens; 0 means 8000
	Step      int       `json:"step,omitempty"`      // summary versions; 0 means 1

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// AdvanceBy is what a milestone advances by.
type AdvanceBy string

// What there is to advance by.
const (
	ByTurnCount      AdvanceBy = "by_turn_count"
	ByTokenEstimate  AdvanceBy = "by_token_estimate"
	BySummaryVersion AdvanceBy = "by_summary_version"
	ByHand           AdvanceBy = "manual" // by the instruction for that alone
)

// EndReason says why a campaign ended. Hosts have words of their own.
type EndReason string

// The engine itself ends a campaign for the first two of these reasons.
const (
	PartyRestrained EndReason = "party_restrained"
	PartyDefeated   EndReason = "party_defeated"
	GoalAchieved    EndReason = "goal_achieved"
)
