package turn

import (
	"fmt"

	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn/internal/stage"
	"github.com/talewright/talewright/internal/utf8text"
	"github.com/talewright/talewright/memvars/tree"
)

// Bounds of what one answer of a model can make grow. What is over them is refused
// in words that the model and the log see; nothing is dropped in silence.
const (
	// MaxReplyBytes is the room for one answer: its text and the names and arguments
	// of its native calls. A longer one is cut there and counts as malformed output.
	MaxReplyBytes = 1 << 20
	// MaxFirstBytes is the room for the piece that an answer began with.
	MaxFirstBytes = 1 << 10
	// maxFeedback bounds what one message of feedback lists.
	maxFeedback = 16
	// maxRejected bounds the rejected output that a request repeats, in bytes.
	maxRejected = 8 << 10
	// maxConflicts bounds the conflicts that an attempt keeps.
	maxConflicts = 32
)

// tooManyText tells of the calls that share one ruling.
func tooManyText(reason string, n int) string {
	return fmt.Sprintf("%s: this one and the %d behind it", reason, n-1)
}

// briefCalls bounds a list of refused calls for the model.
func briefCalls(list []state.FailedCall) (out []state.FailedCall, omitted int) {
	out = []state.FailedCall{}
	for _, f := range list[:min(len(list), maxFeedback)] {
		out = append(out, briefCall(f))
	}
	return out, len(list) - len(out)
}

// briefConflicts bounds a list of conflicts for the model. A quote stays an exact
// part of the text.
func briefConflicts(list []conflict.Conflict) (out []conflict.Conflict, omitted int) {
	out = append([]conflict.Conflict{}, list[:min(len(list), maxFeedback)]...)
	for i := range out {
		out[i].Quote = utf8text.Cut(out[i].Quote, stage.MaxText)
	}
	return out, len(list) - len(out)
}

// briefCall bounds what a tool says about a refused call.
func briefCall(f state.FailedCall) state.FailedCall {
	f.Message = utf8text.Cut(f.Message, stage.MaxText)
	if len(f.Expected.String()) > stage.MaxText {
		f.Expected = tree.Value{}
	}
	if len(f.Hint.String()) > stage.MaxText {
		f.Hint = tree.Value{}
	}
	return f
}
