package game

import (
	"slices"

	"github.com/talewright/talewright/prompt"
)

// SlotMain is the slot of the system prompt in all layouts.
const SlotMain = "main"

// Layout returns the default layout of a prompt: the system prompt, lore before the character, the
// character, lore after it, the history, the player's line. The blocks of the dialog type are
// between them, with the texts of cards, rules and hooks. The map, memories, variables, status and
// acceleration change in every turn. They come directly before the player's line, so the part of
// the prompt before them stays in the provider's cache. Lore stays where its author placed it, also
// lore that is activated by a key; see [CacheLayout] for the alternative.
//
// The slots are the slots of [prompt.Default], one slot for each [BlockID] of the engine (the slot
// of the persona is "main"), and "command_feedback" for errors in the last commands. Hosts may
// change the returned copy. A layout need not have a slot for each block of the engine. Without a
// slot of its own, constant text goes to "settings" and changing text to "state". Summary, pins and
// memories go to "summary", and texts about variables go to "hooks_turn".
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
		changing(slot(BlockVariables, 940, "")), // not required, because a model can make them large
		changing(slot(BlockLanguages, 945, "")),
		changing(slot(BlockStatus, 0, "")), changing(slot(BlockAcceleration, 950, "")),
		{Name: "context", Form: prompt.Separate, Keep: 960},
		{Name: "hooks_turn", Keep: 870},
		{Name: SlotFeedback, Keep: 930},
		{Name: "post_history", Required: true},
	}}
}

// CacheLayout returns [Layout] in an order that costs less if the provider caches the beginning of
// prompts. Lore that is not constant comes directly before the player's line, in the slots
// "world_before_triggered" and "world_after_triggered". A change there does not change the history
// before it. The disadvantage is the position of such lore. An entry at "before" or "after" is no
// longer next to the character. The model reads it after the history. Constant lore and all other
// positions do not change. Set it as [Prompt.Layout]. A host's own layout moves such lore too if it
// has the two slots.
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

// Triggered is the suffix of slot names for lore that is not constant. If the layout has the slot
// "world_before_triggered", such lore goes there instead of "world_before".
const Triggered = "_triggered"

// otherSlot maps a block of the engine to its slot in a layout without a slot of its name.
var otherSlot = map[string]string{
	string(BlockAuthority): "settings", string(BlockWorld): "settings",
	string(BlockWorldRules): "settings", string(BlockParty): "settings",
	string(BlockGoal): "settings", string(BlockTools): "settings", string(BlockDialog): "settings",
	string(BlockMap): "state", string(BlockStatus): "state", string(BlockAcceleration): "state",
	string(BlockSummary): "summary", string(BlockPins): "summary", string(BlockMemory): "summary",
	string(BlockVariables): "hooks_turn", string(BlockLanguages): "hooks_turn", SlotFeedback: "hooks_turn",
}

// SlotFeedback is the slot for errors in the last commands.
const SlotFeedback = "command_feedback"

// SlotFor returns the slot of a block of the engine in a layout.
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
