package turn

import (
	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/tool"
	"github.com/talewright/talewright/campaign/turn/internal/court"
)

// whatIsOutside asks outside the game, if a call that is to be judged needs it and was not
// refused before in this turn.
func (m *Machine) whatIsOutside() (Todo, bool) {
	t := m.turn
	raw := t.out.calling.call
	if found, known := t.people.consent.heard[heardKey(raw)]; known {
		t.out.calling.answer = &found
		return Todo{}, false
	}
	if t.people.consent.denial(raw, t.game.Reason(tool.CallDenied)) != nil {
		return Todo{}, false
	}
	e := t.court.Examine(t.out.calling.next, raw, t.out.calling.seen[raw.ID], t.stage.Staged.State)
	if e.Failed != nil || e.Asked.Outside == nil {
		return Todo{}, false
	}
	if _, before := t.court.Refused[court.CallKey(e.Call)]; before {
		return Todo{}, false
	}
	return Todo{Outside: &question.Outside{Call: e.Call, Ask: e.Asked.Outside}}, true
}

func (m *Machine) heard(in Answered) Stop {
	t := m.turn
	t.out.calling.answer = &in.Answer
	t.people.consent.hear(t.out.calling.call, in.Answer)
	return onward
}
