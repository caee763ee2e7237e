package turn

import (
	"fmt"
	"strings"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
)

// blockText is the content of a system block of the engine, "" for one that is left out.
// The persona is none of them: it is the system prompt of the scene.
func (t *run) blockText(id game.BlockID) string {
	s := t.staged.state
	switch id {
	case game.BlockAuthority:
		return t.game.Texts().Authority
	case game.BlockWorld:
		return t.titled(id, s.World.Background)
	case game.BlockWorldRules:
		return t.titled(id, worldRules(s.World))
	case game.BlockMap:
		return t.titled(id, t.mapText(s))
	case game.BlockParty:
		return t.titled(id, t.partyText(s))
	case game.BlockStatus:
		return t.titled(id, statusText(s))
	case game.BlockGoal:
		return t.goalText()
	case game.BlockAcceleration:
		return t.accelerationText(s)
	case game.BlockSummary:
		return t.titled(id, t.summaryText(s))
	case game.BlockPins:
		return t.titled(id, bullets(s.Summary.Pins))
	case game.BlockMemory:
		return t.titled(id, bullets(t.memories))
	case game.BlockTools:
		return t.toolsText()
	case game.BlockDialog:
		return t.titled(id, t.dialogText())
	}
	return ""
}

func (t *run) titled(id game.BlockID, text string) string {
	if strings.TrimSpace(text) == "" {
		return ""
	}
	return "# " + t.game.Texts().Title[id] + "\n" + text
}

func worldRules(w state.World) string {
	lines := make([]string, len(w.Rules))
	for i, r := range w.Rules {
		lines[i] = r.Text
	}
	return bullets(lines)
}

func bullets(lines []string) string {
	var b strings.Builder
	for _, l := range lines {
		fmt.Fprintf(&b, "- %s\n", l)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// mapText shows the actor's area and its exits, or every area.
func (t *run) mapText(s state.State) string {
	if !t.kind.LocalMap {
		var lines []string
		for _, a := range s.Map.Areas {
			lines = append(lines, t.areaLine(s.Map, a))
		}
		return bullets(lines)
	}
	actor, _ := s.Character(t.in.ActorID)
	area, ok := s.Map.Area(actor.AreaID)
	if !ok {
		return ""
	}
	return t.areaLine(s.Map, area)
}

func (t *run) areaLine(m state.Map, a state.Area) string {
	line := fmt.Sprintf("%s (%s)%s", a.Name, a.ID, t.lockNote(a.Locked, a.LockReason, a.DisabledUntil))
	if a.Description != "" {
		line += ": " + a.Description
	}
	var exits []string
	for _, e := range m.Exits(a.ID) {
		note := t.lockNote(e.Path.Locked, e.Path.LockReason, e.Path.DisabledUntil)
		if note == "" && t.kind.LocalMap { // elsewhere the area's own line says it
			note = t.lockNote(e.Area.Locked, e.Area.LockReason, e.Area.DisabledUntil)
		}
		exits = append(exits, fmt.Sprintf("%s (%s)%s", e.Area.Name, e.Area.ID, note))
	}
	if len(exits) > 0 {
		line += fmt.Sprintf("\n  %s: %s", t.game.Texts().Exits, strings.Join(exits, ", "))
	}
	return line
}

func (t *run) lockNote(locked bool, reason, until string) string {
	if !locked {
		return ""
	}
	note := t.game.Texts().Locked
	if until != "" {
		note += " " + t.game.Texts().DisabledUntil + " " + until
	}
	if reason != "" {
		note += ": " + reason
	}
	return " [" + note + "]"
}

func (t *run) partyText(s state.State) string {
	var lines []string
	for _, c := range s.PartyMembers() {
		if t.kind.NamesOnly {
			lines = append(lines, c.Name)
			continue
		}
		lines = append(lines, cardLine(c))
	}
	return bullets(lines)
}

// cardLine is what a card says beside the status block.
func cardLine(c state.Character) string {
	parts := []string{fmt.Sprintf("%s (%s)", c.Name, c.ID)}
	for _, s := range []string{c.Title, c.Race, c.Job, c.Background} {
		if s != "" {
			parts = append(parts, s)
		}
	}
	for key, v := range c.Attributes.Members() {
		text, isText := v.AsText()
		if !isText {
			text = v.String()
		}
		parts = append(parts, key+" "+text)
	}
	for _, sk := range c.Skills {
		if sk.Level != nil {
			parts = append(parts, fmt.Sprintf("%s %d", sk.Name, *sk.Level))
		} else {
			parts = append(parts, sk.Name)
		}
	}
	return strings.Join(parts, "; ")
}

func statusText(s state.State) string {
	var lines []string
	for _, c := range s.PartyMembers() {
		place := c.AreaID
		if a, ok := s.Map.Area(c.AreaID); ok {
			place = fmt.Sprintf("%s (%s)", a.Name, a.ID)
		}
		line := fmt.Sprintf("%s (%s): HP %d/%d, %s", c.Name, c.ID, c.HP.Current, c.HP.Max,
			c.Status.AliveState)
		if place != "" {
			line += ", " + place
		}
		if len(c.Status.Flags) > 0 {
			line += ", " + strings.Join(c.Status.Flags, " ")
		}
		lines = append(lines, line)
	}
	return bullets(lines)
}

func (t *run) goalText() string {
	g := t.next.Goal
	text := t.titled(game.BlockGoal, g.Text)
	if text != "" && g.Hidden {
		text += "\n" + t.game.Texts().HiddenGoal
	}
	return text
}

func (t *run) accelerationText(s state.State) string {
	tier := int(min(s.Milestone.Value, 3))
	if tier <= 0 {
		return ""
	}
	return t.game.Texts().Acceleration[tier-1]
}

// summaryText is shown only in the compressed context.
func (t *run) summaryText(s state.State) string {
	if t.values.ContextMode() != setting.CompressedContext {
		return ""
	}
	text := s.Summary.Text
	if s.Summary.Facts.Len() > 0 {
		text += "\n" + s.Summary.Facts.String()
	}
	return strings.TrimSpace(text)
}

// toolsText lists the tools with their arguments and the reasons they refuse for.
func (t *run) toolsText() string {
	if !t.offersTools() {
		return ""
	}
	var lines []string
	for _, name := range t.game.ToolNames(t.next.Allowlist, t.next.DisabledTools) {
		lines = append(lines, t.game.ToolTold(name))
	}
	return t.titled(game.BlockTools, bullets(lines))
}

func (t *run) dialogText() string {
	text := t.kind.Instructions
	if t.planning() {
		text += "\n" + t.game.Texts().PlanOnly
	}
	return text
}

// feedbackText tells the model which of its last commands were refused.
func (t *run) feedbackText() string {
	if len(t.staged.state.Feedback) == 0 {
		return ""
	}
	return t.game.Texts().Commands + "\n" + feedbackJSON(t.staged.state.Feedback)
}
