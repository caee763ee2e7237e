package campaign

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/talewright/talewright/campaign/internal/turnlog"
	"github.com/talewright/talewright/campaign/internal/watch"
	"github.com/talewright/talewright/campaign/observe"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
)

const placeKindPost = "post"

// Post puts an instruction that asks the model into the inbox of a campaign. It waits there until a
// process with [Engine.Serve] runs it: once, and after all earlier posts. Once Post has returned,
// the instruction is not lost, whichever process ends.
//
// The outcome is nil while the instruction waits or runs. Post the same client turn ID again to get
// the outcome once there is one: a committed turn, a question to people, a refusal or a failure. A
// refused or failed instruction is finished; to try it again, post it with a new ID. A different
// instruction with a known client turn ID is refused as [state.IdempotencyConflict].
//
// The error is a [*state.Refusal] if nothing was posted: [state.QueueFull] while [MaxWaitingPosts]
// wait, [state.TextTooLong] for more than 1 MiB. An instruction without client turn ID
// cannot be posted, and neither can a [turn.Suggest], which does not move the campaign forward.
// Instructions that do not ask the model, such as [turn.Undo] and [turn.NextAnswer], are for
// [Engine.Do]: they act at once, also while posts wait. If the store is not a [Cluster],
// the error wraps [errors.ErrUnsupported]. Other errors are errors of the store.
func (e *Engine) Post(ctx context.Context, id string, in turn.ModelInstruction) (*turn.Outcome, error) {
	o, err := (&task{engine: e, id: id, ctx: ctx}).post(in)
	if _, refused := errors.AsType[*state.Refusal](err); err != nil && !refused {
		err = fmt.Errorf("campaign: post to %q: %w", id, err)
	}
	return o, err
}

func (t *task) post(in turn.ModelInstruction) (o *turn.Outcome, err error) {
	defer catchPanic(t.engine.cfg.Logger, t.id, inStore, &err)
	ctx, id, e := t.ctx, t.id, t.engine
	if e.cluster == nil {
		return nil, errNoCluster
	}
	normal, err := turn.Normalize(in)
	if err != nil {
		return nil, err
	}
	in, _ = turn.NeedsModel(normal)
	ticket := in.Ticket()
	if _, beside := in.(turn.Suggest); beside || ticket.ClientTurnID == "" {
		return nil, errors.New("a post needs a client turn id and an instruction that makes a turn")
	}
	c, err := e.Campaign(ctx, id)
	if err != nil {
		return nil, err
	}
	probe := turn.NewMachine(e.game(), c)
	if o, known := probe.Known(in); known {
		return &o, nil
	}
	if o, known, err := t.earlierOutcome(probe, in); known || err != nil {
		return &o, err
	}
	now := e.cfg.Now().UTC()
	p := InboxPost{Key: turnlog.Key(ticket.ClientTurnID), At: now}
	if p.Data, err = e.archive.sealPost(id, p.Key, turn.Inputs{turn.Stamp(in, now)}); err != nil {
		return nil, err
	}
	if len(p.Data) > maxPostBytes {
		return nil, &state.Refusal{Code: state.TextTooLong, Detail: fmt.Sprintf("%d bytes, at most %d are posted", len(p.Data), maxPostBytes)}
	}
	there, err := e.cluster.PutPost(ctx, id, p)
	if errors.Is(err, ErrUnavailable) {
		there, err = e.cluster.PutPost(ctx, id, p) // the answer may have been lost
	}
	switch {
	case errors.Is(err, ErrInboxFull):
		return nil, &state.Refusal{Code: state.QueueFull, Detail: fmt.Sprintf("%d posts wait", MaxWaitingPosts)}
	case err != nil:
		return nil, err
	}
	return e.archive.outcomeOfPost(id, there, ticket.By(c.State.Selected.ActorID), c.State.Selected.ActorID)
}

