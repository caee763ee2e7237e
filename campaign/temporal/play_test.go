package temporal_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"go.temporal.io/api/common/v1"
	"go.temporal.io/api/serviceerror"
	workflowpb "go.temporal.io/api/workflow/v1"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/converter"
	"go.temporal.io/sdk/interceptor"
	"go.temporal.io/sdk/log"
	"go.temporal.io/sdk/testsuite"
	"go.temporal.io/sdk/worker"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/internal/filltest"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/temporal"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/hooks"
	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/llm/llmtest"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/prompt/card"
)

var noon = time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)

// service is a Temporal connection that runs each workflow in the SDK's test environment.
type service struct {
	client.Client
	worker temporal.Worker
	// before is called with each environment before its workflow begins.
	before func(*testsuite.TestWorkflowEnvironment)
	// running is the running workflow that the next call of ExecuteWorkflow finds.
	running *run
	held    *run // the run that calls describe
	mu      sync.Mutex
	ids     []string
	took    time.Duration
	steps   int
	largest int // bytes of arguments
}

// mortal lets an activity die with its goroutine. The worker sends nothing more, and the step is
// retried.
type mortal struct {
	interceptor.WorkerInterceptorBase
	interceptor.ActivityInboundInterceptorBase
}

func (mortal) InterceptActivity(_ context.Context, next interceptor.ActivityInboundInterceptor) interceptor.ActivityInboundInterceptor {
	return &mortal{ActivityInboundInterceptorBase: interceptor.ActivityInboundInterceptorBase{Next: next}}
}

func (m *mortal) ExecuteActivity(ctx context.Context, in *interceptor.ExecuteActivityInput) (answer any, err error) {
	err = errors.New("the worker has died")
	done := make(chan struct{})
	go func() {
		defer close(done)
		answer, err = m.Next.ExecuteActivity(ctx, in)
	}()
	<-done
	return answer, err
}

type run struct {
	client.WorkflowRun
	id   string
	memo *common.Payload
	env  *testsuite.TestWorkflowEnvironment
}

func (r *run) Get(_ context.Context, to any) error {
	if err := r.env.GetWorkflowError(); err != nil || to == nil {
		return err
	}
	return r.env.GetWorkflowResult(to)
}

func (s *service) ExecuteWorkflow(_ context.Context, o client.StartWorkflowOptions, workflow any, args ...any) (client.WorkflowRun, error) {
	if r := s.running; r != nil {
		s.running = nil
		return nil, serviceerror.NewWorkflowExecutionAlreadyStarted("running", "", r.id)
	}
	var suite testsuite.WorkflowTestSuite
	suite.SetLogger(log.NewStructuredLogger(slog.New(slog.DiscardHandler)))
	env := suite.NewTestWorkflowEnvironment()
	env.SetStartWorkflowOptions(o)
	env.SetTestTimeout(10 * time.Minute)
	env.SetWorkerOptions(worker.Options{DeadlockDetectionTimeout: 10 * time.Minute, // other programs may need the machine
		Interceptors: []interceptor.WorkerInterceptor{&mortal{}}})
	if err := temporal.Register(env, s.worker); err != nil {
		return nil, err
	}
	env.SetOnActivityStartedListener(func(info *activity.Info, _ context.Context, args converter.EncodedValues) {
		s.mu.Lock()
		defer s.mu.Unlock()
		var raw json.RawMessage
		if err := args.Get(&raw); err == nil {
			s.largest = max(s.largest, len(raw))
		}
		s.steps++
	})
	if s.before != nil {
		s.before(env)
	}
	begun := env.Now()
	env.ExecuteWorkflow(workflow, args...)
	s.took = env.Now().Sub(begun)
	s.ids = append(s.ids, o.ID)
	r := &run{id: fmt.Sprintf("run %d", len(s.ids)), env: env}
	for _, v := range o.Memo {
		r.memo, _ = converter.GetDefaultDataConverter().ToPayload(v)
	}
	return r, nil
}

