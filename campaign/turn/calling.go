package turn

import (
	"github.com/talewright/talewright/campaign/internal/answer"
	"github.com/talewright/talewright/campaign/tool"
	"github.com/talewright/talewright/memvars/tree"
)

// calling is the place among the calls of an output. They are judged in order, each on
// the state that the ones before left.
type calling struct {
	next   int // the next call
	call   answer.RawCall
	ruling ruling
	seen   map[string]bool // ids of calls
}

// nextCall takes the next call out.
func (m *Machine) nextCall() Stop {
	t := m.turn
	if t.calling.next == len(t.last.Calls) {
		return atNarration
	}
	if t.calling.seen == nil {
		t.calling.seen = map[string]bool{}
	}
	t.calling.call = t.last.Calls[t.calling.next]
	return onward
}

func (t *run) callPayload() []tree.Member {
	return []tree.Member{
		{Key: "tool", Value: tree.Text(t.calling.call.Tool)}, {Key: "args", Value: t.calling.call.Args},
	}
}

// judgeCall judges a call, and carries it out if it is accepted. Far beyond
// turn.max_tool_calls the rest has one ruling together.
func (t *run) judgeCall() {
	place := t.calling.next
	r := t.court.judge(place, t.calling.call, t.calling.seen, t.staged.state)
	t.calling.next++
	if rest := len(t.last.Calls) - place; place >= t.court.maxCalls+maxCallsListed && rest > 1 {
		r.failed.Message = tooManyText(t.game.Reason(tool.CallTooMany), rest)
		t.calling.next = len(t.last.Calls)
	}
	if r.failed != nil {
		t.unsettled = append(t.unsettled, *r.failed)
	} else {
		t.carryOut(r)
	}
	t.calling.ruling = r
}

func (t *run) rulingPayload() []tree.Member {
	if failed := t.calling.ruling.failed; failed != nil {
		return append(t.callPayload(), tree.Member{Key: "error", Value: tree.Text(string(failed.Reason))})
	}
	return append(t.callPayload(), tree.Member{Key: "result", Value: t.calling.ruling.judgement.Result})
}