// outcomeOfPost returns the outcome of a stored post, or nil while it waits. A post of a different
// instruction is refused.
func (a archive) outcomeOfPost(id string, p InboxPost, means, active string) (*turn.Outcome, error) {
	in, err := a.openPost(id, p)
	switch {
	case err != nil && p.Outcome == nil:
		return nil, err
	case err == nil && in.Ticket().By(active) != means:
		return refusedOutcome(state.IdempotencyConflict), nil
	case p.Outcome == nil:
		return nil, nil
	}
	var o turn.Outcome
	data, err := a.unseal(Place{id, 0, placeKindPost + "/" + p.Key}, p.Outcome)
	if err == nil {
		err = turnlog.ReadValue(data, &o)
	}
	o.Replayed = true
	return &o, err
}

// sealPost encodes and seals a part of a post.
func (a archive) sealPost(id, key string, what any) ([]byte, error) {
	data, err := turnlog.WriteValue(what)
	if err == nil && a.codec != nil {
		data, err = a.codec.Seal(Place{id, 0, placeKindPost + "/" + key}, data)
	}
	return data, err
}

func (a archive) unseal(at Place, data []byte) ([]byte, error) {
	if a.codec == nil {
		return data, nil
	}
	return a.codec.Open(at, data)
}

// openPost reads the instruction of a post.
func (a archive) openPost(id string, p InboxPost) (turn.ModelInstruction, error) {
	data, err := a.unseal(Place{id, 0, placeKindPost + "/" + p.Key}, p.Data)
	var list turn.Inputs
	if err == nil {
		err = turnlog.ReadValue(data, &list)
	}
	if err != nil {
		return nil, fmt.Errorf("post %d: %w", p.Seq, err)
	}
	if len(list) == 1 {
		if in, ok := turn.NeedsModel(list[0]); ok {
			return in, nil
		}
	}
	return nil, fmt.Errorf("post %d has an instruction that this program does not know", p.Seq)
}

// Waiting is a waiting post, see [Engine.NextPost].
type Waiting struct {
	Key string    // identifies the post for [Engine.DropPost]
	At  time.Time // when it was posted
	// Instruction is nil if this program cannot read the post. Err gives the reason.
	Instruction turn.ModelInstruction
	Err         error
}

// NextPost returns the post of a campaign that has waited longest, or nil if no post waits. The
// other posts wait for it, even if [Engine.Serve] fails to run it and retries. The errors are the
// errors of [Engine.Post].
func (e *Engine) NextPost(ctx context.Context, id string) (_ *Waiting, err error) {
	defer catchPanic(e.cfg.Logger, id, inStore, &err)
	p, found, err := InboxPost{}, false, errNoCluster
	if e.cluster != nil {
		p, found, err = e.cluster.OldestPost(ctx, id)
	}
	if err != nil {
		return nil, fmt.Errorf("campaign: next post of %q: %w", id, err)
	}
	if !found {
		return nil, nil
	}
	w := Waiting{Key: p.Key, At: p.At}
	w.Instruction, w.Err = e.archive.openPost(id, p)
	return &w, nil
}

// DropPost ends a post without running it, so that it no longer blocks later posts. Use it for a
// post that no program can read, or whose outcome the store refuses each time. If the same
// instruction is posted again, its outcome is a failure with the code [turn.PostDropped] and the
// detail. A finished post does not change.
//
// While the post runs, the error is the refusal [state.CampaignBusy]. Other errors are the errors
// of [Engine.Post].
func (e *Engine) DropPost(ctx context.Context, id, key, detail string) (err error) {
	defer catchPanic(e.cfg.Logger, id, inStore, &err)
	err = e.dropPost(ctx, id, key, detail)
	if _, refused := errors.AsType[*state.Refusal](err); err != nil && !refused {
		err = fmt.Errorf("campaign: drop a post of %q: %w", id, err)
	}
	return err
}