func (s *service) GetWorkflow(context.Context, string, string) client.WorkflowRun { return s.held }

func (s *service) DescribeWorkflowExecution(context.Context, string, string) (*workflowservice.DescribeWorkflowExecutionResponse, error) {
	return &workflowservice.DescribeWorkflowExecutionResponse{WorkflowExecutionInfo: &workflowpb.WorkflowExecutionInfo{
		Memo: &common.Memo{Fields: map[string]*common.Payload{"talewright.instruction": s.held.memo}}}}, nil
}

// host has a worker, a player and a campaign.
type host struct {
	t *testing.T
	*service
	temporal.Client
	engine *campaign.Engine
	store  campaign.Store
}

// newHost compiles the content and creates the campaign "inn" with it.
func newHost(t *testing.T, content game.Content, cfg campaign.Config, settings string) *host {
	t.Helper()
	g, problems := game.Compile(content)
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	if cfg.Game = g; cfg.Store == nil {
		cfg.Store = &campaign.MemoryStore{}
	}
	cfg.Now = func() time.Time { return noon }
	engine, err := campaign.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	setup := inn()
	if err := json.Unmarshal([]byte(settings), &setup.Settings); err != nil {
		t.Fatal(err)
	}
	if _, err := engine.Create(t.Context(), setup); err != nil {
		t.Fatal(err)
	}
	s := &service{worker: temporal.Worker{Engine: engine}}
	return &host{t, s, temporal.Client{Temporal: s, TaskQueue: "q"}, engine, cfg.Store}
}

func inn() state.Setup {
	return state.Setup{ID: "inn", CreatedAt: noon, Seed: 7,
		Map: state.Map{Areas: []state.MapArea{{ID: "yard", Name: "Yard"}, {ID: "mill", Name: "Mill"}},
			Paths: []state.MapPath{{ID: "door", From: "yard", To: "mill"}}},
		Characters: []state.Character{{ID: "ann", Name: "Ann", AreaID: "yard", HP: state.HP{Current: 10, Max: 10}}}}
}

// intoTheMill is a reply that moves Ann.
func intoTheMill() llmtest.Reply {
	return llmtest.Text("The door is heavy. You step into the Mill.").AndCall("move", "actor_id", "ann", "to_area_id", "mill")
}

// heardOf returns content with hooks before the model request and after the text is sent.
func heardOf() game.Content {
	return game.Content{Rules: game.Rules{Hooks: []hooks.Hook{{ID: "h", Name: "h", Event: hooks.On(act.BeforePromptRender, act.AfterSend),
		Actions: []act.Action{act.New("notify-player", tree.Member{Key: "message", Value: tree.Text("An owl hoots.")})}}}}}
}

func (h *host) submit(text, clientTurnID string) turn.Outcome {
	h.t.Helper()
	o, err := h.Submit(h.t.Context(), "inn", turn.Submit{Text: text, ClientTurnID: clientTurnID, At: noon})
	if err != nil {
		h.t.Fatal(err)
	}
	return o
}

// logOf returns the stored log of a campaign.
func logOf(t *testing.T, s campaign.Store) string {
	t.Helper()
	var lines []string
	for entry, err := range s.Records(t.Context(), "inn", 0) {
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, string(entry.Data))
	}
	return strings.Join(lines, "\n")
}

// wantOutcome compares an outcome with its text.
var wantOutcome = filltest.Want

