package play

import (
	"slices"

	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/turn/internal/draft"
	"github.com/talewright/talewright/campaign/turn/internal/prepare"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/prompt"
)

// Limits of the feedback to the model about its own output.
const (
	MaxFeedback = 16      // refused calls, or contradictions, in one message
	MaxRejected = 8 << 10 // bytes of a rejected output that a request repeats
)

// Exchange has the messages to the model in a turn, and how many of them the model has received.
type Exchange struct {
	Request     question.Request
	Text        *prepare.Text // the prompt in one text, nil for messages
	Assembled   prompt.Result // the first request, and the messages appended to it
	Estimated   int           // tokens of the first request of the turn, including its tools
	Sent        int           // number of messages of the request that the model has received
	ResultsSent int           // number of applied calls whose results the model has received
	TooLong     error         // set when an append did not fit the budget
	RetryReason string        // why the model is asked again
	Rounds      int           // number of rounds of calls without narration
	Narrating   bool          // the second phase of plan_narrate runs
}

// AppendText appends a user message, as Append does.
func (x *Exchange) AppendText(kind question.MessageKind, text string, budget prompt.Budget) {
	x.Append(budget, question.Message{Kind: kind, Message: llm.Message{Role: llm.User, Text: text}})
}

// Append appends messages to the request. The earlier messages do not change. If they do not fit
// the budget, TooLong is set, and the turn ends before the model is asked again.
func (x *Exchange) Append(budget prompt.Budget, list ...question.Message) {
	if x.TooLong == nil {
		x.Assembled, x.TooLong = x.extend(budget, list)
	}
	if x.Text == nil {
		x.Request.Messages = append(slices.Clip(x.Request.Messages), list...)
	} else {
		x.Text.Keep()
		x.Request = x.Text.Request()
	}
}

// extend returns the prompt with further messages, or an error if they do not fit.
func (x *Exchange) extend(budget prompt.Budget, list []question.Message) (prompt.Result, error) {
	messages := make([]llm.Message, len(list))
	for i, m := range list {
		messages[i] = m.Message
	}
	if x.Text != nil {
		return x.Text.With(messages)
	}
	return x.Assembled.Extend(budget, messages...)
}

// Reject appends a rejected output and its faults. The middle of a long output is left out, and
// more of it if the prompt is nearly full.
func (x *Exchange) Reject(budget prompt.Budget, rejected, leftOut string, faults []question.Message) {
	var list []question.Message
	for limit := MaxRejected; limit >= 128; limit /= 4 {
		list = append([]question.Message{{Kind: question.KindRejected, Message: llm.Message{
			Role: llm.Assistant, Text: draft.Shorten(rejected, limit, leftOut)}}}, faults...)
		if _, err := x.extend(budget, list); err == nil {
			break
		}
	}
	x.Append(budget, list...)
}
