package game

import (
	"errors"
	"fmt"
	"iter"
	"slices"
)

// DialogType says what a prompt consists of when the player talks in a certain
// way. A host registers its own through [Content], and allows their ids in the
// setting dialog.manual_type.
type DialogType struct {
	ID string
	// Blocks are the blocks of its prompts; their order is fixed. BlockTools is one of them wherever
	// the setting dialog.tool_types lists the type, and so is BlockLanguages if BlockVariables is.
	Blocks []BlockID
	// LocalMap shows the acting character's area and its exits instead of all areas.
	LocalMap bool
	// NamesOnly shows the party's names instead of its cards.
	NamesOnly bool
	// HistoryTurns limits the verbatim turns; 0: what the context mode gives.
	HistoryTurns int
	// Omniscient says that the prompts are the game master's own: with what only some characters
	// know, marked, where the setting visibility.mode is not strict. Others are written for the
	// acting character.
	Omniscient bool
	// Instructions are the text of the block "dialog".
	Instructions string
	// Persona is the text of the block "gm_persona"; empty: Texts.Persona. A template: {{char}} is
	// the character of the card, or the one of a cast that speaks.
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
	BlockVariables    BlockID = "variables" // what the variables hold
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
	// ChatDialog is talk with the character of a card, without a game around it: no game master,
	// no status, no tools. The blocks that it leaves out are those of a game. Variables are
	// shown and may be changed, as cards of the MVU framework need it.
	ChatDialog = "chat"
)

// Has reports whether prompts of the type have a block.
func (d DialogType) Has(b BlockID) bool { return slices.Contains(d.Blocks, b) }

func (d DialogType) check() error {
	switch {
	case d.ID == "":
		return errors.New("campaign: a dialog type has no id")
	case len(d.Blocks) == 0:
		return fmt.Errorf("campaign: dialog type %q has no blocks", d.ID)
	}
	for _, b := range d.Blocks {
		if !slices.Contains(blockOrder, b) {
			return fmt.Errorf("campaign: dialog type %q: unknown block %q", d.ID, b)
		}
	}
	return nil
}

// blockOrder is the order of the blocks in every prompt.
var blockOrder = []BlockID{
	BlockPersona, BlockAuthority, BlockWorld, BlockWorldRules, BlockMap, BlockParty,
	BlockStatus, BlockGoal, BlockAcceleration, BlockSummary, BlockPins, BlockMemory, BlockVariables, BlockLanguages,
	BlockTools, BlockDialog,
}

// BlockOrder yields the blocks in the order in which they stand in every prompt.
func BlockOrder() iter.Seq[BlockID] { return slices.Values(blockOrder) }

// Required reports whether a model does not know what holds without the block.
func (b BlockID) Required() bool {
	switch b {
	case BlockAuthority, BlockStatus, BlockTools, BlockDialog:
		return true
	}
	return false
}
