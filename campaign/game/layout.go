package game

import (
	"slices"

	"github.com/talewright/talewright/prompt"
)

// SlotMain is the slot of the system prompt, in all layouts.
const SlotMain = "main"

// Layout returns the layout of a prompt where Content gives none: the system prompt, lore
// before the character, the character, lore after it, the history, the player's line. The
// blocks of the dialog type stand among them, and what cards, rules and hooks add. The map, memories,
// variables, status and acceleration change from turn to turn; they stand right before the
// player's line, so that they do not change what a provider has cached. Lore stands where its
// author placed it, also lore that is found by a key; see [CacheLayout] for the other order.
//
// The slots are those of [prompt.Default], with one for each [BlockID] of the engine
// (the persona's is "main"), and "command_feedback" for what was wrong with the last commands.
// Hosts change the copy that they get. A layout needs no slot for a block of the engine:
// what stays the same goes to "settings" then, what changes to "state", summary,
// pins and memories to "summary", what is about the variables to "hooks_turn".
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
		changing(slot(BlockMap, 950, "")),
		changing(slot(BlockMemory, 800, "")),
		changing(slot(BlockVariables, 940, "")), // never required: a model can fill them
		changing(slot(BlockLanguages, 945, "")),
		changing(slot(BlockStatus, 0, "")), changing(slot(BlockAcceleration, 950, "")),
		{Name: "context", Form: prompt.Separate, Keep: 960},
		{Name: "hooks_turn", Keep: 870},
		{Name: SlotFeedback, Keep: 930},
		{Name: "post_history", Required: true},
	}}
}

// CacheLayout returns [Layout] in an order that costs less with a provider that caches the
// beginning of prompts: lore that is not constant stands right before the player's line, in
// the slots "world_before_triggered" and "world_after_triggered". There the prompt may change
// without changing the history before it. The price is the position of such lore: an
// entry at "before" or "after" no longer stands around the character, and the model
// reads it after the history. Constant lore and all other positions stay where they are. Give it as
// Content.Layout; a layout of a host moves such lore too if it has the two slots.
func CacheLayout() prompt.Layout {
	l := Layout()
	history := slices.IndexFunc(l.Slots, func(s prompt.Slot) bool { return s.Form == prompt.History })
	var moved []prompt.Slot
	for _, s := range l.Slots {
		if s.Name == "world_before" || s.Name == "world_after" {
			s.Name, s.BeforeNewest, s.Stability = s.Name+Triggered, true, prompt.Turn
			moved = append(moved, s)
		}
	}
	l.Slots = slices.Insert(l.Slots, history+1, moved...)
	return l
}

// Triggered is the end of the names of slots for lore that is not constant: such lore goes to
// the slot "world_before_triggered" in place of "world_before" where the layout has it.
const Triggered = "_triggered"

// otherSlot says where a block of the engine stands in a layout that has no slot of
// its name.
var otherSlot = map[string]string{
	string(BlockAuthority): "settings", string(BlockWorld): "settings",
	string(BlockWorldRules): "settings", string(BlockParty): "settings",
	string(BlockGoal): "settings", string(BlockTools): "settings", string(BlockDialog): "settings",
	string(BlockMap): "state", string(BlockStatus): "state", string(BlockAcceleration): "state",
	string(BlockSummary): "summary", string(BlockPins): "summary", string(BlockMemory): "summary",
	string(BlockVariables): "hooks_turn", string(BlockLanguages): "hooks_turn", SlotFeedback: "hooks_turn",
}

// SlotFeedback is the slot for what was wrong with the last commands.
const SlotFeedback = "command_feedback"

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
