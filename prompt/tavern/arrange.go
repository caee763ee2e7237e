package tavern

import (
	"cmp"
	"slices"

	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/worldbook"
)

// arrangement moves the blocks of a scene to the slots of a preset.
type arrangement struct {
	preset     Preset
	generation worldbook.GenerationType
	enabled    map[string]bool
	prompts    map[string]int // index in the preset, for a repeated identifier the first
	beforeMain []prompt.Block // placed before the main prompt
	afterMain  []prompt.Block // placed after it
	mainPrompt prompt.Block
	parts      map[string][]prompt.Block // the blocks of the parts of the scene, by identifier
	rest       []prompt.Block            // blocks that no entry of the list places
}

// arrange sorts the blocks of a scene into the slots of the preset. Entries of the list of prompts
// come in the order of the list, which is also the order of expansion.
func (a *arrangement) arrange(blocks []prompt.Block) []prompt.Block {
	sceneKeys := map[string]bool{}
	for _, b := range blocks {
		sceneKeys[b.Key] = true
		id := identifier(b)
		switch {
		case b.Slot == Main:
			a.addAtMain(b)
		case id == "":
			a.rest = append(a.rest, b)
		default:
			a.parts[id] = append(a.parts[id], b)
		}
	}
	delete(sceneKeys, Main)
	var list []prompt.Block
	for _, id := range a.allIDs() {
		list = append(list, a.entryBlocks(a.prompt(id), sceneKeys)...)
	}
	return append(list, a.rest...)
}

// A scene is made for the default layout. The order of a preset has different names for its parts,
// and has the three fields of a card as separate parts. identifierOf maps the slots of the default
// layout, and the keys in the slot of the character, to the identifiers of a preset.
var identifierOf = map[string]string{
	"world_before":     partLoreBefore,
	"world_after":      partLoreAfter,
	"persona":          partPersona,
	"char.description": partDescription,
	"char.personality": partPersonality,
	"char.scenario":    partScenario,
	"examples":         partDialogueExamples,
	"post_history":     partPostHistory,
}

// identifier returns the entry of the list for a block of a scene, or "" if there is none.
func identifier(b prompt.Block) string {
	if b.Depth != nil || b.Outlet != "" {
		return ""
	}
	if b.Slot == "character" {
		return identifierOf[b.Key]
	}
	return identifierOf[b.Slot]
}

// addAtMain collects the main prompt and the blocks next to it.
func (a *arrangement) addAtMain(b prompt.Block) {
	switch {
	case b.Key == Main:
		a.mainPrompt = b
	case b.Order != nil && *b.Order < 100:
		b.Slot = beforeMain
		a.beforeMain = append(a.beforeMain, b)
	default:
		b.Slot = afterMain
		a.afterMain = append(a.afterMain, b)
	}
}

// allIDs returns the identifiers of the order, then the other identifiers.
func (a *arrangement) allIDs() []string {
	var ids []string
	seen := map[string]bool{}
	add := func(id string) {
		if id != "" && !seen[id] {
			seen[id] = true
			ids = append(ids, id)
		}
	}
	for _, e := range a.preset.Order() {
		add(e.ID)
	}
	for i := range a.preset.Prompts {
		add(a.preset.Prompts[i].ID)
	}
	for _, id := range [...]string{Main, partLoreBefore, partLoreAfter, partPersona, partDescription, partPersonality,
		partScenario, partDialogueExamples, partPostHistory} {
		add(id)
	}
	return ids
}

// prompt returns the entry of the list with an identifier. An unknown identifier has an empty entry.
func (a *arrangement) prompt(id string) Prompt {
	if i, ok := a.prompts[id]; ok {
		return a.preset.Prompts[i]
	}
	return Prompt{ID: id}
}

// entryBlocks returns the blocks of an entry of the list: a part of the scene, or the entry's own text.
func (a *arrangement) entryBlocks(entry Prompt, sceneKeys map[string]bool) []prompt.Block {
	switch parts := a.parts[entry.ID]; {
	case entry.ID == Main:
		return a.mainBlocks(entry)
	case len(parts) > 0:
		return a.partBlocks(entry, parts)
	case entry.ID == partDialogueExamples || entry.ID == partChatHistory:
		return nil
	case entry.Content == "" && orRole(entry.Role) == llm.System:
		return nil // with a different role it separates system messages
	}
	b := prompt.Block{
		Key: uniqueKey(entry.ID, sceneKeys), Source: prompt.Source{Kind: prompt.KindPrompt, ID: entry.ID},
		Slot: slotName(entry.ID), Role: entry.Role,
	}
	if !fromScene[entry.ID] {
		b.Text = entry.Content
	}
	a.placeInChat(&b, entry)
	a.withhold(&b, entry)
	isSystem := entry.System == nil || *entry.System
	if isSystem && b.Depth == nil && b.Withheld == "" && !builtIn[entry.ID] {
		b.Withheld, b.Reason = prompt.Unlisted, "system_prompt"
	}
	return []prompt.Block{b}
}

// uniqueKey returns the key of a prompt of the list: the name of its slot. If a part of the scene has
// the same key, the identifier gets a prefix.
func uniqueKey(id string, sceneKeys map[string]bool) string {
	if sceneKeys[id] {
		return "prompt." + id
	}
	return slotName(id)
}

