package campaign

import (
	"cmp"
	"context"

	"github.com/talewright/talewright/campaign/approval"
	"github.com/talewright/talewright/campaign/suggestion"
	"github.com/talewright/talewright/campaign/turn"
)

// Regenerate asks for another answer to the line of the head turn, and moves the head to it.
// The answer that stood there is kept, see [Engine.Choose] and the setting alternatives.max.
// Refusals, conflicts and failures are outcomes, as those of [Engine.Turn].
func (e *Engine) Regenerate(ctx context.Context, id string, in turn.Regenerate) (turn.Outcome, error) {
	return e.Do(ctx, id, in)
}

// Choose moves the head to another answer to the line of the head turn, of those that
// [state.Campaign.Answers] lists. The state is exactly the one in which that answer was left.
// An answer that is not kept any more is a [*state.Refusal].
func (e *Engine) Choose(ctx context.Context, id, turnID string) (turn.Outcome, error) {
	return e.Do(ctx, id, turn.Choose{TurnID: turnID})
}

// ChooseGreeting opens the story with another greeting of the card, before the first turn. They
// are counted from 0, the card's first message.
func (e *Engine) ChooseGreeting(ctx context.Context, id string, n int) (turn.Outcome, error) {
	return e.Do(ctx, id, turn.Choose{Greeting: &n})
}

// Continue asks for more of the text of the head turn, which is replaced by the longer one.
// Refusals, conflicts and failures are outcomes, as those of [Engine.Turn].
func (e *Engine) Continue(ctx context.Context, id string, in turn.Continue) (turn.Outcome, error) {
	return e.Do(ctx, id, in)
}

// EditText replaces what is shown and prompted of a turn. No state changes, and the text of the
// model is kept in the turn. A turn that does not exist is a [*state.Refusal].
func (e *Engine) EditText(ctx context.Context, id, turnID, text string) (turn.Outcome, error) {
	return e.Do(ctx, id, turn.EditText{TurnID: turnID, Text: text})
}

// Proceed plays a turn without a line of the player's: a scene that goes on by itself, or what
// a rule has asked for with the effect path @ai.request. Refusals, conflicts and failures are
// outcomes, as those of [Engine.Turn].
func (e *Engine) Proceed(ctx context.Context, id string, in turn.Proceed) (turn.Outcome, error) {
	return e.Do(ctx, id, in)
}

// Suggest asks what the player could do or say next. There may be fewer than wanted, also
// none. Nothing changes, and no record is left; an instruction that is repeated with its client
// turn id has the same answer, where the store is a [Ledger]. The error is that of the
// outcome, see [turn.Outcome.Err], or of the store.
func (e *Engine) Suggest(ctx context.Context, id string, in turn.Suggest) ([]string, error) {
	outcome, err := e.Do(ctx, id, in)
	return outcome.Suggestions, cmp.Or(err, outcome.Err())
}

// Impersonate writes what the player could say or do next, "" if nothing can be made of the
// answer. It is [Engine.Suggest] for one line.
func (e *Engine) Impersonate(ctx context.Context, id, instructions string) (string, error) {
	list, err := e.Suggest(ctx, id, turn.Suggest{N: 1, Kind: suggestion.Lines, Instructions: instructions})
	if len(list) == 0 {
		return "", err
	}
	return list[0], err
}

// Pending returns the question with which a turn of the campaign waits for people, nil if none
// does. Any process may show it; [Engine.Approve] answers it. It is for those who decide: it
// holds the text, which players have not seen.
func (e *Engine) Pending(ctx context.Context, id string) (*approval.Question, error) {
	c, err := e.Campaign(ctx, id)
	if err != nil || c.PendingApproval == nil {
		return nil, err
	}
	q := c.PendingApproval.Question
	return &q, nil
}

// Approve answers the question with which a turn of the campaign waits, and plays the turn on: to
// its end, or to the next question. The error is a [*state.Refusal] if the answer does not
// fit the question that waits now; then it still waits. turn.Discard, with [Engine.Do],
// drops the turn.
func (e *Engine) Approve(ctx context.Context, id string, answer turn.Approve) (turn.Outcome, error) {
	return e.Do(ctx, id, answer)
}
