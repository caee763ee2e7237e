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
	calling := &t.Out.Calling
	if calling.Next == len(t.Out.Last.Calls) {
		return ToNarration
	}
	if calling.Seen == nil {
		calling.Seen = map[string]bool{}
	}
	calling.Call, calling.Answer = t.People.Consent.Revised(t.Out.Last.Calls[calling.Next]), nil
	return ToNext
}

// Call judges a call, and applies it if it is accepted. If the output has far more calls than
// turn.max_tool_calls, the remaining calls get one common ruling.
func Call(t *Turn) {
	calling := &t.Out.Calling
	place := calling.Next
	t.Stage.Pending.Calls = append(t.Stage.Pending.Calls, t.Out.Last.Calls[place].Value())
	if failed := t.People.Consent.Denial(calling.Call, t.Game.Reason(tool.CallDenied)); failed != nil {
		calling.Next++
		t.Out.RefusedCalls = append(t.Out.RefusedCalls, *failed)
		calling.Ruling = judge.Ruling{Failed: failed}
		return
	}
	ruling := t.Calls.Judge(place, calling.Call, calling.Seen, t.Stage.Pending.State, calling.Answer)
	calling.Next++
	if rest := len(t.Out.Last.Calls) - place; place >= t.Calls.MaxCalls+judge.MaxCallsListed && rest > 1 {
		ruling.Failed.Message = fmt.Sprintf("%s: this one and the %d behind it", t.Game.Reason(tool.CallTooMany), rest-1)
		calling.Next = len(t.Out.Last.Calls)
	}
	if ruling.Failed != nil {
		t.Out.RefusedCalls = append(t.Out.RefusedCalls, *ruling.Failed)
	} else {
		asks := mustAsk(t, ruling.Call)
		t.Stage.ApplyCall(ruling.Call, ruling.Judgement)
		if asks {
			t.People.Consent.AddCall(ruling, t.Stage.Pending.Evidence[len(t.Stage.Pending.Evidence)-1].Affects)
		}
	}
	calling.Ruling = ruling
}

// Outside returns the question for outside the game, if the call needs it and was not refused
// before in this turn.
func Outside(t *Turn) *question.Outside {
	calling := &t.Out.Calling
	raw := calling.Call
	if found, known := t.People.Consent.Outside[OutsideKey(raw)]; known {
		calling.Answer = &found
		return nil
	}
	examined := t.Calls.Examine(calling.Next, raw, calling.Seen[raw.ID], t.Stage.Pending.State)
	if examined.Failed != nil || examined.Tool.Outside == nil {
		return nil
	}
	if _, before := t.Calls.Refused[judge.CallKey(examined.Call)]; before {
		return nil
	}
	return &question.Outside{Call: examined.Call, Ask: examined.Tool.Outside}
}

// AnsweredOutside stores the answer from outside the game.
func AnsweredOutside(t *Turn, found tool.Answer) {
	t.Out.Calling.Answer = &found
	t.People.Consent.KeepOutside(t.Out.Calling.Call, found)
}
