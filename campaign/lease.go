package campaign

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/talewright/talewright/campaign/failure"
	"github.com/talewright/talewright/campaign/observe"
	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/llm"
)

// Desk is what a [Store] can do, if it can, so that two machines do not both pay for a call
// of a model: it lends a campaign to one of them at a time. An engine that finds it borrows
// the campaign before an instruction begins, looks once more right before each call, renews
// the lease meanwhile, and gives it back at the end; see [Config].Lease. The contract:
//
//   - Claim lends the campaign to the owner for a time, which the store's own clock
//     measures. Each claim has a fence greater than all before it. While somebody else
//     holds the campaign the error is a [*HeldError]; the same owner may claim again what
//     it holds.
//   - Renew lends it again, from now on, to the holder of that fence, also where the time
//     was over and nobody has claimed it since. Otherwise the error is [ErrLeaseLost].
//   - Release gives it back: the fence is of no more use. What was lost may be released.
//   - Append writes an [Entry] with a Fence only for its holder: after another claim, or
//     the release, the error is [ErrLeaseLost], unless the log has that entry already. An
//     entry without one is written whoever holds the campaign.
//   - An unknown campaign is [ErrNotFound], one that was deleted [ErrDeleted].
//   - A store that could lend and does not, as it is configured, says so with
//     [errors.ErrUnsupported] to every Claim. Engines then play as with a store that is no Desk.
//
// The package storetest examines it too, where a store has it.
type Desk interface {
	Claim(ctx context.Context, id, owner string, d time.Duration) (fence int64, err error)
	Renew(ctx context.Context, id string, fence int64, d time.Duration) error
	Release(ctx context.Context, id string, fence int64) error
}

// ErrLeaseLost is returned to a process that does not hold the campaign any more: the
// lease was over, and another process took it. Nothing was written. A retry helps.
var ErrLeaseLost = errors.New("the lease of the campaign was lost")

// HeldError is the error of [Desk].Claim while somebody else holds the campaign.
type HeldError struct {
	Owner string        // as it was claimed
	For   time.Duration // how long the lease lasts unless it is renewed; never negative
}

// Error names the owner and the time.
func (e *HeldError) Error() string {
	return fmt.Sprintf("the campaign is held by %q, for another %s", e.Owner, e.For.Round(time.Millisecond))
}

// lease is the right of an engine to play a campaign while an instruction runs.
type lease struct {
	desk  Desk
	id    string
	fence int64
	time  time.Duration
	ctx   context.Context // ends when the lease is lost or given back
	lost  context.CancelCauseFunc

	renewing chan struct{} // holds one renewal at a time
	expires  *time.Timer   // loses the lease if no renewal came through before
	renewer  sync.WaitGroup
}

// Somebody else's turn is waited for in steps that grow.
const (
	firstPause   = 20 * time.Millisecond
	longestPause = 250 * time.Millisecond
)

// claim takes the lease of the campaign, where the store is a [Desk]. While another process
// holds it, an instruction that asks the model waits or is refused as the setting
// turn.concurrency says, and every other one is refused.
func (r *runner) claim(in turn.Input) (*turn.Outcome, error) {
	if r.engine.desk == nil {
		return nil, nil
	}
	asked := false
	for pause := firstPause; ; pause = min(2*pause, longestPause) {
		err := r.take()
		if errors.Is(err, ErrUnavailable) {
			err = r.take() // the answer may have been lost
		}
		held, busy := errors.AsType[*HeldError](err)
		switch asking, waits := turn.Asks(in); {
		case err == nil, errors.Is(err, errors.ErrUnsupported):
			return nil, nil
		case !busy:
			return nil, fmt.Errorf("campaign: claim %q: %w", r.id, err)
		case !waits:
			return nil, &state.Refusal{Code: state.CampaignBusy, Detail: held.Error()}
		case !asked:
			_, o, err := r.mayWait(asking, nil)
			if o != nil && o.Reason == string(state.CampaignBusy) {
				o.Detail = held.Error()
			}
			if asked = true; o != nil || err != nil {
				return o, err
			}
		}
		select {
		case <-time.After(min(pause, held.For+time.Millisecond)):
		case <-r.ctx.Done():
			return refusedOutcome(state.CampaignBusy), r.ctx.Err()
		}
	}
}

