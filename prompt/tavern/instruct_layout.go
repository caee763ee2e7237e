package tavern

import (
	"cmp"

	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/prompt"
)

// Slots that the story string places, by the names of its macros. The other slots are the slots of
// the default layout.
var storySlots = []string{
	"anchorBefore", "system", "wiBefore", "persona", "description", "personality", "scenario",
	"wiAfter", "anchorAfter",
}

// layout returns the default layout with a slot for each part of the story. The budget then works
// on the parts, and the kept parts fill the story string. The markers are off: the separators of
// the context replace them.
func layout(t *InstructTemplate) prompt.Layout {
	all := prompt.Default()
	old := all.Slots
	all.Slots = nil
	for _, s := range old {
		switch s.Name {
		case "main":
			before, after := s, s
			before.Name, s.Name, after.Name = "anchorBefore", "system", "anchorAfter"
			all.Slots = append(all.Slots, before, s, after)
			continue
		case "world_before":
			s.Name = "wiBefore"
		case "world_after":
			s.Name = "wiAfter"
		case "character":
			for _, name := range [...]string{"description", "personality", "scenario"} {
				s.Name = name
				all.Slots = append(all.Slots, s)
			}
			continue
		case "examples":
			s.SpokenOnly = true
			if t == nil || t.SkipExamples {
				s.Form = prompt.ExampleTexts
			}
		}
		all.Slots = append(all.Slots, s)
	}
	all.ChatMarker, all.ExampleMarker = "", ""
	all.Names = names(t)
	return all
}

// names returns the style of names in the history. A plain transcript consists only of names and
// texts.
func names(t *InstructTemplate) prompt.NameStyle {
	switch {
	case t == nil || t.Names == instructNamesAlways:
		return prompt.NamesContent
	case t.Names == instructNamesNone:
		return prompt.NamesNone
	}
	return prompt.NamesForced
}

// cardFieldSlots are the fields of a card whose slots are parts of the story.
var cardFieldSlots = map[string]string{
	"char.description": "description", "char.personality": "personality",
	"char.scenario": "scenario",
}

// arrange moves blocks to the slots of the story. It changes the list. Blocks after the history
// without a role become user messages: templates of local models have no place for a system message
// there.
func arrange(blocks []prompt.Block) []prompt.Block {
	for i := range blocks {
		b := &blocks[i]
		switch b.Slot {
		case "main":
			switch {
			case b.Key == "main":
				b.Slot = "system"
			case b.Order != nil && *b.Order < 100:
				b.Slot = "anchorBefore"
			default:
				b.Slot = "anchorAfter"
			}
		case "world_before":
			b.Slot = "wiBefore"
		case "world_after":
			b.Slot = "wiAfter"
		case "character":
			b.Slot = cmp.Or(cardFieldSlots[b.Key], "description")
		case "post_history":
			b.Role = cmp.Or(b.Role, llm.User)
		}
	}
	return blocks
}
