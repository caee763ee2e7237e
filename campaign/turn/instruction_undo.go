package turn

import (
	"strconv"
	"time"

	"github.com/talewright/talewright/campaign/state"
)

// Undo takes the newest turn back: the campaign returns to the checkpoint of the turn before it, as [RollBack] does. It
// can be given again, as long as there are checkpoints. Before the first turn it is refused as [state.NoHeadTurn].
type Undo struct {
	At time.Time `json:"at,omitzero"`
}

func (Undo) inputType() string { return "undo" }

func (in Undo) stamped(now time.Time) Input { in.At = orNow(in.At, now); return in }

func (in Undo) apply(m *Machine) (Stop, error) {
	if m.base.State.HeadTurnID == state.StartTurnID {
		return idle, &state.Refusal{Code: state.NoHeadTurn}
	}
	head, known := turnAt(m, m.base.State.HeadTurnID)
	if !known {
		return atPast, nil
	}
	return RollBack{To: head.ParentID, At: in.At}.apply(m)
}

// Redo returns to the turn at which the first [Undo] or [RollBack] began, as [UndoRollBack] does. It is possible until the
// next instruction is accepted.
type Redo struct {
	At time.Time `json:"at,omitzero"`
}

func (Redo) inputType() string { return "redo" }

func (in Redo) stamped(now time.Time) Input { in.At = orNow(in.At, now); return in }

func (in Redo) apply(m *Machine) (Stop, error) { return UndoRollBack{At: in.At}.apply(m) }

// NextAnswer moves the head to the next answer to its line, in the order of [state.Campaign.Answers]; before the first
// turn, to the next greeting of the card. After the last one it is refused as [state.UnknownAlternative]: [Regenerate]
// makes another. [Choose] says what an answer brings with it.
type NextAnswer struct {
	At time.Time `json:"at,omitzero"`
}

func (NextAnswer) inputType() string { return "next_answer" }

func (in NextAnswer) stamped(now time.Time) Input { in.At = orNow(in.At, now); return in }

func (in NextAnswer) apply(m *Machine) (Stop, error) { return chooseBeside(m, 1, in.At) }

// PreviousAnswer moves the head to the answer before, as [NextAnswer] does to the one after.
type PreviousAnswer struct {
	At time.Time `json:"at,omitzero"`
}

func (PreviousAnswer) inputType() string { return "previous_answer" }

func (in PreviousAnswer) stamped(now time.Time) Input { in.At = orNow(in.At, now); return in }

func (in PreviousAnswer) apply(m *Machine) (Stop, error) { return chooseBeside(m, -1, in.At) }

// chooseBeside chooses the answer, or the greeting, so many places from the present one.
func chooseBeside(m *Machine, step int, at time.Time) (Stop, error) {
	s := m.base.State
	if s.HeadTurnID == state.StartTurnID {
		n, err := strconv.Atoi(s.GreetingID)
		if err != nil && s.Greeting == "" {
			n = -1 // the story has no greeting yet
		}
		n += step
		return Choose{Greeting: &n, At: at}.apply(m)
	}
	list := m.base.Answers()
	for i, id := range list {
		if to := i + step; id == s.HeadTurnID && to >= 0 && to < len(list) {
			return Choose{TurnID: list[to], At: at}.apply(m)
		}
	}
	return idle, &state.Refusal{Code: state.UnknownAlternative, Detail: "there is no other answer in this direction"}
}
