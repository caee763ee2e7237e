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

// State is the part of a campaign that play changes and a rollback restores. It is a plain value.
// The engine copies it before it edits, so a State that a caller holds never changes.
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

	// Variables is the document of the variables. Rules, hooks and variable commands use it.
	Variables     tree.Document   `json:"variables" openjson:"own"`
	VariableState memvars.State   `json:"variable_state,omitzero"`
	Ledger        rules.Memory    `json:"rule_state,omitzero"`
	Hooks         hooks.State     `json:"hook_state,omitzero"`
	Lore          worldbook.State `json:"lore_state,omitzero"`

	// Timers are the running countdowns. Place is the player's position in the scenes of the
	// content.
	Timers rules.Timers       `json:"timers,omitempty"`
	Place  rules.SpatialPlace `json:"place,omitzero"`

	// Entries are world book entries that play added.
	Entries []effect.AddEntry `json:"added_entries,omitempty"`
	// LoreEdits are the changes that play made to the entries of the content's books.
	LoreEdits LoreEdits `json:"lore_edits,omitzero"`
	// Secrets record who knows the private texts that private turns wrote into this state.
	Secrets AudienceNotes `json:"secrets,omitempty"`
	// Groups hold the lore state and the module switches that apply only to the characters who
	// heard a private line. Lore, and the switches of modules in Ledger, are for everybody. For
	// each module, the newest group that has a switch for it decides.
	Groups []Group `json:"groups,omitempty"`
	// Injections are the prompt texts of hooks. Those with scope turn last until the next turn
	// begins.
	Injections act.Injections `json:"injections,omitempty"`
	// Feedback lists the errors in the model's last commands, for the next prompt.
	Feedback []CommandResult `json:"command_feedback,omitempty"`
	// Greeting is the opening message, shown before the first turn. It is a stored text: for the
	// form after the scripts for displayed text, choose it again with turn.Choose.
	Greeting string `json:"greeting,omitempty"`
	// GreetingID names the chosen opening, for modules, variables and lore that belong to certain
	// openings.
	GreetingID string `json:"greeting_id,omitempty"`
	// BeforeGreeting and AfterGreeting are the variables before and after the templates of the
	// opening changed them, nil if they did not. The first turn removes both.
	BeforeGreeting *tree.Document `json:"variables_before_greeting,omitempty"`
	AfterGreeting  *tree.Document `json:"variables_after_greeting,omitempty"`
	// Macros are the variables that macros in cards, lore and prompts have set.
	Macros MacroVariables `json:"macro_variables,omitzero"`
	// AutoRounds counts the rounds of a cast since the player's last line.
	AutoRounds int `json:"auto_rounds,omitempty"`
	// HistoryStart is the index of the message at which the history in the last prompt began,
	// counted from the first message of the campaign. It exists for [game.Prompt.TrimSlack].
	HistoryStart int `json:"history_start,omitempty"`
	// Random is the number of random draws made so far.
	Random uint64 `json:"random_cursor,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// Group is the timed lore and the module switches that only some characters know.
type Group struct {
	Witnesses []string `json:"witnesses"`
	// Lore holds the timed effects of entries that only these characters know, because a private
	// line or a different private text activated them.
	Lore worldbook.State `json:"lore_state,omitzero"`
	// Modules are the switches that their private lines made: true for an open module.
	Modules map[string]bool `json:"modules,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// Selected names the world, the map, the party and the active actor.
type Selected struct {
	WorldID string   `json:"world_id,omitempty"`
	MapID   string   `json:"map_id,omitempty"`
	Party   []string `json:"party_character_ids"`
	ActorID string   `json:"active_actor_id"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// Summary is the compressed form of old turns. It is not authoritative: if it contradicts the
// status block, the status block is right.
type Summary struct {
	Text          string     `json:"summary_text,omitempty"`
	Facts         tree.Value `json:"facts_json,omitzero"`
	Pins          []string   `json:"pins,omitempty"`
	Version       int        `json:"version,omitempty"`
	CoversThrough string     `json:"covers_through_turn,omitempty"`
	// Private holds the summaries of private turns, one for each group of witnesses. A fact that is
	// an object may have its own list of "witnesses", see [VisibleFacts].
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

// Clone returns a copy whose slices the engine may edit. Documents and the states of other packages
// are shared, because they are replaced and never edited.
func (s State) Clone() State {
	s = s.CloneForTurn()
	s.Map.Areas = slices.Clone(s.Map.Areas)
	s.Map.Paths = slices.Clone(s.Map.Paths)
	return s
}

// CloneForTurn is Clone for a turn, which never edits the map.
func (s State) CloneForTurn() State {
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

// CharacterIndex returns the index of a character in Characters, -1 if it is not there.
func (s State) CharacterIndex(id string) int {
	for i := range s.Characters { // a Character is large: do not copy it
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

// MacroVariables are the variables of macros such as setvar. They are separate from the document
// that rules and commands use. Campaigns share neither kind.
type MacroVariables struct {
	Chat   tree.Value `json:"chat,omitzero"`   // an object: setvar
	Global tree.Value `json:"global,omitzero"` // an object: setglobalvar
}

// Maps returns the variables for macros.
func (v MacroVariables) Maps() (chat, global map[string]any) {
	chat, _ = v.Chat.Any().(map[string]any)
	global, _ = v.Global.Any().(map[string]any)
	return chat, global
}

// Milestone counts the progress of the story. Value never decreases on a branch.
type Milestone struct {
	Value                   float64       `json:"value"`
	LastAdvancedAtTurn      int           `json:"last_advanced_at_turn"`
	TokensSince             int           `json:"tokens_since,omitempty"`
	SummaryVersionAtAdvance int           `json:"summary_version_at_advance,omitempty"`
	Policy                  AdvancePolicy `json:"advance_policy,omitzero"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// AdvancePolicy says when the milestone advances.
type AdvancePolicy struct {
	Type      AdvanceBy `json:"type,omitempty"`      // empty: by_turn_count
	N         int       `json:"n,omitempty"`         // turns; 0 means 6
	Threshold int       `json:"threshold,omitempty"` // tokens; 0 means 8000
	Step      int       `json:"step,omitempty"`      // summary versions; 0 means 1

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// AdvanceBy is the measure by which a milestone advances.
//
// Its values:
//
//   - by_turn_count
//   - by_token_estimate
//   - by_summary_version
//   - manual: only by its own instruction
type AdvanceBy string

// The measures.
const (
	byTurnCount      AdvanceBy = "by_turn_count"
	byTokenEstimate  AdvanceBy = "by_token_estimate"
	bySummaryVersion AdvanceBy = "by_summary_version"
	byHand           AdvanceBy = "manual"
)

// EndReason says why a campaign ended. Hosts can use their own values.
type EndReason string

// The engine itself uses only the first two reasons.
const (
	PartyRestrained EndReason = "party_restrained"
	PartyDefeated   EndReason = "party_defeated"
	GoalAchieved    EndReason = "goal_achieved"
)