// TestTurnsAreThoseOfTheEngine plays twenty turns with workflows. Outcomes and log must equal the
// results of an engine, byte for byte. The log must replay to the same campaign (ST-13).
func TestTurnsAreThoseOfTheEngine(t *testing.T) {
	replies := func() *llmtest.Scripted {
		list := []llmtest.Reply{llmtest.Text("The door is heavy. You step into the Mill."), intoTheMill()} // at first no character has moved
		for i := range 19 {
			list = append(list, llmtest.Text(fmt.Sprintf("Rain, for %d hours.", i+2)))
		}
		return llmtest.NewScripted(list...)
	}
	model := replies()
	h := newHost(t, heardOf(), campaign.Config{Model: model}, "{}")
	whole := newHost(t, heardOf(), campaign.Config{Model: replies()}, "{}")
	for i := range 20 {
		in := turn.Submit{Text: fmt.Sprintf("I wait %d.", i), ClientTurnID: fmt.Sprint(i), At: noon}
		want, err := whole.engine.Turn(t.Context(), "inn", in)
		if err != nil {
			t.Fatal(err)
		}
		got, err := h.Submit(t.Context(), "inn", in)
		if err != nil {
			t.Fatal(err)
		}
		if err := turn.Same(got, want); err != nil {
			t.Fatalf("turn %d: %v", i, err)
		}
		if got.Version != want.Version || len(got.Host) != len(want.Host) || len(got.Host) == 0 || got.Turn == nil {
			t.Fatalf("turn %d: version %d and %d effects for the host, want %d and %d", i, got.Version, len(got.Host), want.Version, len(want.Host))
		}
	}
	if logOf(t, h.store) != logOf(t, whole.store) {
		t.Error("the log is another one")
	}
	if asked := len(model.Requests()); asked != 21 {
		t.Errorf("the model was asked %d times", asked)
	}
	if _, err := h.engine.Rebuild(t.Context(), "inn"); err != nil {
		t.Errorf("rebuild: %v", err)
	}
	if h.ids[0] != "campaign/inn" {
		t.Errorf("the workflow is called %q", h.ids[0])
	}
	wantOutcome(t, h.submit("I wait 3.", "3"), "completed turn_0004 replayed")
	wantOutcome(t, h.submit("I sing.", "3"), "refused idempotency_conflict")
}

// TestButtonsAreThoseOfTheEngine checks the instructions for undo, redo and the choice among
// answers. Workflows must give the same outcomes and the same log as an engine, byte for byte
// (CA-42).
func TestButtonsAreThoseOfTheEngine(t *testing.T) {
	replies := func() campaign.Config {
		return campaign.Config{Model: llmtest.NewScripted(llmtest.Text("Rain."), llmtest.Text("Snow."), llmtest.Text("Fog."), llmtest.Text("Sun."))}
	}
	hi := game.Content{People: game.People{Card: &card.Card{Name: "Orin", FirstMes: "Hi.", AlternateGreetings: []string{"Ho."}}}}
	h, whole := newHost(t, hi, replies(), "{}"), newHost(t, hi, replies(), "{}")
	ended := func(o turn.Outcome, err error) string {
		if refusal, is := errors.AsType[*state.Refusal](err); is {
			return "refused " + string(refusal.Code) + " " + refusal.Detail
		}
		if err != nil {
			t.Fatal(err)
		}
		return filltest.Words(o)
	}
	for i, in := range []turn.Input{
		turn.Undo{At: noon}, // refused
		turn.NextAnswer{At: noon},
		turn.PreviousAnswer{At: noon},
		turn.Submit{Text: "I wait.", ClientTurnID: "1", At: noon},
		turn.Submit{Text: "I wait on.", ClientTurnID: "2", At: noon},
		turn.Regenerate{ClientTurnID: "3", At: noon},
		turn.NextAnswer{At: noon}, // refused
		turn.PreviousAnswer{At: noon},
		turn.NextAnswer{At: noon},
		turn.Undo{At: noon},
		turn.Redo{At: noon},
		turn.Redo{At: noon}, // refused
		turn.Undo{At: noon},
		turn.Submit{Text: "I go.", ClientTurnID: "4", At: noon},
		turn.Redo{At: noon}, // refused
	} {
		want, wantErr := whole.engine.Do(t.Context(), "inn", in)
		got, gotErr := h.Do(t.Context(), "inn", in)
		if a, b := ended(got, gotErr), ended(want, wantErr); a != b {
			t.Errorf("%d %T: %q, want %q", i, in, a, b)
		}
		if err := turn.Same(got, want); err != nil || got.Version != want.Version {
			t.Errorf("%d %T: version %d, want %d: %v", i, in, got.Version, want.Version, err)
		}
	}
	if logOf(t, h.store) != logOf(t, whole.store) {
		t.Error("the log is another one")
	}
	c, err := h.engine.Rebuild(t.Context(), "inn")
	if err != nil || c.State.HeadTurnID != "turn_0004" || len(c.BranchTurns()) != 2 {
		t.Errorf("at %s after %d turns: %v", c.State.HeadTurnID, len(c.BranchTurns()), err)
	}
}

