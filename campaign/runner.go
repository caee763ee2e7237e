package campaign

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/campaign/failure"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/internal/watch"
	"github.com/talewright/talewright/campaign/layout"
	"github.com/talewright/talewright/campaign/observe"
	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/tool"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/campaign/turntrace"
	"github.com/talewright/talewright/llm"
)

// runner carries out one instruction.
type runner struct {
	engine  *Engine
	ctx     context.Context
	cancel  context.CancelFunc
	id      string
	yield   func(Progress, error) bool
	stopped bool         // the consumer has gone
	shown   int          // attempt of which provisional text is on the screen, 0: none
	after   bool         // what follows from the instruction, which has had its outcome
	cause   error        // of a failed call of the model or the store
	again   bool         // the instruction came before, and waits for people since
	lease   *lease       // nil where the store is no desk
	beside  turn.Suggest // what is asked beside the story, if that is the instruction
	watch   *watch.Watch // nil: nobody observes
	outcome *turn.Outcome
	// answered are the keys of the calls that were answered, by the model or by the ledger.
	answered []string
}

func (r *runner) emit(p Progress) {
	if done, ok := p.(Finished); ok {
		r.outcome = &done.Outcome
	}
	if r.stopped {
		return
	}
	if !r.yield(p, nil) {
		r.stopped = true
		r.cancel()
	}
}

// inner is the context for what the instruction does, with what observers have added.
func (r *runner) inner() context.Context { return r.watch.Context(r.ctx) }

var errUnfinished = errors.New("campaign: the instruction did not come to its end")

// runWatched is run, and tells observers how it ended, also by a panic.
func (r *runner) runWatched(in turn.Input) (err error) {
	err = errUnfinished
	defer func() { r.watch.End(r.outcome, "", err) }()
	err = r.run(in)
	return err
}

// run waits for the campaign to be free, or refuses, and then plays.
func (r *runner) run(in turn.Input) error {
	s := r.engine.session(r.id)
	defer r.engine.release(s)
	in = s.times.stamp(in, r.engine.cfg.Now().UTC())
	if asking, ok := turn.Asks(in); ok {
		asking = asking.Remembering(r.engine.cfg.Memory != nil)
		in = asking
		outcome, err := r.enter(s, asking)
		if err != nil || outcome != nil {
			if outcome != nil {
				r.emit(Finished{Outcome: *outcome})
			}
			return err
		}
	} else {
		if !s.mu.TryLock() {
			return &state.Refusal{Code: state.CampaignBusy}
		}
	}
	defer s.queue.leave(&s.mu)
	defer r.release()
	if outcome, err := r.claim(in); err != nil || outcome != nil {
		if outcome != nil {
			r.emit(Finished{Outcome: *outcome})
		}
		return err
	}
	r.watch.Admitted(r.fence())
	if err := r.load(s); err != nil {
		return err
	}
	return r.carryOut(s, in)
}

// carryOut plays an instruction on a campaign that is loaded and nobody else's.
func (r *runner) carryOut(s *session, in turn.Input) error {
	defer r.watch.Watches(s.machine)()
	r.beside, _ = in.(turn.Suggest)
	if o, known, err := r.engine.longKnown(r.ctx, s.machine, in); known || err != nil {
		if known {
			r.finish(turn.Todo{Outcome: &o}, s.machine.Campaign().Version)
		}
		return err
	}
	outcome, err := r.begin(s.machine, in)
	if err != nil {
		return err
	}
	if outcome != nil {
		r.emit(Finished{Outcome: *outcome})
		return nil
	}
	defer func() {
		if m := s.machine; m != nil && m.Phase() != turn.Idle && m.Phase() != turn.Approving {
			s.forget() // an error or a panic left it in the middle
		}
	}()
	return r.play(s)
}

// load fetches the campaign.
func (r *runner) load(s *session) error {
	begun := r.watch.Now()
	err := r.engine.load(r.inner(), r.id, s)
	version := int64(0)
	if s.machine != nil {
		version = s.machine.Campaign().Version
	}
	r.watch.Stored(observe.StoreLoad, version, begun, err)
	return err
}

