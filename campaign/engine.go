package campaign

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"sync"
	"sync/atomic"
	"time"

	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/hooks"
	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/llm"
)

// Config is what an [Engine] works with. Game, Store and Model are required; the
// rest may be left out.
type Config struct {
	Game  *Game
	Store Store
	Model llm.Model

	// Options and ModelName go into every request.
	Options   llm.Options
	ModelName string

	// Route, Judge and Summarize answer the questions of the same names; without
	// them a routed turn falls back to the manual type, nothing is judged, and no
	// summary is made.
	Route     func(context.Context, RouteQuestion) (RouteDecision, error)
	Judge     func(context.Context, JudgeQuestion) ([]conflict.Verdict, error)
	Summarize func(context.Context, SummarizeQuestion) (Summary, error)
	// Sinks deliver the external effects of hooks while the hooks run.
	Sinks hooks.Sinks

	// Observe is told of every request before it goes to the model, with what each
	// of its messages is for. It is called on the goroutine of the turn.
	Observe func(campaignID string, g Generation)

	// Now tells the time of instructions that carry none; nil means time.Now.
	Now func() time.Time
	// SnapshotEvery is the number of records between two snapshots of the whole
	// campaign; 0 means 32.
	SnapshotEvery int
	// KeepLoaded is the number of idle campaigns that stay in memory; 0 means 256.
	// Others are loaded from the store when they are needed.
	KeepLoaded int
}

// Engine runs campaigns: it keeps a [Machine] for each, and does what the machine
// asks for with a model, a store and the host's functions. It is safe for
// concurrent use; one campaign runs one instruction at a time. Several engines in
// several processes may share a store.
type Engine struct {
	cfg      Config
	mu       sync.Mutex
	sessions map[string]*session
}

// session is one campaign in this process.
type session struct {
	users   int        // calls that hold the session, guarded by the engine's lock
	mu      sync.Mutex // held while an instruction runs
	machine *Machine   // nil until loaded, and after a lost race
	queue   queue
	last    atomic.Pointer[Campaign] // what the machine has, for readers beside a turn
}

