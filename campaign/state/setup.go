package state

import (
	"encoding/json"
	"time"

	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
)

// Setup is the beginning of a campaign, as authors write it into a campaign file. Every part except
// the characters is optional; at least one character must be able to act. Unknown members are kept.
// [Setup.Vet] lists them.
//
// If selected.party_character_ids is missing, all characters are in the party. A setup with several
// members should set turn.order. With "free" each of them may act at any time, with "round_robin"
// one after the other. With "active_actor", the default, only the selected one may act.
//
// Its JSON, with members of every part:
//
//	{
//	  "campaign_id": "harbour", "title": "The harbour", "created_at": "2026-01-02T20:00:00Z",
//	  "updated_at": "2026-01-02T20:00:00Z", "seed": 7,
//	  "selected": {"world_id": "sea", "map_id": "coast", "party_character_ids": ["mara"], "active_actor_id": "mara"},
//	  "world": {"world_id": "sea", "background": "Salt and fog.", "rules": [{"id": "dead", "text": "The dead stay dead."}]},
//	  "map": {
//	    "map_id": "coast",
//	    "areas": [{"id": "quay", "name": "Quay", "description": "Wet stones."}, {"id": "inn", "name": "Inn"}],
//	    "paths": [{"id": "steps", "from": "quay", "to": "inn", "locked": true, "lock_reason": "The door is barred."}]
//	  },
//	  "movement_lock": {"locked": false},
//	  "characters": [{
//	    "character_id": "mara", "name": "Mara", "aliases": ["the diver"], "job": "diver", "hp": {"current": 9, "max": 10},
//	    "skills": [{"name": "swimming", "level": 3}], "attributes": {"strength": 4}, "status": {"alive_state": "alive"},
//	    "area_id": "quay", "mood_state": {"mood": "calm", "energy": 80}, "relationship": {"affection": 40}
//	  }],
//	  "goal": {"ultimate_goal_text": "Find the bell.", "is_hidden": true},
//	  "milestone": {"value": 0, "last_advanced_at_turn": 0, "advance_policy": {"type": "by_turn_count", "n": 6}},
//	  "summary": {"summary_text": "Mara came by ship.", "facts_json": {"ship": "Tern"}, "pins": ["Mara cannot lie."]},
//	  "lifecycle": {"ended": false},
//	  "settings": {"retry.max_retries": 1}, "global_settings": {"turn.order": "free"},
//	  "allowlist": ["move", "hp_delta"], "disabled_tools": {"move": {"reason": "The storm."}},
//	  "dialog": {"dialog_type_selected": "scene"}, "state_refs": {"world_state_id": "w1"},
//	  "variables": {"stat_data": {"weather": ["fog", "what the sky does"]}},
//	  "greeting": "Fog lies on the quay.", "greeting_id": "0",
//	  "timers": [{"id": "tide", "name": "Tide", "duration": 60, "remaining": 60}], "place": {"sceneId": "deck", "x": 1, "y": 2},
//	  "turns": [{"user_input": "I wait.", "assistant_output_text": "Gulls cry."}]
//	}
type Setup struct {
	ID        string    `json:"campaign_id,omitempty"`
	Title     string    `json:"title,omitempty"`
	CreatedAt time.Time `json:"created_at,omitzero"`
	UpdatedAt time.Time `json:"updated_at,omitzero"` // zero: CreatedAt
	// Seed is the start of the campaign's random numbers. For different random numbers in each
	// campaign, the host must pass different seeds.
	Seed uint64 `json:"seed,omitempty"`

	Selected     Selected    `json:"selected,omitzero"`
	World        World       `json:"world,omitzero"`
	Map          Map         `json:"map,omitzero"`
	MovementLock MapLock     `json:"movement_lock,omitzero"`
	Characters   []Character `json:"characters,omitempty"`
	Goal         Goal        `json:"goal,omitzero"`
	Milestone    Milestone   `json:"milestone,omitzero"`
	Summary      Summary     `json:"summary,omitzero"`
	Lifecycle    Lifecycle   `json:"lifecycle,omitzero"`

	Settings       setting.Snapshot        `json:"settings,omitempty"`
	GlobalSettings setting.Snapshot        `json:"global_settings,omitempty"`
	Allowlist      []string                `json:"allowlist,omitzero"` // nil: move and hp_delta
	DisabledTools  map[string]DisabledTool `json:"disabled_tools,omitempty"`
	Dialog         Dialog                  `json:"dialog,omitzero"`
	StateRefs      StateRefs               `json:"state_refs,omitzero"`

	Variables tree.Document `json:"variables,omitzero"`
	// Greeting is the opening message of the character or the game master, used as it is. If it is
	// empty and GreetingID is the number of one of game.Game.Openings, that opening is used, with
	// its macros expanded.
	Greeting string `json:"greeting,omitempty"`
	// GreetingID names the opening for modules and variables of mode greeting. As a number it
	// selects lore for one of a card's greetings: 0 is the card's first message, 1 its first
	// alternate greeting.
	GreetingID string `json:"greeting_id,omitempty"`
	// Timers are countdowns that run from the beginning. Place is the player's first position: a
	// scene of the content and a spot in it.
	Timers rules.Timers       `json:"timers,omitempty"`
	Place  rules.SpatialPlace `json:"place,omitzero"`
	// Turns is a history that was played elsewhere, oldest first. A turn with alternative_of is a
	// different answer to the line of the turn before it. The last of these answers is the chosen
	// one.
	Turns []Turn `json:"turns,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// MarshalJSON writes the known fields and then the unknown ones.
func (s Setup) MarshalJSON() ([]byte, error) { return openjson.Write(s) }

// UnmarshalJSON stores unknown members in Extra. The error joins the errors of all members of a
// wrong type, each with its path.
func (s *Setup) UnmarshalJSON(data []byte) error { return openjson.Read(data, s) }