// begin gives the machine an instruction, or says with what it ends: while a turn waits for
// people, only what began that turn goes on, and with nothing new.
func (r *runner) begin(m *turn.Machine, in turn.Input) (*turn.Outcome, error) {
	if p := m.Campaign().PendingApproval; p != nil {
		r.shown = p.Provisional
	}
	asking, ok := turn.Asks(in)
	if !ok || m.Phase() != turn.Approving {
		err := m.Step(in)
		r.tellPanics(m, 0)
		return nil, err
	}
	outcome, known := m.Known(asking)
	if !known {
		outcome = *refusedOutcome(state.AwaitingApproval)
	}
	if r.again = outcome.Status == turn.Waiting; r.again {
		return nil, nil
	}
	outcome.Version = m.Campaign().Version
	return &outcome, nil
}

// tellPanics writes the panics of tools to the logger, but for those that it has heard of, and
// returns how many there are.
func (r *runner) tellPanics(m *turn.Machine, told int) int {
	all := m.Panics()
	for _, p := range all[min(told, len(all)):] {
		r.logPanic(p)
	}
	return len(all)
}

func (r *runner) logPanic(p tool.Panic) {
	r.engine.cfg.Logger.Error("campaign: a tool panicked", "campaign", r.id, "tool", p.Tool,
		"panic", p.Value, "stack", string(p.Stack))
}

// forget makes the next instruction load the campaign again.
func (s *session) forget() {
	s.machine = nil
	s.last.Store(nil)
}

// play does what the machine asks for until it is idle.
func (r *runner) play(s *session) error {
	told := len(s.machine.Panics())
	for {
		m := s.machine
		todo := m.Todo()
		begun := r.watch.Now()
		answer := r.answerTo(s, m, todo)
		switch {
		case answer != nil:
		case todo.Approve != nil:
			r.watch.Waiting(todo)
			r.wait(m)
			return nil
		default:
			return r.end(s, todo)
		}
		r.watch.Answered(todo, answer, begun)
		if err := m.Step(answer); err != nil {
			if todo.Approve != nil { // the question stays
				r.engine.cfg.Logger.Warn("campaign: the approver's answer does not fit", "campaign", r.id, "error", err)
				r.wait(m)
				return nil
			}
			return err
		}
		told = r.tellPanics(m, told)
		switch failed := answer.(type) {
		case turn.Committed:
			s.played.take(todo.Commit.Version, layout.Behaviour, todo.Commit.Inputs)
			c := m.Campaign()
			s.last.Store(&c)
			r.watch.Committed(todo.Commit, begun)
		case turn.CommitFailed:
			s.forget()
			if failed.Reason != failure.VersionConflict && failed.Reason != failure.LeaseLost {
				return fmt.Errorf("campaign: commit %q: %w", r.id, r.cause)
			}
			return r.end(s, m.Todo())
		}
	}
}

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

// end hands over what an instruction led to.
func (r *runner) end(s *session, todo turn.Todo) error {
	r.show(todo)
	for _, a := range todo.Announce {
		r.follow(s, a)
	}
	if o := todo.Outcome; o != nil && !r.after {
		if o.Status != turn.Completed {
			r.retract()
		}
		if o.Failure != nil && o.Failure.Err == nil {
			o.Failure.Err = r.cause
		}
		version := int64(0)
		if s.machine != nil {
			version = s.machine.Campaign().Version
		}
		r.finish(todo, version)
	}
	r.rememberCommitted(s, todo.Outcome)
	r.summarize(s, todo.Summarize)
	return nil
}

// show emits the text for the player and the effects for the host.
func (r *runner) show(todo turn.Todo) {
	if todo.Show != nil {
		replies := todo.Show.Replies
		if replies == nil {
			replies = []state.Reply{{Text: todo.Show.Text}}
		}
		for _, reply := range replies {
			for piece := range sentences(reply.Text) {
				r.emit(Narration{Text: piece, Speaker: reply.Speaker, Audience: todo.Show.Audience})
			}
		}
	}
	for _, c := range todo.Host {
		r.emit(HostEffect{c.By, c.Effect})
	}
}

