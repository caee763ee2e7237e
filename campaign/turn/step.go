package turn

import (
	"fmt"
	"reflect"
	"time"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/state"
)

// NewMachine returns a machine for a campaign from [Begin] or from a store. It is idle, unless a
// turn of the campaign waits for people: then it is approving.
func NewMachine(g *game.Game, c state.Campaign) *Machine {
	m := &Machine{game: g, base: c, phase: Idle}
	_ = m.Resume(nil) // a part of the past may be read later
	return m
}

// Stop returns the present row of the course: the row whose question [Machine.Todo] returns, or
// "idle".
func (m *Machine) Stop() Stop { return course[m.at].stop }

// Step gives the machine an input. It returns a [*state.Refusal] for a refused instruction, and
// [ErrUnexpectedInput] for an answer that does not fit the question. It returns [ErrInvalidInput]
// for an input without a JSON form. After each of these errors the machine does not change. A
// refused [Submit] is not an error but an [Outcome]. An instruction that first reads the log may be
// refused when the answer of the log is given.
//
// The machine plays what the log stores: an input is used as it reads back from its JSON, with
// U+FFFD for invalid UTF-8.
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
	if err := refuseWhileWaiting(m, withoutID(in)); err != nil {
		return err
	}
	if m.phase == Idle {
		return m.instruct(in)
	}
	journal, once := m.journal, m.once
	m.journal = append(m.journal, in)
	if o, ok := asOnce(in); ok {
		m.once = &o
	}
	to, ok := course[m.at].take(m, withoutID(in))
	if !ok {
		m.journal, m.once = journal, once
		if _, begins := withoutID(in).(instruction); begins {
			return refusal(state.CampaignBusy)
		}
		return fmt.Errorf("%w: got %s at stop %s", ErrUnexpectedInput, in.inputType(), m.Stop())
	}
	m.walk(to)
	return nil
}

// instruct begins an instruction.
func (m *Machine) instruct(in Input) error {
	i, ok := withoutID(in).(instruction)
	if !ok {
		return fmt.Errorf("%w: %s while idle", ErrUnexpectedInput, in.inputType())
	}
	if once, ok := asOnce(in); ok {
		if o, known := m.knownOnce(once); known {
			if o.Status == Refused {
				return o.Err()
			}
			m.walk(m.endWith(o))
			return nil
		}
		m.once = &once
	}
	m.journal, m.panics = Inputs{in}, nil
	if m.base.LacksJumps() { // the jumps to its turns are not known
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

// keepOnce notes in the campaign that the running instruction was run, with a record of a kind. The
// turn and the outcome are nil if there is none.
func (m *Machine) keepOnce(kind RecordKind, next *state.Campaign, t *state.Turn, done *Outcome) {
	if m.once == nil {
		return
	}
	kept := state.OnceDone{Fingerprint: m.once.fingerprint(), Version: next.Version, Status: string(Completed)}
	if kind == recordPending {
		kept.Status = string(Waiting)
	}
	if done != nil {
		kept.Status, kept.Changed, kept.AutoChanged = string(done.Status), done.Changed, done.AutoChanged
		if done.Turn != nil {
			kept.TurnID = done.Turn.ID
		}
	}
	if t != nil {
		kept.TurnID = t.ID
	}
	if kept.Status != string(Failed) && kept.Status != string(Cancelled) {
		next.KeepOnce(m.once.ID, kept)
	}
}

// knownOnce returns the first outcome of an instruction. Its turn is absent if the head does not
// hold it.
func (m *Machine) knownOnce(o Once) (Outcome, bool) {
	done, known := m.base.Once[o.ID]
	switch {
	case !known || o.ID == "":
		return Outcome{}, false
	case done.Fingerprint != o.fingerprint():
		return Outcome{Status: Refused, Reason: string(state.IdempotencyConflict)}, true
	}
	out := Outcome{Status: OutcomeStatus(done.Status), Changed: done.Changed, AutoChanged: done.AutoChanged}
	if t, held := turnAt(m, done.TurnID); held && done.TurnID != "" {
		out = completed(t)
	}
	if p := m.base.PendingApproval; p != nil && out.Status == Waiting {
		q := p.Question.ForPlayers()
		out.Approval, out.Audience = &q, q.Audience
	}
	if out.Status == Conflict {
		out.Report = m.base.PendingConflict
	}
	out.Replayed = true
	return out, true
}

// walk moves from stop to stop until a stop asks something. The last stop is idle.
func (m *Machine) walk(to Stop) {
	for to != wait {
		m.move(to)
		m.todo, to = course[m.at].begin(m)
	}
}

// move changes the row, and reports a new phase.
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

// finish clears the running instruction and returns its result.
func (m *Machine) finish() Todo {
	todo := m.ending
	m.panics = m.Panics()
	m.journal, m.logged, m.turn, m.pending, m.ending = nil, 0, nil, commitment{}, Todo{}
	m.states, m.branch, m.once = nil, nil, nil
	return todo
}

// endWith ends an instruction without a commit.
func (m *Machine) endWith(o Outcome) Stop {
	m.ending = Todo{Outcome: &o}
	return idle
}

// timeRefusal refuses an instruction whose time has no JSON form.
func timeRefusal(in Input) error {
	if _, begins := withoutID(in).(instruction); !begins || isNone(in) {
		return nil
	}
	at := reflect.Indirect(reflect.ValueOf(withoutID(in))).FieldByName("At").Interface().(time.Time)
	if at.Year() < 0 || at.Year() > 9999 {
		return &state.Refusal{Code: state.InvalidTime, Detail: fmt.Sprintf("at: the year is %d: give one from 0 to 9999", at.Year())}
	}
	return nil
}
