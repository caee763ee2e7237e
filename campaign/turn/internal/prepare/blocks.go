package prepare

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn/internal/draft"
	"github.com/talewright/talewright/campaign/turn/internal/past"
	"github.com/talewright/talewright/memvars/tree"
)

// The blocks files write the engine's own blocks of a prompt: the world, the party, the summary,
// tools, variables, the dialects for changes, and the refusals of the last commands. All of them
// are data: no macro in them is expanded.

// blockSource is the data for the blocks.
type blockSource struct {
	past.Window
	Memories []string // lines of the prompt
	Marked   bool     // lines of the history are marked as private
}

// Text returns the content of a system block of the engine, "" for a block that is left out. The
// persona is not one of these blocks: it is the system prompt of the scene.
func (src blockSource) Text(id game.BlockID) string {
	s := *src.Sight().State
	switch id {
	case game.BlockAuthority:
		return src.Game.Texts().Authority
	case game.BlockWorld:
		return src.titled(id, s.World.Background)
	case game.BlockWorldRules:
		return src.titled(id, src.worldRules(s.World))
	case game.BlockMap:
		return src.titled(id, src.mapText(s))
	case game.BlockParty:
		return src.titled(id, src.partyText(s))
	case game.BlockStatus:
		return src.titled(id, src.statusText(s))
	case game.BlockGoal:
		return src.goalText()
	case game.BlockAcceleration:
		return src.accelerationText(s)
	case game.BlockSummary:
		return src.titled(id, src.summaryText(s))
	case game.BlockPins:
		return src.titled(id, bullets(s.Summary.Pins))
	case game.BlockMemory:
		return src.titled(id, bullets(src.Memories))
	case game.BlockTools:
		return src.toolsText()
	case game.BlockDialog:
		return src.titled(id, src.dialogText())
	}
	return ""
}

func (src blockSource) titled(id game.BlockID, text string) string {
	if strings.TrimSpace(text) == "" {
		return ""
	}
	return "# " + src.Game.Texts().Title[id] + "\n" + text
}

