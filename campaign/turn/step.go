package turn

import (
	"fmt"
	"reflect"
	"time"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/state"
)

// NewMachine returns a machine for a campaign, as [Begin] made it or a store returned it. It
// is idle, unless a turn of the campaign waits for people: then it is approving.
func NewMachine(g *game.Game, c state.Campaign) *Machine {
	m := &Machine{game: g, base: c, phase: Idle}
	_ = m.Resume(nil) // what it needs of the past may come later
	return m
}

// Stop returns where in its course the machine stands: at the row whose question
// [Machine.Todo] is, or at "idle".
func (m *Machine) Stop() Stop { return course[m.at].stop }

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
		return takePast(m, read)
	}
	if err := timeRefusal(in); err != nil {
		return err
	}
	in, err := asLogged(in)
	if err != nil {
		return err
	}
	if err := whileWaiting(m, in); err != nil {
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
		m.needs = question.Past{Jumps: true}
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

// timeRefusal refuses an instruction whose time has no JSON form.
func timeRefusal(in Input) error {
	if !isInstruction(in) || isNone(in) {
		return nil
	}
	field := reflect.Indirect(reflect.ValueOf(in)).FieldByName("At")
	if !field.IsValid() {
		return nil
	}
	if at, ok := field.Interface().(time.Time); ok && (at.Year() < 0 || at.Year() > 9999) {
		return &state.Refusal{Code: state.InvalidTime, Detail: fmt.Sprintf("at: the year is %d: give one from 0 to 9999", at.Year())}
	}
	return nil
}
