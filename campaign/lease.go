package campaign

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/talewright/talewright/campaign/observe"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
)

// lease is the right of an engine to play a campaign while an instruction runs.
type lease struct {
	cluster  Cluster
	id       string // of the campaign
	fence    int64
	duration time.Duration
	ctx      context.Context         // ends when the lease is lost or released
	lose     context.CancelCauseFunc // ends ctx and the context of the instruction

	logger   *slog.Logger
	renewing chan struct{}  // a semaphore: one renewal at a time
	expiry   *time.Timer    // calls lose if no renewal succeeds before
	renewer  sync.WaitGroup // the goroutine of renewRegularly
}

// While a different process plays, awaitLease tries again after pauses that grow.
const (
	firstPause   = 20 * time.Millisecond
	longestPause = 250 * time.Millisecond
)

// awaitLease acquires the lease of the campaign for an instruction. While a different process has it,
// the setting turn.concurrency decides whether the instruction waits. Without the lease, awaitLease
// returns the outcome of the instruction, or an error. A nil instruction does not wait: the error is
// the refusal [state.CampaignBusy].
func (r *runner) awaitLease(in turn.Input) (*turn.Outcome, error) {
	mayWait := false
	for pause := firstPause; ; pause = min(2*pause, longestPause) {
		err := r.acquireLease()
		held, busy := errors.AsType[*HeldError](err)
		switch {
		case err == nil:
			return nil, nil
		case !busy:
			return nil, err
		case in == nil:
			return nil, &state.Refusal{Code: state.CampaignBusy, Detail: held.Error()}
		case !mayWait:
			_, o, err := r.outcomeWhileBusy(in, nil)
			if o != nil && o.Reason == string(state.CampaignBusy) {
				o.Detail = held.Error()
			}
			if o != nil || err != nil {
				return o, err
			}
			mayWait = true
		}
		select {
		case <-time.After(min(pause, held.For+time.Millisecond)):
		case <-r.ctx.Done():
			return refusedOutcome(state.CampaignBusy), r.ctx.Err()
		}
	}
}

// acquireLease tries to acquire the lease of the campaign. It returns nil without a lease if the store is
// not a [Cluster], or if leases are switched off.
func (t *task) acquireLease() error {
	if t.engine.cluster == nil || t.engine.cfg.Sharing.Lease < 0 {
		return nil
	}
	err := t.tryAcquire()
	if errors.Is(err, ErrUnavailable) {
		err = t.tryAcquire() // the answer may have been lost
	}
	if err == nil || errors.Is(err, errors.ErrUnsupported) {
		return nil
	}
	return failedTo("acquire", t.id, err)
}

// tryAcquire calls Acquire once. With the lease it starts the goroutine that renews the lease, and
// replaces the context of the instruction by one that ends when the lease is lost.
func (t *task) tryAcquire() error {
	d := t.engine.cfg.Sharing.Lease
	begun := time.Now()           // for the expiry
	observedFrom := t.watch.Now() // by the clock of the observer
	fence, err := t.engine.cluster.Acquire(t.workContext(), t.id, t.engine.owner, d)
	if _, busy := errors.AsType[*HeldError](err); !busy { // waiting for others is not a problem of the store
		t.watch.Stored(observe.StoreAcquire, 0, observedFrom, err)
	}
	if err != nil {
		return err
	}
	l := &lease{cluster: t.engine.cluster, id: t.id, fence: fence, duration: d, logger: t.engine.cfg.Logger, renewing: make(chan struct{}, 1)}
	var endLease, endTask context.CancelCauseFunc
	l.ctx, endLease = context.WithCancelCause(context.WithoutCancel(t.ctx)) // a turn is committed even if the player has left
	t.ctx, endTask = context.WithCancelCause(t.ctx)
	l.lose = func(cause error) { endLease(cause); endTask(cause) }
	l.expiry = time.AfterFunc(d-time.Since(begun), func() {
		l.lose(fmt.Errorf("%w: it could not be renewed in time", ErrLeaseLost))
	})
	l.renewer.Go(l.renewRegularly)
	t.lease = l
	return nil
}

// renewRegularly renews the lease every third of its duration.
func (l *lease) renewRegularly() {
	tick := time.NewTicker(l.duration / 3)
	defer tick.Stop()
	for {
		select {
		case <-l.ctx.Done():
			return
		case <-tick.C:
			_ = l.renew(l.ctx) // the next tick tries again, until the lease expires
		}
	}
}

// renew extends the lease, starting now. It returns an error if this engine does not have the lease any
// more, or if the store has failed.
func (l *lease) renew(ctx context.Context) error {
	select {
	case l.renewing <- struct{}{}:
		defer func() { <-l.renewing }()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	begun := time.Now()
	_, err := callHost(l.logger, l.id, "Config.Store", func() (struct{}, error) {
		return struct{}{}, l.cluster.Renew(ctx, l.id, l.fence, l.duration)
	})
	switch {
	case errors.Is(err, ErrLeaseLost):
		l.lose(err)
	case err == nil && !l.expiry.Stop():
		return ErrLeaseLost // too late: the timer has already called lose
	case err == nil:
		l.expiry.Reset(l.duration - time.Since(begun))
	}
	return err
}

// releaseLease releases the lease, if there is one.
func (t *task) releaseLease() {
	l := t.lease
	if l == nil {
		return
	}
	t.lease = nil
	l.expiry.Stop()
	lost := context.Cause(l.ctx) != nil
	l.lose(context.Canceled)
	l.renewer.Wait()
	if lost {
		return // a different process has it, or will have it soon
	}
	ctx, done := context.WithTimeout(context.WithoutCancel(t.workContext()), l.duration)
	defer done()
	begun := t.watch.Now()
	err := l.cluster.Release(ctx, l.id, l.fence)
	if errors.Is(err, ErrUnavailable) {
		err = l.cluster.Release(ctx, l.id, l.fence)
	}
	t.watch.Stored(observe.StoreRelease, 0, begun, err)
	if err != nil {
		t.engine.cfg.Logger.Warn("campaign: the lease was not given back, it ends by itself", "campaign", t.id, "error", err)
	}
}

// fence returns the fence for entries of this instruction.
func (t *task) fence() int64 {
	if t.lease == nil {
		return 0
	}
	return t.lease.fence
}

// confirmLease renews the lease right before a model is called. It returns an error if this engine no
// longer has the lease: two processes must not pay for the same turn.
func (t *task) confirmLease() error {
	if t.lease == nil {
		return nil
	}
	err := t.lease.renew(t.workContext())
	if errors.Is(err, ErrUnavailable) {
		err = t.lease.renew(t.workContext())
	}
	return err
}

// explainLeaseLoss returns the error of an instruction. If the instruction ended because the lease was
// lost, the error says so instead of reporting the end of the context.
func explainLeaseLoss(ctx context.Context, id string, err error) error {
	cause := context.Cause(ctx)
	if err == nil || !errors.Is(cause, ErrLeaseLost) || errors.Is(err, ErrLeaseLost) {
		return err
	}
	return fmt.Errorf("campaign: %q: %w: %v", id, cause, err)
}
