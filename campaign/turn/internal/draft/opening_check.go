package draft

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/tool"
	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
)

// check returns all problems of a setup as one error. No text may have more than limit bytes.
func check(s state.Setup, g *game.Game, limit int) error {
	var errs []error
	report := func(format string, args ...any) {
		errs = append(errs, fmt.Errorf("campaign: "+format, args...))
	}
	s, _ = moveForeignMembers(s, report)
	if strings.TrimSpace(s.ID) == "" {
		report("campaign_id is missing")
	}
	checkParty(s, g, report)
	if kind := s.Dialog.TypeSelected; kind != "" {
		if _, known := g.Dialog(kind); !known {
			report("dialog.dialog_type_selected: no dialog type %q", kind)
		}
	}
	for i, name := range s.Allowlist {
		if _, known := g.Tools().Get(name); !known && !tool.BuiltByHosts(name) {
			report("allowlist[%d]: no tool %q: register it in Content.Extensions.Tools, or take it out", i, name)
		}
	}
	for key := range s.Variables.Root().Members() {
		if state.IsView(key) {
			report("variables: %q is the engine's name for a value of a character: choose a different name", key)
		}
	}
	fitVariables(g, state.State{Variables: s.Variables, Characters: s.Characters}, report)
	if problem := s.Milestone.Policy.Problem(); problem != "" {
		report("milestone.advance_policy: %s", problem)
	}
	if n, ok := Greeting(s, g); ok && (n < 0 || n >= len(g.Openings())) {
		report("greeting_id: the game has the greetings 0 to %d, not %d", len(g.Openings())-1, n)
	}
	Map(s.Map, s.Characters, report)
	checkTimers(s.Timers, report)
	checkTurns(s, limit, report)
	startPlace(s, g.World(), report)
	checkSettings(s, g.Settings(), report)
	return errors.Join(errs...)
}

// checkParty checks the characters, the party and the active actor.
func checkParty(s state.Setup, g *game.Game, report func(string, ...any)) {
	if len(s.Characters) == 0 {
		report("characters: no character can act: give at least one")
	}
	ids := map[string]bool{}
	for i, c := range s.Characters {
		c.Status.AliveState = cmp.Or(c.Status.AliveState, state.Alive)
		if problem := c.Problem(g.Life()); problem != "" {
			report("characters[%d]: %s", i, problem)
		}
		if ids[c.ID] {
			report("characters[%d]: character_id %q is taken", i, c.ID)
		}
		ids[c.ID] = true
	}
	party := s.Selected.Party
	if party != nil && len(party) == 0 {
		report("selected.party_character_ids: empty: name at least one character, or leave it out for all")
	}
	members := make(map[string]bool, len(party))
	for i, id := range party {
		switch {
		case !ids[id]:
			report("selected.party_character_ids[%d]: no character %q", i, id)
		case members[id]:
			report("selected.party_character_ids[%d]: %q is there already: take it out", i, id)
		}
		members[id] = true
	}
	switch id := s.Selected.ActorID; {
	case id != "" && !ids[id]:
		report("selected.active_actor_id: no character %q", id)
	case id != "" && len(party) > 0 && !members[id]:
		report("selected.active_actor_id: %q is not in selected.party_character_ids: add it, or choose a member", id)
	}
}

// checkSettings checks both snapshots. Stored settings may have both context switches on, which
// means compress: that is not an error.
func checkSettings(s state.Setup, registry setting.Registry, report func(string, ...any)) {
	_, _, own := registry.Patch(nil, nil, s.Settings)
	_, _, global := registry.PatchGlobal(nil, nil, s.GlobalSettings)
	for _, part := range []struct {
		name     string
		problems talewright.Problems
	}{{"settings", own}, {"global_settings", global}} {
		for _, p := range part.problems {
			if p.Code != setting.MutuallyExclusive {
				report("%s: %s", part.name, p)
			}
		}
	}
}

// maxTimers limits the number of countdowns of a campaign.
const maxTimers = 256

// checkTimers checks the first countdowns of a campaign.
func checkTimers(list rules.Timers, report func(string, ...any)) {
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

// checkTurns checks the texts and times of a setup. A time must have a stored form.
func checkTurns(s state.Setup, limit int, report func(string, ...any)) {
	checkTime := func(place string, t time.Time) {
		if t.Year() < 0 || t.Year() > 9999 {
			report("%s: the year is %d: give one from 0 to 9999", place, t.Year())
		}
	}
	checkText := func(place, text string) {
		if len(text) > limit {
			report("%s: %d bytes: at most %d are read, shorten it", place, len(text), limit)
		}
	}
	checkTime("created_at", s.CreatedAt)
	checkTime("updated_at", s.UpdatedAt)
	checkText("greeting", s.Greeting)
	for i, t := range s.Turns {
		checkTime(fmt.Sprintf("turns[%d].timestamp", i), t.Timestamp)
		checkText(fmt.Sprintf("turns[%d].user_input", i), t.UserInput)
		checkText(fmt.Sprintf("turns[%d].text", i), t.Text)
		for j, r := range t.Replies {
			checkText(fmt.Sprintf("turns[%d].replies[%d].text", i, j), r.Text)
		}
	}
}

// fitVariables returns the variables of a setup as their declarations store them. It reports the
// variables that the declarations refuse even as writes of the host.
func fitVariables(g *game.Game, s state.State, report func(string, ...any)) tree.Document {
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
		case refusal != nil && refusal.Code == memvars.ReadonlyDerived: // it is computed anyway
		case refusal != nil:
			report("variables: %s: %s", place, refusal.Text)
		case !v.Equal(given):
			if edit.Kind(place) == tree.KindArray { // the value of a pair
				place = place.Child("0")
			}
			_ = edit.Set(place, v) // it was just read there
		}
	}
	return edit.Document()
}

// startPlace returns the place where a campaign begins, the zero Place if the setup names no scene.
func startPlace(s state.Setup, w *rules.SpatialWorld, report func(string, ...any)) rules.SpatialPlace {
	if s.Place.SceneID == "" {
		return rules.SpatialPlace{}
	}
	place := w.At(s.Place.SceneID, s.Place.X, s.Place.Y)
	if place.SceneID == "" {
		report("place.sceneId: no scene %q: add it to Content.Rules.Scenes", s.Place.SceneID)
	}
	place.Facing = s.Place.Facing
	return place
}
