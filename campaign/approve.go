package campaign

import (
	"cmp"
	"context"

	"github.com/talewright/talewright/campaign/approval"
	"github.com/talewright/talewright/campaign/turn"
)

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

// approver asks the host's function, unless its last answer could not be carried out. nil: the
// turn waits.
func (r *runner) approver(q approval.Question) turn.Input {
	if r.engine.cfg.Approver == nil || len(q.Refused) > 0 {
		return nil
	}
	answer, err := r.engine.cfg.Approver(r.inner(), q)
	if err != nil {
		r.engine.cfg.Logger.Warn("campaign: the approver did not answer", "campaign", r.id, "error", err)
	}
	if err != nil || answer == nil {
		return nil
	}
	in := *answer
	in.Question = cmp.Or(in.Question, q.ID)
	return turn.Stamp(in, r.engine.cfg.Now().UTC())
}

// wait ends an instruction whose turn waits for people. What players have seen of the text stays.
func (r *runner) wait(m *turn.Machine) {
	c := m.Campaign()
	q := c.PendingApproval.Question.ForPlayers()
	r.emit(Finished{Outcome: turn.Outcome{
		Status: turn.Waiting, Replayed: r.again, Approval: &q, Version: c.Version,
	}})
}
