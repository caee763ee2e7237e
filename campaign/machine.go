package campaign

import (
	"errors"
	"fmt"
	"time"

	"github.com/talewright/talewright/memvars"
)

// Machine plays one campaign: a deterministic step machine that touches nothing
// outside. Tell it something with [Machine.Step], then do what [Machine.Todo]
// says and tell it the answer. The same inputs give the same campaign, byte for
// byte.
//
// A Machine belongs to one goroutine. [Engine] runs one for hosts that do not need
// the steps.
type Machine struct {
	game  *Game
	base  Campaign      // as the store has it
	head  memvars.Value // of base, as records see it; absent until it is needed
	log   turnLog       // what base.Turns was appended to by
	past  past          // what is known of base.Turns
	phase Phase
	todo  Todo
	// await takes the answer to the open question; nil when idle.
	await func(Input) error
	// then is what comes next without a question: a position, so that what a reply
	// holds many of is a loop and never a deep stack.
	then    func() error
	journal Inputs // of the running instruction
	turn    *turn  // the running turn, nil if the instruction is none
}

// ErrUnexpectedInput is returned by [Machine.Step] for an answer to something that
// was not asked. The machine is as it was.
var ErrUnexpectedInput = errors.New("campaign: unexpected input")

// ErrInvalidInput is returned by [Machine.Step] for an input that cannot be stored,
// such as one with an infinite number in it. The machine is as it was.
var ErrInvalidInput = errors.New("campaign: invalid input")

// NewMachine returns an idle machine for a campaign, as [New] made it or a store
// returned it.
func NewMachine(game *Game, c Campaign) *Machine {
	return &Machine{game: game, base: c, phase: Idle}
}

// Campaign returns the campaign as of the last commit.
func (m *Machine) Campaign() Campaign { return m.base }

// Phase returns where the machine stands.
func (m *Machine) Phase() Phase { return m.phase }

// Todo returns what is to be done now. It stays the same until the next Step.
func (m *Machine) Todo() Todo { return m.todo }

// ToolPanic is a panic in a [Tool]. The call was refused with internal_error; the model
// hears nothing of what the panic said.
type ToolPanic struct {
	Tool  string
	Value any
	Stack []byte // of the goroutine, as runtime/debug.Stack gives it
}

// Panics returns the panics of tools in the running turn, oldest first. An engine
// writes them to its logger.
func (m *Machine) Panics() []ToolPanic {
	if m.turn == nil {
		return nil
	}
	return m.turn.panics
}

// Journal returns the inputs of the running instruction, oldest first. Feeding
// them to a new machine of the same campaign leads to the same place, so a host
// may keep them to survive a crash in the middle of a turn.
func (m *Machine) Journal() Inputs { return append(Inputs(nil), m.journal...) }

// Step tells the machine something. It returns a [*Refusal] for an instruction
// that was not carried out, [ErrUnexpectedInput] for an answer that nobody waits for,
// and [ErrInvalidInput] for one that has no JSON form; all leave everything as it
// was. A refused [Submit] is no error but an [Outcome].
//
// What is played is what the log keeps: an input is taken as it reads back from its
// JSON, with U+FFFD for what is no UTF-8.
func (m *Machine) Step(in Input) error {
	in, err := enter(in)
	if err != nil {
		return err
	}
	if m.await == nil {
		return m.instruct(in)
	}
	await, journal := m.await, m.journal
	m.journal = append(m.journal, in)
	if err := m.proceed(await(in)); err != nil {
		m.await, m.journal = await, journal
		if isInstruction(in) {
			return refuse(CampaignBusy)
		}
		return err
	}
	return nil
}

func (m *Machine) instruct(in Input) error {
	if !isInstruction(in) {
		return fmt.Errorf("%w: %s while idle", ErrUnexpectedInput, in.inputType())
	}
	m.journal = Inputs{in}
	before := m.todo
	m.todo = Todo{}
	var err error
	switch in := in.(type) {
	case Submit:
		err = m.submit(in)
	case ResolveConflict:
		err = m.resolveConflict(in)
	case Announce:
		err = m.announce(in)
	default:
		err = m.command(in)
	}
	if err = m.proceed(err); err != nil {
		m.todo, m.journal, m.turn, m.await, m.phase = before, nil, nil, nil, Idle
	}
	return err
}

// goOn says what the machine goes on with, without a question to anybody.
func (m *Machine) goOn(then func() error) error {
	m.then = then
	return nil
}

// proceed goes on until there is something to ask, or the instruction is over.
func (m *Machine) proceed(err error) error {
	for err == nil && m.then != nil {
		then := m.then
		m.then = nil
		err = then()
	}
	m.then = nil
	return err
}

// isInstruction tells the inputs that start something from the answers.
func isInstruction(in Input) bool {
	switch in.(type) {
	case Routed, HooksRan, Retrieved, Replied, GenerateFailed, Judged, Committed, CommitFailed:
		return false
	}
	return true
}

// ask poses a question and says who takes the answer.
func (m *Machine) ask(todo Todo, answer func(Input) error) error {
	m.todo = todo
	m.await = func(in Input) error { return answer(in) }
	return nil
}

// unexpected is the answer of the wrong type.
func unexpected(in Input, want string) error {
	return fmt.Errorf("%w: got %s, waiting for %s", ErrUnexpectedInput, in.inputType(), want)
}

// finish ends the instruction: the machine is idle and says how it went.
func (m *Machine) finish(todo Todo) error {
	m.todo = todo
	m.phase = Idle
	m.await, m.journal, m.turn = nil, nil, nil
	return nil
}

// unstorable ends an instruction that led to something without a JSON form. Nothing
// has changed.
func (m *Machine) unstorable(err error) error {
	return m.finish(Todo{Outcome: &Outcome{Status: Failed, Reason: reasonUnstorable, Detail: err.Error(),
		Failure: &Failure{Kind: FailureState, Code: reasonUnstorable, Err: err}}})
}

// reasonUnstorable fails an instruction whose outcome cannot be stored.
const reasonUnstorable = "unstorable_state"

// commit asks for a record to be written and takes the campaign over once it is.
// done says what is left to do then; a failure ends with failed.
func (m *Machine) commit(kind string, at time.Time, next Campaign, t *Turn, done func() Todo) error {
	m.phase = Committing
	next.Version = m.base.Version + 1
	if !at.IsZero() {
		next.UpdatedAt = at
	}
	before, err := m.head, error(nil)
	if !before.Exists() {
		if before, err = m.base.headValue(); err != nil {
			return m.unstorable(err)
		}
	}
	played := next
	next, after, err := played.asStored(m.base, m.head)
	if err != nil {
		return m.unstorable(err)
	}
	delta := diff(before, after)
	if !delta.valid() { // names or texts of variables that a host's rules wrote
		if played.State.Variables, err = mended(played.State.Variables); err != nil {
			return m.unstorable(err)
		}
		if next, after, err = played.asStored(m.base, m.head); err != nil {
			return m.unstorable(err)
		}
		delta = diff(before, after)
	}
	rec := &Record{
		Version: next.Version, Kind: kind, At: at, Inputs: m.Journal(), Delta: delta, Turn: t,
	}
	return m.ask(Todo{Commit: rec}, func(in Input) error {
		switch in := in.(type) {
		case Committed:
			m.base, m.head = next, after
			return m.finish(done())
		case CommitFailed:
			return m.finish(Todo{Outcome: &Outcome{Status: Failed, Reason: in.Reason,
				Failure: &Failure{Kind: FailureStore, Code: in.Reason, Retry: true}}})
		}
		return unexpected(in, "the outcome of a commit")
	})
}
