package tavern

import (
	"slices"

	"github.com/talewright/talewright/prompt"
)

// A preset has no rules, hooks, summaries and states. The slots of the default layout for them are
// put at the corresponding places:
//
//	top                                 before everything
//	hooks_session, before_char          before the first part about the character
//	after_char                          after the last one
//	settings, auto, summary             before the examples and the history
//	bottom                              before the history
//	world_triggered, context, state,    after the history
//	hooks_turn
//
// Parts about the character are lore before, persona, description, personality and scenario. If the
// order has no history, the last places are at its end.
func hostSlots(slots []prompt.Slot) []prompt.Slot {
	own := map[string]prompt.Slot{}
	for _, s := range prompt.Default().Slots {
		own[s.Name] = s
	}
	insert := func(at int, names ...string) {
		var list []prompt.Slot
		for _, name := range names {
			if !slices.ContainsFunc(slots, func(s prompt.Slot) bool { return s.Name == name }) {
				list = append(list, own[name])
			}
		}
		slots = slices.Insert(slots, at, list...)
	}
	find := func(names ...string) (first, last int) {
		first, last = -1, -1
		for i, s := range slots {
			if slices.Contains(names, s.Name) {
				last = i
				if first < 0 {
					first = i
				}
			}
		}
		return first, last
	}
	history, after := find(partChatHistory)
	if history < 0 {
		history, after = len(slots), len(slots)-1
	}
	insert(after+1, "world_triggered", "context", "state", "hooks_turn")
	insert(history, "bottom")
	middle, _ := find(partDialogueExamples)
	if middle < 0 || middle > history {
		middle = history
	}
	insert(middle, "settings", "auto", "summary")
	first, last := find(partLoreBefore, partPersona, partDescription, partPersonality, partScenario)
	if first < 0 {
		first, last = middle, middle-1
	}
	insert(last+1, "after_char")
	insert(first, "hooks_session", "before_char")
	insert(0, "top")
	return slots
}