func (src blockSource) worldRules(w state.World) string {
	lines, viewer := make([]string, 0, len(w.Rules)), src.Viewer()
	for _, r := range w.Rules {
		if viewer.Sees(r.VisibleTo) {
			lines = append(lines, src.WitnessMark(viewer.Mark(r.VisibleTo))+r.Text)
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

// mapText returns the actor's area and its exits, or every area.
func (src blockSource) mapText(s state.State) string {
	if !src.Dialog.LocalMap {
		var lines []string
		for _, a := range s.Map.Areas {
			lines = append(lines, src.areaLine(s.Map, a))
		}
		return bullets(lines)
	}
	actor, _ := s.Character(src.In.ActorID)
	area, ok := s.Map.Area(actor.AreaID)
	if !ok {
		return ""
	}
	return src.areaLine(s.Map, area)
}

func (src blockSource) areaLine(m state.Map, a state.MapArea) string {
	marks := src.Game.Texts().Marks
	line := marks.Aside(a.Name, a.ID) + src.lockNote(a.Locked, a.LockReason, a.DisabledUntil)
	if a.Description != "" {
		line += marks.Colon + a.Description
	}
	var exits []string
	for _, e := range m.Exits(a.ID) {
		note := src.lockNote(e.Path.Locked, e.Path.LockReason, e.Path.DisabledUntil)
		if note == "" && src.Dialog.LocalMap { // otherwise the line of that area has it
			note = src.lockNote(e.Area.Locked, e.Area.LockReason, e.Area.DisabledUntil)
		}
		exits = append(exits, marks.Aside(e.Area.Name, e.Area.ID)+note)
	}
	if len(exits) > 0 {
		line += "\n  " + src.Game.Texts().Exits + marks.Colon + strings.Join(exits, marks.Item)
	}
	return line
}

func (src blockSource) lockNote(locked bool, reason, until string) string {
	if !locked {
		return ""
	}
	texts := src.Game.Texts()
	why := ""
	if until != "" {
		why = strings.ReplaceAll(texts.DisabledUntil, "{until}", until)
	}
	if reason != "" {
		why += texts.Marks.Colon + reason
	}
	return strings.ReplaceAll(texts.Locked, "{why}", why)
}

func (src blockSource) partyText(s state.State) string {
	var lines []string
	for _, c := range s.PartyMembers() {
		if src.Dialog.NamesOnly {
			lines = append(lines, c.Name)
			continue
		}
		lines = append(lines, cardLine(c, src.Game.Texts().Marks))
	}
	return bullets(lines)
}

// cardLine returns the part of a card that is not in the status block.
func cardLine(c state.Character, marks game.Marks) string {
	parts := []string{marks.Aside(c.Name, c.ID)}
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
	return strings.Join(parts, marks.Semicolon)
}

func (src blockSource) statusText(s state.State) string {
	texts := src.Game.Texts()
	marks := texts.Marks
	var lines []string
	for _, c := range s.PartyMembers() {
		life := c.Status.AliveState
		parts := []string{fmt.Sprintf("%s %d/%d", texts.HP, c.HP.Current, c.HP.Max), cmp.Or(texts.Life[life], string(life))}
		if a, ok := s.Map.Area(c.AreaID); ok {
			parts = append(parts, marks.Aside(a.Name, a.ID))
		} else if c.AreaID != "" {
			parts = append(parts, c.AreaID)
		}
		if len(c.Status.Flags) > 0 {
			parts = append(parts, strings.Join(c.Status.Flags, " "))
		}
		lines = append(lines, marks.Aside(c.Name, c.ID)+marks.Colon+strings.Join(parts, marks.Comma))
	}
	return bullets(lines)
}

func (src blockSource) goalText() string {
	g := src.Campaign.Goal
	text := src.titled(game.BlockGoal, g.Text)
	if text != "" && g.Hidden {
		text += "\n" + src.Game.Texts().HiddenGoal
	}
	return text
}

func (src blockSource) accelerationText(s state.State) string {
	if s.Milestone.Value <= 0 {
		return ""
	}
	tier := max(int(min(s.Milestone.Value, 3)), 1)
	return src.Game.Texts().Acceleration[tier-1]
}

// summaryText returns the summary. It is shown only in the compressed context.
func (src blockSource) summaryText(s state.State) string {
	if src.Values.ContextMode() != setting.CompressedContext {
		return ""
	}
	viewer := src.Viewer()
	text := visibleSummary(s.Summary.Text, s.Summary.Facts, viewer)
	for _, part := range s.Summary.Private {
		if private := visibleSummary(part.Text, part.Facts, viewer); private != "" && viewer.Sees(part.Witnesses) {
			text += "\n" + src.WitnessMark(viewer.Mark(part.Witnesses)) + private
		}
	}
	return strings.TrimSpace(text)
}

// visibleSummary returns a text and the facts that the viewer may know.
func visibleSummary(text string, facts tree.Value, viewer state.Viewer) string {
	if facts = state.VisibleFacts(facts, viewer); facts.Len() > 0 {
		text += "\n" + facts.String()
	}
	return strings.TrimSpace(text)
}

// toolsText lists the tools with their arguments and the reasons of their refusals.
func (src blockSource) toolsText() string {
	if !src.OffersTools() {
		return ""
	}
	var lines []string
	for _, name := range src.Game.ToolNames(src.Campaign.Allowlist, src.Campaign.DisabledTools) {
		lines = append(lines, src.Game.ToolText(name))
	}
	return src.titled(game.BlockTools, bullets(lines))
}

func (src blockSource) dialogText() string {
	text := src.Dialog.Instructions
	if src.Planning() {
		text += "\n" + src.Game.Texts().PlanOnly
	}
	if draft.ListsClaims(src.Values) && src.Suggestions == 0 {
		text += "\n" + src.Game.Texts().Claims
	}
	return text + src.secrecy()
}

// Feedback returns the refusals of the model's last commands.
func (src blockSource) Feedback() string {
	sight := src.Sight()
	feedback := slices.Clone(sight.State.Feedback)
	if len(feedback) == 0 {
		return ""
	}
	for i := range feedback {
		if sight.Tells(feedback[i].Hint) { // the hint names similar variables or the present value
			feedback[i].Hint = ""
		}
	}
	return src.Game.Texts().Commands + "\n" + draft.JSON(feedback, sight)
}
