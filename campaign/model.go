package campaign

import (
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

// setInstruction stores what the calls need from the instruction.
func (c *calls) setInstruction(in turn.Input) {
	_, c.asksModel = turn.NeedsModel(in)
	c.suggestion, _ = in.(turn.Suggest)
}

// generate asks the model and, if the setting allows it, shows its text as it comes.
func (c *calls) generate(g question.Generate, version int64) turn.Input {
	if !g.Updates { // the second request shows nothing, and takes nothing back
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
	for n := 0; n < c.engine.cfg.repeats() && brokeOff(resp, err) && c.ctx.Err() == nil && !c.stopped; n++ {
		if !g.Updates {
			c.retract()
		}
		resp, first, err = c.callModel(g, req, n+1)
	}
	in := turn.ReplyOf(resp)
	in.First = first
	if err == nil { // the answer is paid for, even if the turn then fails
		if late := c.saveReply(version, g.Key, in); late != nil {
			err = preventedCall{late}
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
		return failureOf(err)
	}
	return in
}

// request returns the request to the model, and the key of the call.
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

// showWhole shows an answer that was not streamed, if the setting allows it.
func (c *calls) showWhole(g question.Generate, text string) {
	if !g.Intercept {
		words := game.Narrator{Game: c.game}
		c.provisional(g, words.Write(text))
		c.showRest(g, &words)
	}
}

// readReply reads one reply of the model to its end. first is the first piece of its text, if hooks
// need it.
func (c *calls) readReply(g question.Generate, req llm.Request, again int) (resp llm.Response, first string, err error) {
	call := c.watch.ModelAsked(g, req, again)
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
	words := game.Narrator{Game: c.game}
	watched := func(yield func(llm.Chunk, error) bool) {
		for chunk, err := range seq {
			call.FirstPiece()
			if text, ok := chunk.(llm.TextDelta); ok && err == nil {
				if first == "" && g.First {
					first = text.Text
				}
				if !g.Intercept {
					c.provisional(g, words.Write(text.Text))
				}
			}
			if !yield(chunk, err) || c.stopped {
				return
			}
		}
	}
	resp, err = llm.Collect(watched)
	if err == nil && c.ctx.Err() == nil && !g.Intercept {
		c.showRest(g, &words)
	}
	return resp, first, err
}

// showRest shows the rest of a complete answer. If the text shown so far is not part of the
// narration, it first retracts that text.
func (c *calls) showRest(g question.Generate, words *game.Narrator) {
	rest, again := words.Finish()
	if again {
		c.retract()
	}
	c.provisional(g, rest)
}

// brokeOff reports whether a reply ended too early after its beginning. If nothing had come,
// wrap.Retry asks again after a pause.
func brokeOff(resp llm.Response, err error) bool {
	e, ok := errors.AsType[*llm.Error](err)
	begun := resp.Message.Text != "" || resp.Message.Reasoning != "" || len(resp.Message.ToolCalls) > 0
	return ok && begun && e.Retryable() && e.RetryAfter == 0
}

func (c Config) repeats() int {
	if c.Repeats == 0 {
		return 1
	}
	return c.Repeats
}

func failureOf(err error) turn.GenerateFailed {
	why := turn.FailureOf(err)
	return turn.GenerateFailed{Reason: why.Code, Retry: why.Retry, RetryAfter: why.RetryAfter}
}

// preventedCall is the error of a call that was not made.
type preventedCall struct{ error }

func (e preventedCall) Unwrap() error { return e.error }

// callModel reads one reply of the model, if the call may be paid for.
func (c *calls) callModel(g question.Generate, req llm.Request, again int) (llm.Response, string, error) {
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
	resp, first, err := c.readReply(g, req, again)
	if err != nil { // the host receives the error
		_ = c.saveCallState(g.Key, callFinished)
	}
	return resp, first, err
}

// preventedFailure returns the input for the machine if the lease, a saved answer or the store prevents
// the turn from continuing, and false otherwise.
func (c *calls) preventedFailure(err error) (turn.GenerateFailed, bool) {
	if cause := context.Cause(c.ctx); cause != nil {
		err = preventedCall{cause}
		if !errors.Is(cause, ErrLeaseLost) {
			return turn.GenerateFailed{}, false
		}
	}
	why, ok := errors.AsType[preventedCall](err)
	if !ok {
		return turn.GenerateFailed{}, false
	}
	c.cause = why.error
	switch {
	case errors.Is(why, errCallLost):
		return turn.GenerateFailed{Reason: turn.CallLost, Retry: true}, true
	case errors.Is(why, ErrLeaseLost):
		c.watch.LeaseLost(why.error)
		return turn.GenerateFailed{Reason: turn.LeaseLost, Retry: true}, true
	}
	return turn.GenerateFailed{Reason: turn.StoreFailed, Retry: errors.Is(why, ErrUnavailable)}, true
}
