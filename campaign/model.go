package campaign

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"slices"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/llm"
)

// NoModel is the model of an engine that calls none: an engine that reads campaigns, sends
// approvals, or exports. A turn on it fails as [llm.CodeInvalidRequest].
var NoModel llm.Model = llm.ModelFunc(func(context.Context, llm.Request) iter.Seq2[llm.Chunk, error] {
	return func(yield func(llm.Chunk, error) bool) {
		yield(nil, &llm.Error{Code: llm.CodeInvalidRequest, Message: "this engine has no model: set Config.Model"})
	}
})

// setInstruction sets the instruction that the calls belong to.
func (c *calls) setInstruction(in turn.Input) {
	_, c.asksModel = turn.NeedsModel(in)
	c.suggestion, _ = in.(turn.Suggest)
}

// generate returns the reply of the model, or its failure. If the setting conflict.intercept_output is
// off, it shows the text as it comes. version is the version of the next record.
func (c *calls) generate(g question.Generate, version int64) turn.Input {
	if !g.Updates { // the request for changes of variables does not change the screen
		c.retract()
		c.emit(AttemptStarted{g.Attempt, g.Retry, g.Continues})
		c.watch.Retrying(g)
	}
	req, key := c.request(g, version)
	g.Key = key
	if in, ok := c.savedReply(version, g.Key); ok {
		c.watch.SavedReply(g, req.Model, in)
		c.showWhole(g, in.Text)
		return in
	}
	resp, first, err := c.callModel(g, req, 0)
	for n := 1; n <= cmp.Or(c.engine.cfg.Repeats, 1) && brokeOff(resp, err) && c.ctx.Err() == nil && !c.stopped; n++ {
		if !g.Updates {
			c.retract()
		}
		resp, first, err = c.callModel(g, req, n)
	}
	in := turn.ReplyOf(resp)
	in.First = first
	if err == nil { // the reply is paid for, even if the turn then fails
		if saveErr := c.saveReply(version, g.Key, in); saveErr != nil {
			err = preventedCall{saveErr}
		}
	}
	if failed, ok := c.preventedFailure(err); ok {
		return failed
	}
	if c.cause = err; err == nil {
		c.cause = context.Cause(c.ctx)
	}
	switch {
	case errors.Is(c.ctx.Err(), context.DeadlineExceeded), errors.Is(err, context.DeadlineExceeded):
		return turn.GenerateFailed{Reason: turn.FailureCode(llm.CodeTimeout), Retry: true} // a timeout, not a cancellation
	case c.ctx.Err() != nil || errors.Is(err, context.Canceled):
		return turn.GenerateFailed{Reason: turn.TurnCancelled, Cancelled: true}
	case err != nil:
		why := turn.FailureOf(err)
		return turn.GenerateFailed{Reason: why.Code, Retry: why.Retry, RetryAfter: why.RetryAfter}
	}
	return in
}

// request returns the request to the model, and the key under which its answer is saved.
func (c *calls) request(g question.Generate, version int64) (llm.Request, string) {
	req := g.Request.LLM()
	req.Model, req.Options = c.engine.cfg.ModelName, c.engine.cfg.Options
	if g.Updates && c.engine.cfg.Services.Updater != nil {
		req.Model = c.engine.cfg.Services.UpdaterName
	}
	req.Options.Stop = slices.Concat(req.Options.Stop, g.Request.Stop)
	key := keyOf(c.id, version, g.Attempt, req)
	if !c.suggestion.At.IsZero() {
		key = suggestionKey(key, c.suggestion)
	}
	return req, key
}

// showWhole shows a saved reply, if the setting allows it.
func (c *calls) showWhole(g question.Generate, text string) {
	if !g.Intercept {
		narrator := game.Narrator{Game: c.game}
		c.provisional(g, narrator.Write(text))
		c.showRest(g, &narrator)
	}
}

