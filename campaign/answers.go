package campaign

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/campaign/observe"
	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/worldbook"
)

// answerTo answers the question of the machine. It returns nil if the machine asks nothing, or if
// people have not answered.
func (r *runner) answerTo(s *session, m *turn.Machine, todo turn.Todo) turn.Input {
	h := host{Config: &r.engine.cfg, id: r.id, confirmLease: r.confirmLease}
	switch {
	case todo.Past != nil:
		return r.readPast(m, *todo.Past)
	case todo.Route != nil:
		return r.askOnce(m, todo, func() (turn.Input, string) {
			in := h.route(r.workContext(), *todo.Route)
			return in, in.Error
		})
	case todo.Hooks != nil:
		todo.Hooks.Env.Sinks = h.Services.Sinks
		// Hooks have their own deadlines: a player who leaves does not interrupt them.
		return turn.HooksRan{Result: todo.Hooks.Run(context.WithoutCancel(r.workContext()))}
	case todo.Recall != nil:
		return r.askOnce(m, todo, func() (turn.Input, string) {
			in := r.memory(s).recall(r.workContext(), m.Campaign(), *todo.Recall)
			return in, in.Error
		})
	case todo.Retrieve != nil:
		return r.askOnce(m, todo, func() (turn.Input, string) {
			in := h.retrieve(context.WithoutCancel(r.workContext()), *todo.Retrieve)
			return in, in.Error
		})
	case todo.Generate != nil:
		return r.calls.generate(*todo.Generate, m.Campaign().Version+1)
	case todo.Outside != nil:
		return r.askOnce(m, todo, func() (turn.Input, string) {
			found, panicked := todo.Outside.Run(r.workContext())
			if panicked != nil {
				r.logPanic(*panicked)
			}
			return turn.Answered{Answer: found}, string(found.Reason)
		})
	case todo.Judge != nil:
		return r.askOnce(m, todo, func() (turn.Input, string) {
			in := h.judge(r.workContext(), *todo.Judge)
			return in, in.Error
		})
	case todo.Approve != nil:
		return h.approver(r.workContext(), *todo.Approve)
	case todo.Commit != nil:
		return r.commitRecord(s, todo.Commit)
	}
	return nil
}

// paidQuestion returns the question of the machine if it goes to the host and its answer may cost
// money. It returns nil for any other question.
func paidQuestion(todo turn.Todo) any {
	switch {
	case todo.Route != nil:
		return *todo.Route
	case todo.Recall != nil:
		return *todo.Recall
	case todo.Retrieve != nil:
		return *todo.Retrieve
	case todo.Outside != nil:
		return todo.Outside.Call
	case todo.Judge != nil:
		return *todo.Judge
	}
	return nil
}

// askOnce asks the host the question of the machine with ask, or returns the saved answer. There is a
// saved answer if a process ended, or lost the campaign, between the answer and the commit. An answer
// for which ask also returns the text of an error is not saved.
func (r *runner) askOnce(m *turn.Machine, todo turn.Todo, ask func() (turn.Input, string)) turn.Input {
	in, _ := r.calls.cachedAnswer(m.Campaign().Version+1, paidQuestion(todo), func() (turn.Input, error) {
		in, failed := ask()
		if failed != "" {
			return in, errors.New(failed)
		}
		return in, nil
	})
	return in
}

// readPast answers a query about the past from the log.
func (t *task) readPast(m *turn.Machine, q question.Past) turn.Input {
	read, err := t.log(context.WithoutCancel(t.workContext())).Answer(m.Campaign(), q)
	if t.cause = err; err != nil {
		return turn.PastRead{Error: err.Error()}
	}
	return read
}

// host calls the functions of the host for one campaign. Any of them may be missing.
type host struct {
	*Config
	id           string
	confirmLease func() error // called before each call of a model
}

func (h host) route(ctx context.Context, q question.Route) turn.Routed {
	if h.Services.Route == nil {
		return turn.Routed{Error: "no router is configured"}
	}
	var d state.RouteDecision
	err := h.confirmLease()
	if err == nil {
		d, err = callHost(h.Logger, h.id, "Services.Route", func() (state.RouteDecision, error) { return h.Services.Route(ctx, q) })
	}
	if err != nil {
		return turn.Routed{Error: err.Error()}
	}
	return turn.Routed{Decision: &d}
}

