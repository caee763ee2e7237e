package turn

import (
	"fmt"

	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/tool"
	"github.com/talewright/talewright/memvars/tree"
)

// Answered answers [Todo.Outside]. An answer whose JSON form is longer than
// [MaxReplyBytes], or nested deeper than 64 levels, refuses its call with internal_error.
type Answered struct {
	Answer tool.Answer `json:"answer"`
}

func (Answered) inputType() string { return "answered" }

// maxAnswerDepth is the bound of nesting of an answer, which stands in records.
const maxAnswerDepth = 64

// cleaned refuses what a record has no room for.
func (in Answered) cleaned() Input {
	size := 0
	for _, v := range []tree.Value{in.Answer.Value, in.Answer.Hint} {
		if deeper(v, maxAnswerDepth) {
			return Answered{tool.Answer{Reason: tool.CallToolFailed, Hint: tree.Text("the answer is nested too deep")}}
		}
		if v.Exists() {
			size += len(v.AppendJSON(nil))
		}
	}
	if size > MaxReplyBytes {
		return Answered{tool.Answer{Reason: tool.CallToolFailed,
			Hint: tree.Text(fmt.Sprintf("the answer has more than %d bytes", MaxReplyBytes))}}
	}
	return in
}

// deeper reports whether a value has more than so many levels.
func deeper(v tree.Value, levels int) bool {
	switch v.Kind() {
	case tree.KindArray:
		for i := range v.Len() {
			if levels == 0 || deeper(v.At(i), levels-1) {
				return true
			}
		}
	case tree.KindObject:
		for _, m := range v.Members() {
			if levels == 0 || deeper(m, levels-1) {
				return true
			}
		}
	}
	return false
}

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
	e := t.court.examine(t.calling.next, raw, t.calling.seen[raw.ID], t.staged.state)
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