// finish emits the outcome, if there is one.
func (r *runner) finish(todo turn.Todo, version int64) {
	if todo.Outcome == nil {
		return
	}
	o := *todo.Outcome
	if o.Status == turn.Conflict || o.Status == turn.Cancelled ||
		o.Status == turn.Failed && o.Failure != nil && o.Failure.Kind != failure.Store {
		r.forget(version + 1) // the place at which the next answer is looked for
	}
	if o.Version = version; todo.Show != nil {
		o.Messages = todo.Show.Messages
	}
	r.emit(Finished{Outcome: o, Messages: o.Messages})
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

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
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

// past reads in the log what the machine asks for.
func (r *runner) past(m *turn.Machine, q question.Past) turn.Input {
	read, err := r.engine.archive.log(context.WithoutCancel(r.inner()), r.id).Answer(m.Campaign(), q)
	if r.cause = err; err != nil {
		return turn.PastRead{Error: err.Error()}
	}
	return read
}

// follow carries out what follows from an instruction that is over. Its failure
// does not concern that one: announcements are lost, the old summary stays.
func (r *runner) follow(s *session, in turn.Input) {
	if s.machine == nil {
		return
	}
	err := s.machine.Step(in)
	if err == nil {
		outer := r.after
		r.after = true
		err = r.play(s) // a store that fails shows with the next instruction
		r.after = outer
	}
	if err != nil {
		r.engine.cfg.Logger.Warn("campaign: lost what follows from an instruction", "campaign", r.id,
			"what", fmt.Sprintf("%T", in), "error", err)
	}
}

// retract takes back the provisional text that is on the screen.
func (r *runner) retract() {
	if r.shown > 0 {
		r.emit(Retracted{r.shown})
		r.shown = 0
	}
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

// generate asks the model and, where that is allowed, shows its text as it comes.
func (r *runner) generate(g question.Generate, version int64) turn.Input {
	r.retract()
	r.emit(AttemptStarted{g.Attempt, g.Retry})
	r.watch.Retries(g)
	req, key := r.request(g, version)
	g.Key = key
	if in, ok := r.kept(version, g.Key); ok {
		r.watch.Kept(g, req.Model, in)
		r.provisional(g, in.Text)
		return in
	}
	resp, first, err := r.ask(g, req, 0)
	for n := 0; n < r.engine.cfg.repeats() && brokeOff(resp, err) && r.ctx.Err() == nil && !r.stopped; n++ {
		r.retract()
		resp, first, err = r.ask(g, req, n+1)
	}
	in := turn.Replied{Text: resp.Message.Text, First: first, ToolCalls: resp.Message.ToolCalls, Usage: resp.Usage,
		Finish: resp.Finish, Reasoning: resp.Message.Reasoning, Thoughts: resp.Message.Thoughts, Warnings: resp.Warnings}
	if err == nil { // it is paid for, whatever comes
		if late := r.keep(version, g.Key, in); late != nil {
			err = unpaid{late}
		}
	}
	if failed, ok := r.leaseFailure(err); ok {
		return failed
	}
	if r.cause = err; err == nil {
		r.cause = context.Cause(r.ctx)
	}
	switch {
	case errors.Is(r.ctx.Err(), context.DeadlineExceeded), errors.Is(err, context.DeadlineExceeded):
		return turn.GenerateFailed{Reason: failure.Code(llm.CodeTimeout), Retry: true} // nobody cancelled anything
	case r.ctx.Err() != nil || errors.Is(err, context.Canceled):
		return turn.GenerateFailed{Reason: failure.TurnCancelled, Cancelled: true}
	case err != nil:
		return failureOf(err)
	}
	return in
}

// request is what the model is asked, and the key of the call.
func (r *runner) request(g question.Generate, version int64) (llm.Request, string) {
	req := g.Request.LLM()
	req.Model, req.Options = r.engine.cfg.ModelName, r.engine.cfg.Options
	req.Options.Stop = slices.Concat(req.Options.Stop, g.Request.Stop)
	key := keyOf(r.id, version, g.Attempt, req)
	if !r.beside.At.IsZero() {
		key = keyBeside(key, r.beside)
	}
	return req, key
}

// provisional shows an answer that came whole, where that is allowed.
func (r *runner) provisional(g question.Generate, text string) {
	if g.Intercept {
		return
	}
	words := game.Narrator{Game: r.engine.cfg.Game}
	if text = words.Write(text) + words.Finish(); text != "" {
		r.emit(Provisional{g.Attempt, text, g.Audience})
		r.shown = g.Attempt
	}
}

// listen reads one reply of the model to its end. First is the piece that its text began with, if
// hooks want it.
func (r *runner) listen(g question.Generate, req llm.Request, again int) (resp llm.Response, first string, err error) {
	call := r.watch.ModelAsked(g, req, again)
	defer func() { call.Ends(resp, err, r.ctx.Err() != nil || errors.Is(err, context.Canceled)) }()
	seq := r.engine.cfg.Model.Generate(llm.WithCallKey(r.inner(), g.Key), req)
	words := game.Narrator{Game: r.engine.cfg.Game}
	show := func(text string) {
		if text != "" {
			r.emit(Provisional{g.Attempt, text, g.Audience})
			r.shown = g.Attempt
		}
	}
	watched := func(yield func(llm.Chunk, error) bool) {
		for chunk, err := range seq {
			call.Begins()
			if text, ok := chunk.(llm.TextDelta); ok && err == nil {
				if first == "" && g.First {
					first = text.Text
				}
				if !g.Intercept {
					show(words.Write(text.Text))
				}
			}
			if !yield(chunk, err) || r.stopped {
				return
			}
		}
	}
	resp, err = llm.Collect(watched)
	if err == nil && r.ctx.Err() == nil && !g.Intercept {
		show(words.Finish())
	}
	return resp, first, err
}

// brokeOff reports whether a reply ended too early, after something had come. Before that
// it is wrap.Retry's to ask again, and to wait.
func brokeOff(resp llm.Response, err error) bool {
	e, ok := errors.AsType[*llm.Error](err)
	begun := resp.Message.Text != "" || resp.Message.Reasoning != "" || len(resp.Message.ToolCalls) > 0
	return ok && begun && e.Retryable() && e.RetryAfter == 0
}

func (c Config) repeats() int {
	if c.Repeats == 0 {
		return 1
	}
	return c.Repeats
}

func failureOf(err error) turn.GenerateFailed {
	if e, ok := errors.AsType[*llm.Error](err); ok {
		return turn.GenerateFailed{Reason: failure.Code(e.Code), Retry: e.Retryable(), RetryAfter: e.RetryAfter}
	}
	return turn.GenerateFailed{Reason: failure.TransportFailed, Retry: true}
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

// enter takes the campaign for an instruction that asks the model: at once, after waiting in the queue,
// or not at all, and then the outcome says why.
func (r *runner) enter(s *session, in turn.Asking) (*turn.Outcome, error) {
	if s.mu.TryLock() {
		s.queue.running(in.Ticket())
		return nil, nil
	}
	party, outcome, err := r.mayWait(in, s.queue.clash)
	if outcome != nil || err != nil {
		return outcome, err
	}
	code := s.queue.wait(r.ctx, in.Ticket(), party, &s.mu)
	if code != "" {
		return refusedOutcome(code), r.ctx.Err()
	}
	return nil, nil
}

func refusedOutcome(code state.RefusalCode) *turn.Outcome {
	return &turn.Outcome{Status: turn.Refused, Reason: string(code)}
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

// snapshotAfter is a snapshot of the campaign as it will be with a record.
func (r *runner) snapshotAfter(s *session, rec turn.Record) ([]byte, error) {
	next, err := turn.Follow(s.machine.Campaign(), func(yield func(turn.Record, error) bool) { yield(rec, nil) })
	if err != nil {
		return nil, err
	}
	p := s.played
	p.inputs = maps.Clone(p.inputs)
	p.take(rec.Version, layout.Behaviour, rec.Inputs)
	return p.snapshotOf(next)
}
