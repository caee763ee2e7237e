package hooks_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/hooks"
	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/effect"
)

// conformanceFile is one file of cases; testdata/conformance/README.md has the schema.
type conformanceFile struct {
	Format, Group, Note json.RawMessage
	Cases               []*conformanceCase `json:"cases"`
}

type conformanceCase struct {
	ID string `json:"id"`
	// For people.
	Description, Tags, Note json.RawMessage
	Config                  struct {
		MaxHooksPerTurn *int      `json:"max_hooks_per_turn"`
		MaxChainDepth   *int      `json:"max_chain_depth"`
		DerivedEvents   *bool     `json:"derived_events"`
		Now             time.Time `json:"now"`
		NumericFields   []string  `json:"numeric_fields"`
	} `json:"config"`
	CharacterState tree.Value              `json:"character_state"`
	Relationship   tree.Value              `json:"relationship"`
	Vars           tree.Value              `json:"vars"`
	Sinks          map[string]sinkScript   `json:"sinks"`
	CustomActions  map[string]actionScript `json:"custom_actions"`
	Hooks          json.RawMessage         `json:"hooks"`
	Steps          []conformanceStep       `json:"steps"`
	Expect         struct {
		Steps []stepResult `json:"steps"`
		Final tree.Value   `json:"final"`
	} `json:"expect"`
}

type sinkScript struct {
	Available *bool    `json:"available"`
	FailTimes int      `json:"fail_times"`
	Reject    []string `json:"reject"`
	Books     []string `json:"books"`
}

type actionScript struct {
	Behavior       string     `json:"behavior"`
	Output         tree.Value `json:"output"`
	FailTimes      int        `json:"fail_times"`
	SleepMS        int        `json:"sleep_ms"`
	SleepTimes     *int       `json:"sleep_times"`
	IgnoresContext bool       `json:"ignores_context"`
}

type conformanceStep struct {
	Op     string     `json:"op"`
	Event  act.Event  `json:"event"`
	Depth  int        `json:"depth"`
	Now    time.Time  `json:"now"`
	Vars   tree.Value `json:"vars"`
	Hook   tree.Value `json:"hook"`
	HookID string     `json:"hook_id"`
	Fields tree.Value `json:"fields"`
}

// stepResult is the part of a step's result that the cases check.
type stepResult struct {
	Logs    []logResult  `json:"logs"`
	Skipped []skipResult `json:"skipped"`
	Dropped string       `json:"dropped"`
	OK      *bool        `json:"ok"`
}

type logResult struct {
	HookID   string             `json:"hook_id"`
	Status   act.Status         `json:"status"`
	Executed int                `json:"actions_executed"`
	Attempts int                `json:"attempts"`
	Depth    int                `json:"depth"`
	Error    *string            `json:"error"`
	Results  []act.ActionResult `json:"results"`
}

type skipResult struct {
	HookID string     `json:"hook_id"`
	Reason act.Reason `json:"reason"`
}

// suite is the recorded cases.
var suite = testkit.Suite{Dir: filepath.Join("testdata", "conformance")}

// TestConformance runs the recorded cases for HK-01 to HK-21 (HK-23). Handlers that sleep run in a
// bubble, where time passes at once.
func TestConformance(t *testing.T) {
	suite.Run(t, func(t *testing.T, file string, data []byte) []testkit.RecordedCase {
		var list []testkit.RecordedCase
		for _, c := range readCases(t, file, data) {
			list = append(list, testkit.RecordedCase{
				Name: strings.TrimSuffix(filepath.Base(file), ".json") + "/" + c.ID,
				Run:  func(t *testing.T) { synctest.Test(t, c.run) },
			})
		}
		return list
	})
}

// readCases reads a file of cases. It refuses a case with a member that is not read here, because
// that member would not be checked.
func readCases(t testing.TB, file string, data []byte) []*conformanceCase {
	t.Helper()
	var f conformanceFile
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&f); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return f.Cases
}