// take claims once.
func (r *runner) take() error {
	d := r.engine.cfg.Lease
	begun := time.Now()
	asked := r.watch.Now()
	fence, err := r.engine.desk.Claim(r.inner(), r.id, r.engine.owner, d)
	if _, busy := errors.AsType[*HeldError](err); !busy { // who waits for others has no trouble
		r.watch.Stored(observe.StoreClaim, 0, asked, err)
	}
	if err != nil {
		return err
	}
	l := &lease{desk: r.engine.desk, id: r.id, fence: fence, time: d, renewing: make(chan struct{}, 1)}
	var alone, ended context.CancelCauseFunc
	l.ctx, alone = context.WithCancelCause(context.WithoutCancel(r.ctx)) // a turn is committed even if the player has gone
	r.ctx, ended = context.WithCancelCause(r.ctx)
	l.lost = func(cause error) { alone(cause); ended(cause) }
	l.expires = time.AfterFunc(d-time.Since(begun), func() {
		l.lost(fmt.Errorf("%w: it could not be renewed in time", ErrLeaseLost))
	})
	l.renewer.Go(l.keep)
	r.lease = l
	return nil
}

// keep renews the lease every third of its time.
func (l *lease) keep() {
	tick := time.NewTicker(l.time / 3)
	defer tick.Stop()
	for {
		select {
		case <-l.ctx.Done():
			return
		case <-tick.C:
			_ = l.renew(l.ctx) // if it failed there is another try, until the lease expires
		}
	}
}

// renew extends the lease from now on.
func (l *lease) renew(ctx context.Context) error {
	select {
	case l.renewing <- struct{}{}:
		defer func() { <-l.renewing }()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	begun := time.Now()
	err := l.desk.Renew(ctx, l.id, l.fence, l.time)
	switch {
	case errors.Is(err, ErrLeaseLost):
		l.lost(err)
	case err == nil && !l.expires.Stop():
		return ErrLeaseLost // too late: what ran under the lease has been ended
	case err == nil:
		l.expires.Reset(l.time - time.Since(begun))
	}
	return err
}

// release gives the lease back.
func (r *runner) release() {
	l := r.lease
	if l == nil {
		return
	}
	r.lease = nil
	l.expires.Stop()
	lost := context.Cause(l.ctx) != nil
	l.lost(context.Canceled)
	l.renewer.Wait()
	if lost {
		return // it is somebody else's, or soon will be
	}
	ctx, done := context.WithTimeout(context.WithoutCancel(r.inner()), l.time)
	defer done()
	begun := r.watch.Now()
	err := l.desk.Release(ctx, l.id, l.fence)
	if errors.Is(err, ErrUnavailable) {
		err = l.desk.Release(ctx, l.id, l.fence)
	}
	r.watch.Stored(observe.StoreRelease, 0, begun, err)
	if err != nil {
		r.engine.cfg.Logger.Warn("campaign: the lease was not given back, it ends by itself", "campaign", r.id, "error", err)
	}
}

// fence is what entries of this instruction are written with.
func (r *runner) fence() int64 {
	if r.lease == nil {
		return 0
	}
	return r.lease.fence
}

// mayPay looks once more, right before a model is asked, whether the campaign is still
// lent to this engine.
func (r *runner) mayPay() error {
	if r.lease == nil {
		return nil
	}
	err := r.lease.renew(r.inner())
	if errors.Is(err, ErrUnavailable) {
		err = r.lease.renew(r.inner())
	}
	return err
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

// mayWait reports what is known about an instruction while the campaign is in use: its
// outcome, if it has one or is refused. Without one it may stand in a line of so many as
// the party has members. clash finds the same instruction in this process, if it is not nil.
func (r *runner) mayWait(in turn.Asking, clash func(in turn.Ticket, active string) state.RefusalCode) (party int, _ *turn.Outcome, _ error) {
	c, err := r.engine.Campaign(r.ctx, r.id)
	if err != nil {
		return 0, nil, err
	}
	probe := turn.NewMachine(r.engine.cfg.Game, c)
	if o, known := probe.Known(in); known {
		return 0, &o, nil
	}
	if o, known, err := r.engine.longKnown(r.ctx, probe, in); known || err != nil {
		return 0, &o, err
	}
	if clash != nil {
		if code := clash(in.Ticket(), c.State.Selected.ActorID); code != "" {
			return 0, refusedOutcome(code), nil
		}
	}
	if code := probe.Refuses(in); code != "" {
		return 0, refusedOutcome(code), nil
	}
	values := r.engine.cfg.Game.Settings().Freeze(c.GlobalSettings, c.Settings)
	if values.Text(setting.TurnConcurrency) != "queue" {
		return 0, refusedOutcome(state.CampaignBusy), nil
	}
	return len(c.State.Selected.Party), nil, nil
}
