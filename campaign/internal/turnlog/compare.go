package turnlog

import (
	"fmt"
	"slices"
	"strings"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/internal/secret"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/memvars/tree"
)

// Compare returns the differences between two turns of a game.
func (l Log) Compare(g *game.Game, c state.Campaign, between state.HistorySpan) (out state.Comparison, err error) {
	if c, err = l.Whole(c); err != nil {
		return out, err
	}
	a, b := between.A, between.B
	var states [2]tree.Value
	for i, id := range []string{a, b} {
		head, err := l.campaignAfter(c, id)
		if err == nil {
			states[i], err = visibleState(g, head, between.Viewer)
		}
		if err != nil {
			return out, err
		}
	}
	for _, change := range (tree.Change{Old: states[0], New: states[1]}).Parts() {
		if isBookkeeping(change.Path) {
			out.Bookkeeping = append(out.Bookkeeping, change)
		} else {
			out.Changes = append(out.Changes, change)
		}
	}
	out.Ancestor = c.Ancestor(a, b)
	for _, side := range []struct {
		turn string
		ids  *[]string
	}{{a, &out.A}, {b, &out.B}} {
		place, _ := c.Place(side.turn, side.turn)
		shared, _ := c.Place(out.Ancestor, side.turn)
		if *side.ids, err = l.heardBy(c, between.Viewer, c.Newest(side.turn, place-shared)); err != nil {
			return out, err
		}
	}
	if out.Ancestor != state.StartTurnID {
		heard, err := l.heardBy(c, between.Viewer, []string{out.Ancestor})
		if err != nil {
			return out, err
		}
		out.Ancestor = strings.Join(heard, "")
	}
	return out, nil
}

// isBookkeeping reports whether a path of a state leads to internal data of the engine, such as
// counters.
func isBookkeeping(path tree.Path) bool {
	if len(path) == 0 {
		return false
	}
	switch path[0] {
	case "head_turn_id", "turn_count", "summary", "variable_state", "rule_state", "hook_state", "lore_state", "secrets", "groups",
		"injections", "command_feedback", "macro_variables", "auto_rounds", "history_start", "random_cursor", "variables_before_greeting":
		return true
	case "milestone":
		return len(path) > 1 && path[1] != "value" && path[1] != "advance_policy"
	}
	return false
}

// heardBy returns the turns that a viewer has heard. An empty viewer has heard all.
func (l Log) heardBy(c state.Campaign, viewer string, ids []string) (heard []string, err error) {
	if viewer == "" {
		return ids, nil
	}
	for some := range slices.Chunk(ids, turnsPerRead) {
		turns, err := l.HeldOrRead(c, some)
		if err != nil {
			return nil, err
		}
		if len(turns) < len(some) {
			return nil, fmt.Errorf("campaign: the log does not have all of %s to %s", some[0], some[len(some)-1])
		}
		for _, t := range turns {
			if state.Knows(t.Audience, viewer) {
				heard = append(heard, t.ID)
			}
		}
	}
	return heard, nil
}

// campaignAfter returns the campaign after a turn.
func (l Log) campaignAfter(c state.Campaign, turnID string) (state.Campaign, error) {
	version, err := l.VersionOf(c, turnID)
	if err != nil {
		return state.Campaign{}, err
	}
	if version == 0 {
		return state.Campaign{}, &state.Refusal{Code: state.UnknownTurn, Detail: "no turn " + turnID}
	}
	head, err := l.headAt(c, version)
	if err == nil && head.State.HeadTurnID != turnID {
		err = PlayedElsewhere(turnID)
	}
	return head, err
}

// PlayedElsewhere returns the refusal for a query that needs the state after a turn that the
// campaign began with.
func PlayedElsewhere(turnID string) *state.Refusal {
	return &state.Refusal{Code: state.CheckpointNotFound,
		Detail: fmt.Sprintf("the state after %s is not known: the campaign began with that turn", turnID)}
}

// visibleState returns the state of a campaign for a viewer. For an empty viewer it is the whole state.
func visibleState(g *game.Game, c state.Campaign, viewer string) (tree.Value, error) {
	if viewer == "" {
		v, err := c.HeadValue()
		return v.Get("state"), err
	}
	s := *secret.Of(&c.State, state.Viewer{Character: viewer}).State
	w := s.World
	w.Rules = slices.DeleteFunc(slices.Clone(w.Rules), func(r state.WorldRule) bool { return !state.Knows(r.VisibleTo, viewer) })
	return tree.Of(struct {
		HeadTurnID string            `json:"head_turn_id"`
		TurnCount  int               `json:"turn_count"`
		Selected   state.Selected    `json:"selected"`
		World      state.World       `json:"world"`
		Map        state.Map         `json:"map"`
		Characters []state.Character `json:"characters"`
		Lifecycle  state.Lifecycle   `json:"lifecycle"`
		Variables  tree.Value        `json:"variables"`
	}{s.HeadTurnID, s.TurnCount, s.Selected, w, s.Map, s.Characters, s.Lifecycle,
		g.Vars().With(g.Gate(&s, s.TurnCount)).Visible(s.Variables)})
}