func (h host) judge(ctx context.Context, q question.Judge) turn.Judged {
	if h.Services.Judge == nil && len(q.Questions) == 0 {
		return turn.Judged{Error: "no judge is configured"}
	}
	var verdicts []conflict.Verdict
	err := h.confirmLease()
	if err == nil && h.Services.Judge == nil {
		return h.askModel(ctx, q)
	}
	if err == nil {
		verdicts, err = callHost(h.Logger, h.id, "Services.Judge", func() ([]conflict.Verdict, error) { return h.Services.Judge(ctx, q) })
	}
	if err != nil {
		return turn.Judged{Error: err.Error()}
	}
	return turn.Judged{Verdicts: verdicts}
}

// judgeTimeout limits the time for the model's answers to the questions of the setting conflict.ask.
// Without answers the text counts as free of conflicts.
const judgeTimeout = 30 * time.Second

// askModel asks the model of the campaign the questions about a text that it wrote.
func (h host) askModel(ctx context.Context, q question.Judge) turn.Judged {
	ctx, cancel := context.WithTimeout(ctx, judgeTimeout)
	defer cancel()
	var usage *llm.Usage
	verdicts, err := callHost(h.Logger, h.id, "Config.Model", func() ([]conflict.Verdict, error) {
		answers, resp, err := q.Ask(ctx, h.Model, llm.Request{Model: h.ModelName, Options: h.Options})
		usage = resp.Usage
		return answers, err
	})
	if err != nil {
		return turn.Judged{Error: err.Error(), Usage: usage}
	}
	return turn.Judged{Verdicts: verdicts, Usage: usage}
}

func (h host) retrieve(ctx context.Context, q question.Retrieve) turn.Retrieved {
	if h.Services.Retriever == nil {
		return turn.Retrieved{Error: "no retriever is configured"}
	}
	ids, err := callHost(h.Logger, h.id, "Services.Retriever", func() ([]worldbook.ID, error) {
		return h.Services.Retriever.Retrieve(ctx, q.Messages, q.Limit)
	})
	if err != nil {
		return turn.Retrieved{Error: err.Error()}
	}
	return turn.Retrieved{IDs: ids}
}

// approver asks the host's Approver, unless its last answer could not be applied. It returns nil if
// the turn must wait for a person.
func (h host) approver(ctx context.Context, q state.ApprovalQuestion) turn.Input {
	if h.Services.Approver == nil || len(q.Refused) > 0 {
		return nil
	}
	answer, err := callHost(h.Logger, h.id, "Services.Approver", func() (*turn.Approve, error) { return h.Services.Approver(ctx, q) })
	if err != nil {
		h.Logger.Warn("campaign: the approver did not answer", "campaign", h.id, "error", err)
	}
	if err != nil || answer == nil {
		return nil
	}
	in := *answer
	in.Question = cmp.Or(in.Question, q.ID)
	return turn.Stamp(in, h.Now().UTC())
}

// commitRecord writes a record, even if the player has left: a cancelled turn does not get here.
func (t *task) commitRecord(s *session, rec *turn.Record) turn.Input {
	ctx := context.WithoutCancel(t.workContext())
	c := s.machine.Campaign()
	// In a step, the session may be newer than the journal: the store then refuses the record, or has
	// it already.
	isNext := c.Version == rec.Version-1
	var snapshot []byte
	var err error
	if isNext && t.engine.cfg.snapshotDue(rec.Version, len(c.Turns)) {
		snapshot, err = s.snapshotAfter(*rec)
	}
	begun := t.watch.Now()
	if err == nil {
		err = t.engine.archive.append(ctx, t.id, *rec, snapshot, t.fence())
	}
	t.watch.Stored(observe.StoreAppend, rec.Version, begun, err)
	t.cause = err
	switch {
	case errors.Is(err, ErrLeaseLost):
		t.watch.LeaseLost(err)
		return turn.CommitFailed{Reason: turn.LeaseLost}
	case errors.Is(err, ErrVersionConflict):
		return turn.CommitFailed{Reason: turn.VersionConflict}
	case err != nil:
		return turn.CommitFailed{Reason: turn.StoreFailed, Detail: err.Error()}
	}
	return turn.Committed{}
}

// snapshotAfter returns a snapshot of the campaign as it will be after a record.
func (s *session) snapshotAfter(rec turn.Record) ([]byte, error) {
	next, err := turn.Follow(s.machine.Campaign(), func(yield func(turn.Record, error) bool) { yield(rec, nil) })
	if err != nil {
		return nil, err
	}
	needs := s.needs.With(rec)
	return needs.Snapshot(next)
}

// errorText returns the text of an error, or "".
func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
