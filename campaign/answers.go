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

// answerTo does what the machine asks for. It returns nil if the machine asks for nothing, or if
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

// paidQuestion returns a question to the host whose answer may cost money, and nil for everything
// else.
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

// askOnce asks the host a question of the machine. The question may already have an answer: the
// process ended, or lost the campaign, before the commit. Then paid returns that answer. The
// function ask also returns the text of an error, or "".
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

// judgeTimeout limits the time for the answers to the questions about a text. A text without answers
// is not blocked.
const judgeTimeout = 30 * time.Second

// askModel asks the model of the campaign about a text that it wrote.
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

// approver asks the host's function, unless its last answer could not be applied. It returns nil if
// the turn waits.
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

// askSummary asks the host's summarizer about the turns after a version: one question for each group
// of characters that knows something alone.
func (r *runner) askSummary(version int64, q question.Summarize) (state.Summary, error) {
	if err := r.confirmLease(); err != nil {
		return state.Summary{}, err
	}
	cfg, ctx := &r.engine.cfg, r.workContext()
	var answers []state.Summary
	for _, part := range q.Parts() {
		in, err := r.calls.cachedAnswer(version, part, func() (turn.Input, error) {
			answer, err := callHost(cfg.Logger, r.id, "Services.Summarize", func() (state.Summary, error) { return cfg.Services.Summarize(ctx, part) })
			return turn.Summarized{Summary: answer}, err
		})
		if err != nil {
			return state.Summary{}, err
		}
		said, _ := in.(turn.Summarized)
		answers = append(answers, said.Summary)
	}
	return q.Join(answers), nil
}

// commitRecord writes a record. A cancelled turn has already ended, so the record is written even
// if the player has left.
func (t *task) commitRecord(s *session, rec *turn.Record) turn.Input {
	m := s.machine
	ctx := context.WithoutCancel(t.workContext())
	var snapshot []byte
	next := m.Campaign().Version == rec.Version-1 // false: others committed first, or the record is already written
	var err error
	if next && t.engine.cfg.snapshotDue(rec.Version, len(m.Campaign().Turns)) {
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
	played := s.needs.With(rec)
	return played.Snapshot(next)
}

// summarize asks for a summary if one is due. It also reads the turns that the head does not hold.
func (r *runner) summarize(s *session, q *question.Summarize) {
	if q == nil || s.machine == nil || r.engine.cfg.Services.Summarize == nil {
		return
	}
	begun, c := r.watch.Now(), s.machine.Campaign()
	asked, err := callHost(r.engine.cfg.Logger, r.id, inStore, func() (question.Summarize, error) { return r.readMissingTurns(c, *q) })
	var summary state.Summary
	if err == nil {
		summary, err = r.askSummary(c.Version+1, asked)
	}
	r.watch.Asked(observe.AskSummary, errorText(err), begun)
	if err != nil {
		r.engine.cfg.Logger.Warn("campaign: no summary", "campaign", r.id, "error", err)
		return
	}
	r.runFollowUp(s, turn.Summarized{Summary: summary, At: r.engine.cfg.Now().UTC()})
}

// readMissingTurns reads the turns of a question that the head does not hold.
func (t *task) readMissingTurns(c state.Campaign, q question.Summarize) (question.Summarize, error) {
	if len(q.Unread) == 0 {
		return q, nil
	}
	older, err := t.log(t.workContext()).Read(c, q.Unread)
	if err != nil {
		return q, err
	}
	for i := range older {
		older[i].Changes, older[i].Commands, older[i].Trace = nil, nil, state.TurnTrace{}
	}
	q.Turns, q.Unread = append(older, q.Turns...), nil
	return q, nil
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
