package draft

import (
	"cmp"
	"maps"
	"slices"
	"strconv"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/internal/settingkey"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/memvars/tree"
)

// The opening files create a campaign from the setup of a host or of a different program, and
// report all problems of the setup. Setup and campaign are values; nothing keeps a reference to
// them.

// Campaign returns the campaign that a setup describes, before its greeting is expanded and before
// its first turns are added: see [Adopt]. No text of these has more than limit bytes. The error
// joins all problems of the setup, each with its place.
func Campaign(g *game.Game, s state.Setup, limit int) (state.Campaign, error) {
	if err := check(s, g, limit); err != nil {
		return state.Campaign{}, err
	}
	s, revision := moveForeignMembers(s, func(string, ...any) {}) // check has reported
	c := state.Campaign{
		ID: s.ID, Title: s.Title, CreatedAt: s.CreatedAt, UpdatedAt: s.UpdatedAt, Version: 1,
		Seed: s.Seed, Goal: s.Goal, Settings: s.Settings, GlobalSettings: s.GlobalSettings,
		Allowlist: s.Allowlist, DisabledTools: s.DisabledTools, Dialog: s.Dialog,
		StateRefs: s.StateRefs, BranchID: state.MainBranch, Branches: map[string]state.Branch{state.MainBranch: {}},
		SettingsRevision: revision, Extra: s.Extra,
	}.Clone()
	if c.UpdatedAt.IsZero() {
		c.UpdatedAt = c.CreatedAt
	}
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
	if kind := s.Dialog.TypeSelected; kind != "" && !c.Settings[settingkey.ManualType].Exists() {
		c.Settings = maps.Clone(c.Settings) // the choice of the dialog type is a setting
		if c.Settings == nil {
			c.Settings = setting.Snapshot{}
		}
		c.Settings[settingkey.ManualType] = tree.Text(kind)
	}
	c.State.Variables = fitVariables(g, c.State, func(string, ...any) {}) // check has reported
	c.State.Variables = g.Complete(c.State)
	c.State.VariableState = g.Vars().Begin(c.State.Variables)
	fillDefaults(&c.State)
	return c, nil
}

// fillDefaults makes all characters the party if the setup names no party. It also sets the default
// life state and the default active actor.
func fillDefaults(s *state.State) {
	for i := range s.Characters {
		s.Characters[i].Status.AliveState = cmp.Or(s.Characters[i].Status.AliveState, state.Alive)
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

// Adopt adds turns that were played elsewhere. The last answers become alternatives, at most limit
// of them. The newest replies count for the green lights of variables.
func Adopt(c *state.Campaign, turns []state.Turn, limit int) {
	c.Turns = slices.Grow(c.Turns, len(turns))
	last := len(turns) - 1 // the first answer to the last line
	for last > 0 && turns[last].AlternativeOf != "" {
		last--
	}
	before, first := c.State, ""
	var parent *state.Turn
	for i, t := range turns {
		t.ID, t.BranchID = state.TurnID(c.TurnCounter+1), c.BranchID
		if t.AlternativeOf == "" || i == 0 {
			before, first, t.AlternativeOf = c.State, t.ID, ""
			if n := len(c.Turns); n > 0 {
				parent = &c.Turns[n-1]
			}
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
		t.EarlierReplies = EarlierReplies(parent)
		c.Turns = append(c.Turns, t)
		c.State.HeadTurnID, c.State.BeforeGreeting, c.State.AfterGreeting = t.ID, nil, nil
		c.State.TurnCount++
		round := memvars.Turn{Reply: t.Text, Witnesses: t.Audience}
		if t.UserInput != "" {
			round.Player = []string{t.UserInput}
		}
		window := c.State.VariableState.Window
		c.State.VariableState.Window = append(slices.Clip(window[max(len(window)-maxAdoptedReplies+1, 0):]), round)
	}
}

// maxAdoptedReplies limits the replies that count for green lights. The end of the next turn drops
// those that are not needed.
const maxAdoptedReplies = 32

// Greeting returns the index of the game's opening that a setup asks for. It reports false for a
// setup with its own text.
func Greeting(s state.Setup, g *game.Game) (int, bool) {
	if s.Greeting != "" || len(g.Openings()) == 0 {
		return 0, false
	}
	return OpeningIndex(s.GreetingID, g)
}

// OpeningIndex returns the index of the opening with an ID. The index may be outside of the list. It
// reports false for an ID that is no opening.
func OpeningIndex(id string, g *game.Game) (int, bool) {
	named := func(o game.Opening) bool { return o.ID != "" && o.ID == id }
	if n := slices.IndexFunc(g.Openings(), named); n >= 0 {
		return n, true
	}
	n, err := strconv.Atoi(id)
	return n, err == nil
}