// engine is the smallest host that a case needs.
type engine struct {
	c       *conformanceCase
	set     *hooks.Set
	actions act.Table
	state   hooks.State
	now     time.Time
	vars    tree.Value

	character, relationship tree.Value
	injections              act.Injections
	messages                []tree.Value
	derived                 []tree.Value

	mu         sync.Mutex // handlers and sinks run on other goroutines
	sinkCalls  map[string]int
	calls      map[string]int
	memories   []tree.Value
	workflows  []tree.Value
	entries    []tree.Value
	appLogs    []tree.Value
	turnNumber int
}

func (c *conformanceCase) run(t *testing.T) {
	e := &engine{
		c: c, now: c.Config.Now, vars: c.Vars,
		character: c.CharacterState, relationship: c.Relationship,
		sinkCalls: map[string]int{}, calls: map[string]int{},
	}
	if e.now.IsZero() {
		e.now = time.Date(2026, 5, 1, 12, 0, 0, 0, time.FixedZone("", 8*3600))
	}
	for typ, script := range c.CustomActions {
		err := e.actions.Register(typ, act.Type{Handler: e.handler(typ, script)})
		if err != nil {
			t.Fatal(err)
		}
	}
	list, _ := hooks.Parse(c.Hooks)
	e.set, _ = hooks.Compile(list, &e.actions)
	if len(c.Steps) != len(c.Expect.Steps) {
		t.Fatalf("%d steps, %d expected", len(c.Steps), len(c.Expect.Steps))
	}
	for i, step := range c.Steps {
		got := e.step(t, step)
		compareStep(t, fmt.Sprintf("step %d (%s)", i, step.Op), c.Expect.Steps[i], got)
	}
	// A handler that ignores its context runs longer than its hook. Its late work must have no
	// effect, and the bubble must not end before it.
	time.Sleep(time.Hour)
	synctest.Wait()
	e.compareFinal(t, c.Expect.Final)
}

func (e *engine) step(t *testing.T, s conformanceStep) stepResult {
	t.Helper()
	var problems talewright.Problems
	switch s.Op {
	case "emit":
		return e.emit(t, s)
	case "begin_turn":
		e.beginTurn()
		return stepResult{}
	case "set_now":
		e.now = s.Now
		return stepResult{}
	case "set_vars":
		e.vars = s.Vars
		return stepResult{}
	case "add_hook":
		list, _ := hooks.Parse([]byte("[" + s.Hook.String() + "]"))
		e.set, problems = e.set.With(list...)
	case "update_hook":
		e.set, problems = e.set.Patch(s.HookID, s.Fields)
	case "remove_hook":
		var ok bool
		e.set, ok = e.set.Without(s.HookID)
		e.state = e.state.Forget(s.HookID)
		return stepResult{OK: &ok}
	case "reload":
		e.reload(t)
		return stepResult{}
	default:
		t.Fatalf("unknown step %q", s.Op)
	}
	rejected := func(p talewright.Problem) bool { return p.Code == "rejected" }
	return stepResult{OK: new(!slices.ContainsFunc(problems, rejected))}
}

func (e *engine) beginTurn() {
	e.turnNumber++
	e.state = e.state.BeginTurn(fmt.Sprint("turn-", e.turnNumber))
	e.injections = e.injections.BeginTurn()
}

// reload converts hooks and state to JSON and back, and starts a new turn.
func (e *engine) reload(t *testing.T) {
	t.Helper()
	saved, err := json.Marshal(struct {
		Hooks []hooks.Hook
		State hooks.State
	}{e.set.Hooks(), e.state})
	if err != nil {
		t.Fatal(err)
	}
	var loaded struct {
		Hooks []hooks.Hook
		State hooks.State
	}
	if err := json.Unmarshal(saved, &loaded); err != nil {
		t.Fatal(err)
	}
	e.set, _ = hooks.Compile(loaded.Hooks, &e.actions)
	e.state = loaded.State
	e.beginTurn()
}

