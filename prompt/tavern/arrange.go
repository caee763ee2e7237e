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
	preset  Preset
	kind    worldbook.GenerationType
	enabled map[string]bool
	prompts map[string]int // index in the preset, for a repeated identifier the first
	before  []prompt.Block // placed before the main prompt
	after   []prompt.Block
	main    prompt.Block
	parts   map[string][]prompt.Block // by identifier
	rest    []prompt.Block
}

// A scene is made for the default layout. The order of a preset has different names for its parts,
// and has the three fields of a card as separate parts. The map slotOf leads from slots of the
// default layout, or keys in them, to identifiers.
var slotOf = map[string]string{
	"world_before":     partLoreBefore,
	"world_after":      partLoreAfter,
	"persona":          partPersona,
	"char.description": partDescription,
	"char.personality": partPersonality,
	"char.scenario":    partScenario,
	"examples":         partDialogueExamples,
	"post_history":     partPostHistory,
}

// arrange sorts the blocks of a scene into the slots of the preset. Entries of the list of prompts
// come in the order of the list, which is also the order of expansion.
func (a *arrangement) arrange(blocks []prompt.Block) []prompt.Block {
	taken := map[string]bool{}
	for _, b := range blocks {
		taken[b.Key] = true
		id := identifier(b)
		switch {
		case b.Slot == Main:
			a.aroundMain(b)
		case id == "":
			a.rest = append(a.rest, b)
		default:
			a.parts[id] = append(a.parts[id], b)
		}
	}
	delete(taken, Main)
	var list []prompt.Block
	for _, id := range a.ids() {
		list = append(list, a.entry(a.prompt(id), taken)...)
	}
	return append(list, a.rest...)
}

// identifier returns the entry of the list for a block of a scene, or "" if there is none.
func identifier(b prompt.Block) string {
	if b.Depth != nil || b.Outlet != "" {
		return ""
	}
	if b.Slot == "character" {
		return slotOf[b.Key]
	}
	return slotOf[b.Slot]
}

// aroundMain collects the main prompt and the blocks next to it.
func (a *arrangement) aroundMain(b prompt.Block) {
	switch {
	case b.Key == Main:
		a.main = b
	case b.Order != nil && *b.Order < 100:
		b.Slot = beforeMain
		a.before = append(a.before, b)
	default:
		b.Slot = afterMain
		a.after = append(a.after, b)
	}
}

// entry returns the blocks of an entry of the list: a part of the scene, or the entry's own text.
func (a *arrangement) entry(entry Prompt, taken map[string]bool) []prompt.Block {
	switch parts := a.parts[entry.ID]; {
	case entry.ID == Main:
		return a.mainBlocks(entry)
	case len(parts) > 0:
		return a.part(entry, parts)
	case entry.ID == partDialogueExamples || entry.ID == partChatHistory:
		return nil
	case entry.Content == "" && orRole(entry.Role) == llm.System:
		return nil // with a different role it separates system messages
	}
	b := prompt.Block{
		Key: key(entry.ID, taken), Source: prompt.Source{Kind: prompt.KindPrompt, ID: entry.ID},
		Slot: entry.ID, Role: entry.Role,
	}
	if !ofScene[entry.ID] {
		b.Text = entry.Content
	}
	a.inChat(&b, entry)
	a.withhold(&b, entry)
	if b.Depth == nil && b.Withheld == "" && !builtIn[entry.ID] && (entry.System == nil || *entry.System) {
		b.Withheld, b.Reason = prompt.Unlisted, "system_prompt"
	}
	return []prompt.Block{b}
}

// ofScene are the entries whose texts come from the scene. Their own content is never sent. All
// other entries send their content, even if a user marked them as a marker. The persona's entry
// does so too if the persona is not placed there.
var ofScene = map[string]bool{
	partLoreBefore: true, partLoreAfter: true, partDescription: true, partPersonality: true, partScenario: true,
	partPostHistory: true,
}

// builtIn are the prompts that SillyTavern places itself.
var builtIn = map[string]bool{
	Main: true, partLoreBefore: true, partLoreAfter: true, partPersona: true, partDescription: true,
	partPersonality: true, partScenario: true, partEnhance: true, partAuxiliary: true, partPostHistory: true,
}

