package turn

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/talewright/talewright/internal/utf8text"
)

// instructions lists all instructions. Each is a struct with a field At, its time.
var instructions = kinds(
	// A turn, and the decisions about a turn that waits or is in conflict.
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
	// Outside the story.
	begins[Suggest],
	// Between turns.
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
	// Checkpoints and branches.
	begins[MakeCheckpoint],
	begins[RollBack],
	begins[UndoRollBack],
	begins[Undo],
	begins[Redo],
	begins[SwitchBranch],
)

// begins returns the table entry of an instruction.
func begins[I instruction]() (name string, read decoder) { return kindOf[I]() }

// isInstruction reports whether the input is an instruction, not an answer.
func isInstruction(in Input) bool { _, ok := withoutID(in).(instruction); return ok }

// Stamp sets the present time in an instruction that has no time.
func Stamp(in Input, now time.Time) Input {
	if o, ok := asOnce(in); ok {
		o.Input = Stamp(o.Input, now)
		return o
	}
	if _, ok := in.(instruction); !ok || isNone(in) {
		return in
	}
	given := reflect.Indirect(reflect.ValueOf(in))
	stamped := reflect.New(given.Type()).Elem()
	stamped.Set(given)
	if at := stamped.FieldByName("At").Addr().Interface().(*time.Time); at.IsZero() {
		*at = now
	}
	return stamped.Interface().(Input)
}

// MarshalInstruction returns the JSON form of an instruction, an object whose first member "input"
// names its type: {"input":"submit","text":"I wait."}. The name is the name of the Go type in lower
// case, with underscores: set_party. Only the names checkpoint (of [MakeCheckpoint]), rollback and
// undo_rollback differ. [Inputs] uses the same form. The error is [ErrInvalidInput] for an answer or
// nil.
func MarshalInstruction(in Input) ([]byte, error) {
	if !isInstruction(in) {
		return nil, fmt.Errorf("%w: %T is not an instruction", ErrInvalidInput, in)
	}
	return marshalInput(in)
}

// ParseInstruction reads the JSON form of an instruction. For an unknown type, an unknown member or
// a type that is not an instruction, the error is [ErrInvalidInput] with the name and what to write.
//
// A host that reads instructions from players must check them. An instruction can patch settings or
// end the campaign, and [Submit] names the character who acts.
func ParseInstruction(data []byte) (Input, error) {
	in, err := unmarshalInput(data)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrInvalidInput, err)
	}
	if !isInstruction(in) {
		return nil, fmt.Errorf("%w: %s", ErrInvalidInput, notInstruction(in.inputType()))
	}
	return in, nil
}

// notInstruction says what is wrong with the name of an input that is not an instruction, and what to
// write instead. An unknown member follows the name and a dot.
func notInstruction(name string) string {
	if kind, _, cut := strings.Cut(name, "."); cut && instructions[kind] != nil {
		return name + ": the instruction has no such member; remove it"
	}
	known := slices.Sorted(maps.Keys(instructions))
	if word, ok := utf8text.Suggest(name, known); ok {
		return fmt.Sprintf("there is no instruction %q; did you mean %s?", name, word)
	}
	return fmt.Sprintf("there is no instruction %q; write one of %s", name, strings.Join(known, ", "))
}