func (e *Engine) dropPost(ctx context.Context, id, key, detail string) error {
	if e.cluster == nil {
		return errNoCluster
	}
	r := newRunner(e, ctx, func() {}, id, nil)
	return r.runIfFree(func(*session) error {
		if _, err := r.awaitLease(nil); err != nil { // with the lease no other process runs the post
			return err
		}
		outcome, err := e.archive.sealPost(id, key, turn.Outcome{Status: turn.Failed, Reason: string(turn.PostDropped), Detail: detail,
			Failure: &turn.Failure{Kind: turn.FailureCancelled, Code: turn.PostDropped}})
		if err != nil {
			return err
		}
		return e.cluster.FinishPost(ctx, id, r.fence(), key, outcome)
	})
}

var errNoCluster = fmt.Errorf("the store has no inboxes: it is not a Cluster: %w", errors.ErrUnsupported)

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
	return Service{
		List: func(ctx context.Context, after string, limit int) ([]string, error) {
			return callHost(e.cfg.Logger, "", "Config.Store", func() ([]string, error) { return e.cluster.ListInboxes(ctx, after, limit) })
		}, AtOnce: cmp.Or(max(atOnce, 0), 8), Bell: e.cluster.Watch(ctx, ""),
		Work: func(ctx context.Context, id string) (bool, error) {
			ctx, cancel := context.WithCancel(ctx)
			defer cancel()
			return newRunner(e, ctx, cancel, id, func(p Progress, _ error) (more bool) {
				more = true
				var err error // the error is logged, and the turn continues
				defer catchPanic(e.cfg.Logger, id, "progress of Serve", &err)
				progress(id, p)
				return true
			}).runOldestPost()
		},
		Trouble: func(id string, pause time.Duration, err error) {
			e.cfg.Logger.Warn("campaign: posts were not run", "campaign", id, "again in", pause, "error", err)
		},
	}.Run(ctx)
}

// runOldestPost runs the oldest post of a campaign, and reports whether there may be more posts.
func (r *runner) runOldestPost() (more bool, err error) {
	s := r.engine.sessions.pin(r.id)
	defer r.engine.sessions.unpin(s)
	err = r.guard(s, func() error {
		more, err = r.runOldestLocked(s)
		return err
	})
	return more && err == nil, err
}

func (r *runner) runOldestLocked(s *session) (more bool, err error) {
	if !s.mu.TryLock() {
		return false, nil
	}
	defer s.queue.Leave(&s.mu)
	defer r.releaseLease()
	if err := r.acquireLease(); err != nil {
		if _, held := errors.AsType[*HeldError](err); held {
			return false, nil
		}
		return false, err
	}
	p, found, err := r.engine.cluster.OldestPost(r.ctx, r.id) // no other process runs it now
	if err != nil || !found {
		return false, err
	}
	return r.runPost(s, p)
}

// runPost runs a post, and stores its outcome.
func (r *runner) runPost(s *session, p InboxPost) (more bool, err error) {
	in, err := r.engine.archive.openPost(r.id, p)
	if err == nil {
		err = r.load(s)
	}
	if err != nil {
		return false, err
	}
	if q := s.machine.Campaign().PendingApproval; q != nil && q.Question.ClientTurnID != in.Ticket().ClientTurnID {
		return false, nil
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
	switch {
	case !isFinal(*o) || o.Status == turn.Failed && r.ctx.Err() != nil: // the end of Serve can look like a timeout of the model
		return false, fmt.Errorf("it ended as %s: %w", o.Status, cmp.Or(o.Err(), context.Canceled))
	case o.Status == turn.Completed && !o.Replayed:
		return true, nil // the commit has removed the post
	}
	kept, err := r.engine.archive.sealPost(r.id, p.Key, o)
	if err == nil {
		err = r.engine.cluster.FinishPost(context.WithoutCancel(r.ctx), r.id, r.fence(), p.Key, kept)
	}
	return err == nil, err
}

// isFinal reports whether an outcome is final. It is not final if the store, the lease or the end of
// the process prevented the turn.
func isFinal(o turn.Outcome) bool {
	switch {
	case o.Status == turn.Cancelled:
		return false
	case o.Status == turn.Failed && o.Failure != nil:
		switch o.Failure.Code {
		case turn.LeaseLost, turn.StoreFailed, turn.VersionConflict, turn.PastUnread:
			return false
		}
	}
	return true
}
