package turn

import (
	"time"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/tool"
	"github.com/talewright/talewright/campaign/turn/internal/past"
	"github.com/talewright/talewright/campaign/turn/internal/play"
	"github.com/talewright/talewright/memvars/tree"
)

// Machine plays one campaign: a deterministic step machine that touches nothing
// outside. Tell it something with [Machine.Step], then do what [Machine.Todo]
// says and tell it the answer. The same inputs give the same campaign, byte for
// byte.
//
// A Machine belongs to one goroutine. [campaign.Engine] runs one for hosts that do not need
// the steps.
type Machine struct {
	game      *game.Game
	base      state.Campaign         // as the store has it
	headValue tree.Value             // of base, as records see it; absent until it is needed
	log       past.Turns             // what base.Turns was appended to by
	past      past.WindowPast        // what is known of the turns before
	needs     question.Past          // what an instruction cannot begin without
	states    map[string]state.State // that were read for it
	branch    *branchRead            // that was asked for
	refused   error                  // why an instruction was not carried out that had begun to read
	at        int                    // the row of the course
	phase     Phase
	todo      Todo
	journal   Inputs       // of the running instruction
	once      *Once        // the running instruction, nil if it has no id
	logged    int          // how much of it is in records already
	turn      *play.Turn   // the running turn or its stage between turns, nil if there is none
	pending   commitment   // what is being written
	ending    Todo         // what the running instruction ends with
	panics    []tool.Panic // of the last turn

	explained *Explanation // nil: nobody asks why
	onPhase   func(Phase)  // nil: nobody wants to know
}

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

// branchRead is a branch that was asked for, nil if there is none.
type branchRead struct {
	id   string
	read *state.Branch
}

// commitment is what the store is asked to write.
type commitment struct {
	record    *Record
	next      state.Campaign // once it is written
	headValue tree.Value     // of next, as records see it
	todo      Todo           // what the instruction ends with then
}

// Campaign returns the campaign as of the last commit.
func (m *Machine) Campaign() state.Campaign { return m.base }

// Phase returns what the machine is busy with.
func (m *Machine) Phase() Phase { return m.phase }

// Todo returns what is to be done now. It stays the same until the next Step.
func (m *Machine) Todo() Todo { return m.todo }

// Panics returns the panics of tools in the running instruction, or in the last one if
// none is running, oldest first; also of one that was refused. An engine writes them to
// its logger.
func (m *Machine) Panics() []tool.Panic {
	if m.turn == nil {
		return m.panics
	}
	return m.turn.Panics
}

// OnPhase has a function called whenever the machine comes to another phase, until nil takes its
// place; [Machine.Step] does so on its goroutine. It is for those who watch: the machine does not
// depend on it, and it must not step the machine.
func (m *Machine) OnPhase(f func(Phase)) { m.onPhase = f }

// SoFar returns the outputs of the running turn and its trace as far as they are known, nothing
// while no turn is running. They are to be read only, and until the next Step.
func (m *Machine) SoFar() ([]state.Attempt, state.TurnTrace) {
	if m.turn == nil {
		return nil, state.TurnTrace{}
	}
	return m.turn.Attempts, m.turn.Stage.Staged.Trace
}

// Journal returns the inputs of the running instruction, oldest first, or those since
// people were asked. Feeding them to a new machine of the same campaign leads to the same
// place, so a host may keep them to survive a crash in the middle of a turn. A [PastRead] is
// none of them: what the log says is asked of the log again.
func (m *Machine) Journal() Inputs { return append(Inputs(nil), m.journal[m.logged:]...) }

// refusal is the error with which an instruction is not carried out.
func refusal(code state.RefusalCode) error { return &state.Refusal{Code: code} }

// Phase is the state of a [Machine].
type Phase string

// The phases of a turn. An instruction that is no turn goes from idle straight to
// committing; hooks that hear of an [Announce] are settling.
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
