package play

import (
	"slices"

	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/turn/internal/draft"
	"github.com/talewright/talewright/campaign/turn/internal/prepare"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/prompt"
)

// Bounds of what the model is told of its own output.
const (
	MaxFeedback = 16      // refused calls, or contradictions, that one message lists
	MaxRejected = 8 << 10 // bytes of a rejected output that a request repeats
)

// Exchange is what the model is sent in a turn, and what it has seen of that.
type Exchange struct {
	Request     question.Request
	Text        *prepare.Text // the prompt as one text, nil for messages
	Assembled   prompt.Result // the first request, and what was appended to it
	Estimated   int           // tokens of the first request, its tools included
	Sent        int           // messages of the request that the model has seen
	CallsTold   int           // applied calls whose results the model has seen
	TooLong     error         // set when an append did not fit the budget
	RetryReason string        // why the model is asked again
	Rounds      int           // rounds of calls without narration
	Narrating   bool          // second phase of plan_narrate
}

// AppendText appends a message of the user's, as Append does.
func (x *Exchange) AppendText(kind question.MessageKind, text string, budget prompt.Budget) {
	x.Append(budget, question.Message{Kind: kind, Message: llm.Message{Role: llm.User, Text: text}})
}

// Append puts messages behind the request, of which everything before them stays. If the budget
// has no room for them, TooLong is set, and the turn ends before the model is asked again.
func (x *Exchange) Append(budget prompt.Budget, list ...question.Message) {
	if x.TooLong == nil {
		x.Assembled, x.TooLong = x.extended(budget, list)
	}
	if x.Text == nil {
		x.Request.Messages = append(slices.Clip(x.Request.Messages), list...)
	} else if x.TooLong == nil {
		x.Text.Keep()
		x.Request = x.Text.Request()
	}
}

// extended is the prompt with further messages, or why there is no room for them.
func (x *Exchange) extended(budget prompt.Budget, list []question.Message) (prompt.Result, error) {
	messages := make([]llm.Message, len(list))
	for i, m := range list {
		messages[i] = m.Message
	}
	if x.Text != nil {
		return x.Text.With(messages)
	}
	return x.Assembled.Extend(budget, messages...)
}

// Reject appends an output that did not pass, and what is wrong with it. Of a long output
// the middle is left out, and more of it where the prompt has little room.
func (x *Exchange) Reject(budget prompt.Budget, rejected, leftOut string, faults []question.Message) {
	var list []question.Message
	for limit := MaxRejected; limit >= 128; limit /= 4 {
		list = append([]question.Message{{Kind: question.KindRejected, Message: llm.Message{
			Role: llm.Assistant, Text: draft.Shorten(rejected, limit, leftOut)}}}, faults...)
		if _, err := x.extended(budget, list); err == nil {
			break
		}
	}
	x.Append(budget, list...)
}
