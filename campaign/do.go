package campaign

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"sync/atomic"

	"github.com/talewright/talewright/campaign/internal/watch"
	"github.com/talewright/talewright/campaign/observe"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/rules/effect"
)

// Turn plays a turn to its end. A refusal, a conflict and a failure of the model are outcomes, see
// [turn.Outcome.Err]. The error is an error of the store: [ErrNotFound] for an unknown campaign,
// [ErrDeleted], or [ErrUnavailable]. After the last one a retry helps.
func (e *Engine) Turn(ctx context.Context, id string, in turn.Submit) (turn.Outcome, error) {
	return e.Do(ctx, id, in)
}

// Do runs any instruction of package turn and returns its outcome. Some of them are:
//
//	turn.Submit      a line of the player, as by [Engine.Turn]
//	turn.Proceed     a turn without a line
//	turn.Regenerate  a different answer to the newest line; turn.NextAnswer, turn.PreviousAnswer and
//	                 turn.Choose switch between the answers
//	turn.Undo        takes back the newest turn; turn.Redo restores it
//	turn.Continue    more of the newest answer
//	turn.EditText    a different text for a turn
//	turn.RollBack    back to a checkpoint; turn.UndoRollBack returns, turn.SwitchBranch switches branches
//	turn.Approve     the answer to a question of [Engine.Pending]; turn.Discard drops the turn
//
// Wrap any of them in a [turn.Once] to make it repeatable: a host that has lost the answer sends it
// again.
//
// For instructions that ask the model ([turn.ModelInstruction]) a refusal, a conflict and a failure
// are outcomes. Any other instruction that is not run returns a [*state.Refusal], and nothing has
// changed. Other errors are errors of the store, see [Engine.Turn].
func (e *Engine) Do(ctx context.Context, id string, in turn.Input) (turn.Outcome, error) {
	var out turn.Outcome
	var host []effect.Attributed
	for p, err := range e.Stream(ctx, id, in) {
		if err != nil {
			out.Host = host // the delivered effects are the host's, also before an error
			return out, err
		}
		switch p := p.(type) {
		case HostEffect:
			host = append(host, effect.Attributed{Source: p.By, Effect: p.Effect})
		case Finished:
			out = p.Outcome
		}
	}
	out.Host = host
	return out, nil
}

// Stream runs an instruction while it is ranged over, and yields what happens. The sequence is
// single-use and ends with [Finished] or an error. A consumer that stops early cancels a turn that
// is not committed yet.
//
// The text comes as [Narration], after the commit, so no player reads text that may still be
// refused. With the setting conflict.intercept_output off it also comes before the commit, piece by
// piece as the model writes it, as [Provisional].
func (e *Engine) Stream(ctx context.Context, id string, in turn.Input) iter.Seq2[Progress, error] {
	var used atomic.Bool
	return func(yield func(Progress, error) bool) {
		if used.Swap(true) {
			yield(nil, errors.New("campaign: a stream is ranged over once"))
			return
		}
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		r := newRunner(e, ctx, cancel, id, yield)
		r.watch = watch.Begin(ctx, e.observers, observe.Place{Campaign: id, Run: e.runs.Add(1)}, in)
		if err := r.observed(func() error { return r.run(in) }); err != nil && !r.stopped {
			yield(nil, err)
		}
	}
}

// Suggest asks the model what the player could do or say next. It may return fewer suggestions than
// requested, or none. It changes nothing and writes no record. If the store is a [Cluster], an
// instruction that is repeated with its client turn ID gets the same answer. The error is the error
// of the outcome, see [turn.Outcome.Err], or an error of the store.
func (e *Engine) Suggest(ctx context.Context, id string, in turn.Suggest) ([]string, error) {
	outcome, err := e.Do(ctx, id, in)
	return outcome.Suggestions, cmp.Or(err, outcome.Err())
}

// Impersonate writes what the player could say or do next, or returns "" if the answer is not
// usable. It is [Engine.Suggest] for one line.
func (e *Engine) Impersonate(ctx context.Context, id, instructions string) (string, error) {
	list, err := e.Suggest(ctx, id, turn.Suggest{N: 1, Kind: state.SuggestLines, Instructions: instructions})
	if len(list) == 0 {
		return "", err
	}
	return list[0], nil
}

// Pending returns the question with which a turn of the campaign waits for people, or nil if no
// turn waits. Any process may show it. [turn.Approve], with [Engine.Do], answers it, and
// [turn.Discard] drops the turn. It is for the people who decide: it contains the text, which
// players have not seen.
func (e *Engine) Pending(ctx context.Context, id string) (*state.ApprovalQuestion, error) {
	c, err := e.Campaign(ctx, id)
	if err != nil || c.PendingApproval == nil {
		return nil, err
	}
	q := c.PendingApproval.Question
	return &q, nil
}