// part moves the blocks of a part of the scene to the slot of its marker.
func (a *arrangement) part(entry Prompt, blocks []prompt.Block) []prompt.Block {
	lore := entry.ID == partLoreBefore || entry.ID == partLoreAfter
	if lore && entry.Position == InChat {
		blocks = []prompt.Block{a.oneText(entry.ID, blocks)}
	}
	for i := range blocks {
		b := &blocks[i]
		b.Slot = entry.ID
		// Examples keep their places and roles: SillyTavern reads only their switch.
		if entry.ID != partDialogueExamples {
			if entry.Role != "" {
				b.Role = entry.Role
			}
			a.inChat(b, entry)
		}
		switch entry.ID {
		case partPersonality:
			b.Text = cmp.Or(a.preset.PersonalityFormat, b.Text)
		case partScenario:
			b.Text = cmp.Or(a.preset.ScenarioFormat, b.Text)
		case partPostHistory:
			replaces(b, entry.ID)
		}
		a.withhold(b, entry)
	}
	return blocks
}

// oneText joins lore into one text, for a place in the chat.
func (a *arrangement) oneText(id string, lore []prompt.Block) prompt.Block {
	b := prompt.Block{Key: id, Above: lore}
	if a.preset.LoreFormat != "{0}" {
		b.Format = a.preset.LoreFormat
	}
	return b
}

// replaces uses a text of the scene for an entry of the list. A card's text replaces the preset's.
func replaces(b *prompt.Block, id string) {
	if b.Original != nil {
		b.Reason = "of the card"
	}
	b.Source = prompt.Source{Kind: prompt.KindPrompt, ID: id}
}

// withhold keeps a block out of the prompt if it is switched off or meant for other kinds of
// generation. A part that the order does not name is unlisted without this.
func (a *arrangement) withhold(b *prompt.Block, entry Prompt) {
	enabled, named := a.enabled[entry.ID]
	switch {
	case !named && entry.Position == InChat:
		b.Withheld = prompt.Unlisted
	case named && !enabled:
		b.Withheld = prompt.Disabled
	case !a.wanted(entry):
		b.Withheld = prompt.Trigger
	case entry.Position == InChat && entry.Depth == nil && b.Depth != nil:
		b.Withheld, b.Reason = prompt.Unlisted, "injection_depth"
	}
}

// wanted reports whether an entry is for this kind of generation.
func (a *arrangement) wanted(entry Prompt) bool {
	return len(entry.Triggers) == 0 || slices.Contains(entry.Triggers, a.kind)
}

// inChat moves a prompt that is placed in the chat to its depth.
func (a *arrangement) inChat(b *prompt.Block, entry Prompt) {
	if entry.Position != InChat {
		return
	}
	depth := 0 // withheld, see withhold
	if entry.Depth != nil {
		depth = *entry.Depth
	}
	b.Source = prompt.Source{Kind: prompt.KindPrompt, ID: entry.ID}
	b.Slot, b.Depth, b.Order, b.Keep = "", &depth, entry.Order, nil
}

// ids returns the identifiers of the order, then the other identifiers.
func (a *arrangement) ids() []string {
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

// prompt returns the entry of the list with an identifier, or an empty entry if there is none.
func (a *arrangement) prompt(id string) Prompt {
	if i, ok := a.prompts[id]; ok {
		return a.preset.Prompts[i]
	}
	return Prompt{ID: id}
}

// key returns the key of a prompt of the list: its identifier. If a part of the scene has that key,
// it gets a prefix; users may choose identifiers freely.
func key(id string, taken map[string]bool) string {
	if taken[id] {
		return "prompt." + id
	}
	return id
}

// mainBlocks returns the main prompt and the blocks next to it. Before the main prompt the last
// block comes first, because each is inserted at the beginning. In the chat they become one text,
// and the same order applies after the main prompt.
func (a *arrangement) mainBlocks(entry Prompt) []prompt.Block {
	if a.main.Key == "" {
		return nil
	}
	a.main.Role = entry.Role
	if !a.wanted(entry) && a.main.Original != nil { // there is nothing that the card could replace
		a.main.Original, entry.Triggers = new(""), nil
	}
	replaces(&a.main, Main)
	a.withhold(&a.main, entry)
	if entry.Position == InChat {
		slices.Reverse(a.after)
	} else {
		slices.Reverse(a.before)
	}
	list := slices.Concat(a.before, []prompt.Block{a.main}, a.after)
	for i := range list {
		b := &list[i]
		b.Keep = nil
		if entry.Position != InChat {
			continue
		}
		// A main prompt that is switched off still anchors the blocks next to it.
		if b.Withheld == "" && a.main.Withheld == prompt.Unlisted {
			b.Withheld = a.main.Withheld
		}
		a.inChat(b, entry)
		b.Role = orRole(entry.Role)
	}
	return list
}

// orRole returns the role of a prompt; the default is system.
func orRole(role llm.Role) llm.Role {
	if role == "" {
		return llm.System
	}
	return role
}
