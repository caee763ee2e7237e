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
	switch {
	case todo.Past != nil:
		return r.readPast(m, *todo.Past)
	case todo.Hooks != nil:
		todo.Hooks.Env.Sinks = r.engine.cfg.Services.Sinks
		// Hooks have their own deadlines: a player who leaves does not interrupt them.
		return turn.HooksRan{Result: todo.Hooks.Run(context.WithoutCancel(r.workContext()))}
	case todo.Generate != nil:
		return r.calls.generate(*todo.Generate, m.Campaign().Version+1)
	case todo.Approve != nil:
		return r.approver(*todo.Approve)
	case todo.Commit != nil:
		return r.commitRecord(s, todo.Commit)
	}
	question := paidQuestion(todo)
	if question == nil {
		return nil
	}
	// There is a saved answer if a process ended, or lost the campaign, between the answer and the
	// commit. An answer with an error is not saved.
	in, _ := r.calls.cachedAnswer(m.Campaign().Version+1, question, func() (turn.Input, error) { return r.askHost(s, m, todo) })
	return in
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

// askHost asks the host a paid question. The answer contains the text of the error.
func (r *runner) askHost(s *session, m *turn.Machine, todo turn.Todo) (turn.Input, error) {
	switch {
	case todo.Route != nil:
		decision, err := r.route(*todo.Route)
		return turn.Routed{Decision: decision, Error: errorText(err)}, err
	case todo.Recall != nil:
		items, err := r.memory(s).recall(r.workContext(), m.Campaign(), *todo.Recall)
		return turn.Recalled{Items: items, Error: errorText(err)}, err
	case todo.Retrieve != nil:
		ids, err := r.retrieve(*todo.Retrieve)
		return turn.Retrieved{IDs: ids, Error: errorText(err)}, err
	case todo.Outside != nil:
		found, panicked := todo.Outside.Run(r.workContext())
		if panicked != nil {
			r.logPanic(*panicked)
		}
		var err error
		if found.Reason != "" {
			err = errors.New(string(found.Reason))
		}
		return turn.Answered{Answer: found}, err
	}
	verdicts, usage, err := r.judge(*todo.Judge)
	return turn.Judged{Verdicts: verdicts, Error: errorText(err), Usage: usage}, err
}

// readPast answers a query about the past from the log.
func (t *task) readPast(m *turn.Machine, q question.Past) turn.Input {
	read, err := t.log(context.WithoutCancel(t.workContext())).Answer(m.Campaign(), q)
	if t.cause = err; err != nil {
		return turn.PastRead{Error: err.Error()}
	}
	return read
}

// route asks the host's router.
func (t *task) route(q question.Route) (*state.RouteDecision, error) {
	cfg := &t.engine.cfg
	if cfg.Services.Route == nil {
		return nil, errors.New("no router is configured")
	}
	if err := t.confirmLease(); err != nil {
		return nil, err
	}
	return callHost(cfg.Logger, t.id, "Services.Route", func() (*state.RouteDecision, error) {
		decision, err := cfg.Services.Route(t.workContext(), q)
		return &decision, err
	})
}

// judgeTimeout limits the time for the model's answers to the questions of the setting conflict.ask.
// Without answers the text counts as free of conflicts.
const judgeTimeout = 30 * time.Second

// judge asks the host's judge or, without one, the model of the campaign about a text that it wrote.
func (t *task) judge(q question.Judge) (verdicts []conflict.Verdict, usage *llm.Usage, err error) {
	cfg, ctx := &t.engine.cfg, t.workContext()
	if cfg.Services.Judge == nil && len(q.Questions) == 0 {
		return nil, nil, errors.New("no judge is configured")
	}
	if err := t.confirmLease(); err != nil {
		return nil, nil, err
	}
	if cfg.Services.Judge != nil {
		verdicts, err = callHost(cfg.Logger, t.id, "Services.Judge", func() ([]conflict.Verdict, error) { return cfg.Services.Judge(ctx, q) })
		return verdicts, nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, judgeTimeout)
	defer cancel()
	verdicts, err = callHost(cfg.Logger, t.id, "Config.Model", func() ([]conflict.Verdict, error) {
		answers, resp, err := q.Ask(ctx, cfg.Model, llm.Request{Model: cfg.ModelName, Options: cfg.Options})
		usage = resp.Usage
		return answers, err
	})
	return verdicts, usage, err
}

// retrieve asks the host's retriever. A player who leaves does not interrupt it.
func (t *task) retrieve(q question.Retrieve) ([]worldbook.ID, error) {
	cfg := &t.engine.cfg
	if cfg.Services.Retriever == nil {
		return nil, errors.New("no retriever is configured")
	}
	return callHost(cfg.Logger, t.id, "Services.Retriever", func() ([]worldbook.ID, error) {
		return cfg.Services.Retriever.Retrieve(context.WithoutCancel(t.workContext()), q.Messages, q.Limit)
	})
}

// approver asks the host's Approver, unless its last answer could not be applied. It returns nil if
// the turn must wait for a person.
func (t *task) approver(q state.ApprovalQuestion) turn.Input {
	cfg := &t.engine.cfg
	if cfg.Services.Approver == nil || len(q.Refused) > 0 {
		return nil
	}
	answer, err := callHost(cfg.Logger, t.id, "Services.Approver", func() (*turn.Approve, error) { return cfg.Services.Approver(t.workContext(), q) })
	if err != nil {
		cfg.Logger.Warn("campaign: the approver did not answer", "campaign", t.id, "error", err)
	}
	if answer == nil {
		return nil
	}
	in := *answer
	in.Question = cmp.Or(in.Question, q.ID)
	return turn.Stamp(in, cfg.Now().UTC())
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
