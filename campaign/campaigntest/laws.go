package campaigntest

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/talewright/talewright/campaign/internal/settingkey"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
)

// laws checks what must be true after every step of every game.
type laws struct{ *snapshot }

// broken returns the laws that the step has broken.
func (m laws) broken() (faults []string) {
	for _, c := range m.after.State.Characters {
		if c.HP.Current < 0 || c.HP.Current > c.HP.Max {
			faults = append(faults, fmt.Sprintf("%s has %d of %d hit points, which is out of bounds", c.ID, c.HP.Current, c.HP.Max))
		}
	}
	if m.outcome != nil && m.outcome.Status != turn.Completed && m.outcome.Status != turn.Discarded {
		if err := turn.Same(m.before.State, m.after.State); err != nil {
			faults = append(faults, fmt.Sprintf("it ended as %s, and something changed all the same: %v", m.outcome.Status, err))
		}
	}
	return append(faults, m.unauthorizedChanges()...)
}

// checkEnd checks what must be true at the end of every game: the log replays to the same campaign,
// and a new engine loads the same campaign.
func (p *session) checkEnd(ctx context.Context) (faults []string) {
	if err := p.replay(ctx); err != nil {
		faults = append(faults, fmt.Sprintf("a replay of the log leads elsewhere: %v", err))
	}
	fresh, err := p.newEngine()
	if err != nil {
		return append(faults, err.Error())
	}
	loaded, err := fresh.Campaign(ctx, p.id)
	if err == nil {
		err = turn.Same(p.last.after, loaded)
	}
	if err != nil {
		faults = append(faults, fmt.Sprintf("the stored campaign differs: %v", err))
	}
	return faults
}

// unauthorizedChanges finds changes of a turn that had no permission or no cause. Model output alone must
// not change anything.
func (m laws) unauthorizedChanges() (faults []string) {
	if m.outcome == nil || m.outcome.Turn == nil {
		return nil
	}
	followsHead := m.turn().ParentID == m.before.State.HeadTurnID
	if !followsHead || !slices.Contains([]string{"say", "decide", "approve"}, m.step.Do) {
		return nil // before and after are not the states around the turn
	}
	faults = m.changedFixedParts()
	for _, c := range m.after.State.Characters {
		was, there := m.before.State.Character(c.ID)
		if there && !m.othersMayChange() {
			faults = append(faults, m.unexplainedChanges(was, c)...)
		}
	}
	for _, v := range m.game.Content().Rules.Variables {
		if !isReadOnly(v) {
			continue
		}
		for _, c := range m.turn().Changes {
			if c.Path.String() == pathOf(v) && isByModel(c.By) {
				faults = append(faults, fmt.Sprintf("a model wrote to %s, which it may not: %s", v.ID, c))
			}
		}
	}
	return faults
}

// changedFixedParts compares the parts of a campaign that no turn changes by itself.
func (m laws) changedFixedParts() (faults []string) {
	was, is := m.before, m.after
	type part struct {
		name    string
		was, is any
	}
	parts := []part{
		{"the goal", was.Goal, is.Goal}, {"a setting", m.settingsBefore(), is.Settings},
		{"the list of allowed tools", was.Allowlist, is.Allowlist}, {"the rules of the world", was.State.World.Rules, is.State.World.Rules},
		{"who belongs to the party", was.State.Selected.Party, is.State.Selected.Party},
	}
	if !m.othersMayChange() {
		parts = append(parts, part{"the map", was.State.Map, is.State.Map})
	}
	for _, part := range parts {
		if err := turn.Same(inObject(part.is), inObject(part.was)); err != nil {
			faults = append(faults, fmt.Sprintf("the turn changed %s: %v", part.name, err))
		}
	}
	return faults
}

// settingsBefore returns the settings that the turn must have left as they were. The first private turn
// of a campaign sets visibility.mode to strict.
func (m laws) settingsBefore() setting.Snapshot {
	was := m.before.Settings
	_, own := was[settingkey.VisibilityMode]
	_, ofAll := m.before.GlobalSettings[settingkey.VisibilityMode]
	if own || ofAll || len(m.turn().Audience) == 0 {
		return was
	}
	was = maps.Clone(was)
	if was == nil {
		was = setting.Snapshot{}
	}
	was[settingkey.VisibilityMode] = tree.Text(string(state.AudienceStrict))
	return was
}

// inObject puts any value into a JSON object.
func inObject(v any) map[string]any { return map[string]any{"it": v} }

// othersMayChange reports whether something other than the built-in tools may have changed characters:
// rules, hooks with actions, or tools of the host.
func (m laws) othersMayChange() bool {
	t := m.turn()
	return len(t.Trace.Fired) > 0 || slices.ContainsFunc(t.Trace.Hooks, func(h act.Log) bool {
		return h.ActionsExecuted > 0 && h.HookID != "" && !m.changesNoCharacter(h.HookID)
	}) || slices.ContainsFunc(t.Applied, func(a state.Applied) bool {
		return a.Tool != "move" && a.Tool != "hp_delta" && a.Tool != "check"
	})
}

// changesNoCharacter reports whether all actions of a hook are of types that change no character.
func (m laws) changesNoCharacter(id string) bool {
	for _, h := range m.game.Content().Rules.Hooks {
		if h.ID != id {
			continue
		}
		for _, a := range h.Actions {
			if !slices.Contains([]string{act.MemoryWrite, act.PromptInject, act.LogLine, act.Message, act.Workflow, act.WorldBookAdd}, a.Type()) {
				return false
			}
		}
	}
	return true
}

// unexplainedChanges returns the changes of a character that the accepted calls do not explain.
func (m laws) unexplainedChanges(was, is state.Character) (faults []string) {
	hp, area := int64(was.HP.Current), was.AreaID
	for _, a := range m.turn().Applied {
		switch a.Tool {
		case "hp_delta":
			if text(a.Result.Get("target_character_id")) == is.ID {
				if n, ok := a.Result.Get("hp_after").AsFloat(); ok {
					hp = int64(n)
				}
			}
		case "move":
			if text(a.Result.Get("actor_id")) == is.ID {
				area = text(a.Result.Get("to_area_id"))
			}
		}
	}
	if int64(is.HP.Current) != hp || is.HP.Max != was.HP.Max {
		faults = append(faults, fmt.Sprintf("%s has %d of %d hit points; the accepted calls lead to %d of %d", is.ID, is.HP.Current, is.HP.Max, hp, was.HP.Max))
	}
	if is.AreaID != area {
		faults = append(faults, fmt.Sprintf("%s is in %s; the accepted calls lead to %s", is.ID, is.AreaID, area))
	}
	return faults
}

// text returns a value that is a text, and "" for any other.
func text(v tree.Value) string {
	s, _ := v.AsText()
	return s
}

// isReadOnly reports whether a model may not write to a variable.
func isReadOnly(v rules.Variable) bool {
	return v.Internal || v.AIAccess == rules.AIRead || v.AIAccess == rules.AINone
}

// pathOf returns the path of a variable.
func pathOf(v rules.Variable) string {
	if v.Path != "" {
		return v.Path
	}
	return v.ID
}

// isByModel reports whether by, the cause of a change, is a command in the model's text. Commands in
// players' lines have the same cause, but random players write no commands.
func isByModel(by string) bool {
	return strings.HasPrefix(by, "dialect.") || strings.HasPrefix(by, "cmd:")
}
