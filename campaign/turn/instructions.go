package turn

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"time"

	"github.com/talewright/talewright/campaign/layout"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/internal/openjson"
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

// beside is an instruction that may come while a turn waits for people.
type beside interface {
	// beside returns why it may not now.
	beside(m *Machine) error
}

// whileWaiting refuses the instructions that may not come while a turn waits for people. A
// machine whose turn was dropped on the way from there goes back to it first.
func whileWaiting(m *Machine, in Input) error {
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

// answers lists the inputs that answer a question of [Machine.Todo].
var answers = kinds(
	kindOf[Routed],
	kindOf[HooksRan],
	kindOf[Recalled],
	kindOf[Retrieved],
	kindOf[Replied],
	kindOf[GenerateFailed],
	kindOf[Answered],
	kindOf[Judged],
	kindOf[Committed],
	kindOf[CommitFailed],
)

// UnmarshalJSON reads the list that MarshalJSON writes. Inputs that this version does not know, or that
// have members which it does not know, are kept as they are: see [Inputs.Unknown].
func (in *Inputs) UnmarshalJSON(data []byte) error {
	var raw []json.RawMessage
	if err := json.Unmarshal(data, &raw); err != nil {
		return err
	}
	out := make(Inputs, len(raw))
	for i, r := range raw {
		input, err := unmarshalInput(r)
		if err != nil {
			return fmt.Errorf("inputs[%d]: %w", i, err)
		}
		out[i] = input
	}
	*in = out
	return nil
}

func unmarshalInput(data []byte) (Input, error) {
	var head struct {
		Input string `json:"input"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return nil, err
	}
	if head.Input == "" {
		return nil, errors.New(`an input is an object with a member "input"`)
	}
	read, known := kindNamed(head.Input)
	if !known {
		return keptInput(head.Input, data)
	}
	in, err := read(data)
	if err != nil {
		return nil, err
	}
	unknown, err := openjson.Decode(data, reflect.New(reflect.TypeOf(in)).Interface())
	delete(unknown, "input")
	if err != nil || len(unknown) == 0 {
		return in, err
	}
	return keptInput(head.Input+"."+slices.Min(slices.Collect(maps.Keys(unknown))), data)
}

func keptInput(name string, data []byte) (Input, error) {
	var out bytes.Buffer
	err := json.Compact(&out, data)
	return unknownInput{name, out.Bytes()}, err
}

// kindNamed finds how an input of a name is read.
func kindNamed(name string) (read decoder, known bool) {
	if read, known = instructions[name]; !known {
		read, known = answers[name]
	}
	return read, known
}

// decode reads an input of the named type.
func decode(name string, data []byte) (Input, error) {
	read, known := kindNamed(name)
	if !known {
		return nil, &layout.Unplayable{Inputs: []string{name}}
	}
	return read(data)
}

// enter takes an input as the log will keep it: as it reads back from its JSON. What
// is played and what is stored are then the same, whatever a host has built.
func enter(in Input) (Input, error) {
	if isNone(in) {
		return nil, fmt.Errorf("%w: none", ErrInvalidInput)
	}
	if a, ok := in.(untrusted); ok {
		in = a.cleaned()
	}
	if u, ok := in.(unknownInput); ok {
		return nil, &layout.Unplayable{Inputs: []string{u.name}}
	}
	data, err := openjson.Marshal(in)
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrInvalidInput, in.inputType(), err)
	}
	out, err := decode(in.inputType(), data)
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrInvalidInput, in.inputType(), err)
	}
	return out, nil
}
