package campaign

import (
	"cmp"
	"context"
	"errors"

	"github.com/talewright/talewright/campaign/approval"
	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/campaign/failure"
	"github.com/talewright/talewright/campaign/observe"
	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/campaign/turntrace"
)

// answerTo does what the machine asks for. nil: it asks nothing, or people have not answered.
func (r *runner) answerTo(s *session, m *turn.Machine, todo turn.Todo) turn.Input {
	switch {
	case todo.Past != nil:
		return r.past(m, *todo.Past)
	case todo.Route != nil:
		return r.route(*todo.Route)
	case todo.Hooks != nil:
		todo.Hooks.Env.Sinks = r.engine.cfg.Sinks
		// They have deadlines of their own: a player who leaves halves no turn.
		return turn.HooksRan{Result: todo.Hooks.Run(context.WithoutCancel(r.inner()))}
	case todo.Recall != nil:
		return r.recall(s, *todo.Recall)
	case todo.Retrieve != nil:
		return r.retrieve(*todo.Retrieve)
	case todo.Generate != nil:
		return r.generate(*todo.Generate, m.Campaign().Version+1)
	case todo.Outside != nil:
		return r.outside(todo.Outside)
	case todo.Judge != nil:
		return r.judge(*todo.Judge)
	case todo.Approve != nil:
		return r.approver(*todo.Approve)
	case todo.Commit != nil:
		return r.append(s, todo.Commit)
	}
	return nil
}

// past reads in the log what the machine asks for.
func (r *runner) past(m *turn.Machine, q question.Past) turn.Input {
	read, err := r.engine.archive.log(context.WithoutCancel(r.inner()), r.id).Answer(m.Campaign(), q)
	if r.cause = err; err != nil {
		return turn.PastRead{Error: err.Error()}
	}
	return read
}

func (r *runner) route(q question.Route) turn.Input {
	if r.engine.cfg.Route == nil {
		return turn.Routed{Error: "no router is configured"}
	}
	var d state.RouteDecision
	err := r.mayPay()
	if err == nil {
		d, err = r.engine.cfg.Route(r.inner(), q)
	}
	if err != nil {
		return turn.Routed{Error: err.Error()}
	}
	return turn.Routed{Decision: &d}
}

// outside finds out what a tool wants to know.
func (r *runner) outside(o *question.Outside) turn.Input {
	found, panicked := o.Run(r.inner())
	if panicked != nil {
		r.logPanic(*panicked)
	}
	return turn.Answered{Answer: found}
}

func (r *runner) judge(q question.Judge) turn.Input {
	if r.engine.cfg.Judge == nil {
		return turn.Judged{Error: "no judge is configured"}
	}
	var verdicts []conflict.Verdict
	err := r.mayPay()
	if err == nil {
		verdicts, err = r.engine.cfg.Judge(r.inner(), q)
	}
	if err != nil {
		return turn.Judged{Error: err.Error()}
	}
	return turn.Judged{Verdicts: verdicts}
}

// retrieve asks the host's retriever.
func (r *runner) retrieve(q question.Retrieve) turn.Input {
	if r.engine.cfg.Retriever == nil {
		return turn.Retrieved{Error: "no retriever is configured"}
	}
	ids, err := r.engine.cfg.Retriever.Retrieve(context.WithoutCancel(r.inner()), q.Messages, q.Limit)
	if err != nil {
		return turn.Retrieved{Error: err.Error()}
	}
	return turn.Retrieved{IDs: ids}
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

// append writes a record. A cancelled turn has ended before; what is to be
// written now is written even if the player has gone.
func (r *runner) append(s *session, rec *turn.Record) turn.Input {
	m := s.machine
	ctx := context.WithoutCancel(r.inner())
	var snapshot []byte
	next := m.Campaign().Version == rec.Version-1 // or others were faster, or it is written already
	if next && r.engine.snapshotDue(rec.Version, len(m.Campaign().Turns)) {
		var err error
		if snapshot, err = r.snapshotAfter(s, *rec); err != nil {
			r.cause = err
			return turn.CommitFailed{Reason: failure.StoreFailed, Detail: err.Error()}
		}
	}
	begun := r.watch.Now()
	err := r.engine.archive.append(ctx, r.id, *rec, snapshot, r.fence())
	r.watch.Stored(observe.StoreAppend, rec.Version, begun, err)
	r.cause = err
	switch {
	case errors.Is(err, ErrLeaseLost):
		r.watch.LeaseLost(err)
		return turn.CommitFailed{Reason: failure.LeaseLost}
	case errors.Is(err, ErrVersionConflict):
		return turn.CommitFailed{Reason: failure.VersionConflict}
	case err != nil:
		return turn.CommitFailed{Reason: failure.StoreFailed, Detail: err.Error()}
	}
	return turn.Committed{}
}

// snapshotAfter is a snapshot of the campaign as it will be with a record.
func (r *runner) snapshotAfter(s *session, rec turn.Record) ([]byte, error) {
	next, err := turn.Follow(s.machine.Campaign(), func(yield func(turn.Record, error) bool) { yield(rec, nil) })
	if err != nil {
		return nil, err
	}
	played := s.played.After(rec)
	return played.Snapshot(next)
}

// summarize asks for a summary, if there is something to ask.
func (r *runner) summarize(s *session, q *question.Summarize) {
	if q == nil || r.engine.cfg.Summarize == nil {
		return
	}
	var summary state.Summary
	begun := r.watch.Now()
	err := r.mayPay()
	if err == nil {
		summary, err = r.summary(s.machine, *q)
	}
	r.watch.Asked(observe.AskSummary, errorText(err), begun)
	if err != nil {
		r.engine.cfg.Logger.Warn("campaign: no summary", "campaign", r.id, "error", err)
		return
	}
	r.follow(s, turn.Summarized{Summary: summary, At: r.engine.cfg.Now().UTC()})
}

// summary asks the host's summarizer, with the turns of long ago too, and apart for each group that
// knows something by itself.
func (r *runner) summary(m *turn.Machine, q question.Summarize) (state.Summary, error) {
	if len(q.Unread) > 0 && m != nil {
		older, err := r.engine.archive.log(r.inner(), r.id).Read(m.Campaign(), q.Unread)
		if err != nil {
			return state.Summary{}, err
		}
		for i := range older {
			older[i].Changes, older[i].Commands, older[i].Trace = nil, nil, turntrace.Trace{}
		}
		q.Turns, q.Unread = append(older, q.Turns...), nil
	}
	var answers []state.Summary
	for _, part := range q.Parts() {
		answer, err := r.engine.cfg.Summarize(r.inner(), part)
		if err != nil {
			return state.Summary{}, err
		}
		answers = append(answers, answer)
	}
	return q.Join(answers), nil
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
