package state

import (
	"encoding/json"
	"time"

	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/world"
	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/spatial"
	"github.com/talewright/talewright/rules/timer"
)

// Setup is how a campaign begins. It is what authors write into a campaign file;
// every part but the characters may be missing (somebody has to be able to act), and unknown
// members are kept.
type Setup struct {
	ID        string    `json:"campaign_id,omitempty"`
	Title     string    `json:"title,omitempty"`
	CreatedAt time.Time `json:"created_at,omitzero"`
	UpdatedAt time.Time `json:"updated_at,omitzero"` // zero: CreatedAt
	// Seed starts the campaign's random numbers. A host that wants every
	// campaign to be different passes a number that is.
	Seed uint64 `json:"seed,omitempty"`

	Selected     Selected    `json:"selected,omitzero"`
	World        world.World `json:"world,omitzero"`
	Map          world.Map   `json:"map,omitzero"`
	MovementLock world.Lock  `json:"movement_lock,omitzero"`
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
	// Greeting is the opening message of the character or the game master, as it is. If
	// it is empty and GreetingID is the number of one of game.Game.Openings, it is that
	// one, with its macros expanded.
	Greeting string `json:"greeting,omitempty"`
	// GreetingID names the opening for modules and variables of mode greeting, and by
	// its number for lore that belongs to one of a card's greetings: 0 is the card's first
	// message, 1 its first alternate greeting.
	GreetingID string `json:"greeting_id,omitempty"`
	// Timers are countdowns that run from the beginning, Place is where the player is
	// then: a scene of the content, and a spot in it.
	Timers timer.Timers  `json:"timers,omitempty"`
	Place  spatial.Place `json:"place,omitzero"`
	// Turns is a history that was played elsewhere, oldest first. One that has an alternative_of
	// is another answer to the line of the one before it; the last of those is chosen.
	Turns []Turn `json:"turns,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// MarshalJSON writes the known fields and then the unknown ones.
func (s Setup) MarshalJSON() ([]byte, error) { return openjson.Write(s) }

// UnmarshalJSON keeps members that it does not know in Extra. The error joins all
// members of a wrong type, each with its path.
func (s *Setup) UnmarshalJSON(data []byte) error { return openjson.Read(data, s) }
