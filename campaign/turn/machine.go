package turn

import (
	"fmt"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/tool"
	"github.com/talewright/talewright/campaign/turn/internal/logbook"
	"github.com/talewright/talewright/campaign/turntrace"
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
	game    *game.Game
	base    state.Campaign         // as the store has it
	head    tree.Value             // of base, as records see it; absent until it is needed
	log     logbook.Turns          // what base.Turns was appended to by
	past    past                   // what is known of the turns before
	want    question.Past          // what an instruction cannot begin without
	states  map[string]state.State // that were read for it
	branch  *branchRead            // that was asked for
	refused error                  // why an instruction was not carried out that had begun to read
	at      int                    // the row of the course
	phase   Phase
	todo    Todo
	journal Inputs       // of the running instruction
	logged  int          // how much of it is in records already
	turn    *run         // the running turn or its stage between turns, nil if there is none
	pending commitment   // what is being written
	ending  Todo         // what the running instruction ends with
	panics  []tool.Panic // of the last turn

	explained *Explanation // nil: nobody asks why
	onPhase   func(Phase)  // nil: nobody wants to know
}

// NewMachine returns a machine for a campaign, as [Begin] made it or a store returned it. It
// is idle, unless a turn of the campaign waits for people: then it is approving.
func NewMachine(g *game.Game, c state.Campaign) *Machine {
	m := &Machine{game: g, base: c, phase: Idle}
	_ = m.Resume(nil) // what it needs of the past may come later
	return m
}

// Campaign returns the campaign as of the last commit.
func (m *Machine) Campaign() state.Campaign { return m.base }

// Phase returns what the machine is busy with.
func (m *Machine) Phase() Phase { return m.phase }

// Stop returns where in its course the machine stands: at the row whose question
// [Machine.Todo] is, or at "idle".
func (m *Machine) Stop() Stop { return course[m.at].stop }

// Todo returns what is to be done now. It stays the same until the next Step.
func (m *Machine) Todo() Todo { return m.todo }

// Panics returns the panics of tools in the running instruction, or in the last one if
// none is running, oldest first; also of one that was refused. An engine writes them to
// its logger.
func (m *Machine) Panics() []tool.Panic {
	if m.turn == nil {
		return m.panics
	}
	return m.turn.panics
}

// OnPhase has a function called whenever the machine comes to another phase, until nil takes its
// place; [Machine.Step] does so on its goroutine. It is for those who watch: the machine does not
// depend on it, and it must not step the machine.
func (m *Machine) OnPhase(f func(Phase)) { m.onPhase = f }

// SoFar returns the outputs of the running turn and its trace as far as they are known, nothing
// while no turn is running. They are to be read only, and until the next Step.
func (m *Machine) SoFar() ([]state.Attempt, turntrace.Trace) {
	if m.turn == nil {
		return nil, turntrace.Trace{}
	}
	return m.turn.attempts, m.turn.staged.trace
}

// Journal returns the inputs of the running instruction, oldest first, or those since
// people were asked. Feeding them to a new machine of the same campaign leads to the same
// place, so a host may keep them to survive a crash in the middle of a turn. A [PastRead] is
// none of them: what the log says is asked of the log again.
func (m *Machine) Journal() Inputs { return append(Inputs(nil), m.journal[m.logged:]...) }

// Step tells the machine something. It returns a [*state.Refusal] for an instruction
// that was not carried out, [ErrUnexpectedInput] for an answer that nobody waits for,
// and [ErrInvalidInput] for one that has no JSON form; all leave everything as it
// was. A refused [Submit] is no error but an [Outcome]. An instruction that has to read in the log
// first may be refused with the answer to that.
//
// What is played is what the log keeps: an input is taken as it reads back from its
// JSON, with U+FFFD for what is no UTF-8.
func (m *Machine) Step(in Input) error {
	if read, ok := in.(PastRead); ok {
		return m.remind(read)
	}
	in, err := enter(in)
	if err != nil {
		return err
	}
	if err := m.whileWaiting(in); err != nil {
		return err
	}
	if m.phase == Idle {
		return m.instruct(in)
	}
	journal := m.journal
	m.journal = append(m.journal, in)
	to, ok := course[m.at].take(m, in)
	if !ok {
		m.journal = journal
		if isInstruction(in) {
			return refusal(state.CampaignBusy)
		}
		return fmt.Errorf("%w: got %s at stop %s", ErrUnexpectedInput, in.inputType(), m.Stop())
	}
	m.walk(to)
	return nil
}

// instruct begins an instruction.
func (m *Machine) instruct(in Input) error {
	i, ok := in.(instruction)
	if !ok {
		return fmt.Errorf("%w: %s while idle", ErrUnexpectedInput, in.inputType())
	}
	m.journal, m.panics = Inputs{in}, nil
	if m.base.LacksJumps() { // what leads to its turns is not known
		m.want = question.Past{Jumps: true}
		m.walk(atPast)
		return nil
	}
	to, err := i.apply(m)
	if err != nil {
		m.finish()
		return err
	}
	m.walk(to)
	return nil
}

// walk goes from stop to stop until one of them asks something; the last is idle.
func (m *Machine) walk(to Stop) {
	for to != wait {
		m.move(to)
		m.todo, to = course[m.at].begin(m)
	}
}

// move changes the place.
func (m *Machine) move(to Stop) {
	switch to {
	case again:
	case onward:
		m.at++
	default:
		m.at = rowOf[to]
	}
	if p := course[m.at].phase; p != "" && p != m.phase {
		if m.phase = p; m.onPhase != nil {
			m.onPhase(p)
		}
	}
}

// rowOf finds the rows of the course by their names.
var rowOf = func() map[Stop]int {
	rows := make(map[Stop]int, len(course))
	for i, r := range course {
		rows[r.stop] = i
	}
	return rows
}()

// finish forgets the running instruction and returns what it ends with.
func (m *Machine) finish() Todo {
	todo := m.ending
	m.panics = m.Panics()
	m.journal, m.logged, m.turn, m.pending, m.ending = nil, 0, nil, commitment{}, Todo{}
	m.states, m.branch = nil, nil
	return todo
}

// endWith ends an instruction without a commit.
func (m *Machine) endWith(o Outcome) Stop {
	m.ending = Todo{Outcome: &o}
	return idle
}

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
