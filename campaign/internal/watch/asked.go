package watch

import (
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/talewright/talewright/campaign/observe"
	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/llm"
)

// Answered reports an answer of the host or of hooks to a question of the machine. begun is when it
// was asked.
func (w *Watch) Answered(todo turn.Todo, answer turn.Input, begun time.Time) {
	if w == nil {
		return
	}
	switch in := answer.(type) {
	case turn.HooksRan:
		w.reportHooks(todo, in, begun)
	case turn.Routed:
		w.Asked(observe.AskRouter, in.Error, begun)
	case turn.Recalled:
		w.Asked(observe.AskMemory, in.Error, begun)
	case turn.Retrieved:
		w.Asked(observe.AskRetriever, in.Error, begun)
	case turn.Answered:
		w.Asked(observe.AskTool, "", begun)
	case turn.Judged:
		w.Asked(observe.AskJudge, in.Error, begun)
	case turn.PastRead:
		var err error
		if in.Error != "" {
			err = errors.New(in.Error)
		}
		w.Stored(observe.StorePast, 0, begun, err)
	case turn.Approve:
		w.Asked(observe.AskApprover, "", begun)
	}
}

// Asked reports an answered question to the host. failure is the text of its error, or "".
func (w *Watch) Asked(q observe.Question, failure string, begun time.Time) {
	if w != nil {
		w.report(observe.Asked{Question: q, Took: w.since(begun), Failed: failure != "", Error: failure})
	}
}

// reportHooks reports how many hooks ran, failed and were skipped.
func (w *Watch) reportHooks(todo turn.Todo, in turn.HooksRan, begun time.Time) {
	ran := observe.HooksRan{Event: identifierOrOther(todo.Hooks.Event.Type), Skipped: len(in.Result.Skipped), Took: w.since(begun)}
	for _, log := range in.Result.Logs {
		switch log.Status {
		case act.StatusSuccess, act.StatusPartial:
			ran.Ran++
		default:
			ran.Failed++
		}
	}
	w.report(ran)
}

// Call reports one request to the model and its answer. The zero Call reports nothing.
type Call struct {
	watch    *Watch
	attempt  int
	repeat   int
	model    string
	begun    time.Time
	first    time.Duration
	hasFirst bool
}

// ModelAsked reports that a request is sent to the model. again is 0 for the first time.
func (w *Watch) ModelAsked(g question.Generate, req llm.Request, again int) Call {
	if w == nil {
		return Call{}
	}
	asked := observe.ModelAsked{Attempt: g.Attempt, Again: again, Retry: identifiersOrOther(g.Retry), Model: req.Model,
		Messages: len(req.Messages), Tools: len(req.Tools), Updates: g.Updates}
	if w.wantsTexts {
		asked.Generation = copyGeneration(g)
	}
	w.callCtx = w.notify(w.innermostCtx(), asked)
	return Call{watch: w, attempt: g.Attempt, repeat: again, model: req.Model, begun: w.Now()}
}

// copyGeneration returns a copy of a request, which an observer may change.
func copyGeneration(g question.Generate) *question.Generate {
	g.Request.Messages = slices.Clone(g.Request.Messages)
	for i, m := range g.Request.Messages {
		g.Request.Messages[i].Message = m.Message.Clone()
	}
	whole := llm.Request{Tools: g.Request.Tools}.Clone()
	g.Request.Tools = whole.Tools
	g.Request.Stop = slices.Clone(g.Request.Stop)
	g.Request.CacheMarks = slices.Clone(g.Request.CacheMarks)
	g.Request.CacheMark = maps.Clone(g.Request.CacheMark)
	for name, raw := range g.Request.CacheMark {
		g.Request.CacheMark[name] = slices.Clone(raw)
	}
	g.Audience = slices.Clone(g.Audience)
	return &g
}

// FirstPiece records the time of the first piece of the answer. Later calls do nothing.
func (c *Call) FirstPiece() {
	if c.watch != nil && !c.hasFirst {
		c.hasFirst, c.first = true, c.watch.since(c.begun)
	}
}

// End reports how the answer ended.
func (c *Call) End(resp llm.Response, err error, cancelled bool) {
	w := c.watch
	if w == nil {
		return
	}
	m := observe.ModelAnswered{Attempt: c.attempt, Again: c.repeat, Model: c.model, First: c.first, Took: w.since(c.begun),
		Usage: usageOf(resp.Usage), Finish: llm.FinishReason(identifierOrOther(string(resp.Finish))), Calls: len(resp.Message.ToolCalls), Err: err, Cancelled: cancelled}
	for _, warning := range resp.Warnings {
		m.Warnings = append(m.Warnings, identifierOrOther(warning.Code))
	}
	said, known := errors.AsType[*llm.Error](err)
	switch {
	case cancelled:
		m.Failed = turn.TurnCancelled
	case known:
		m.Failed, m.Status, m.Retryable = turn.FailureCode(identifierOrOther(string(said.Code))), said.Status, said.Retryable()
	case err != nil:
		m.Failed, m.Retryable = turn.TransportFailed, true
	}
	if w.wantsTexts {
		reply := resp.Message.Clone()
		m.Reply = &reply
	}
	w.report(m)
	w.callCtx = nil
}

// SavedReply reports an answer that was paid for before.
func (w *Watch) SavedReply(g question.Generate, model string, in turn.Replied) {
	if w == nil {
		return
	}
	m := observe.ModelAnswered{Attempt: g.Attempt, Model: model, Usage: usageOf(in.Usage), Finish: llm.FinishReason(identifierOrOther(string(in.Finish))),
		Calls: len(in.ToolCalls), Kept: true}
	if w.wantsTexts {
		reply := llm.Message{Role: llm.Assistant, Text: in.Text, ToolCalls: in.ToolCalls}.Clone()
		m.Reply = &reply
	}
	w.report(m)
}

// usageOf returns a copy of u without Extra.
func usageOf(u *llm.Usage) *llm.Usage {
	if u == nil {
		return nil
	}
	own := *u
	own.Extra = nil
	return &own
}