// dying is a store that kills its worker after a call, once.
type dying struct {
	*campaign.MemoryStore
	at   string
	dead bool
}

func (s *dying) die(at string) {
	if s.at == at && !s.dead {
		s.dead = true
		runtime.Goexit()
	}
}

func (s *dying) SaveAnswer(ctx context.Context, id string, fence int64, key string, data []byte) error {
	defer s.die("after the answer")
	return s.MemoryStore.SaveAnswer(ctx, id, fence, key, data)
}

func (s *dying) Append(ctx context.Context, id string, e campaign.Entry, snapshot []byte) error {
	if e.Version > 1 {
		s.die("before the commit")
		defer s.die("after the commit")
	}
	return s.MemoryStore.Append(ctx, id, e, snapshot)
}

// TestWorkerDies kills a worker at each point. The turn must be finished and committed once. An
// answer that had arrived is paid for once. A call without an answer is made again, or the turn
// fails.
func TestWorkerDies(t *testing.T) {
	for _, c := range []struct {
		at   string
		once bool
		paid int
		want string
	}{
		{"in the call", false, 2, "completed turn_0001"},
		{"in the call", true, 1, "failed call_lost"},
		{"after the answer", false, 1, "completed turn_0001"},
		{"before the commit", false, 1, "completed turn_0001"},
		{"after the commit", false, 1, "completed turn_0001"},
	} {
		t.Run(fmt.Sprintf("%s, once %v", c.at, c.once), func(t *testing.T) {
			paid := 0
			store := &dying{MemoryStore: &campaign.MemoryStore{}, at: c.at}
			model := llm.Model(modelFunc(func(ctx context.Context, r llm.Request) llmtest.Reply {
				paid++
				store.die("in the call")
				return intoTheMill()
			}))
			h := newHost(t, heardOf(), campaign.Config{Store: store, Model: model, Sharing: campaign.Sharing{PayOnce: c.once}}, "{}")
			wantOutcome(t, h.submit("I go in.", "1"), c.want)
			if paid != c.paid {
				t.Errorf("%d calls were paid for, want %d", paid, c.paid)
			}
			if !store.dead {
				t.Error("no worker died")
			}
			if _, err := h.engine.Rebuild(t.Context(), "inn"); err != nil {
				t.Error(err)
			}
			turns := 0
			for rec, err := range campaign.Decoded(store.Records(t.Context(), "inn", 0)) {
				if err != nil {
					t.Fatal(err)
				}
				if rec.Turn != nil {
					turns++
				}
			}
			if want := map[bool]int{false: 1, true: 0}[c.once]; turns != want {
				t.Errorf("%d turns were committed, want %d", turns, want)
			}
		})
	}
}

// modelFunc is a function as a model.
type modelFunc func(context.Context, llm.Request) llmtest.Reply

func (f modelFunc) Generate(ctx context.Context, r llm.Request) iter.Seq2[llm.Chunk, error] {
	return llmtest.NewScripted(f(ctx, r)).Generate(ctx, r)
}

