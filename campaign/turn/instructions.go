package turn

import (
	"time"
)

// instructions lists them all.
var instructions = kinds(
	// A turn, and what becomes of one that failed.
	begins[Submit],
	begins[Proceed],
	begins[ResolveConflict],
	begins[Approve],
	begins[Discard],
	// Other answers to its line.
	begins[Regenerate],
	begins[Choose],
	begins[NextAnswer],
	begins[PreviousAnswer],
	begins[Continue],
	begins[EditText],
	// Beside the story.
	begins[Suggest],
	// What happens between turns.
	begins[Announce],
	begins[RaiseEvents],
	begins[PassTime],
	begins[Travel],
	begins[Summarized],
	// Changes by hand.
	begins[PatchSettings],
	begins[SelectActor],
	begins[SetCharacter],
	begins[SetParty],
	begins[SetWorld],
	begins[ApplyEffects],
	begins[SetTools],
	begins[SetLocks],
	begins[SetTimer],
	begins[AdvanceMilestone],
	begins[EndCampaign],
	// Back and forth.
	begins[MakeCheckpoint],
	begins[RollBack],
	begins[UndoRollBack],
	begins[Undo],
	begins[Redo],
	begins[SwitchBranch],
)

// begins is the entry of an instruction.
func begins[I instruction]() (name string, read decoder) { return kindOf[I]() }

// isInstruction tells the inputs that begin something from the answers.
func isInstruction(in Input) bool { _, ok := in.(instruction); return ok }

// Stamp gives an instruction the present time if it has none.
func Stamp(in Input, now time.Time) Input {
	if i, ok := in.(instruction); ok && !isNone(in) {
		return i.stamped(now)
	}
	return in
}
