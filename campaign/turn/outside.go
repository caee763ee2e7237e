package turn

import (
	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/tool"
	"github.com/talewright/talewright/campaign/turn/internal/adjudicate"
)

// whatIsOutside asks outside the game, if a call that is to be judged needs it and was not
// refused before in this turn.
func whatIsOutside(t *run) *question.Outside {
	raw := t.out.calling.call
	if found, known := t.people.consent.heard[heardKey(raw)]; known {
		t.out.calling.answer = &found
		return nil
	}
	if t.people.consent.denial(raw, t.game.Reason(tool.CallDenied)) != nil {
		return nil
	}
	e := t.calls.Examine(t.out.calling.next, raw, t.out.calling.seen[raw.ID], t.stage.Staged.State)
	if e.Failed != nil || e.Asked.Outside == nil {
		return nil
	}
	if _, before := t.calls.Refused[adjudicate.CallKey(e.Call)]; before {
		return nil
	}
	return &question.Outside{Call: e.Call, Ask: e.Asked.Outside}
}

// heardOutside takes what was found.
func heardOutside(t *run, in Answered) {
	t.out.calling.answer = &in.Answer
	t.people.consent.hear(t.out.calling.call, in.Answer)
}
