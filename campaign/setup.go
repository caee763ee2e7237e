package campaign

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/spatial"
	"github.com/talewright/talewright/rules/timer"
)

// Setup is how a campaign begins. It is what authors write into a campaign file;
// every part may be missing, and unknown members are kept.
type Setup struct {
	ID        string    `json:"campaign_id,omitempty"`
	Title     string    `json:"title,omitempty"`
	CreatedAt time.Time `json:"created_at,omitzero"`
	// Seed starts the campaign's random numbers. A host that wants every
	// campaign to be different passes a number that is.
	Seed uint64 `json:"seed,omitempty"`

	Selected     Selected    `json:"selected,omitzero"`
	World        World       `json:"world,omitzero"`
	Map          Map         `json:"map,omitzero"`
	MovementLock Lock        `json:"movement_lock,omitzero"`
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
	// it is empty and GreetingID is the number of one of the card's greetings, it is that
	// one, with its macros expanded.
	Greeting string `json:"greeting,omitempty"`
	// GreetingID names that opening for modules and variables of mode greeting, and by
	// its number for lore that belongs to one of a card's greetings: 0 is the card's first
	// message, 1 its first alternate greeting.
	GreetingID string `json:"greeting_id,omitempty"`
	// Timers are countdowns that run from the beginning, Place is where the player is
	// then: a scene of the content, and a spot in it.
	Timers timer.Timers  `json:"timers,omitempty"`
	Place  spatial.Place `json:"place,omitzero"`
	// Turns is a history that was played elsewhere.
	Turns []Turn `json:"turns,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// MarshalJSON writes the known fields and then the unknown ones.
func (s Setup) MarshalJSON() ([]byte, error) {
	type plain Setup
	return openjson.Encode(plain(s), s.Extra)
}

// UnmarshalJSON keeps members that it does not know in Extra. The error joins all
// members of a wrong type, each with its path.
func (s *Setup) UnmarshalJSON(data []byte) (err error) {
	type plain Setup
	var p plain
	p.Extra, err = openjson.Decode(data, &p)
	*s = Setup(p)
	if err != nil {
		return mistyped(data, p, err)
	}
	return nil
}

// New returns the campaign that a setup describes. The error joins everything
// that is wrong with it, each with its place.
func New(g *Game, s Setup) (Campaign, error) {
	if err := s.check(g); err != nil {
		return Campaign{}, err
	}
	s, revision := s.takeMembers(func(string, ...any) {}) // [Setup.check] has reported
	c := Campaign{
		ID: s.ID, Title: s.Title, CreatedAt: s.CreatedAt, UpdatedAt: s.CreatedAt, Version: 1,
		Seed: s.Seed, Goal: s.Goal, Settings: s.Settings, GlobalSettings: s.GlobalSettings,
		Allowlist: s.Allowlist, DisabledTools: s.DisabledTools, Dialog: s.Dialog,
		StateRefs: s.StateRefs, BranchID: mainBranch, Branches: map[string]Branch{mainBranch: {}},
		SettingsRevision: revision, Extra: s.Extra,
	}.clone()
	if s.Allowlist == nil {
		c.Allowlist = []string{"move", "hp_delta"}
	}
	c.State = State{
		HeadTurnID: startTurnID, Selected: s.Selected, World: s.World, Map: s.Map,
		MovementLock: s.MovementLock, Characters: s.Characters, Milestone: s.Milestone,
		Summary: s.Summary, Lifecycle: s.Lifecycle, Variables: s.Variables, Greeting: s.Greeting,
		GreetingID: s.GreetingID, Timers: s.Timers,
		Place: s.startPlace(g.world, func(string, ...any) {}),
	}.clone()
	if kind := s.Dialog.TypeSelected; kind != "" && !c.Settings[setting.ManualType].Exists() {
		c.Settings = maps.Clone(c.Settings) // the choice of the dialog type is a setting
		if c.Settings == nil {
			c.Settings = setting.Snapshot{}
		}
		c.Settings[setting.ManualType] = tree.Text(kind)
	}
	c.State.Variables = g.setUp(c.State, func(string, ...any) {}) // [Setup.check] has reported
	c.State.Variables = g.complete(c.State)
	c.State.VariableState = g.vars.Begin(c.State.Variables)
	c.State.fillDefaults()
	c.greet(g, s.CreatedAt, len(s.Turns) > 0)
	c.adopt(s.Turns)
	c.addCheckpoint(startLabel, s.CreatedAt, 0)
	if _, err := c.headValue(); err != nil { // kept members may be no proper JSON
		return Campaign{}, fmt.Errorf("campaign: setup: %w", err)
	}
	return c, nil
}

// fillDefaults makes a party of all characters where the setup names none.
func (s *State) fillDefaults() {
	for i := range s.Characters {
		if s.Characters[i].Status.AliveState == "" {
			s.Characters[i].Status.AliveState = Alive
		}
	}
	if s.Selected.Party == nil {
		s.Selected.Party = []string{}
		for _, c := range s.Characters {
			s.Selected.Party = append(s.Selected.Party, c.ID)
		}
	}
	if s.Selected.ActorID == "" && len(s.Selected.Party) > 0 {
		s.Selected.ActorID = s.Selected.Party[0]
	}
}

// adopt takes over turns that were played elsewhere.
func (c *Campaign) adopt(turns []Turn) {
	c.Turns = slices.Grow(c.Turns, len(turns))
	for i, t := range turns {
		c.TurnCounter++
		t.ID, t.ParentID = turnID(c.TurnCounter), c.State.HeadTurnID
		t.Index, t.BranchID = i+1, c.BranchID
		c.Turns = append(c.Turns, t)
		c.State.HeadTurnID = t.ID
		c.State.TurnCount++
	}
}

func (s Setup) check(g *Game) error {
	var errs []error
	report := func(format string, args ...any) {
		errs = append(errs, fmt.Errorf("campaign: "+format, args...))
	}
	s, _ = s.takeMembers(report)
	if strings.TrimSpace(s.ID) == "" {
		report("campaign_id is missing")
	}
	if len(s.Characters) == 0 {
		report("characters: nobody can act: give at least one")
	}
	ids := map[string]bool{}
	for i, c := range s.Characters {
		if c.Status.AliveState == "" {
			c.Status.AliveState = Alive
		}
		if problem := c.problem(g.life); problem != "" {
			report("characters[%d]: %s", i, problem)
		}
		if ids[c.ID] {
			report("characters[%d]: character_id %q is taken", i, c.ID)
		}
		ids[c.ID] = true
	}
	for i, id := range s.Selected.Party {
		if !ids[id] {
			report("selected.party_character_ids[%d]: no character %q", i, id)
		}
	}
	if id := s.Selected.ActorID; id != "" && !ids[id] {
		report("selected.active_actor_id: no character %q", id)
	}
	if kind := s.Dialog.TypeSelected; kind != "" {
		if _, known := g.dialog(kind); !known {
			report("dialog.dialog_type_selected: no dialog type %q", kind)
		}
	}
	for i, name := range s.Allowlist {
		if _, known := g.tools.Get(name); !known && !isHostTool(name) {
			report("allowlist[%d]: no tool %q: register it in Content.Tools, or take it out", i, name)
		}
	}
	for key := range s.Variables.Root().Members() {
		if reserved(key) {
			report("variables: %q is what the engine calls a value of a character: take another name", key)
		}
	}
	g.setUp(State{Variables: s.Variables, Characters: s.Characters}, report)
	if problem := s.Milestone.Policy.problem(); problem != "" {
		report("milestone.advance_policy: %s", problem)
	}
	if n, ok := s.greetingNumber(g); ok && (n < 0 || n >= len(g.content.Card.Greetings())) {
		report("greeting_id: the card has the greetings 0 to %d, not %d",
			len(g.content.Card.Greetings())-1, n)
	}
	s.checkMap(report)
	checkTimers(s.Timers, report)
	s.startPlace(g.world, report)
	s.checkSettings(g.settings, report)
	return errors.Join(errs...)
}

// checkSettings looks at both snapshots. Stored settings may have both context
// switches on, which means compress: that is no mistake.
func (s Setup) checkSettings(registry setting.Registry, report func(string, ...any)) {
	for _, part := range []struct {
		name   string
		values setting.Snapshot
	}{{"settings", s.Settings}, {"global_settings", s.GlobalSettings}} {
		_, _, problems := registry.Patch(nil, nil, part.values)
		for _, p := range problems {
			if p.Code != setting.MutuallyExclusive {
				report("%s: %s: %s", part.name, p.Key, p.Detail)
			}
		}
	}
}

func (s Setup) checkMap(report func(string, ...any)) {
	known := map[string]bool{}
	for i, a := range s.Map.Areas {
		if a.ID == "" || known[a.ID] {
			report("map.areas[%d]: id %q is missing or taken", i, a.ID)
		}
		known[a.ID] = true
	}
	circling := s.Map.circling()
	for i, a := range s.Map.Areas {
		if a.Parent != "" && !known[a.Parent] {
			report("map.areas[%d]: no parent area %q", i, a.Parent)
		}
		if circling[a.ID] {
			report("map.areas[%d]: %q lies within itself", i, a.ID)
		}
	}
	for i, p := range s.Map.Paths {
		for _, end := range []string{p.From, p.To} {
			if !known[end] {
				report("map.paths[%d]: no area %q", i, end)
			}
		}
	}
	for i, c := range s.Characters {
		if c.AreaID != "" && len(known) > 0 && !known[c.AreaID] {
			report("characters[%d]: no area %q", i, c.AreaID)
		}
	}
}

// circling are the areas that lie within themselves. Each area is looked at once, however
// deep it lies.
func (m Map) circling() map[string]bool {
	parents := make(map[string]string, len(m.Areas))
	for i := range m.Areas {
		a := &m.Areas[i]
		if _, known := parents[a.ID]; !known {
			parents[a.ID] = a.Parent
		}
	}
	out := map[string]bool{}
	seen := make(map[string]int, len(parents)) // by the walk that came by
	for i := range m.Areas {
		at := m.Areas[i].ID
		for at != "" && seen[at] == 0 {
			seen[at] = i + 1
			at = parents[at]
		}
		for at != "" && seen[at] == i+1 && !out[at] { // this walk came round
			out[at] = true
			at = parents[at]
		}
	}
	return out
}
