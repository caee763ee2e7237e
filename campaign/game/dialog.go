package game

import (
	"iter"
	"slices"
)

// DialogType defines the prompt for one way of talking. A host registers its own types through
// [Content] and allows their IDs in the setting dialog.manual_type.
type DialogType struct {
	ID string
	// Blocks are the blocks of its prompts. Their order is fixed. BlockTools is added if the
	// setting dialog.tool_types lists the type. BlockLanguages is added if BlockVariables is in the
	// list.
	Blocks []BlockID
	// LocalMap shows the acting character's area and its exits instead of all areas.
	LocalMap bool
	// NamesOnly shows the names of the party instead of its cards.
	NamesOnly bool
	// HistoryTurns limits the number of verbatim turns; 0 means the limit of the context mode.
	HistoryTurns int
	// Omniscient says that the prompts are for the game master. They include texts that only some
	// characters know, with marks, unless the setting visibility.mode is strict or common. Other
	// prompts are written for the acting character.
	Omniscient bool
	// Instructions is the text of the block "dialog".
	Instructions string
	// Persona is the text of the block "gm_persona"; empty means Texts.Persona. It is a template:
	// {{char}} is the character of the card, or the speaking member of a cast.
	Persona string
}

// BlockID names a part of the system prompt.
type BlockID string

// The blocks, in the order of the prompt.
const (
	BlockPersona      BlockID = "gm_persona"
	BlockAuthority    BlockID = "authority"
	BlockWorld        BlockID = "world"
	BlockWorldRules   BlockID = "world_rules"
	BlockMap          BlockID = "map"
	BlockParty        BlockID = "party"
	BlockStatus       BlockID = "status"
	BlockGoal         BlockID = "goal"
	BlockAcceleration BlockID = "acceleration"
	BlockSummary      BlockID = "summary"
	BlockPins         BlockID = "pins"
	BlockMemory       BlockID = "memory"
	BlockVariables    BlockID = "variables" // the values of the variables
	BlockLanguages    BlockID = "languages" // how the model asks for changes in its text
	BlockTools        BlockID = "tools"
	BlockDialog       BlockID = "dialog"
)

// The built-in dialog types.
const (
	SceneDialog    = "scene"
	ActionDialog   = "action"
	RulesDialog    = "rules"
	FreeChatDialog = "free_chat"
	// ChatDialog is a chat with the character of a card, without a game: no game master, no status,
	// no tools. Its prompts have no blocks about a game. Variables are shown and may be changed,
	// because cards of the MVU framework need this.
	ChatDialog = "chat"
)

// Has reports whether prompts of the type have a block.
func (d DialogType) Has(b BlockID) bool { return slices.Contains(d.Blocks, b) }

// check reports the first mistake of a dialog type.
func (d DialogType) check(part string, problems *findings) {
	unknown := slices.IndexFunc(d.Blocks, func(b BlockID) bool { return !slices.Contains(blockOrder, b) })
	switch {
	case d.ID == "":
		problems.addFatal(part, "a dialog type has no id; give it one")
	case len(d.Blocks) == 0:
		problems.addFatal(part, "dialog type %q has no blocks; list some", d.ID)
	case unknown >= 0:
		problems.addFatal(part, "dialog type %q: unknown block %q; correct the name", d.ID, d.Blocks[unknown])
	}
}

// blockOrder is the order of the blocks in every prompt.
var blockOrder = []BlockID{
	BlockPersona, BlockAuthority, BlockWorld, BlockWorldRules, BlockMap, BlockParty,
	BlockStatus, BlockGoal, BlockAcceleration, BlockSummary, BlockPins, BlockMemory, BlockVariables, BlockLanguages,
	BlockTools, BlockDialog,
}

// BlockOrder yields the blocks in the order in which they appear in every prompt.
func BlockOrder() iter.Seq[BlockID] { return slices.Values(blockOrder) }

// Required reports whether the model needs the block to know the present state or its rules.
func (b BlockID) Required() bool {
	switch b {
	case BlockAuthority, BlockStatus, BlockTools, BlockDialog:
		return true
	}
	return false
}
