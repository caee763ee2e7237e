package campaign

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/talewright/talewright/campaign/internal/watch"
	"github.com/talewright/talewright/campaign/observe"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
)

// Serve runs the posts of all campaigns of the store, see [Engine.Post], until ctx ends. It runs
// the posts of one campaign in order, and works for at most atOnce campaigns at the same time; 0
// means 8. Any number of processes may serve one store. One process runs each post, and a second
// one continues it if the first dies.
//
// progress receives what happens, as [Engine.Stream] yields it, with the ID of the campaign; it may
// be nil. It is called for several campaigns at the same time, and for each campaign on one
// goroutine. If a process dies before it delivers effects for the host, [Engine.Handover] returns
// them.
//
// A post that people have to approve blocks later posts until they have answered. A post that fails
// because of the store or the lease is retried. A post that this program cannot read is also
// retried, because a newer program may read it. Both are logged. [Engine.DropPost] removes a post
// that never succeeds.
//
// The error is the error of ctx, or wraps [errors.ErrUnsupported] if the store is not a [Cluster].
// Serve returns after all work that it began has ended.
func (e *Engine) Serve(ctx context.Context, atOnce int, progress func(id string, p Progress)) error {
	if e.cluster == nil {
		return fmt.Errorf("campaign: serve: %w", errNoCluster)
	}
	if progress == nil {
		progress = func(string, Progress) {}
	}
	s := &service{
		bell: e.cluster.Watch(ctx, ""),
		list: func(ctx context.Context, after string, limit int) ([]string, error) {
			return callHost(e.cfg.Logger, "", "Config.Store", func() ([]string, error) { return e.cluster.ListInboxes(ctx, after, limit) })
		},
		work: func(ctx context.Context, id string) (bool, error) {
			ctx, cancel := context.WithCancel(ctx)
			defer cancel()
			return newRunner(e, ctx, cancel, id, func(p Progress, _ error) bool {
				_, _ = callHost(e.cfg.Logger, id, "progress of Serve", func() (struct{}, error) { // logs a panic
					progress(id, p)
					return struct{}{}, nil
				})
				return true
			}).runOldestPost()
		},
		trouble: func(id string, pause time.Duration, err error) {
			e.cfg.Logger.Warn("campaign: posts were not run", "campaign", id, "again in", pause, "error", err)
		},
	}
	return s.run(ctx, atOnce)
}

// runOldestPost runs the oldest post of a campaign, unless the campaign is in use. It reports whether
// there may be more posts.
func (r *runner) runOldestPost() (more bool, err error) {
	err = r.runIfFree(func(s *session) error {
		if _, err := r.awaitLease(nil); err != nil {
			return err
		}
		p, found, err := r.engine.cluster.OldestPost(r.ctx, r.id) // with the lease no other process runs it
		if err == nil && found {
			more, err = r.runPost(s, p)
		}
		return err
	})
	if _, isBusy := err.(*state.Refusal); isBusy { // no other refusal is an error here
		return false, nil
	}
	return more && err == nil, err
}

// runPost runs a post, and stores its outcome unless its commit has removed the post. The error of a
// post that stays in the inbox is not nil.
func (r *runner) runPost(s *session, p InboxPost) (more bool, err error) {
	in, err := r.engine.archive.openPost(r.id, p)
	if err == nil {
		err = r.load(s)
	}
	if err != nil {
		return false, err
	}
	if q := s.machine.Campaign().PendingApproval; q != nil && q.Question.ClientTurnID != in.Ticket().ClientTurnID {
		return false, nil // a different turn waits for people
	}
	s.queue.SetRunning(in.Ticket())
	in = in.Remembering(r.engine.cfg.Services.Memory != nil)
	r.watch = watch.Begin(r.ctx, r.engine.observers, observe.Place{Campaign: r.id, Run: r.engine.runs.Add(1)}, in)
	defer func() { r.watch.End(r.outcome, "", err) }()
	r.watch.Admitted(r.fence())
	if err := r.runLeased(s, in); err != nil {
		return false, err
	}
	o := r.outcome
	endOfServe := o.Status == turn.Failed && r.ctx.Err() != nil // it can look like a timeout of the model
	switch {
	case !isFinal(*o) || endOfServe:
		return false, fmt.Errorf("it ended as %s: %w", o.Status, cmp.Or(o.Err(), context.Canceled))
	case o.Status == turn.Completed && !o.Replayed:
		return true, nil // the commit has removed the post
	}
	err = r.finishPost(p.Key, *o)
	return err == nil, err
}

// isFinal reports whether the outcome of a post is final. Otherwise the store, the lease or the end of
// the process prevented the turn, and the post runs again.
func isFinal(o turn.Outcome) bool {
	switch {
	case o.Status == turn.Cancelled:
		return false
	case o.Failure != nil:
		switch o.Failure.Code {
		case turn.LeaseLost, turn.StoreFailed, turn.VersionConflict, turn.PastUnread:
			return false
		}
	}
	return true
}