// TestModelIsAskedAgain checks that a model with RetryAfter is asked again after that time. After
// too many failures the turn fails with the model's code and message.
func TestModelIsAskedAgain(t *testing.T) {
	overloaded := func(after time.Duration) llmtest.Reply {
		return llmtest.Fail(&llm.Error{Code: llm.CodeOverloaded, Retry: true, RetryAfter: after, Message: "come back later"})
	}
	h := newHost(t, game.Content{}, campaign.Config{Repeats: -1,
		Model: llmtest.NewScripted(overloaded(time.Hour), overloaded(0), intoTheMill(), overloaded(0), overloaded(0),
			llmtest.Fail(&llm.Error{Code: llm.CodeAuth}))}, "{}")
	wantOutcome(t, h.submit("I go in.", "1"), "completed turn_0001")
	if h.took < time.Hour+2*time.Second {
		t.Errorf("it took %s", h.took)
	}
	h.Options.ModelRetries = 1
	o := h.submit("I go out.", "2")
	wantOutcome(t, o, "failed overloaded")
	if o.Failure == nil || !o.Failure.Retry || !strings.Contains(o.Err().Error(), "come back later") {
		t.Errorf("the failure is %v", o.Err())
	}
	h.Options.ModelRetries = 3
	wantOutcome(t, h.submit("I go out.", "2"), "failed auth")
	if c, err := h.engine.Campaign(t.Context(), "inn"); err != nil || c.TurnCounter != 1 {
		t.Errorf("%d turns: %v", c.TurnCounter, err)
	}
}

// away is a store that fails for a number of calls.
type away struct {
	*campaign.MemoryStore
	calls int
	err   error
}

func (s *away) Acquire(ctx context.Context, id, owner string, d time.Duration) (int64, error) {
	if s.calls > 0 {
		s.calls--
		return 0, s.err
	}
	return s.MemoryStore.Acquire(ctx, id, owner, d)
}

// TestErrors checks that permanent errors reach the client as the engine returned them, and that
// temporary ones are retried.
func TestErrors(t *testing.T) {
	store := &away{MemoryStore: &campaign.MemoryStore{}}
	model := llmtest.NewScripted(llmtest.Text("Rain."), llmtest.Text("Sun."))
	h := newHost(t, game.Content{}, campaign.Config{Model: model, Store: store}, "{}")
	for _, err := range []error{campaign.ErrUnavailable, &campaign.HeldError{Owner: "another", For: time.Minute}} {
		store.calls, store.err = 9, fmt.Errorf("store: %w", err) // the test environment makes at most ten attempts
		o := h.submit("I wait.", fmt.Sprintf("%T", err))
		if o.Status != turn.Completed || h.took < 7*time.Second {
			t.Errorf("%v: the turn is %s after %s", err, o.Status, h.took)
		}
	}
	h.Options.Patience, h.Options.StepTimeout = time.Minute, time.Second
	store.calls, store.err = 1000, campaign.ErrUnavailable
	if _, err := h.Submit(t.Context(), "inn", turn.Submit{Text: "x"}); !errors.Is(err, campaign.ErrUnavailable) {
		t.Errorf("a store that does not come back: %v", err)
	}
	store.calls, store.err = 1000, errors.New("nobody knows this")
	if _, err := h.Submit(t.Context(), "inn", turn.Submit{Text: "x"}); err == nil || store.calls < 990 {
		t.Errorf("an unknown error: %v, %d calls are left", err, store.calls)
	}
	store.calls = 0
	if _, err := h.Submit(t.Context(), "nowhere", turn.Submit{Text: "x"}); !errors.Is(err, campaign.ErrNotFound) {
		t.Errorf("an unknown campaign: %v", err)
	}
	_, err := h.Do(t.Context(), "inn", turn.Approve{Question: "x"})
	if refusal, is := errors.AsType[*state.Refusal](err); !is || refusal.Code != state.NoPendingApproval {
		t.Errorf("an answer that nobody waits for: %v", err)
	}
	if _, err := h.Do(t.Context(), "inn", nil); !errors.Is(err, turn.ErrInvalidInput) {
		t.Errorf("no instruction: %v", err)
	}
	wantOutcome(t, h.submit(" ", ""), "refused empty_input")
	if err := store.Delete(t.Context(), "inn"); err != nil {
		t.Fatal(err)
	}
	if _, err := h.Submit(t.Context(), "inn", turn.Submit{Text: "x"}); !errors.Is(err, campaign.ErrDeleted) {
		t.Errorf("a campaign that was deleted: %v", err)
	}
	if err := temporal.Register(nil, temporal.Worker{}); err == nil {
		t.Error("a worker without an engine is registered")
	}
}