// NewEngine returns an engine. It reports every required field that is missing.
func NewEngine(cfg Config) (*Engine, error) {
	var errs []error
	if cfg.Game == nil {
		errs = append(errs, errors.New("campaign: Config.Game is missing; see Compile"))
	}
	if cfg.Store == nil {
		errs = append(errs, errors.New("campaign: Config.Store is missing; see package memstore"))
	}
	if cfg.Model == nil {
		errs = append(errs, errors.New("campaign: Config.Model is missing"))
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.SnapshotEvery == 0 {
		cfg.SnapshotEvery = 32
	}
	if cfg.KeepLoaded == 0 {
		cfg.KeepLoaded = 256
	}
	return &Engine{cfg: cfg, sessions: map[string]*session{}}, errors.Join(errs...)
}

// Create starts a campaign and stores it. An id that is taken is
// [ErrVersionConflict].
func (e *Engine) Create(ctx context.Context, s Setup) (Campaign, error) {
	if s.CreatedAt.IsZero() {
		s.CreatedAt = e.cfg.Now()
	}
	c, err := New(e.cfg.Game, s)
	if err != nil {
		return c, err
	}
	return c, e.create(ctx, c)
}

func (e *Engine) create(ctx context.Context, c Campaign) error {
	data, err := openjson.Marshal(c)
	if err != nil {
		return err
	}
	rec := Record{Version: 1, Kind: kindCreate, At: c.CreatedAt, Campaign: data}
	if err := e.cfg.Store.Append(ctx, c.ID, 0, rec, nil); err != nil {
		return fmt.Errorf("campaign: create %q: %w", c.ID, err)
	}
	return nil
}

// Campaign returns a campaign as of its last commit. It neither waits for a running
// turn nor keeps one from starting.
func (e *Engine) Campaign(ctx context.Context, id string) (Campaign, error) {
	s := e.session(id)
	defer e.release(s)
	if c := s.last.Load(); c != nil {
		return *c, nil
	}
	return e.read(ctx, id)
}

// read fetches a campaign from the store.
func (e *Engine) read(ctx context.Context, id string) (Campaign, error) {
	saved, err := e.cfg.Store.Load(ctx, id)
	if err != nil {
		return Campaign{}, fmt.Errorf("campaign: load %q: %w", id, err)
	}
	return Restore(saved)
}

// Turn plays a turn to its end. A refusal, a conflict and a failure of the model
// are outcomes; the error is that of the store, or of an unknown campaign.
func (e *Engine) Turn(ctx context.Context, id string, in Submit) (Outcome, error) {
	return e.Do(ctx, id, in)
}

// Do carries out any instruction and returns its outcome. The error is a
// [*Refusal] for an instruction other than [Submit] that was not carried out, or
// that of the store.
func (e *Engine) Do(ctx context.Context, id string, in Input) (Outcome, error) {
	var out Outcome
	for p, err := range e.Stream(ctx, id, in) {
		if err != nil {
			return out, err
		}
		if f, ok := p.(Finished); ok {
			out = f.Outcome
		}
	}
	return out, nil
}

// Stream carries out an instruction when it is ranged over, and yields what
// happens. The sequence is single-use and ends with [Finished] or an error. A
// consumer that stops early cancels a turn that is not committed yet.
func (e *Engine) Stream(ctx context.Context, id string, in Input) iter.Seq2[Progress, error] {
	var used atomic.Bool
	return func(yield func(Progress, error) bool) {
		if used.Swap(true) {
			yield(nil, errors.New("campaign: a stream is ranged over once"))
			return
		}
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		r := &runner{engine: e, ctx: ctx, cancel: cancel, id: id, yield: yield}
		if err := r.run(e.stamp(in)); err != nil && !r.stopped {
			yield(nil, err)
		}
	}
}

// Rollback returns to the checkpoint of a turn.
func (e *Engine) Rollback(ctx context.Context, id, turnID string) error {
	_, err := e.Do(ctx, id, RollBack{To: turnID})
	return err
}

// UndoRollback returns from a rollback, as long as no new instruction was accepted.
func (e *Engine) UndoRollback(ctx context.Context, id string) error {
	_, err := e.Do(ctx, id, UndoRollBack{})
	return err
}

// Fork starts a new campaign from the state after a turn of this one. The two
// share nothing afterwards.
func (e *Engine) Fork(ctx context.Context, id, turnID, newID string) (Campaign, error) {
	records, err := e.cfg.Store.Records(ctx, id, 0)
	if err != nil {
		return Campaign{}, fmt.Errorf("campaign: fork %q: %w", id, err)
	}
	var c Campaign
	found := false
	for _, rec := range records {
		if c, err = c.follow(rec); err != nil {
			return c, fmt.Errorf("campaign: fork %q: record %d: %w", id, rec.Version, err)
		}
		at := c.State.HeadTurnID == turnID
		if found = at && (rec.Turn != nil || rec.Kind == kindCreate); found {
			break
		}
	}
	if !found {
		return Campaign{}, &Refusal{Code: CheckpointNotFound, Detail: "no turn " + turnID}
	}
	c = c.clone()
	c.ID, c.Version, c.CreatedAt = newID, 1, e.cfg.Now()
	c.PendingConflict = nil
	return c, e.create(ctx, c)
}

// Rebuild plays the log of a campaign again and compares the result with the
// stored campaign, byte for byte. It returns the rebuilt campaign; the error wraps
// [ErrDiverged] if the two differ.
func (e *Engine) Rebuild(ctx context.Context, id string) (Campaign, error) {
	stored, err := e.read(ctx, id)
	if err != nil {
		return Campaign{}, err
	}
	records, err := e.cfg.Store.Records(ctx, id, 0)
	if err != nil {
		return Campaign{}, fmt.Errorf("campaign: rebuild %q: %w", id, err)
	}
	// What another writer has added since is no difference.
	records = records[:min(int64(len(records)), stored.Version)]
	rebuilt, err := Rebuild(e.cfg.Game, records)
	if err != nil {
		return rebuilt, err
	}
	a, err := openjson.Marshal(rebuilt)
	if err != nil {
		return rebuilt, err
	}
	b, err := openjson.Marshal(stored)
	if err != nil {
		return rebuilt, err
	}
	if string(a) != string(b) {
		return rebuilt, diverged(rebuilt, stored)
	}
	return rebuilt, nil
}

// session returns the session of a campaign, to be released after use.
func (e *Engine) session(id string) *session {
	e.mu.Lock()
	defer e.mu.Unlock()
	s, ok := e.sessions[id]
	if !ok {
		s = &session{}
		e.sessions[id] = s
	}
	s.users++
	return s
}

// release gives a session back. When too many campaigns are loaded, those that
// nobody uses are forgotten; which of them does not matter.
func (e *Engine) release(s *session) {
	e.mu.Lock()
	defer e.mu.Unlock()
	s.users--
	for id, other := range e.sessions {
		if len(e.sessions) <= e.cfg.KeepLoaded {
			return
		}
		if other.users == 0 {
			delete(e.sessions, id)
		}
	}
}

// load fetches the campaign unless it is there. The caller holds s.mu.
func (e *Engine) load(ctx context.Context, id string, s *session) error {
	if s.machine != nil {
		return nil
	}
	c, err := e.read(ctx, id)
	if err != nil {
		return err
	}
	s.machine = NewMachine(e.cfg.Game, c)
	s.last.Store(&c)
	return nil
}

// stamp gives an instruction the present time if it has none.
func (e *Engine) stamp(in Input) Input {
	now := e.cfg.Now().UTC()
	switch in := in.(type) {
	case Submit:
		if in.At.IsZero() {
			in.At = now
		}
		return in
	case ResolveConflict:
		if in.At.IsZero() {
			in.At = now
		}
		return in
	case MakeCheckpoint:
		if in.At.IsZero() {
			in.At = now
		}
		return in
	case EndCampaign:
		if in.At.IsZero() {
			in.At = now
		}
		return in
	case RaiseEvents:
		if in.At.IsZero() {
			in.At = now
		}
		return in
	}
	return in
}

// runner carries out one instruction.
type runner struct {
	engine  *Engine
	ctx     context.Context
	cancel  context.CancelFunc
	id      string
	yield   func(Progress, error) bool
	stopped bool // the consumer has gone
	shown   int  // attempt of which provisional text is on the screen, 0: none
	after   bool // what follows from the instruction, which has had its outcome
}

func (r *runner) emit(p Progress) {
	if r.stopped {
		return
	}
	if !r.yield(p, nil) {
		r.stopped = true
		r.cancel()
	}
}

// run waits for the campaign to be free, or refuses, and then plays.
func (r *runner) run(in Input) error {
	s := r.engine.session(r.id)
	defer r.engine.release(s)
	if submit, ok := in.(Submit); ok {
		outcome, err := r.enter(s, submit)
		if err != nil || outcome != nil {
			if outcome != nil {
				r.emit(Finished{Outcome: *outcome})
			}
			return err
		}
	} else {
		if !s.mu.TryLock() {
			return refuse(CampaignBusy)
		}
	}
	defer s.queue.leave(&s.mu)
	if err := r.engine.load(r.ctx, r.id, s); err != nil {
		return err
	}
	if err := s.machine.Step(in); err != nil {
		return err
	}
	defer func() {
		if s.machine != nil && s.machine.Phase() != Idle {
			s.forget() // an error or a panic left it in the middle
		}
	}()
	return r.play(s)
}

// forget makes the next instruction load the campaign again.
func (s *session) forget() {
	s.machine = nil
	s.last.Store(nil)
}

// play does what the machine asks for until it is idle.
func (r *runner) play(s *session) error {
	for {
		m := s.machine
		todo := m.Todo()
		var answer Input
		switch {
		case todo.Route != nil:
			answer = r.route(*todo.Route)
		case todo.Hooks != nil:
			todo.Hooks.Env.Sinks = r.engine.cfg.Sinks
			// They have deadlines of their own: a player who leaves halves no turn.
			answer = todo.Hooks.Run(context.WithoutCancel(r.ctx))
		case todo.Generate != nil:
			answer = r.generate(*todo.Generate)
		case todo.Judge != nil:
			answer = r.judge(*todo.Judge)
		case todo.Commit != nil:
			answer = r.append(m, todo.Commit)
		default:
			return r.end(s, todo)
		}
		if err := m.Step(answer); err != nil {
			return err
		}
		switch failed := answer.(type) {
		case Committed:
			c := m.Campaign()
			s.last.Store(&c)
		case CommitFailed:
			s.forget()
			if failed.Reason != reasonVersionConflict {
				return fmt.Errorf("campaign: commit %q: %s", r.id, failed.Reason)
			}
			return r.end(s, m.Todo())
		}
	}
}

// end shows what an instruction led to.
func (r *runner) end(s *session, todo Todo) error {
	var messages []string
	if todo.Show != nil {
		for _, piece := range sentences(todo.Show.Text) {
			r.emit(Narration{piece})
		}
		messages = todo.Show.Messages
	}
	for _, c := range todo.Host {
		r.emit(HostEffect{c.By, c.Effect})
	}
	for _, a := range todo.Announce {
		r.follow(s, a)
	}
	if o := todo.Outcome; o != nil && !r.after {
		if o.Status != Completed {
			r.retract()
		}
		r.emit(Finished{Outcome: *o, Messages: messages})
	}
	if todo.Summarize == nil || r.engine.cfg.Summarize == nil {
		return nil
	}
	summary, err := r.engine.cfg.Summarize(r.ctx, *todo.Summarize)
	if err == nil {
		r.follow(s, Summarized{Summary: summary, At: r.engine.cfg.Now().UTC()})
	}
	return nil
}

// follow carries out what follows from an instruction that is over. Its failure
// does not concern that one: announcements are lost, the old summary stays.
func (r *runner) follow(s *session, in Input) {
	if s.machine == nil || s.machine.Step(in) != nil {
		return
	}
	outer := r.after
	r.after = true
	_ = r.play(s) // a store that fails shows with the next instruction
	r.after = outer
}

// retract takes back the provisional text that is on the screen.
func (r *runner) retract() {
	if r.shown > 0 {
		r.emit(Retracted{r.shown})
		r.shown = 0
	}
}

func (r *runner) route(q RouteQuestion) Input {
	if r.engine.cfg.Route == nil {
		return Routed{Error: "no router is configured"}
	}
	d, err := r.engine.cfg.Route(r.ctx, q)
	if err != nil {
		return Routed{Error: err.Error()}
	}
	return Routed{Decision: &d}
}

func (r *runner) judge(q JudgeQuestion) Input {
	if r.engine.cfg.Judge == nil {
		return Judged{Error: "no judge is configured"}
	}
	verdicts, err := r.engine.cfg.Judge(r.ctx, q)
	if err != nil {
		return Judged{Error: err.Error()}
	}
	return Judged{Verdicts: verdicts}
}

// generate asks the model and, where that is allowed, shows its text as it comes.
func (r *runner) generate(g Generation) Input {
	r.retract()
	r.emit(AttemptStarted{g.Attempt, g.Retry})
	if r.engine.cfg.Observe != nil {
		r.engine.cfg.Observe(r.id, g)
	}
	req := g.Request.LLM()
	req.Model, req.Options = r.engine.cfg.ModelName, r.engine.cfg.Options
	seq := r.engine.cfg.Model.Generate(r.ctx, req)
	watched := func(yield func(llm.Chunk, error) bool) {
		for chunk, err := range seq {
			if text, ok := chunk.(llm.TextDelta); ok && err == nil && !g.Intercept {
				r.emit(Provisional{g.Attempt, text.Text})
				r.shown = g.Attempt
			}
			if !yield(chunk, err) || r.stopped {
				return
			}
		}
	}
	resp, err := llm.Collect(watched)
	switch {
	case r.ctx.Err() != nil || errors.Is(err, context.Canceled):
		return GenerateFailed{Reason: "cancelled", Cancelled: true}
	case err != nil:
		return GenerateFailed{Reason: failureReason(err)}
	}
	return Replied{Text: resp.Message.Text, ToolCalls: resp.Message.ToolCalls, Usage: resp.Usage}
}

func failureReason(err error) string {
	if e, ok := errors.AsType[*llm.Error](err); ok {
		return string(e.Code)
	}
	return "transport"
}

const reasonVersionConflict = "version_conflict"

// append writes a record. A cancelled turn has ended before; what is to be
// written now is written even if the player has gone.
func (r *runner) append(m *Machine, rec *Record) Input {
	ctx := context.WithoutCancel(r.ctx)
	var snapshot []byte
	if rec.Version%int64(r.engine.cfg.SnapshotEvery) == 0 {
		next, err := m.base.follow(*rec)
		if err == nil {
			snapshot, err = openjson.Marshal(next)
		}
		if err != nil {
			return CommitFailed{Reason: err.Error()}
		}
	}
	err := r.engine.cfg.Store.Append(ctx, r.id, rec.Version-1, *rec, snapshot)
	switch {
	case errors.Is(err, ErrVersionConflict):
		return CommitFailed{Reason: reasonVersionConflict}
	case err != nil:
		return CommitFailed{Reason: err.Error()}
	}
	return Committed{}
}

// enter takes the campaign for a submission: at once, after waiting in the queue,
// or not at all, and then the outcome says why.
func (r *runner) enter(s *session, in Submit) (*Outcome, error) {
	if s.mu.TryLock() {
		s.queue.running(in)
		return nil, nil
	}
	c, err := r.engine.read(r.ctx, r.id)
	if err != nil {
		return nil, err
	}
	if in.ActorID == "" {
		in.ActorID = c.State.Selected.ActorID
	}
	values := r.engine.cfg.Game.settings.Freeze(c.GlobalSettings, c.Settings)
	probe := NewMachine(r.engine.cfg.Game, c)
	if o, known := probe.stored(in); known {
		return &o, nil
	}
	if s.queue.isRunning(in) {
		return refusedOutcome(InProgress), nil
	}
	if code := probe.refusal(in, values); code != "" {
		return refusedOutcome(code), nil
	}
	if values.Text(setting.TurnConcurrency) != "queue" {
		return refusedOutcome(CampaignBusy), nil
	}
	code := s.queue.wait(r.ctx, in, len(c.State.Selected.Party), &s.mu)
	if code != "" {
		return refusedOutcome(code), r.ctx.Err()
	}
	return nil, nil
}

func refusedOutcome(code RefusalCode) *Outcome {
	return &Outcome{Status: Refused, Reason: string(code)}
}
