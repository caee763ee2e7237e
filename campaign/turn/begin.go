package turn

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/tool"
	"github.com/talewright/talewright/campaign/world"
	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/memvars/command"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/prompt/macro"
	"github.com/talewright/talewright/prompt/script"
	"github.com/talewright/talewright/rules/spatial"
	"github.com/talewright/talewright/rules/timer"
)

// setUpVariables brings the variables of a setup within their declarations, as a host's own writes, and
// reports those that cannot be.
func setUpVariables(g *game.Game, s state.State, report func(string, ...any)) tree.Document {
	doc := s.Variables
	gate := g.Gate(&s, 0)
	if gate == nil {
		return doc
	}
	edit := doc.Edit()
	for place := range gate.Near(nil) {
		given := g.Vars().Read(doc, place)
		if !given.Exists() {
			continue
		}
		v, refusal := gate.Judge(memvars.Write{Actor: memvars.Host, Path: place, New: given})
		switch {
		case refusal != nil && refusal.Code == command.ReadonlyDerived: // it is computed anyway
		case refusal != nil:
			report("variables: %s: %s", place, refusal.Text)
		case !v.Equal(given):
			if edit.Kind(place) == tree.KindArray { // of a pair the value
				place = place.Child("0")
			}
			_ = edit.Set(place, v) // it was just read there
		}
	}
	return edit.Document()
}

// Begin returns the campaign that a setup describes. The error joins everything
// that is wrong with it, each with its place.
func Begin(g *game.Game, s state.Setup) (state.Campaign, error) {
	if err := checkSetup(s, g); err != nil {
		return state.Campaign{}, err
	}
	s, revision := takeMembers(s, func(string, ...any) {}) // [Setup.check] has reported
	c := state.Campaign{
		ID: s.ID, Title: s.Title, CreatedAt: s.CreatedAt, UpdatedAt: s.CreatedAt, Version: 1,
		Seed: s.Seed, Goal: s.Goal, Settings: s.Settings, GlobalSettings: s.GlobalSettings,
		Allowlist: s.Allowlist, DisabledTools: s.DisabledTools, Dialog: s.Dialog,
		StateRefs: s.StateRefs, BranchID: state.MainBranch, Branches: map[string]state.Branch{state.MainBranch: {}},
		SettingsRevision: revision, Extra: s.Extra,
	}.Clone()
	if s.Allowlist == nil {
		c.Allowlist = []string{"move", "hp_delta"}
	}
	c.State = state.State{
		HeadTurnID: state.StartTurnID, Selected: s.Selected, World: s.World, Map: s.Map,
		MovementLock: s.MovementLock, Characters: s.Characters, Milestone: s.Milestone,
		Summary: s.Summary, Lifecycle: s.Lifecycle, Variables: s.Variables, Greeting: s.Greeting,
		GreetingID: s.GreetingID, Timers: s.Timers,
		Place: startPlace(s, g.World(), func(string, ...any) {}),
	}.Clone()
	if kind := s.Dialog.TypeSelected; kind != "" && !c.Settings[setting.ManualType].Exists() {
		c.Settings = maps.Clone(c.Settings) // the choice of the dialog type is a setting
		if c.Settings == nil {
			c.Settings = setting.Snapshot{}
		}
		c.Settings[setting.ManualType] = tree.Text(kind)
	}
	c.State.Variables = setUpVariables(g, c.State, func(string, ...any) {}) // [Setup.check] has reported
	c.State.Variables = g.Complete(c.State)
	c.State.VariableState = g.Vars().Begin(c.State.Variables)
	fillDefaults(&c.State)
	greet(&c, g, s.CreatedAt, len(s.Turns) > 0)
	c.Version = 0 // of the record that comes before the one which leads to it
	adopt(&c, s.Turns, g.Settings().Freeze(c.GlobalSettings, c.Settings).Int(setting.MaxAlternatives))
	c.AddCheckpoint(state.StartLabel, s.CreatedAt, 0)
	c.Version = 1
	if _, err := c.HeadValue(); err != nil { // kept members may be no proper JSON
		return state.Campaign{}, fmt.Errorf("campaign: setup: %w", err)
	}
	return c, nil
}

