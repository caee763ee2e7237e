package turn

import (
	"fmt"

	"github.com/talewright/talewright/campaign/internal/answer"
	"github.com/talewright/talewright/campaign/question"
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
func nextCall(t *run) next {
	if t.out.calling.next == len(t.out.last.Calls) {
		return toNarration
	}
	if t.out.calling.seen == nil {
		t.out.calling.seen = map[string]bool{}
	}
	t.out.calling.call, t.out.calling.answer = t.people.consent.revised(t.out.last.Calls[t.out.calling.next]), nil
	return toNext
}

// judgeCall judges a call, and carries it out if it is accepted. Far beyond
// turn.max_tool_calls the rest has one ruling together.
func judgeCall(t *run) {
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

// tooManyText tells of the calls that share one ruling.
func tooManyText(reason string, n int) string {
	return fmt.Sprintf("%s: this one and the %d behind it", reason, n-1)
}

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
func heardOutside(t *run, found tool.Answer) {
	t.out.calling.answer = &found
	t.people.consent.hear(t.out.calling.call, found)
}