// fromScene are the entries whose texts come from the scene. Their own content is never sent. All
// other entries send their content, even if a user marked them as a marker. The entry of the persona
// also sends its content, if the scene places the persona elsewhere.
var fromScene = map[string]bool{
	partLoreBefore: true, partLoreAfter: true, partDescription: true, partPersonality: true, partScenario: true,
	partPostHistory: true,
}

// builtIn are the prompts that SillyTavern places itself.
var builtIn = map[string]bool{
	Main: true, partLoreBefore: true, partLoreAfter: true, partPersona: true, partDescription: true,
	partPersonality: true, partScenario: true, partEnhance: true, partAuxiliary: true, partPostHistory: true,
}

// mainBlocks returns the main prompt and the blocks next to it. SillyTavern inserts each block at the
// beginning of its list, so the last block comes first: before the main prompt, and in the chat after
// it.
func (a *arrangement) mainBlocks(entry Prompt) []prompt.Block {
	if a.mainPrompt.Key == "" {
		return nil
	}
	a.mainPrompt.Role = entry.Role
	hasCardText := a.mainPrompt.Original != nil
	if hasCardText && !a.fitsGeneration(entry) {
		// The text of the card is sent for every kind of generation. Its original is then empty.
		a.mainPrompt.Original, entry.Triggers = new(""), nil
	}
	markAsPrompt(&a.mainPrompt, Main)
	a.withhold(&a.mainPrompt, entry)
	if entry.Position == InChat {
		slices.Reverse(a.afterMain)
	} else {
		slices.Reverse(a.beforeMain)
	}
	list := slices.Concat(a.beforeMain, []prompt.Block{a.mainPrompt}, a.afterMain)
	for i := range list {
		b := &list[i]
		b.Keep = nil
		if entry.Position != InChat {
			continue
		}
		// A main prompt that is switched off still anchors the blocks next to it.
		if b.Withheld == "" && a.mainPrompt.Withheld == prompt.Unlisted {
			b.Withheld = a.mainPrompt.Withheld
		}
		a.placeInChat(b, entry)
		b.Role = orRole(entry.Role)
	}
	return list
}

// partBlocks moves the blocks of a part of the scene to the slot of its marker.
func (a *arrangement) partBlocks(entry Prompt, blocks []prompt.Block) []prompt.Block {
	isLore := entry.ID == partLoreBefore || entry.ID == partLoreAfter
	if isLore && entry.Position == InChat {
		blocks = []prompt.Block{a.joinLore(entry.ID, blocks)}
	}
	for i := range blocks {
		b := &blocks[i]
		b.Slot = entry.ID
		// Examples keep their places and roles: SillyTavern reads only their switch.
		if entry.ID != partDialogueExamples {
			if entry.Role != "" {
				b.Role = entry.Role
			}
			a.placeInChat(b, entry)
		}
		switch entry.ID {
		case partPersonality:
			b.Text = cmp.Or(a.preset.PersonalityFormat, b.Text)
		case partScenario:
			b.Text = cmp.Or(a.preset.ScenarioFormat, b.Text)
		case partPostHistory:
			markAsPrompt(b, entry.ID)
		}
		a.withhold(b, entry)
	}
	return blocks
}

// joinLore joins lore into one text, for a place in the chat.
func (a *arrangement) joinLore(id string, lore []prompt.Block) prompt.Block {
	b := prompt.Block{Key: id, Above: lore}
	if a.preset.LoreFormat != "{0}" {
		b.Format = a.preset.LoreFormat
	}
	return b
}

// markAsPrompt makes a block of the scene count as an entry of the list of prompts. If the block has an
// original, a text of the card has replaced the text of the preset, and the reason says so.
func markAsPrompt(b *prompt.Block, id string) {
	if b.Original != nil {
		b.Reason = "of the card"
	}
	b.Source = prompt.Source{Kind: prompt.KindPrompt, ID: id}
}

// withhold keeps a block out of the prompt if it is switched off or meant for other kinds of
// generation. A part that the order does not name is unlisted without this.
func (a *arrangement) withhold(b *prompt.Block, entry Prompt) {
	enabled, isInOrder := a.enabled[entry.ID]
	switch {
	case !isInOrder && entry.Position == InChat:
		b.Withheld = prompt.Unlisted
	case isInOrder && !enabled:
		b.Withheld = prompt.Disabled
	case !a.fitsGeneration(entry):
		b.Withheld = prompt.Trigger
	case entry.Position == InChat && entry.Depth == nil && b.Depth != nil: // the depth is of placeInChat, not of the entry
		b.Withheld, b.Reason = prompt.Unlisted, "injection_depth"
	}
}

// fitsGeneration reports whether an entry is for this kind of generation.
func (a *arrangement) fitsGeneration(entry Prompt) bool {
	return len(entry.Triggers) == 0 || slices.Contains(entry.Triggers, a.generation)
}

// placeInChat moves a prompt that is placed in the chat to its depth.
func (a *arrangement) placeInChat(b *prompt.Block, entry Prompt) {
	if entry.Position != InChat {
		return
	}
	depth := 0 // without a depth SillyTavern does not send the entry: then withhold keeps it out
	if entry.Depth != nil {
		depth = *entry.Depth
	}
	b.Source = prompt.Source{Kind: prompt.KindPrompt, ID: entry.ID}
	b.Slot, b.Depth, b.Order, b.Keep = "", &depth, entry.Order, nil
}

// orRole returns the role of a prompt; the default is system.
func orRole(role llm.Role) llm.Role {
	if role == "" {
		return llm.System
	}
	return role
}