func (e *engine) emit(t *testing.T, s conformanceStep) stepResult {
	t.Helper()
	event := s.Event
	if event.ID == "" {
		event.ID = "evt_000000000001"
	}
	res := hooks.Run(t.Context(), e.set, event, e.state, e.env(s.Depth))
	e.state = res.State
	e.apply(t, res.Effects)
	if !e.character.Equal(res.Character) || !e.relationship.Equal(res.Relationship) {
		t.Errorf("the effects lead to %s and %s, the result says %s and %s",
			e.character, e.relationship, res.Character, res.Relationship)
	}
	for _, d := range res.Derived {
		e.derived = append(e.derived, tree.Object(
			member("type", tree.Text(d.Event.Type)),
			member("payload", tree.Object(member("changes", d.Event.Payload.Get("changes")))),
			member("depth", tree.Int(int64(d.Depth)))))
	}
	out := stepResult{Logs: []logResult{}, Skipped: []skipResult{}}
	for _, l := range res.Logs {
		out.Logs = append(out.Logs, logResult{
			l.HookID, l.Status, l.ActionsExecuted, l.Attempts, l.Depth, &l.Error, l.Results,
		})
	}
	for _, l := range res.Skipped {
		out.Skipped = append(out.Skipped, skipResult{l.HookID, l.Reason})
	}
	if len(res.Dropped) > 0 {
		out.Dropped = string(res.Dropped[0].Reason)
	}
	return out
}

func (e *engine) env(depth int) hooks.Env {
	env := hooks.Env{
		Now: e.now, Character: e.character, Relationship: e.relationship,
		Vars: objectVars{e.vars}, Depth: depth,
		Limits: hooks.Limits{
			MaxHooksPerTurn: e.c.Config.MaxHooksPerTurn, MaxChainDepth: e.c.Config.MaxChainDepth,
		},
		NoDerivedEvents: e.c.Config.DerivedEvents != nil && !*e.c.Config.DerivedEvents,
		Fields:          map[string]act.Field{},
		Sinks: act.Sinks{
			Memory: e.writeMemory, Workflow: e.startWorkflow, WorldBook: e.addEntry, Log: e.writeLog,
		},
	}
	for _, f := range e.c.Config.NumericFields {
		env.Fields[f] = act.Field{}
	}
	for name, s := range e.c.Sinks {
		if s.Available != nil && !*s.Available {
			env.Missing = append(env.Missing, act.Capability(name))
		}
	}
	return env
}

// apply applies effects, as the interpreter of a host would.
func (e *engine) apply(t *testing.T, effects []effect.Effect) {
	t.Helper()
	for _, asked := range effects {
		switch effect := asked.(type) {
		case effect.InjectPrompt:
			e.injections = e.injections.With(effect)
		case effect.AddMessage:
			e.messages = append(e.messages, tree.Text(effect.Content))
		case effect.ChangeState:
			e.character = setMember(t, e.character, effect.Field, effect.New)
		case effect.ChangeRelationship:
			e.relationship = setMember(t, e.relationship, effect.Field, effect.New)
		default:
			t.Errorf("unexpected effect %T: there is a sink for it", effect)
		}
	}
}

// fails counts the deliveries to a sink and fails the first ones as the case says.
func (e *engine) fails(sink string) error {
	e.sinkCalls[sink]++
	if e.sinkCalls[sink] <= e.c.Sinks[sink].FailTimes {
		return errors.New("the sink failed")
	}
	return nil
}

func (e *engine) writeMemory(_ context.Context, _ act.Call, m effect.WriteMemory) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if err := e.fails("memory"); err != nil {
		return err
	}
	e.memories = append(e.memories, tree.Object(
		member("title", tree.Text(m.Title)), member("content", tree.Text(m.Content)),
		member("mem_type", tree.Text(m.MemType)), member("summary", tree.Text(m.Summary)),
		member("character_id", tree.Text(m.CharacterID)), member("user_id", tree.Text(m.UserID))))
	return nil
}

func (e *engine) startWorkflow(_ context.Context, _ act.Call, w effect.StartWorkflow) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if err := e.fails("workflow"); err != nil {
		return err
	}
	if slices.Contains(e.c.Sinks["workflow"].Reject, w.Workflow) {
		return fmt.Errorf("workflow %s refused", w.Workflow)
	}
	e.workflows = append(e.workflows, tree.Object(
		member("workflow", tree.Text(w.Workflow)), member("params", w.Params)))
	return nil
}

