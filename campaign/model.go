package campaign

import (
	"context"
	"errors"
	"slices"

	"github.com/talewright/talewright/campaign/failure"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/llm"
)

// generate asks the model and, where that is allowed, shows its text as it comes.
func (r *runner) generate(g question.Generate, version int64) turn.Input {
	r.retract()
	r.emit(AttemptStarted{g.Attempt, g.Retry})
	r.watch.Retries(g)
	req, key := r.request(g, version)
	g.Key = key
	if in, ok := r.kept(version, g.Key); ok {
		r.watch.Kept(g, req.Model, in)
		r.provisional(g, in.Text)
		return in
	}
	resp, first, err := r.ask(g, req, 0)
	for n := 0; n < r.engine.cfg.repeats() && brokeOff(resp, err) && r.ctx.Err() == nil && !r.stopped; n++ {
		r.retract()
		resp, first, err = r.ask(g, req, n+1)
	}
	in := turn.ReplyOf(resp)
	in.First = first
	if err == nil { // it is paid for, whatever comes
		if late := r.keep(version, g.Key, in); late != nil {
			err = unpaid{late}
		}
	}
	if failed, ok := r.leaseFailure(err); ok {
		return failed
	}
	if r.cause = err; err == nil {
		r.cause = context.Cause(r.ctx)
	}
	switch {
	case errors.Is(r.ctx.Err(), context.DeadlineExceeded), errors.Is(err, context.DeadlineExceeded):
		return turn.GenerateFailed{Reason: failure.Code(llm.CodeTimeout), Retry: true} // nobody cancelled anything
	case r.ctx.Err() != nil || errors.Is(err, context.Canceled):
		return turn.GenerateFailed{Reason: failure.TurnCancelled, Cancelled: true}
	case err != nil:
		return failureOf(err)
	}
	return in
}

// request is what the model is asked, and the key of the call.
func (r *runner) request(g question.Generate, version int64) (llm.Request, string) {
	req := g.Request.LLM()
	req.Model, req.Options = r.engine.cfg.ModelName, r.engine.cfg.Options
	req.Options.Stop = slices.Concat(req.Options.Stop, g.Request.Stop)
	key := keyOf(r.id, version, g.Attempt, req)
	if !r.beside.At.IsZero() {
		key = keyBeside(key, r.beside)
	}
	return req, key
}

// provisional shows an answer that came whole, where that is allowed.
func (r *runner) provisional(g question.Generate, text string) {
	if g.Intercept {
		return
	}
	words := game.Narrator{Game: r.engine.cfg.Game}
	if text = words.Write(text) + words.Finish(); text != "" {
		r.emit(Provisional{g.Attempt, text, g.Audience})
		r.shown = g.Attempt
	}
}

// listen reads one reply of the model to its end. First is the piece that its text began with, if
// hooks want it.
func (r *runner) listen(g question.Generate, req llm.Request, again int) (resp llm.Response, first string, err error) {
	call := r.watch.ModelAsked(g, req, again)
	defer func() { call.Ends(resp, err, r.ctx.Err() != nil || errors.Is(err, context.Canceled)) }()
	seq := r.engine.cfg.Model.Generate(llm.WithCallKey(r.inner(), g.Key), req)
	words := game.Narrator{Game: r.engine.cfg.Game}
	show := func(text string) {
		if text != "" {
			r.emit(Provisional{g.Attempt, text, g.Audience})
			r.shown = g.Attempt
		}
	}
	watched := func(yield func(llm.Chunk, error) bool) {
		for chunk, err := range seq {
			call.Begins()
			if text, ok := chunk.(llm.TextDelta); ok && err == nil {
				if first == "" && g.First {
					first = text.Text
				}
				if !g.Intercept {
					show(words.Write(text.Text))
				}
			}
			if !yield(chunk, err) || r.stopped {
				return
			}
		}
	}
	resp, err = llm.Collect(watched)
	if err == nil && r.ctx.Err() == nil && !g.Intercept {
		show(words.Finish())
	}
	return resp, first, err
}

// brokeOff reports whether a reply ended too early, after something had come. Before that
// it is wrap.Retry's to ask again, and to wait.
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
	why := failure.Of(err)
	return turn.GenerateFailed{Reason: why.Code, Retry: why.Retry, RetryAfter: why.RetryAfter}
}

// unpaid is the error of a model that was not asked.
type unpaid struct{ error }

func (e unpaid) Unwrap() error { return e.error }

// ask reads one reply of the model, if it may be paid for.
func (r *runner) ask(g question.Generate, req llm.Request, again int) (llm.Response, string, error) {
	err := r.lostCall(g.Key)
	if err == nil {
		err = r.mayPay()
	}
	if err == nil {
		err = r.noteCall(g.Key, callBegun)
	}
	if err != nil {
		return llm.Response{}, "", unpaid{err}
	}
	resp, first, err := r.listen(g, req, again)
	if err != nil { // the host hears of it
		_ = r.noteCall(g.Key, callOver)
	}
	return resp, first, err
}

// leaseFailure is what to tell the machine where it is the lease, the ledger, or the store that
// has them, that keeps a turn from going on; false if it is not.
func (r *runner) leaseFailure(err error) (turn.GenerateFailed, bool) {
	if cause := context.Cause(r.ctx); cause != nil {
		err = unpaid{cause}
		if !errors.Is(cause, ErrLeaseLost) {
			return turn.GenerateFailed{}, false
		}
	}
	why, ok := errors.AsType[unpaid](err)
	if !ok {
		return turn.GenerateFailed{}, false
	}
	r.cause = why.error
	switch {
	case errors.Is(why, errCallLost):
		return turn.GenerateFailed{Reason: failure.CallLost, Retry: true}, true
	case errors.Is(why, ErrLeaseLost):
		r.watch.LeaseLost(why.error)
		return turn.GenerateFailed{Reason: failure.LeaseLost, Retry: true}, true
	}
	return turn.GenerateFailed{Reason: failure.StoreFailed, Retry: errors.Is(why, ErrUnavailable)}, true
}
