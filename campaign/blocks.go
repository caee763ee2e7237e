package campaign

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/talewright/talewright/campaign/setting"
)

// blockText is the content of a system block of the engine, "" for one that is left out.
// The persona is none of them: it is the system prompt of the scene.
func (t *turn) blockText(id BlockID) string {
	s := t.staged.state
	switch id {
	case BlockAuthority:
		return t.game.texts.Authority
	case BlockWorld:
		return t.titled(id, s.World.Background)
	case BlockWorldRules:
		return t.titled(id, worldRules(s.World))
	case BlockMap:
		return t.titled(id, t.mapText(s))
	case BlockParty:
		return t.titled(id, t.partyText(s))
	case BlockStatus:
		return t.titled(id, statusText(s))
	case BlockGoal:
		return t.goalText()
	case BlockAcceleration:
		return t.accelerationText(s)
	case BlockSummary:
		return t.titled(id, t.summaryText(s))
	case BlockPins:
		return t.titled(id, bullets(s.Summary.Pins))
	case BlockTools:
		return t.toolsText()
	case BlockDialog:
		return t.titled(id, t.dialogText())
	}
	return ""
}

func (t *turn) titled(id BlockID, text string) string {
	if strings.TrimSpace(text) == "" {
		return ""
	}
	return "# " + t.game.texts.Title[id] + "\n" + text
}

func worldRules(w World) string {
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
func (t *turn) mapText(s State) string {
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

func (t *turn) areaLine(m Map, a Area) string {
	line := fmt.Sprintf("%s (%s)%s", a.Name, a.ID, t.lockNote(a.Locked, a.LockReason, a.DisabledUntil))
	if a.Description != "" {
		line += ": " + a.Description
	}
	var exits []string
	for _, e := range m.exits(a.ID) {
		note := t.lockNote(e.path.Locked, e.path.LockReason, e.path.DisabledUntil)
		if note == "" && t.kind.LocalMap { // elsewhere the area's own line says it
			note = t.lockNote(e.area.Locked, e.area.LockReason, e.area.DisabledUntil)
		}
		exits = append(exits, fmt.Sprintf("%s (%s)%s", e.area.Name, e.area.ID, note))
	}
	if len(exits) > 0 {
		line += fmt.Sprintf("\n  %s: %s", t.game.texts.Exits, strings.Join(exits, ", "))
	}
	return line
}

func (t *turn) lockNote(locked bool, reason, until string) string {
	if !locked {
		return ""
	}
	note := t.game.texts.Locked
	if until != "" {
		note += " " + t.game.texts.DisabledUntil + " " + until
	}
	if reason != "" {
		note += ": " + reason
	}
	return " [" + note + "]"
}

func (t *turn) partyText(s State) string {
	var lines []string
	for _, c := range s.party() {
		if t.kind.NamesOnly {
			lines = append(lines, c.Name)
			continue
		}
		lines = append(lines, cardLine(c))
	}
	return bullets(lines)
}

// cardLine is what a card says beside the status block.
func cardLine(c Character) string {
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

func statusText(s State) string {
	var lines []string
	for _, c := range s.party() {
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

func (t *turn) goalText() string {
	g := t.next.Goal
	text := t.titled(BlockGoal, g.Text)
	if text != "" && g.Hidden {
		text += "\n" + t.game.texts.HiddenGoal
	}
	return text
}

func (t *turn) accelerationText(s State) string {
	tier := int(min(s.Milestone.Value, 3))
	if tier <= 0 {
		return ""
	}
	return t.game.texts.Acceleration[tier-1]
}

// summaryText is shown only in the compressed context.
func (t *turn) summaryText(s State) string {
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
func (t *turn) toolsText() string {
	if !t.offersTools() {
		return ""
	}
	var lines []string
	for _, name := range t.game.toolNames(t.next.Allowlist, t.next.DisabledTools) {
		lines = append(lines, t.game.toolTexts[name].told)
	}
	return t.titled(BlockTools, bullets(lines))
}

// toolText is what models are told of a tool, made once for all turns: see TestTurnAllocates.
type toolText struct {
	told   string // in the prompt
	schema json.RawMessage
}

// tellTools makes the texts of all tools.
func (g *Game) tellTools() {
	g.toolTexts = map[string]toolText{}
	for name, tool := range g.tools.byName {
		schema := tool.Schema()
		told := fmt.Sprintf("%s: %s\n  args: %s", name, tool.Description, schema)
		if len(tool.Reasons) > 0 {
			told += "\n  " + g.texts.Refuses + ": " + g.reasons(tool)
		}
		g.toolTexts[name] = toolText{told, schema}
	}
}

// reasons lists why a tool refuses, sorted.
func (g *Game) reasons(tool Tool) string {
	var out []string
	for _, code := range slices.Sorted(maps.Keys(tool.Reasons)) {
		out = append(out, fmt.Sprintf("%s (%s)", code, g.reasonText(tool, code)))
	}
	return strings.Join(out, ", ")
}

// reasonText is the text of a refusal, in the language of the engine's texts where they
// have it.
func (g *Game) reasonText(tool Tool, code CallCode) string {
	if text := g.texts.Reasons[code]; text != "" && (isBuiltin(tool.Name) || tool.Reasons[code] == "") {
		return text
	}
	if text := tool.Reasons[code]; text != "" {
		return text
	}
	return reasonTexts[code]
}

func isBuiltin(tool string) bool { return tool == "move" || tool == "hp_delta" || tool == "check" }

func (t *turn) dialogText() string {
	text := t.kind.Instructions
	if t.planning() {
		text += "\n" + t.game.texts.PlanOnly
	}
	return text
}

// feedbackText tells the model which of its last commands were refused.
func (t *turn) feedbackText() string {
	if len(t.staged.state.Feedback) == 0 {
		return ""
	}
	return t.game.texts.Commands + "\n" + feedbackJSON(t.staged.state.Feedback)
}