func (e *engine) addEntry(_ context.Context, _ act.Call, a effect.AddEntry) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if err := e.fails("world_book"); err != nil {
		return err
	}
	books := e.c.Sinks["world_book"].Books
	if books == nil {
		books = []string{"wb_lore"}
	}
	if !slices.Contains(books, a.BookID) {
		return &act.Failure{Code: act.CodeNotFound, Detail: "no book " + a.BookID}
	}
	e.entries = append(e.entries, tree.Object(
		member("book_id", tree.Text(a.BookID)), member("name", tree.Text(a.Name)),
		member("content", tree.Text(a.Content)), member("keywords", textList(a.Keywords)),
		member("entry_type", tree.Text(a.EntryType)),
		member("priority", tree.Int(int64(a.Priority))),
		member("always_on", tree.Bool(a.AlwaysOn)), member("tags", textList(a.Tags))))
	return nil
}

func (e *engine) writeLog(_ context.Context, _ act.Call, l effect.WriteLog) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.appLogs = append(e.appLogs, tree.Object(
		member("level", tree.Text(l.Level)), member("message", tree.Text(l.Message))))
	return nil
}

// handler plays a scripted custom action.
func (e *engine) handler(typ string, s actionScript) act.Handler {
	return func(ctx context.Context, _ act.Call) (act.Outcome, error) {
		e.mu.Lock()
		e.calls[typ]++
		n := e.calls[typ]
		e.mu.Unlock()
		if s.SleepMS > 0 && (s.SleepTimes == nil || n <= *s.SleepTimes) {
			if s.IgnoresContext {
				ctx = context.WithoutCancel(ctx)
			}
			timer := time.NewTimer(time.Duration(s.SleepMS) * time.Millisecond)
			defer timer.Stop()
			select {
			case <-timer.C:
			case <-ctx.Done():
				return act.Outcome{}, ctx.Err()
			}
		}
		switch {
		case s.Behavior == "panic":
			panic("scripted panic")
		case s.Behavior == "fail" || n <= s.FailTimes:
			return act.Outcome{}, errors.New("scripted failure")
		}
		return act.Outcome{Output: s.Output}, nil
	}
}

func compareStep(t *testing.T, name string, want, got stepResult) {
	t.Helper()
	if want.OK != nil && (got.OK == nil || *want.OK != *got.OK) {
		t.Errorf("%s: ok differs: want %v", name, *want.OK)
	}
	if got.Logs == nil {
		return // no event was emitted
	}
	for i := range min(len(want.Logs), len(got.Logs)) {
		if want.Logs[i].Error == nil {
			got.Logs[i].Error = nil
		}
		results := slices.Clone(got.Logs[i].Results)
		for j := range min(len(results), len(want.Logs[i].Results)) {
			results[j].Detail = ""
			if !want.Logs[i].Results[j].Output.Exists() {
				results[j].Output = tree.Value{}
			}
		}
		got.Logs[i].Results = results
	}
	got.OK, want.OK = nil, nil
	sameValue := cmp.Comparer(tree.Value.Equal)
	if diff := cmp.Diff(want, got, sameValue, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}

func (e *engine) compareFinal(t *testing.T, want tree.Value) {
	t.Helper()
	e.mu.Lock()
	defer e.mu.Unlock()
	var calls []tree.Member
	for typ, n := range e.calls {
		calls = append(calls, member(typ, tree.Int(int64(n))))
	}
	var injections []tree.Value
	for _, in := range e.injections {
		injections = append(injections, tree.Object(
			member("key", tree.Text(in.Key)), member("content", tree.Text(in.Content)),
			member("priority", tree.Int(int64(in.Priority))), member("scope", tree.Text(string(in.Scope)))))
	}
	got := tree.Object(
		member("character_state", orNull(e.character)), member("relationship", orNull(e.relationship)),
		member("injections", tree.Array(injections...)),
		member("messages", tree.Array(e.messages...)),
		member("memories", tree.Array(e.memories...)),
		member("workflows", tree.Array(e.workflows...)),
		member("book_entries", tree.Array(e.entries...)),
		member("app_logs", tree.Array(e.appLogs...)),
		member("derived_events", tree.Array(e.derived...)),
		member("handler_calls", tree.Object(calls...)))
	for key, v := range want.Members() {
		if !got.Get(key).Equal(v) {
			t.Errorf("final %s: got %s, want %s", key, got.Get(key), v)
		}
	}
}