// readReply calls the model and reads its reply to the end. repeat is 0 for the first try. first is the
// first piece of the text, if hooks need it.
func (c *calls) readReply(g question.Generate, req llm.Request, repeat int) (resp llm.Response, first string, err error) {
	call := c.watch.ModelAsked(g, req, repeat)
	model, name := c.engine.cfg.Model, "Config.Model"
	if g.Updates && c.engine.cfg.Services.Updater != nil {
		model, name = c.engine.cfg.Services.Updater, "Services.Updater"
	}
	defer func() {
		if !c.yielding { // a panic of the caller's own code is passed on
			if what := recover(); what != nil {
				err = logHostPanic(c.engine.cfg.Logger, c.id, name, what)
			}
		}
		call.End(resp, err, c.ctx.Err() != nil || errors.Is(err, context.Canceled))
	}()
	seq := model.Generate(llm.WithCallKey(c.workContext(), g.Key), req)
	narrator := game.Narrator{Game: c.game}
	shown := func(yield func(llm.Chunk, error) bool) {
		for chunk, err := range seq {
			call.FirstPiece()
			if text, ok := chunk.(llm.TextDelta); ok && err == nil {
				if first == "" && g.First {
					first = text.Text
				}
				if !g.Intercept {
					c.provisional(g, narrator.Write(text.Text))
				}
			}
			if !yield(chunk, err) || c.stopped {
				return
			}
		}
	}
	resp, err = llm.Collect(shown)
	if err == nil && c.ctx.Err() == nil && !g.Intercept {
		c.showRest(g, &narrator)
	}
	return resp, first, err
}

// showRest shows the rest of a complete reply. If the text shown so far is not part of the narration,
// showRest first retracts that text.
func (c *calls) showRest(g question.Generate, narrator *game.Narrator) {
	rest, again := narrator.Finish()
	if again {
		c.retract()
	}
	c.provisional(g, rest)
}

// brokeOff reports whether a reply ended too early, after its beginning. The engine does not repeat a
// call without any reply: wrap.Retry does that after a pause.
func brokeOff(resp llm.Response, err error) bool {
	e, ok := errors.AsType[*llm.Error](err)
	begun := resp.Message.Text != "" || resp.Message.Reasoning != "" || len(resp.Message.ToolCalls) > 0
	return ok && begun && e.Retryable() && e.RetryAfter == 0
}

// preventedCall wraps the error of the lease or the store that prevents the turn from continuing: the
// model was not called, or its reply may not be used.
type preventedCall struct{ error }

func (e preventedCall) Unwrap() error { return e.error }

// callModel calls the model if the lease is still valid and the call was not lost. repeat is 0 for the
// first try. See readReply for the results.
func (c *calls) callModel(g question.Generate, req llm.Request, repeat int) (llm.Response, string, error) {
	err := c.checkLostCall(g.Key)
	if err == nil {
		err = c.confirmLease()
	}
	if err == nil {
		err = c.saveCallState(g.Key, callBegun)
	}
	if err != nil {
		return llm.Response{}, "", preventedCall{err}
	}
	resp, first, err := c.readReply(g, req, repeat)
	if err != nil {
		_ = c.saveCallState(g.Key, callFinished) // the call has failed already, and the host receives its error
	}
	return resp, first, err
}

// preventedFailure returns the failure of a turn that a lost lease, a lost call or the store prevents
// from continuing. It returns false for any other error, and if the context has ended.
func (c *calls) preventedFailure(err error) (turn.GenerateFailed, bool) {
	prevented, ok := errors.AsType[preventedCall](err)
	if cause := context.Cause(c.ctx); cause != nil {
		prevented, ok = preventedCall{cause}, errors.Is(cause, ErrLeaseLost)
	}
	if !ok {
		return turn.GenerateFailed{}, false
	}
	c.cause = prevented.error
	switch {
	case errors.Is(prevented, errCallLost):
		return turn.GenerateFailed{Reason: turn.CallLost, Retry: true}, true
	case errors.Is(prevented, ErrLeaseLost):
		c.watch.LeaseLost(prevented.error)
		return turn.GenerateFailed{Reason: turn.LeaseLost, Retry: true}, true
	}
	return turn.GenerateFailed{Reason: turn.StoreFailed, Retry: errors.Is(prevented, ErrUnavailable)}, true
}
