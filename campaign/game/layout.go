package game

import (
	"slices"

	"github.com/talewright/talewright/prompt"
)

// SlotMain is the slot of the system prompt, in all layouts.
const SlotMain = "main"

// Layout returns the layout of a prompt where Content gives none: the blocks of the
// dialog type in their order, and around them what cards, lore, rules and hooks add.
// What stays the same for many turns stands before the history; what changes from turn
// to turn stands behind it, before the player's line, so that providers find the rest
// in their caches: lore that is not constant, the map, memories, variables, status,
// acceleration.
//
// The slots are those of [prompt.Default], with one for each [BlockID] of the engine
// (the persona's is "main"), and three about the variables: "variables", "languages" and
// "command_feedback".
// Hosts take it and change the copy. A layout needs no slot for a block of the engine:
// what stays the same goes to "settings" then, what changes to "state", summary,
// pins and memories to "summary", what is about the variables to "hooks_turn". Lore that is
// not constant goes to "world_before_triggered" and "world_after_triggered" where a layout
// has them, else to its usual slots.
func Layout() prompt.Layout {
	const directive, lore = 880, 700
	slot := func(id BlockID, keep int, stability prompt.Stability) prompt.Slot {
		return prompt.Slot{Name: string(id), Keep: keep, Required: keep == 0, Stability: stability}
	}
	changing := func(s prompt.Slot) prompt.Slot {
		s.BeforeNewest, s.Stability = true, prompt.Turn
		return s
	}
	return prompt.Layout{Slots: []prompt.Slot{
		{Name: "top", Keep: directive},
		{Name: SlotMain, Required: true, Stability: prompt.Static},
		slot(BlockAuthority, 0, prompt.Static),
		{Name: "hooks_session", Keep: 870, Stability: prompt.Session},
		{Name: "before_char", Keep: directive},
		{Name: "world_before", Joiner: "\n", Keep: lore},
		{Name: "persona", Keep: 900, Stability: prompt.Static},
		{Name: "character", Keep: 900, Stability: prompt.Static},
		slot(BlockWorld, 950, prompt.Static), slot(BlockWorldRules, 950, prompt.Static),
		slot(BlockParty, 950, prompt.Session),
		{Name: "after_char", Keep: directive},
		{Name: "world_after", Joiner: "\n", Keep: lore},
		slot(BlockGoal, 950, prompt.Static),
		{Name: "auto", Keep: directive},
		slot(BlockSummary, 850, prompt.Session), slot(BlockPins, 850, prompt.Session),
		slot(BlockTools, 0, prompt.Session), slot(BlockDialog, 0, prompt.Session),
		{Name: "examples", Form: prompt.Examples, Keep: 200, Stability: prompt.Static},
		{Name: "bottom", Keep: directive},
		{Name: "history", Form: prompt.History},
		changing(prompt.Slot{Name: "world_before" + Triggered, Joiner: "\n", Keep: lore}),
		changing(slot(BlockMap, 950, "")),
		changing(prompt.Slot{Name: "world_after" + Triggered, Joiner: "\n", Keep: lore}),
		changing(slot(BlockMemory, 800, "")),
		changing(prompt.Slot{Name: SlotVariables, Keep: 940}), // never required: a model can fill them
		changing(prompt.Slot{Name: SlotLanguages, Keep: 945}),
		changing(slot(BlockStatus, 0, "")), changing(slot(BlockAcceleration, 950, "")),
		{Name: "context", Form: prompt.Separate, Keep: 960},
		{Name: "hooks_turn", Keep: 870},
		{Name: SlotFeedback, Keep: 930},
		{Name: "post_history", Required: true},
	}}
}

// Triggered is what the slots of lore that is not constant are called behind the names of
// the slots that it would stand in.
const Triggered = "_triggered"

// otherSlot says where a block of the engine stands in a layout that has no slot of
// its name.
var otherSlot = map[string]string{
	string(BlockAuthority): "settings", string(BlockWorld): "settings",
	string(BlockWorldRules): "settings", string(BlockParty): "settings",
	string(BlockGoal): "settings", string(BlockTools): "settings", string(BlockDialog): "settings",
	string(BlockMap): "state", string(BlockStatus): "state", string(BlockAcceleration): "state",
	string(BlockSummary): "summary", string(BlockPins): "summary", string(BlockMemory): "summary",
	SlotVariables: "hooks_turn", SlotLanguages: "hooks_turn", SlotFeedback: "hooks_turn",
}

// The slots of what the engine tells of the variables.
const (
	SlotVariables = "variables"
	SlotLanguages = "languages"
	SlotFeedback  = "command_feedback"
)

// SlotFor is the slot of a block of the engine in a layout.
func SlotFor(layout prompt.Layout, name string) string {
	if HasSlot(layout, name) {
		return name
	}
	return otherSlot[name]
}

// HasSlot reports whether a layout has a slot of that name.
func HasSlot(layout prompt.Layout, name string) bool {
	return slices.ContainsFunc(layout.Slots, func(s prompt.Slot) bool { return s.Name == name })
}
