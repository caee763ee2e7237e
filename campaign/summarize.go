package campaign

import (
	"github.com/talewright/talewright/campaign/observe"
	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
)

// summarize asks the host for a summary if one is due, and commits it. A failure is logged: the old
// summary stays.
func (r *runner) summarize(s *session, q *question.Summarize) {
	if q == nil || s.machine == nil || r.engine.cfg.Services.Summarize == nil {
		return
	}
	begun, c := r.watch.Now(), s.machine.Campaign()
	complete, err := callHost(r.engine.cfg.Logger, r.id, inStore, func() (question.Summarize, error) { return r.readMissingTurns(c, *q) })
	var summary state.Summary
	if err == nil {
		summary, err = r.askSummary(c.Version+1, complete)
	}
	r.watch.Asked(observe.AskSummary, errorText(err), begun)
	if err != nil {
		r.engine.cfg.Logger.Warn("campaign: no summary", "campaign", r.id, "error", err)
		return
	}
	r.runFollowUp(s, turn.Summarized{Summary: summary, At: r.engine.cfg.Now().UTC()})
}

// readMissingTurns returns the question with the turns that the campaign c does not hold, from the log.
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

// askSummary asks the host's summarizer, once for each part of the question: for each group of
// characters that knows something alone. version is the version of the next record. Answers are saved
// under it.
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
		summarized, _ := in.(turn.Summarized)
		answers = append(answers, summarized.Summary)
	}
	return q.Join(answers), nil
}
