package play

import (
	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/internal/answer"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/tool"
	"github.com/talewright/talewright/campaign/turn/internal/judge"
	"github.com/talewright/talewright/llm"
)

// Calling is the position in the calls of an output. The calls are judged in order, each on the
// state after the calls before it.
type Calling struct {
	Next   int // index of the next call
	Call   answer.RawCall
	Answer *tool.Answer // answer from outside the game to this call
	Ruling judge.Ruling
	Seen   map[string]bool // IDs of calls
}

// Output is the last answer of the model, with the results of its judgement.
type Output struct {
	Reply         Reply
	Last          answer.Answer
	BeforeScripts string       // the text of Last before scripts, if scripts have run
	Requests      []game.Asked // requests in the form of a dialect
	cleaned       struct {     // a cache of the last narration read
		text    string
		reading *game.Reading
	}
	Calling      Calling
	RefusedCalls []state.FailedCall  // refused calls
	Findings     []conflict.Conflict // conflicts of all severities
	Questions    []conflict.Question // questions about the doubtful parts of the text
	Blocking     []conflict.Conflict // the findings that block the output
	Accepted     []conflict.Conflict // the findings that a person overrode
}

// Reply is an answer of the model as it was received.
type Reply struct {
	Text      string
	ToolCalls []llm.ToolCall
	Usage     *llm.Usage
	Finish    llm.FinishReason
	Reasoning string
	Thoughts  []llm.Thought
	Warnings  []llm.Warning
	First     string
	Cut       bool
}

// Unfinished returns why an answer is incomplete, "" for a complete one.
func (r Reply) Unfinished() string {
	switch {
	case r.Finish == llm.FinishContentFilter:
		return conflict.FilteredOutput
	case r.Cut, r.Finish == llm.FinishLength:
		return conflict.TruncatedOutput
	}
	return ""
}
