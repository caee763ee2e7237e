package campaign

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/talewright/talewright/campaign/internal/turnlog"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
)

// placeKindPost begins the kind of the [Place] of a post. The key of the post follows after a slash.
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
	return o, failedTo("post to", id, err)
}

// post is Post without the prefix of its errors.
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
	if _, isSuggest := in.(turn.Suggest); isSuggest || ticket.ClientTurnID == "" {
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
	if p.Data, err = e.archive.sealValue(placeOfPost(id, p.Key), turn.Inputs{turn.Stamp(in, now)}); err != nil {
		return nil, err
	}
	if len(p.Data) > maxPostBytes {
		return nil, &state.Refusal{Code: state.TextTooLong, Detail: fmt.Sprintf("%d bytes, at most %d are posted", len(p.Data), maxPostBytes)}
	}
	stored, err := e.cluster.PutPost(ctx, id, p)
	if errors.Is(err, ErrUnavailable) {
		stored, err = e.cluster.PutPost(ctx, id, p) // the answer may have been lost
	}
	switch {
	case errors.Is(err, ErrInboxFull):
		return nil, &state.Refusal{Code: state.QueueFull, Detail: fmt.Sprintf("%d posts wait", MaxWaitingPosts)}
	case err != nil:
		return nil, err
	}
	return e.archive.outcomeOfPost(id, stored, ticket, c.State.Selected.ActorID)
}

// outcomeOfPost returns the outcome of the stored post for a ticket, or nil while the post waits. If
// the stored instruction is a different one, the outcome is a refusal. active is the character of an
// instruction that names none.
func (a archive) outcomeOfPost(id string, p InboxPost, ticket turn.Ticket, active string) (*turn.Outcome, error) {
	in, err := a.openPost(id, p)
	switch {
	case err != nil && p.Outcome == nil:
		return nil, err
	case err == nil && in.Ticket().By(active) != ticket.By(active):
		return refusedOutcome(state.IdempotencyConflict), nil
	case p.Outcome == nil:
		return nil, nil
	}
	var o turn.Outcome
	err = a.unsealValue(placeOfPost(id, p.Key), p.Outcome, &o)
	o.Replayed = true
	return &o, err
}

// placeOfPost returns the place of a post, for its instruction and for its outcome.
func placeOfPost(id, key string) Place { return Place{id, 0, placeKindPost + "/" + key} }

// sealValue encodes a value, and seals it with the codec.
func (a archive) sealValue(at Place, value any) ([]byte, error) {
	data, err := turnlog.WriteValue(value)
	if err != nil {
		return nil, err
	}
	return a.seal(at, data)
}

// unsealValue is the inverse of sealValue.
func (a archive) unsealValue(at Place, data []byte, into any) error {
	data, err := a.unseal(at, data)
	if err != nil {
		return err
	}
	return turnlog.ReadValue(data, into)
}

// openPost reads the instruction of a post.
func (a archive) openPost(id string, p InboxPost) (turn.ModelInstruction, error) {
	var list turn.Inputs
	if err := a.unsealValue(placeOfPost(id, p.Key), p.Data, &list); err != nil {
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
	if err != nil || !found {
		return nil, failedTo("next post of", id, err)
	}
	w := Waiting{Key: p.Key, At: p.At}
	w.Instruction, w.Err = e.archive.openPost(id, p)
	return &w, nil
}

// DropPost ends a post without running it, so that it no longer blocks later posts. Use it for a
// post that no program can read, or whose outcome the store refuses each time. If the same
// instruction is posted again, its outcome is a failure with the code [turn.PostDropped] and the
// detail.
//
// key is the key of the post that [Engine.NextPost] returned. If that post no longer waits, or there
// never was one, nothing changes and the error wraps [ErrNotFound]: a different process may have run
// it. While the post runs, the error is the refusal [state.CampaignBusy]. Other errors are the errors
// of [Engine.Post].
func (e *Engine) DropPost(ctx context.Context, id, key, detail string) (err error) {
	defer catchPanic(e.cfg.Logger, id, inStore, &err)
	return failedTo("drop a post of", id, e.dropPost(ctx, id, key, detail))
}

// dropPost is DropPost without the prefix of its errors.
func (e *Engine) dropPost(ctx context.Context, id, key, detail string) error {
	if e.cluster == nil {
		return errNoCluster
	}
	r := newRunner(e, ctx, func() {}, id, nil)
	return r.runIfFree(func(*session) error {
		if _, err := r.awaitLease(nil); err != nil { // with the lease no other process runs the post
			return err
		}
		oldest, found, err := e.cluster.OldestPost(ctx, id)
		if err != nil {
			return err
		}
		if !found || oldest.Key != key { // a host knows the key of a later post only after this one
			return errNoPost
		}
		return r.finishPost(key, turn.Outcome{Status: turn.Failed, Reason: string(turn.PostDropped), Detail: detail,
			Failure: &turn.Failure{Kind: turn.FailureCancelled, Code: turn.PostDropped}})
	})
}

// finishPost stores the outcome of a post that was not committed.
func (t *task) finishPost(key string, o turn.Outcome) error {
	outcome, err := t.engine.archive.sealValue(placeOfPost(t.id, key), o)
	if err != nil {
		return err
	}
	return t.engine.cluster.FinishPost(context.WithoutCancel(t.ctx), t.id, t.fence(), key, outcome)
}

// errNoPost is returned by [Engine.DropPost] for a post that does not wait.
var errNoPost error = specificError{"the post does not wait at the head of its inbox: it was run or dropped, or the key is wrong", ErrNotFound}

// errNoCluster is the error of everything about posts if the store is not a Cluster.
var errNoCluster = fmt.Errorf("the store has no inboxes: it is not a Cluster: %w", errors.ErrUnsupported)
