package play

import (
	"fmt"

	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/tool"
	"github.com/talewright/talewright/campaign/turn/internal/judge"
)

// The judging files have the steps that judge an output of a model. It is read, and its calls are
// adjudicated one by one. Then its narration is compared with the state, and it is accepted or not.

// NextCall selects the next call.
func NextCall(t *Turn) Next {
	at := &t.Out.Calling
	if at.Next == len(t.Out.Last.Calls) {
		return ToNarration
	}
	if at.Seen == nil {
		at.Seen = map[string]bool{}
	}
	at.Call, at.Answer = t.People.Consent.Revised(t.Out.Last.Calls[at.Next]), nil
	return ToNext
}

// Call judges a call, and applies it if it is accepted. If the output has far more calls than
// turn.max_tool_calls, the remaining calls get one common ruling.
func Call(t *Turn) {
	at := &t.Out.Calling
	place := at.Next
	t.Stage.Pending.Calls = append(t.Stage.Pending.Calls, t.Out.Last.Calls[place].Value())
	if failed := t.People.Consent.Denial(at.Call, t.Game.Reason(tool.CallDenied)); failed != nil {
		at.Next++
		t.Out.Unsettled = append(t.Out.Unsettled, *failed)
		at.Ruling = judge.Ruling{Failed: failed}
		return
	}
	r := t.Calls.Judge(place, at.Call, at.Seen, t.Stage.Pending.State, at.Answer)
	at.Next++
	if rest := len(t.Out.Last.Calls) - place; place >= t.Calls.MaxCalls+judge.MaxCallsListed && rest > 1 {
		r.Failed.Message = tooManyText(t.Game.Reason(tool.CallTooMany), rest)
		at.Next = len(t.Out.Last.Calls)
	}
	if r.Failed != nil {
		t.Out.Unsettled = append(t.Out.Unsettled, *r.Failed)
	} else {
		asks := mustAsk(t, r.Call)
		t.Stage.ApplyCall(r.Call, r.Judgement)
		if asks {
			t.People.Consent.AddCall(r, t.Stage.Pending.Evidence[len(t.Stage.Pending.Evidence)-1].Affects)
		}
	}
	at.Ruling = r
}

// tooManyText returns the message for calls with one common ruling.
func tooManyText(reason string, n int) string {
	return fmt.Sprintf("%s: this one and the %d behind it", reason, n-1)
}

// Outside returns the question for outside the game, if the call needs it and was not refused
// before in this turn.
func Outside(t *Turn) *question.Outside {
	at := &t.Out.Calling
	raw := at.Call
	if found, known := t.People.Consent.Outside[OutsideKey(raw)]; known {
		at.Answer = &found
		return nil
	}
	if t.People.Consent.Denial(raw, t.Game.Reason(tool.CallDenied)) != nil {
		return nil
	}
	e := t.Calls.Examine(at.Next, raw, at.Seen[raw.ID], t.Stage.Pending.State)
	if e.Failed != nil || e.Asked.Outside == nil {
		return nil
	}
	if _, before := t.Calls.Refused[judge.CallKey(e.Call)]; before {
		return nil
	}
	return &question.Outside{Call: e.Call, Ask: e.Asked.Outside}
}

// HeardOutside stores the answer from outside the game.
func HeardOutside(t *Turn, found tool.Answer) {
	t.Out.Calling.Answer = &found
	t.People.Consent.KeepOutside(t.Out.Calling.Call, found)
}
