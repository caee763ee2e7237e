package campaign

import (
	"errors"
	"fmt"
	"slices"
)

// DialogType says what a prompt consists of when the player talks in a certain
// way. A host registers its own through [Content], and allows their ids in the
// setting dialog.manual_type.
type DialogType struct {
	ID string
	// Blocks are the blocks of its prompts; their order is fixed.
	Blocks []BlockID
	// LocalMap shows the acting character's area and its exits instead of all areas.
	LocalMap bool
	// NamesOnly shows the party's names instead of its cards.
	NamesOnly bool
	// HistoryTurns limits the verbatim turns; 0: what the context mode gives.
	HistoryTurns int
	// Instructions are the text of the block "dialog".
	Instructions string
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
	BlockTools        BlockID = "tools"
	BlockDialog       BlockID = "dialog"
)

// The built-in dialog types.
const (
	SceneDialog    = "scene"
	ActionDialog   = "action"
	RulesDialog    = "rules"
	FreeChatDialog = "free_chat"
)

// RouteDecision is the answer of a router. Only the dialog type is used; the
// rest is kept for hosts.
type RouteDecision struct {
	DialogType     string   `json:"dialog_type"`
	Variant        string   `json:"variant,omitempty"`
	ContextProfile string   `json:"context_profile,omitempty"`
	Guards         []string `json:"guards,omitempty"`
}

// How the dialog type of a turn was found.
const (
	sourceManual   = "manual"
	sourceRouter   = "router"
	sourceFallback = "fallback"
)

func (d DialogType) has(b BlockID) bool { return slices.Contains(d.Blocks, b) }

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
	BlockStatus, BlockGoal, BlockAcceleration, BlockSummary, BlockPins, BlockTools, BlockDialog,
}

func builtinDialogTypes(t Texts) []DialogType {
	return []DialogType{
		{ID: SceneDialog, Blocks: blockOrder, LocalMap: true, Instructions: t.DialogScene},
		{ID: ActionDialog, Blocks: blockOrder, Instructions: t.DialogAction},
		{ID: RulesDialog, HistoryTurns: 2, Instructions: t.DialogRules, Blocks: []BlockID{
			BlockPersona, BlockAuthority, BlockWorldRules, BlockStatus, BlockDialog}},
		{ID: FreeChatDialog, NamesOnly: true, Instructions: t.DialogFreeChat, Blocks: []BlockID{
			BlockPersona, BlockAuthority, BlockParty, BlockStatus, BlockSummary, BlockPins,
			BlockDialog}},
	}
}
