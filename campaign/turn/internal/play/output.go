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

// Calling is the place among the calls of an output. They are judged in order, each on
// the state that the ones before left.
type Calling struct {
	Next   int // the next call
	Call   answer.RawCall
	Answer *tool.Answer // from outside the game, to this call
	Ruling judge.Ruling
	Seen   map[string]bool // ids of calls
}

// Output is the last answer of the model, and what became of it.
type Output struct {
	Reply   Reply
	Last    answer.Answer
	Own     string       // the text of last before scripts, where these have run
	Asks    []game.Asked // in the form of a dialect
	cleaned struct {     // the narration that was read last
		text    string
		reading *game.Reading
	}
	Calling   Calling
	Unsettled []state.FailedCall  // refused calls
	Findings  []conflict.Conflict // of all severities
	Blocking  []conflict.Conflict // those of them that keep it from passing
	Accepted  []conflict.Conflict // those that a person overrode
}

// Reply is an answer of the model as it came.
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

// Unfinished says in which way an answer is no whole one, "" for a whole one.
func (r Reply) Unfinished() string {
	switch {
	case r.Finish == llm.FinishContentFilter:
		return conflict.FilteredOutput
	case r.Cut, r.Finish == llm.FinishLength:
		return conflict.TruncatedOutput
	}
	return ""
}
