package turn

import (
	"fmt"
	"strings"

	"github.com/talewright/talewright/campaign/audience"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn/internal/view"
	"github.com/talewright/talewright/campaign/world"
	"github.com/talewright/talewright/memvars/tree"
)

// blockText is the content of a system block of the engine, "" for one that is left out.
// The persona is none of them: it is the system prompt of the scene.
func (sc scenery) blockText(id game.BlockID) string {
	s := *sc.Sight().State
	switch id {
	case game.BlockAuthority:
		return sc.Game.Texts().Authority
	case game.BlockWorld:
		return sc.titled(id, s.World.Background)
	case game.BlockWorldRules:
		return sc.titled(id, sc.worldRules(s.World))
	case game.BlockMap:
		return sc.titled(id, sc.mapText(s))
	case game.BlockParty:
		return sc.titled(id, sc.partyText(s))
	case game.BlockStatus:
		return sc.titled(id, statusText(s))
	case game.BlockGoal:
		return sc.goalText()
	case game.BlockAcceleration:
		return sc.accelerationText(s)
	case game.BlockSummary:
		return sc.titled(id, sc.summaryText(s))
	case game.BlockPins:
		return sc.titled(id, bullets(s.Summary.Pins))
	case game.BlockMemory:
		return sc.titled(id, bullets(sc.memories))
	case game.BlockTools:
		return sc.toolsText()
	case game.BlockDialog:
		return sc.titled(id, sc.dialogText())
	}
	return ""
}

func (sc scenery) titled(id game.BlockID, text string) string {
	if strings.TrimSpace(text) == "" {
		return ""
	}
	return "# " + sc.Game.Texts().Title[id] + "\n" + text
}

func (sc scenery) worldRules(w world.World) string {
	lines, viewer := make([]string, 0, len(w.Rules)), sc.Viewer()
	for _, r := range w.Rules {
		if viewer.Sees(r.VisibleTo) {
			lines = append(lines, sc.Known(viewer.Mark(r.VisibleTo))+r.Text)
		}
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
func (sc scenery) mapText(s state.State) string {
	if !sc.Dialog.LocalMap {
		var lines []string
		for _, a := range s.Map.Areas {
			lines = append(lines, sc.areaLine(s.Map, a))
		}
		return bullets(lines)
	}
	actor, _ := s.Character(sc.In.ActorID)
	area, ok := s.Map.Area(actor.AreaID)
	if !ok {
		return ""
	}
	return sc.areaLine(s.Map, area)
}

func (sc scenery) areaLine(m world.Map, a world.Area) string {
	line := fmt.Sprintf("%s (%s)%s", a.Name, a.ID, sc.lockNote(a.Locked, a.LockReason, a.DisabledUntil))
	if a.Description != "" {
		line += ": " + a.Description
	}
	var exits []string
	for _, e := range m.Exits(a.ID) {
		note := sc.lockNote(e.Path.Locked, e.Path.LockReason, e.Path.DisabledUntil)
		if note == "" && sc.Dialog.LocalMap { // elsewhere the area's own line says it
			note = sc.lockNote(e.Area.Locked, e.Area.LockReason, e.Area.DisabledUntil)
		}
		exits = append(exits, fmt.Sprintf("%s (%s)%s", e.Area.Name, e.Area.ID, note))
	}
	if len(exits) > 0 {
		line += fmt.Sprintf("\n  %s: %s", sc.Game.Texts().Exits, strings.Join(exits, ", "))
	}
	return line
}

func (sc scenery) lockNote(locked bool, reason, until string) string {
	if !locked {
		return ""
	}
	note := sc.Game.Texts().Locked
	if until != "" {
		note += " " + sc.Game.Texts().DisabledUntil + " " + until
	}
	if reason != "" {
		note += ": " + reason
	}
	return " [" + note + "]"
}

func (sc scenery) partyText(s state.State) string {
	var lines []string
	for _, c := range s.PartyMembers() {
		if sc.Dialog.NamesOnly {
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

func (sc scenery) goalText() string {
	g := sc.Campaign.Goal
	text := sc.titled(game.BlockGoal, g.Text)
	if text != "" && g.Hidden {
		text += "\n" + sc.Game.Texts().HiddenGoal
	}
	return text
}

func (sc scenery) accelerationText(s state.State) string {
	tier := int(min(s.Milestone.Value, 3))
	if tier <= 0 {
		return ""
	}
	return sc.Game.Texts().Acceleration[tier-1]
}

// summaryText is shown only in the compressed context.
func (sc scenery) summaryText(s state.State) string {
	if sc.Values.ContextMode() != setting.CompressedContext {
		return ""
	}
	viewer := sc.Viewer()
	text := toldSummary(s.Summary.Text, s.Summary.Facts, viewer)
	for _, part := range s.Summary.Private {
		if told := toldSummary(part.Text, part.Facts, viewer); told != "" && viewer.Sees(part.Witnesses) {
			text += "\n" + sc.Known(viewer.Mark(part.Witnesses)) + told
		}
	}
	return strings.TrimSpace(text)
}

// toldSummary is a text and the facts that the viewer may know.
func toldSummary(text string, facts tree.Value, viewer audience.Viewer) string {
	if facts = audience.Facts(facts, viewer); facts.Len() > 0 {
		text += "\n" + facts.String()
	}
	return strings.TrimSpace(text)
}

// toolsText lists the tools with their arguments and the reasons they refuse for.
func (sc scenery) toolsText() string {
	if !sc.OffersTools() {
		return ""
	}
	var lines []string
	for _, name := range sc.Game.ToolNames(sc.Campaign.Allowlist, sc.Campaign.DisabledTools) {
		lines = append(lines, sc.Game.ToolTold(name))
	}
	return sc.titled(game.BlockTools, bullets(lines))
}

func (sc scenery) dialogText() string {
	text := sc.Dialog.Instructions
	if sc.Planning() {
		text += "\n" + sc.Game.Texts().PlanOnly
	}
	if view.ListsClaims(sc.Values) && sc.Suggestions == 0 {
		text += "\n" + sc.Game.Texts().Claims
	}
	return text + sc.secrecy()
}

// feedbackText tells the model which of its last commands were refused.
func (sc scenery) feedbackText() string {
	feedback := sc.Sight().State.Feedback
	if len(feedback) == 0 {
		return ""
	}
	return sc.Game.Texts().Commands + "\n" + view.JSON(feedback, sc.Sight())
}
