package turn

import (
	"encoding/json"
	"time"

	"github.com/talewright/talewright/campaign/state"
)

// instruction is an [Input] that begins something. Each has a file of its own, with its
// data, its name in JSON, why it is refused and what it does.
type instruction interface {
	Input
	// apply carries the instruction out, or begins to, and returns the stop of the course
	// that goes on with it. With an error nothing has happened.
	apply(m *Machine) (Stop, error)
	// stamped returns the instruction with the present time, if it has none.
	stamped(now time.Time) Input
}

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
	begins[SwitchBranch],
)

// begins is the entry of an instruction.
func begins[I instruction]() (name string, read decoder) { return kindOf[I]() }

// decoder reads an input of one type.
type decoder func(data []byte) (Input, error)

// kindOf is the entry of an input type in a table.
func kindOf[I Input]() (name string, read decoder) {
	var zero I
	return zero.inputType(), func(data []byte) (Input, error) {
		var in I
		err := json.Unmarshal(data, &in)
		return in, err
	}
}

// kinds makes a table of input types by their names.
func kinds(list ...func() (string, decoder)) map[string]decoder {
	table := make(map[string]decoder, len(list))
	for _, kind := range list {
		name, read := kind()
		table[name] = read
	}
	return table
}

// isInstruction tells the inputs that begin something from the answers.
func isInstruction(in Input) bool { _, ok := in.(instruction); return ok }

// Stamp gives an instruction the present time if it has none.
func Stamp(in Input, now time.Time) Input {
	if i, ok := in.(instruction); ok && !isNone(in) {
		return i.stamped(now)
	}
	return in
}

// orNow returns the time, or now if it is none.
func orNow(at, now time.Time) time.Time {
	if at.IsZero() {
		return now
	}
	return at
}

// beside is an instruction that may come while a turn waits for people.
type beside interface {
	// beside returns why it may not now.
	beside(m *Machine) error
}

// whileWaiting refuses the instructions that may not come while a turn waits for people. A
// machine whose turn was dropped on the way from there goes back to it first.
func (m *Machine) whileWaiting(in Input) error {
	if m.base.PendingApproval == nil || !isInstruction(in) || m.phase != Idle && m.phase != Approving {
		return nil
	}
	if m.phase == Idle {
		_ = m.Resume(nil)
	}
	if i, ok := in.(beside); ok {
		return i.beside(m)
	}
	if _, asks := Asks(in); asks {
		if m.phase == Idle {
			return nil // it ends with an outcome
		}
		return refusal(state.AwaitingApproval)
	}
	return &state.Refusal{Code: state.CampaignBusy, Detail: "a turn waits for approval"}
}
