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
func (m *Machine) Stop() Stop { return course[m.row].stop }

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
		return applyPastRead(m, read)
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
		return m.beginInstruction(in)
	}
	journal, once := m.journal, m.once
	m.journal = append(m.journal, in)
	if o, ok := asOnce(in); ok {
		m.once = &o
	}
	to, ok := course[m.row].handle(m, withoutID(in))
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

// beginInstruction begins an instruction in an idle machine. A repeated [Once] only returns its
// first outcome.
func (m *Machine) beginInstruction(in Input) error {
	begun, ok := withoutID(in).(instruction)
	if !ok {
		return fmt.Errorf("%w: %s while idle", ErrUnexpectedInput, in.inputType())
	}
	if once, ok := asOnce(in); ok {
		if o, known := m.firstOutcome(once); known {
			if o.Status == Refused {
				return o.Err()
			}
			m.walk(m.endWith(o))
			return nil
		}
		m.once = &once
	}
	m.journal, m.panics = Inputs{in}, nil
	if m.base.LacksJumps() { // the jumps between its turns are in the archive and not in the head
		m.neededPast = question.Past{Jumps: true}
		m.walk(atPast)
		return nil
	}
	to, err := begun.apply(m)
	if err != nil {
		m.finish()
		return err
	}
	m.walk(to)
	return nil
}

// storeOnce stores the result of the running instruction in the campaign, under its [Once] ID. So
// the instruction is not run again. kind is the kind of its record. The turn t and the outcome done
// may be nil.
func (m *Machine) storeOnce(kind RecordKind, next *state.Campaign, t *state.Turn, done *Outcome) {
	if m.once == nil {
		return
	}
	result := state.OnceDone{Fingerprint: m.once.fingerprint(), Version: next.Version, Status: string(Completed)}
	if kind == recordPending {
		result.Status = string(Waiting)
	}
	if done != nil {
		result.Status, result.Changed, result.AutoChanged = string(done.Status), done.Changed, done.AutoChanged
		if done.Turn != nil {
			result.TurnID = done.Turn.ID
		}
	}
	if t != nil {
		result.TurnID = t.ID
	}
	if result.Status != string(Failed) && result.Status != string(Cancelled) {
		next.KeepOnce(m.once.ID, result)
	}
}

// firstOutcome returns the outcome of the first run of a [Once], and whether it was run. The turn of
// the outcome is absent if the head does not hold it.
func (m *Machine) firstOutcome(o Once) (Outcome, bool) {
	done, known := m.base.Once[o.ID]
	switch {
	case !known:
		return Outcome{}, false
	case done.Fingerprint != o.fingerprint():
		return Outcome{Status: Refused, Reason: string(state.IdempotencyConflict)}, true
	}
	out := Outcome{Status: OutcomeStatus(done.Status), Changed: done.Changed, AutoChanged: done.AutoChanged}
	if t, held := turnAt(m, done.TurnID); held {
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

// walk moves from stop to stop until a row asks something or the instruction has ended, at idle.
func (m *Machine) walk(to Stop) {
	for to != wait {
		m.move(to)
		m.todo, to = course[m.row].begin(m)
	}
}

// move changes the row, and reports a new phase.
func (m *Machine) move(to Stop) {
	switch to {
	case sameRow:
	case rowBelow:
		m.row++
	default:
		m.row = rowOf[to]
	}
	if p := course[m.row].phase; p != "" && p != m.phase {
		if m.phase = p; m.onPhase != nil {
			m.onPhase(p)
		}
	}
}

// finish clears the fields of the running instruction and returns its result.
func (m *Machine) finish() Todo {
	todo := m.ending
	m.panics = m.Panics()
	m.journal, m.logged, m.turn, m.pending, m.ending = nil, 0, nil, commitment{}, Todo{}
	m.readStates, m.readBranch, m.once = nil, nil, nil
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
