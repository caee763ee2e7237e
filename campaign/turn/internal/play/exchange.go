package play

import (
	"slices"

	"github.com/talewright/talewright/campaign/request"
	"github.com/talewright/talewright/campaign/turn/internal/assembly"
	"github.com/talewright/talewright/campaign/turn/internal/wording"
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
	Request   request.Request
	Text      *assembly.Text // the prompt as one text, nil for messages
	Assembled prompt.Result  // the first request, and what was appended to it
	Estimated int            // tokens of the first request, its tools included
	Sent      int            // messages of the request that the model has seen
	Told      int            // applied calls whose results the model has seen
	TooLong   error          // set when an append did not fit the budget
	Why       string         // why it is asked again
	Rounds    int            // rounds of calls without narration
	Narrating bool           // second phase of plan_narrate
}

// Say puts a message behind the request; everything before it stays.
func (x *Exchange) Say(kind request.Kind, text string, room prompt.Budget) {
	x.Follow(room, request.Message{Kind: kind, Message: llm.Message{Role: llm.User, Text: text}})
}

// Follow appends messages, if the budget has room for them; if not, the turn ends
// before the model is asked again.
func (x *Exchange) Follow(room prompt.Budget, list ...request.Message) {
	if x.TooLong == nil {
		x.Assembled, x.TooLong = x.extended(room, list)
	}
	if x.Text == nil {
		x.Request.Messages = append(slices.Clip(x.Request.Messages), list...)
	} else if x.TooLong == nil {
		x.Text.Keep()
		x.Request = x.Text.Request()
	}
}

// extended is the prompt with further messages, or why there is no room for them.
func (x *Exchange) extended(room prompt.Budget, list []request.Message) (prompt.Result, error) {
	messages := make([]llm.Message, len(list))
	for i, m := range list {
		messages[i] = m.Message
	}
	if x.Text != nil {
		return x.Text.With(messages)
	}
	return x.Assembled.Extend(room, messages...)
}

// Reject appends an output that did not pass, and what is wrong with it. Of a long output
// the middle is left out, and more of it where the prompt has little room.
func (x *Exchange) Reject(room prompt.Budget, rejected string, faults []request.Message) {
	var list []request.Message
	for limit := MaxRejected; limit >= 128; limit /= 4 {
		list = append([]request.Message{{Kind: request.KindRejected, Message: llm.Message{
			Role: llm.Assistant, Text: wording.Shorten(rejected, limit)}}}, faults...)
		if _, err := x.extended(room, list); err == nil {
			break
		}
	}
	x.Follow(room, list...)
}