// TestOneInstructionAtATime checks that a second instruction is refused or waits, and that a
// repeated submission waits for the first.
func TestOneInstructionAtATime(t *testing.T) {
	h := newHost(t, game.Content{}, campaign.Config{Model: llmtest.NewScripted(llmtest.Text("Rain."), llmtest.Text("Sun."))}, "{}")
	first, err := h.ExecuteWorkflow(t.Context(), client.StartWorkflowOptions{ID: "campaign/inn"}, "talewright.Play", map[string]any{
		"campaign": "inn", "journal": map[string]any{"entries": []any{map[string]any{"input": map[string]any{
			"input": "submit", "text": "One", "client_turn_id": "1", "at": noon}}}}})
	if err != nil {
		t.Fatal(err)
	}
	h.held = first.(*run)
	if h.held.memo, err = converter.GetDefaultDataConverter().ToPayload("1 " + turn.Submit{Text: "One", ClientTurnID: "1"}.Ticket().By("")); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		h.running = h.held
		wantOutcome(t, h.submit("One", "1"), "completed turn_0001")
	}
	h.running = h.held
	wantOutcome(t, h.submit("Two", "2"), "refused campaign_busy")
	h.running = h.held
	_, err = h.Do(t.Context(), "inn", turn.MakeCheckpoint{Label: "here"})
	if refusal, is := errors.AsType[*state.Refusal](err); !is || refusal.Code != state.CampaignBusy {
		t.Errorf("a checkpoint meanwhile: %v", err)
	}
	h.running, h.Queue = h.held, true
	wantOutcome(t, h.submit("Two", "2"), "completed turn_0002")
}

// TestCancel cancels a turn while the model runs. It ends as cancelled, nothing is committed, and
// the same line may be submitted again.
func TestCancel(t *testing.T) {
	var env *testsuite.TestWorkflowEnvironment
	asked := 0
	h := newHost(t, game.Content{}, campaign.Config{Model: modelFunc(func(context.Context, llm.Request) llmtest.Reply {
		if asked++; asked == 1 {
			env.CancelWorkflow()
		}
		return llmtest.Text("Rain.")
	})}, "{}")
	h.before = func(e *testsuite.TestWorkflowEnvironment) { env = e }
	before := logOf(t, h.store)
	wantOutcome(t, h.submit("I wait.", "1"), "cancelled cancelled")
	if logOf(t, h.store) != before {
		t.Error("something was committed")
	}
	wantOutcome(t, h.submit("I wait.", "1"), "completed turn_0001")
}

// askAll makes every call wait for approval.
const askAll = `{"tools.approval": "all"}`