// fillDefaults makes a party of all characters where the setup names none.
func fillDefaults(s *state.State) {
	for i := range s.Characters {
		if s.Characters[i].Status.AliveState == "" {
			s.Characters[i].Status.AliveState = state.Alive
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

// adopt takes over turns that were played elsewhere, and the last answers as alternatives, as
// many as limit.
func adopt(c *state.Campaign, turns []state.Turn, limit int) {
	c.Turns = slices.Grow(c.Turns, len(turns))
	last := len(turns) - 1 // the first answer to the last line
	for last > 0 && turns[last].AlternativeOf != "" {
		last--
	}
	before, first := c.State, ""
	for i, t := range turns {
		t.ID, t.BranchID = state.TurnID(c.TurnCounter+1), c.BranchID
		if t.AlternativeOf == "" || i == 0 {
			before, first, t.AlternativeOf = c.State, t.ID, ""
		} else {
			t.AlternativeOf = first
		}
		switch {
		case i == last && last < len(turns)-1:
			c.KeepBefore(state.Alternatives{Chosen: t.ID})
		case i > last:
			c.LeaveHead(*c.Alternatives, limit)
			c.Alternatives.Chosen = t.ID
		}
		c.State = before
		c.CountTurn()
		t.Index, t.ParentID = c.State.TurnCount+1, c.State.HeadTurnID
		c.Turns = append(c.Turns, t)
		c.State.HeadTurnID = t.ID
		c.State.TurnCount++
	}
}

func checkSetup(s state.Setup, g *game.Game) error {
	var errs []error
	report := func(format string, args ...any) {
		errs = append(errs, fmt.Errorf("campaign: "+format, args...))
	}
	s, _ = takeMembers(s, report)
	if strings.TrimSpace(s.ID) == "" {
		report("campaign_id is missing")
	}
	if len(s.Characters) == 0 {
		report("characters: nobody can act: give at least one")
	}
	ids := map[string]bool{}
	for i, c := range s.Characters {
		if c.Status.AliveState == "" {
			c.Status.AliveState = state.Alive
		}
		if problem := c.Problem(g.Life()); problem != "" {
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
		if _, known := g.Dialog(kind); !known {
			report("dialog.dialog_type_selected: no dialog type %q", kind)
		}
	}
	for i, name := range s.Allowlist {
		if _, known := g.Tools().Get(name); !known && !tool.BuiltByHosts(name) {
			report("allowlist[%d]: no tool %q: register it in Content.Tools, or take it out", i, name)
		}
	}
	for key := range s.Variables.Root().Members() {
		if state.IsView(key) {
			report("variables: %q is what the engine calls a value of a character: take another name", key)
		}
	}
	setUpVariables(g, state.State{Variables: s.Variables, Characters: s.Characters}, report)
	if problem := s.Milestone.Policy.Problem(); problem != "" {
		report("milestone.advance_policy: %s", problem)
	}
	if n, ok := greetingOf(s, g); ok && (n < 0 || n >= len(g.Content().Card.Greetings())) {
		report("greeting_id: the card has the greetings 0 to %d, not %d",
			len(g.Content().Card.Greetings())-1, n)
	}
	checkMap(s, report)
	checkTimers(s.Timers, report)
	startPlace(s, g.World(), report)
	checkSettings(s, g.Settings(), report)
	return errors.Join(errs...)
}

// checkSettings looks at both snapshots. Stored settings may have both context
// switches on, which means compress: that is no mistake.
func checkSettings(s state.Setup, registry setting.Registry, report func(string, ...any)) {
	for _, part := range []struct {
		name   string
		values setting.Snapshot
	}{{"settings", s.Settings}, {"global_settings", s.GlobalSettings}} {
		_, _, problems := registry.Patch(nil, nil, part.values)
		for _, p := range problems {
			if p.Code != setting.MutuallyExclusive {
				report("%s: %s", part.name, p)
			}
		}
	}
}

func checkMap(s state.Setup, report func(string, ...any)) {
	known := map[string]bool{}
	for i, a := range s.Map.Areas {
		if a.ID == "" || known[a.ID] {
			report("map.areas[%d]: id %q is missing or taken", i, a.ID)
		}
		known[a.ID] = true
	}
	circling := circling(s.Map)
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
func circling(m world.Map) map[string]bool {
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

// checkTimers looks at the countdowns that a campaign begins with.
func checkTimers(list timer.Timers, report func(string, ...any)) {
	seen := map[string]bool{}
	for i, t := range list {
		if t.ID == "" || seen[t.ID] {
			report("timers[%d]: id %q is missing or taken", i, t.ID)
		}
		seen[t.ID] = true
	}
	if len(list) > maxTimers {
		report("timers: %d are too many: at most %d run at a time", len(list), maxTimers)
	}
}

// startPlace is where a campaign begins, the zero Place if the setup names no scene.
func startPlace(s state.Setup, w *spatial.World, report func(string, ...any)) spatial.Place {
	if s.Place.SceneID == "" {
		return spatial.Place{}
	}
	place := w.At(s.Place.SceneID, s.Place.X, s.Place.Y)
	if place.SceneID == "" {
		report("place.sceneId: no scene %q: add it to Content.Scenes", s.Place.SceneID)
	}
	place.Facing = s.Place.Facing
	return place
}

// Files of campaigns that ran elsewhere have members that a [state.Setup] has no field for,
// and that a [state.Campaign] has. Those that can be taken are: settings_snapshot, beside
// which settings wins, and settings_revision. The others speak of states that a setup
// does not hold; they are reported, unless they say nothing.
var foreignMembers = []string{"branches", "checkpoints", "pending_conflict", "rollback_pending", "snapshots", "state", "stored_conflicts"}

// takeMembers moves what a campaign has fields for out of the unknown members.
func takeMembers(s state.Setup, report func(string, ...any)) (out state.Setup, revision int) {
	given := s.Extra
	s.Extra = maps.Clone(given)
	for _, name := range foreignMembers {
		if data, ok := given[name]; ok {
			if !saysNothing(data) && !(name == "rollback_pending" && !pending(data)) {
				report("%s: a setup has no states to return to: take the member out; a checkpoint of the start is made", name)
			}
			delete(s.Extra, name)
		}
	}
	if data, ok := given["settings_snapshot"]; ok {
		var snapshot setting.Snapshot
		if err := json.Unmarshal(data, &snapshot); err != nil {
			report("settings_snapshot: must be an object of settings")
		}
		if snapshot != nil {
			maps.Copy(snapshot, s.Settings)
			s.Settings = snapshot
		}
		delete(s.Extra, "settings_snapshot")
	}
	if data, ok := given["settings_revision"]; ok {
		if json.Unmarshal(data, &revision) != nil || revision < 0 {
			report("settings_revision: must be a whole number from 0 on")
		}
		delete(s.Extra, "settings_revision")
	}
	return s, revision
}

// pending reports whether a rollback could still be undone.
func pending(data json.RawMessage) bool {
	var r state.RollbackPending
	return json.Unmarshal(data, &r) != nil || r.IsPending
}

// saysNothing reports whether a member is null, false, empty, or an object of such.
func saysNothing(data json.RawMessage) bool {
	v, err := tree.ParseValue(data)
	if err != nil {
		return false
	}
	no, isBool := v.AsBool()
	text, isText := v.AsText()
	switch {
	case v.IsObject():
		for _, m := range v.Members() {
			if !saysNothing(m.AppendJSON(nil)) {
				return false
			}
		}
		return true
	case v.IsArray():
		return v.Len() == 0
	}
	return v.IsNull() || isBool && !no || isText && text == ""
}

// greetingOf is the greeting of the card that a setup asks for, without a text of its own.
func greetingOf(s state.Setup, g *game.Game) (int, bool) {
	if s.Greeting != "" || g.Content().Card == nil {
		return 0, false
	}
	n, err := strconv.Atoi(s.GreetingID)
	return n, err == nil
}

// greet opens the campaign. A greeting of the card that its state names is the text of an
// author: its macros are expanded once, and what they set is kept. Scripts run on whatever
// opens a story, unless that has begun elsewhere.
func greet(c *state.Campaign, g *game.Game, at time.Time, begun bool) {
	n, ofCard := greetingOf(state.Setup{Greeting: c.State.Greeting, GreetingID: c.State.GreetingID}, g)
	if !ofCard && (begun || c.State.Greeting == "") {
		return
	}
	t := newTurn(g, *c, Submit{ActorID: c.State.Selected.ActorID, At: at},
		g.Settings().Freeze(c.GlobalSettings, c.Settings))
	p, text := t.prompter(), c.State.Greeting
	if ofCard {
		run := macro.NewRun(p.promptEnv())
		text = run.Expand(g.Content().Card.Greetings()[n], macro.Full)
		p.keepRun(run)
	}
	c.State.Greeting = p.scripted(text, script.Where{Placement: script.AIOutput})
	c.State.Macros, c.State.Random = p.state.Macros, t.cursor
}
