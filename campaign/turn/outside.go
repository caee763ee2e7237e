package turn

import (
	"github.com/talewright/talewright/campaign/question"
)

// whatIsOutside asks outside the game, if a call that is to be judged needs it and was not
// refused before in this turn.
func (m *Machine) whatIsOutside() (Todo, bool) {
	t := m.turn
	raw := t.calling.call
	if found, known := t.consent.heard[heardKey(raw)]; known {
		t.calling.answer = &found
		return Todo{}, false
	}
	if t.denial(raw) != nil {
		return Todo{}, false
	}
	e := t.court.examine(t.calling.next, raw, t.calling.seen[raw.ID], t.stage.Staged.State)
	if e.failed != nil || e.asked.Outside == nil {
		return Todo{}, false
	}
	if _, before := t.court.refused[callKey(e.call)]; before {
		return Todo{}, false
	}
	return Todo{Outside: &question.Outside{Call: e.call, Ask: e.asked.Outside}}, true
}

func (m *Machine) heard(in Answered) Stop {
	t := m.turn
	t.calling.answer = &in.Answer
	t.consent.hear(t.calling.call, in.Answer)
	return onward
}