// TestPeopleApprove checks that a waiting turn ends its workflow. The answer is a second workflow,
// or a timer discards the turn.
func TestPeopleApprove(t *testing.T) {
	h := newHost(t, game.Content{}, campaign.Config{Model: llmtest.NewScripted(intoTheMill(), intoTheMill())}, askAll)
	o := h.submit("I go in.", "1")
	wantOutcome(t, o, "awaiting_approval")
	wantOutcome(t, h.submit("I go in.", "1"), "awaiting_approval replayed")
	wantOutcome(t, h.submit("I sing.", "2"), "refused awaiting_approval")
	q, err := h.engine.Pending(t.Context(), "inn")
	if err != nil || q == nil {
		t.Fatal(q, err)
	}
	o, err = h.Do(t.Context(), "inn", turn.Approve{Question: q.ID, Decisions: q.All(state.Approve, ""), By: "Ada"})
	if err != nil {
		t.Fatal(err)
	}
	wantOutcome(t, o, "completed turn_0001")
	if o, err = h.Do(t.Context(), "inn", turn.RollBack{To: "turn_0000"}); err != nil || o.Status != turn.Completed {
		t.Fatal(o, err)
	}

	h.Options.AnswerWithin = 48 * time.Hour
	h.before = func(e *testsuite.TestWorkflowEnvironment) { // the test environment counts a workflow as running until all have ended
		e.SetStartWorkflowOptions(client.StartWorkflowOptions{ID: "another", TaskQueue: "q"})
	}
	wantOutcome(t, h.submit("I go in.", "3"), "awaiting_approval")
	if q, err := h.engine.Pending(t.Context(), "inn"); err != nil || q != nil {
		t.Errorf("after two days %v waits: %v", q, err)
	}
	if h.took < 48*time.Hour {
		t.Errorf("it was discarded after %s", h.took)
	}
}

// TestLongAnswersStayInTheStore checks that the arguments of a step stay short for long answers.
func TestLongAnswersStayInTheStore(t *testing.T) {
	long := strings.Repeat("The wind howls over the stones. ", 20<<10)
	h := newHost(t, game.Content{}, campaign.Config{Model: llmtest.NewScripted(
		llmtest.Text(long+"You step into the Mill."), intoTheMill())}, "{}")
	o := h.submit("I go in.", "1")
	wantOutcome(t, o, "completed turn_0001")
	if h.largest > 100<<10 || h.largest == 0 {
		t.Errorf("a step was given %d bytes", h.largest)
	}
	if o.Turn.Attempts != nil || o.Turn.Text == "" {
		t.Errorf("the outcome has %d attempts and the text %q", len(o.Turn.Attempts), o.Turn.Text)
	}
	if _, err := h.engine.Rebuild(t.Context(), "inn"); err != nil {
		t.Error(err)
	}
}

// TestProgress checks the progress of an instruction, and that workers report texts.
func TestProgress(t *testing.T) {
	h := newHost(t, heardOf(), campaign.Config{Model: llmtest.NewScripted(llmtest.Text("Rain."))},
		`{"conflict.intercept_output": false}`)
	var heard []string
	h.worker.Hear = func(id string, p campaign.Progress) {
		if text, is := p.(campaign.Provisional); is {
			heard = append(heard, id+": "+text.Text)
		}
	}
	var env *testsuite.TestWorkflowEnvironment
	h.before = func(e *testsuite.TestWorkflowEnvironment) { env = e }
	h.submit("I wait.", "1")
	answer, err := env.QueryWorkflow("progress")
	var p temporal.Progress
	if err == nil {
		err = answer.Get(&p)
	}
	if err != nil || p.Stop != "idle" || p.Steps != 3 || !p.Committed {
		t.Errorf("%+v: %v", p, err)
	}
	if got := strings.Join(heard, "|"); got != "inn: Rain." {
		t.Errorf("players hear %q", got)
	}
}

// TestModelPanics checks that a panic of a model fails its turn, and a panic of a store its step.
// The worker continues, and no request is made twice.
func TestModelPanics(t *testing.T) {
	asked := 0
	h := newHost(t, game.Content{}, campaign.Config{Model: modelFunc(func(context.Context, llm.Request) llmtest.Reply {
		if asked++; asked == 1 {
			panic("no such model")
		}
		return intoTheMill()
	})}, "{}")
	o := h.submit("I go in.", "1")
	wantOutcome(t, o, "failed panicked")
	if asked != 1 || !strings.Contains(o.Err().Error(), "no such model") {
		t.Errorf("asked %d times: %v", asked, o.Err())
	}
	wantOutcome(t, h.submit("I go in.", "1"), "completed turn_0001")
}
