package turn

import (
	"github.com/talewright/talewright/campaign/internal/answer"
	"github.com/talewright/talewright/campaign/tool"
	"github.com/talewright/talewright/campaign/turn/internal/adjudicate"
)

// calling is the place among the calls of an output. They are judged in order, each on
// the state that the ones before left.
type calling struct {
	next   int // the next call
	call   answer.RawCall
	answer *tool.Answer // from outside the game, to this call
	ruling adjudicate.Ruling
	seen   map[string]bool // ids of calls
}

// nextCall takes the next call out.
func nextCall(t *run) Stop {
	if t.out.calling.next == len(t.out.last.Calls) {
		return atNarration
	}
	if t.out.calling.seen == nil {
		t.out.calling.seen = map[string]bool{}
	}
	t.out.calling.call, t.out.calling.answer = t.people.consent.revised(t.out.last.Calls[t.out.calling.next]), nil
	return onward
}

// judgeCall judges a call, and carries it out if it is accepted. Far beyond
// turn.max_tool_calls the rest has one ruling together.
func (t *run) judgeCall() {
	place := t.out.calling.next
	if failed := t.people.consent.denial(t.out.calling.call, t.game.Reason(tool.CallDenied)); failed != nil {
		t.out.calling.next++
		t.out.unsettled = append(t.out.unsettled, *failed)
		t.out.calling.ruling = adjudicate.Ruling{Failed: failed}
		return
	}
	r := t.calls.Judge(place, t.out.calling.call, t.out.calling.seen, t.stage.Staged.State, t.out.calling.answer)
	t.out.calling.next++
	if rest := len(t.out.last.Calls) - place; place >= t.calls.MaxCalls+adjudicate.MaxCallsListed && rest > 1 {
		r.Failed.Message = tooManyText(t.game.Reason(tool.CallTooMany), rest)
		t.out.calling.next = len(t.out.last.Calls)
	}
	if r.Failed != nil {
		t.out.unsettled = append(t.out.unsettled, *r.Failed)
	} else {
		asks := asksPeople(t, r.Call)
		t.stage.CarryOut(r.Call, r.Judgement)
		if asks {
			t.people.consent.ask(r, t.stage.Staged.Evidence[len(t.stage.Staged.Evidence)-1].Affects)
		}
	}
	t.out.calling.ruling = r
}
