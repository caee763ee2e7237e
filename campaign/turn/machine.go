package turn

import (
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/tool"
	"github.com/talewright/talewright/campaign/turn/internal/past"
	"github.com/talewright/talewright/campaign/turn/internal/play"
	"github.com/talewright/talewright/memvars/tree"
)

// Machine plays one campaign. It is a deterministic step machine without access to the outside.
// Call [Machine.Step] with an input, do what [Machine.Todo] says, and call Step with the answer.
// The same inputs give the same campaign, byte for byte.
//
// A Machine belongs to one goroutine. [campaign.Engine] runs a machine for hosts that do not need
// the steps.
type Machine struct {
	game       *game.Game
	base       state.Campaign         // as the store has it
	headValue  tree.Value             // base as a JSON value, as records have it; absent until it is needed
	log        past.Turns             // the log of turns that ends with base.Turns
	past       past.WindowPast        // the known earlier turns
	neededPast question.Past          // what an instruction must read before it can begin
	readStates map[string]state.State // states that were read for it
	readBranch *branchRead            // the branch that was read for it
	refused    error                  // why an instruction was refused after it had begun to read
	row        int                    // the row of the course
	phase      Phase
	todo       Todo
	journal    Inputs       // of the running instruction
	once       *Once        // the running instruction, nil if it has no ID
	logged     int          // number of journal inputs that are already in records
	turn       *play.Turn   // the running turn or its stage between turns, or nil
	pending    commitment   // the write in progress
	ending     Todo         // the result of the running instruction
	panics     []tool.Panic // of the last turn

	recordedPrograms []tree.Value // in a replay: the recorded programs of templates
	explained        *Explanation // nil: no explanation is recorded
	onPhase          func(Phase)  // nil: phases are not reported
}

// instruction is an [Input] that begins something. The file of each instruction has its data, its
// name in JSON, the reasons of its refusals and its effect.
type instruction interface {
	Input
	// apply runs or begins the instruction, and returns the stop of the course that continues it.
	// With an error nothing has happened.
	apply(m *Machine) (Stop, error)
}

// branchRead is the result of reading a branch in the log.
type branchRead struct {
	id     string
	branch *state.Branch // nil if the log has no such branch
}

// commitment is a record that the store is asked to append, and what is valid after that.
type commitment struct {
	record    *Record
	next      state.Campaign // the campaign after the write
	headValue tree.Value     // next as a JSON value, as records have it
	todo      Todo           // the result of the instruction after the write
}

// Campaign returns the campaign as of the last commit.
func (m *Machine) Campaign() state.Campaign { return m.base }

// Phase returns the present phase.
func (m *Machine) Phase() Phase { return m.phase }

// Todo returns what to do now. It stays the same until the next Step.
func (m *Machine) Todo() Todo { return m.todo }

// Panics returns the panics of tools in the running instruction, or in the last one if none is
// running, oldest first. This includes an instruction that was refused. An engine logs them.
func (m *Machine) Panics() []tool.Panic {
	if m.turn == nil {
		return m.panics
	}
	return m.turn.Panics
}

// OnPhase sets a function that is called at each change of the phase; nil removes it.
// [Machine.Step] calls it on its own goroutine. It is for observers: the machine does not depend on
// it, and it must not step the machine.
func (m *Machine) OnPhase(f func(Phase)) { m.onPhase = f }

// SoFar returns the outputs of the running turn and its trace so far, nothing if no turn is
// running. Only read them, and only until the next Step.
func (m *Machine) SoFar() ([]state.Attempt, state.TurnTrace) {
	if m.turn == nil {
		return nil, state.TurnTrace{}
	}
	return m.turn.Attempts, m.turn.Stage.Pending.Trace
}

// Journal returns the inputs of the running instruction, oldest first, or those since people were
// asked. A new machine of the same campaign with the same inputs reaches the same state. So a host
// may store them to survive a crash in the middle of a turn. A [PastRead] is not included: the new
// machine asks the log again.
func (m *Machine) Journal() Inputs { return append(Inputs(nil), m.journal[m.logged:]...) }

// refusal returns the error of a refused instruction.
func refusal(code state.RefusalCode) error { return &state.Refusal{Code: code} }

// Phase is the state of a [Machine].
type Phase string

// The phases of a turn. An instruction that is not a turn goes from idle directly to committing.
// While hooks run for an [Announce], the phase is settling.
const (
	Idle         Phase = "idle"
	Prompting    Phase = "prompting"    // the request is being built
	Generating   Phase = "generating"   // the model is asked
	Adjudicating Phase = "adjudicating" // calls and narration are judged
	Approving    Phase = "approving"    // people are asked about calls, for as long as it takes
	Retrying     Phase = "retrying"     // feedback is appended, the model is asked again
	Settling     Phase = "settling"     // consequences are worked out
	Committing   Phase = "committing"   // the record waits for the store
)
