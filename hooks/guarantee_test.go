package hooks_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/talewright/talewright/hooks"
	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/effect"
)

// kind is one way to cause an effect. The guarantees below apply to each of them.
type kind struct {
	name   string
	action string
	stages bool // one effect is committed with the hook
	acts   bool // external work is done at once, by a sink or a handler
}

// The kinds: every built-in action, the external ones with and without a sink, and both kinds of
// custom actions.
var kinds = []kind{
	{"prompt_inject", `{"type":"prompt_inject","content":"c"}`, true, false},
	{"state_delta", `{"type":"state_delta","field":"energy","delta":-10}`, true, false},
	{"relationship_delta", `{"type":"relationship_delta","field":"trust","delta":5}`, true, false},
	{"message", `{"type":"message","content":"c"}`, true, false},
	{"memory_write", `{"type":"memory_write","content":"c"}`, true, false},
	{"workflow", `{"type":"workflow","workflow":"w"}`, true, false},
	{"world_book_add", `{"type":"world_book_add","book_id":"b","content":"c"}`, true, false},
	{"log", `{"type":"log","message":"m"}`, true, false},
	{"memory_write with a sink", `{"type":"memory_write","content":"c"}`, false, true},
	{"workflow with a sink", `{"type":"workflow","workflow":"w"}`, false, true},
	{"world_book_add with a sink", `{"type":"world_book_add","book_id":"b","content":"c"}`, false, true},
	{"log with a sink", `{"type":"log","message":"m"}`, false, true},
	{"internal custom action", `{"type":"inner"}`, true, false},
	{"external custom action", `{"type":"outer"}`, true, true},
}

// troubleHost is a host whose code follows a script, call by call. The words are "ok", "error",
// "panic", "watch" (waits for the deadline) and "hang" (ignores the deadline and then continues
// normally). The last word applies to all further calls.
type troubleHost struct {
	trouble []string // of the action "trouble"
	own     []string // of the kind under test

	mu    sync.Mutex // a call that timed out may overlap later calls
	calls int        // of the kind under test
	done  map[string]int
}

func play(ctx context.Context, script []string, n int) error {
	switch script[min(n, len(script)-1)] {
	case "error":
		return errors.New("scripted")
	case "panic":
		panic("scripted")
	case "watch":
		<-ctx.Done()
		return ctx.Err()
	case "hang":
		time.Sleep(400 * time.Millisecond)
	}
	return nil
}

// act does the work of the tested kind. The work is recorded by its idempotency key.
func (h *troubleHost) act(ctx context.Context, call act.Call) error {
	h.mu.Lock()
	n := h.calls
	h.calls++
	h.mu.Unlock()
	if err := play(ctx, h.own, n); err != nil {
		return err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.done[call.Key]++
	return nil
}

func (h *troubleHost) actions(t *testing.T) *act.Table {
	t.Helper()
	handler := func(ctx context.Context, call act.Call) (act.Outcome, error) {
		asked := effect.AddMessage{Content: fmt.Sprint("from attempt ", call.Attempt)}
		return act.Outcome{Effects: []effect.Effect{asked}}, h.act(ctx, call)
	}
	trouble := func(ctx context.Context, call act.Call) (act.Outcome, error) {
		return act.Outcome{}, play(ctx, h.trouble, call.Attempt-1)
	}
	var actions act.Table
	err := errors.Join(
		actions.Register("outer", act.Type{Handler: handler}),
		actions.Register("inner", act.Type{Handler: handler, Internal: true}),
		actions.Register("trouble", act.Type{Handler: trouble}))
	if err != nil {
		t.Fatal(err)
	}
	return &actions
}

func (h *troubleHost) env(k kind) hooks.Env {
	env := hooks.Env{
		Character: value(`{"energy":80}`), Relationship: value(`{"trust":50}`),
	}
	if k.acts {
		env.Sinks = act.Sinks{
			Memory: boundSink[effect.WriteMemory](h), Workflow: boundSink[effect.StartWorkflow](h),
			WorldBook: boundSink[effect.AddEntry](h), Log: boundSink[effect.WriteLog](h),
		}
	}
	return env
}

func boundSink[E any](h *troubleHost) func(context.Context, act.Call, E) error {
	return func(ctx context.Context, call act.Call, _ E) error { return h.act(ctx, call) }
}

// run runs one hook in a bubble, waits until all calls that timed out have ended, and checks that
// they changed nothing.
func (h *troubleHost) run(t *testing.T, k kind, hook string) hooks.Result {
	t.Helper()
	h.done = map[string]int{}
	set := mustCompile(t, h.actions(t), hook)
	env := h.env(k)
	res := hooks.Run(t.Context(), set, act.Event{ID: "evt", Type: "e"}, hooks.State{}, env)
	before := toJSON(t, res)
	time.Sleep(time.Minute)
	synctest.Wait()
	if after := toJSON(t, res); after != before {
		t.Errorf("what was left behind changed the result:\n%s\n%s", before, after)
	}
	character, relationship := replayed(t, env, res.Effects)
	if !character.Equal(res.Character) || !relationship.Equal(res.Relationship) {
		t.Errorf("the effects lead to %s and %s, the result says %s and %s",
			character, relationship, res.Character, res.Relationship)
	}
	return res
}

// replayed applies the effects as a host would.
func replayed(
	t *testing.T, env hooks.Env, effects effect.List,
) (character, relationship tree.Value) {
	t.Helper()
	character, relationship = env.Character, env.Relationship
	for _, e := range effects {
		switch e := e.(type) {
		case effect.ChangeState:
			character = setMember(t, character, e.Field, e.New)
		case effect.ChangeRelationship:
			relationship = setMember(t, relationship, e.Field, e.New)
		}
	}
	return character, relationship
}

// Something fails before or after an action. If the hook's effects are in force, the action's work
// was done once. If they are not, only external work was done, once, and the log records it (HK-15,
// HK-21).
func TestTroubleBesideAnAction(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		trouble []string
		atomic  bool
		status  act.Status
	}{
		{"no trouble", []string{"ok"}, false, act.StatusSuccess},
		{"a retry after errors", []string{"error", "error", "ok"}, false, act.StatusSuccess},
		{"a retry after a panic", []string{"panic", "ok"}, false, act.StatusSuccess},
		{"a retry after a timeout", []string{"watch", "ok"}, false, act.StatusSuccess},
		{"a retry beside what was left behind", []string{"hang", "ok"}, false, act.StatusSuccess},
		{"an atomic retry", []string{"error", "panic", "ok"}, true, act.StatusSuccess},
		{"errors to the end", []string{"error"}, false, act.StatusPartial},
		{"panics to the end", []string{"panic"}, false, act.StatusPartial},
		{"a timeout, then errors", []string{"hang", "error"}, false, act.StatusPartial},
		{"atomic errors", []string{"error"}, true, act.StatusFailed},
		{"atomic panics", []string{"panic"}, true, act.StatusFailed},
		{"timeouts to the end", []string{"watch"}, false, act.StatusTimeout},
		{"nothing but hanging", []string{"hang"}, false, act.StatusTimeout},
		{"errors, then a timeout", []string{"error", "error", "hang"}, false, act.StatusTimeout},
	}
	for _, tt := range tests {
		for _, k := range kinds {
			for _, first := range []bool{true, false} {
				list := []string{k.action, `{"type":"trouble"}`}
				if !first {
					slices.Reverse(list)
				}
				hook := fmt.Sprintf(`[{"id":"h","name":"h","event":"e","timeout_ms":50,"max_retries":2,
					"atomic":%v,"actions":[%s,%s]}]`, tt.atomic, list[0], list[1])
				// If a failure before the action uses all the time of every attempt, the action
				// cannot run.
				reached := first || tt.trouble[0] == "error" || tt.status != act.StatusTimeout
				t.Run(fmt.Sprintf("%s/%s/first %v", tt.name, k.name, first), func(t *testing.T) {
					t.Parallel()
					synctest.Test(t, func(t *testing.T) {
						h := &troubleHost{trouble: tt.trouble, own: []string{"ok"}}
						checkOnce(t, h, k, h.run(t, k, hook), tt.status, reached)
					})
				})
			}
		}
	}
}

// checkOnce compares the work that was done with the work that a hook of this status may have done.
func checkOnce(
	t *testing.T, h *troubleHost, k kind, res hooks.Result, status act.Status, reached bool,
) {
	t.Helper()
	log := res.Logs[0]
	if log.Status != status {
		t.Fatalf("status %s, want %s: %s", log.Status, status, toJSON(t, log))
	}
	committed := status == act.StatusSuccess || status == act.StatusPartial
	effects, acts := 0, 0
	if k.stages && committed {
		effects = 1
	}
	if k.acts && reached {
		acts = 1
	}
	if len(res.Effects) != effects {
		t.Errorf("effects %s, want %d", toJSON(t, res.Effects), effects)
	}
	total := 0
	for _, n := range h.done {
		total += n
	}
	if k.acts && total != acts || h.calls > 1 {
		t.Errorf("done outside %v in %d calls, want %d in one", h.done, h.calls, acts)
	}
	if sink := k.acts && !k.stages; sink && len(res.Delivered) != acts {
		t.Errorf("delivered %s, want %d", toJSON(t, res.Delivered), acts)
	}
	executed := 0
	for _, r := range log.Results {
		switch {
		case r.Success:
			executed++
		case r.Code == act.CodeRolledBack && (committed || k.acts):
			t.Errorf("rolled back: %s", toJSON(t, r))
		}
		if in := effects+acts > 0; r.ActionType != "trouble" && r.Success != in {
			t.Errorf("in force is %v, the log says %s", in, toJSON(t, r))
		}
	}
	if log.ActionsExecuted != executed {
		t.Errorf("%d actions executed, want %d", log.ActionsExecuted, executed)
	}
	if len(res.Derived) > effects {
		t.Errorf("%d derived events from %d effects", len(res.Derived), effects)
	}
}

// The host's own code may fail in any way the first time. The retry has the same idempotency key,
// so that a host can distinguish a late first success from a second one. The engine accepts only
// one of the two.
func TestTroubleInTheHostsCode(t *testing.T) {
	t.Parallel()
	for _, k := range kinds {
		if !k.acts && k.name != "internal custom action" {
			continue // no host code
		}
		for _, first := range []string{"error", "panic", "watch", "hang"} {
			t.Run(k.name+"/"+first, func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					h := &troubleHost{trouble: []string{"ok"}, own: []string{first, "ok"}}
					res := h.run(t, k, `[{"id":"h","name":"h","event":"e","timeout_ms":50,
						"max_retries":5,"actions":[{"type":"message","content":"m"},`+k.action+`]}]`)
					log := res.Logs[0]
					if log.Status != act.StatusSuccess || log.Attempts != 2 || h.calls != 2 {
						t.Errorf("%d calls: %s", h.calls, toJSON(t, log))
					}
					want := map[bool]int{false: 1, true: 2}[first == "hang"] // including the late call
					if len(h.done) != 1 || h.done["evt/h/1"] != want {
						t.Errorf("done %v, want evt/h/1 alone, %d times", h.done, want)
					}
					effects := 1 // the message
					if k.stages {
						effects++
						got, _ := res.Effects[1].(effect.AddMessage)
						if got.Content != "from attempt 2" {
							t.Errorf("effect %v, want that of the second attempt", res.Effects[1])
						}
					} else if len(res.Delivered) != 1 {
						t.Errorf("delivered %s", toJSON(t, res.Delivered))
					}
					if len(res.Effects) != effects {
						t.Errorf("effects %s, want %d", toJSON(t, res.Effects), effects)
					}
				})
			})
		}
	}
}

// The effects of a handler pass the same checks as the built-in actions.
func TestHandlerEffectsAreChecked(t *testing.T) {
	t.Parallel()
	state := hooks.Env{Character: value(`{"energy":80,"mood":"calm"}`)}
	tests := []struct {
		effect effect.Effect
		env    hooks.Env
		code   act.ResultCode
		reason string
	}{
		{effect.ChangeState{Field: "energy", New: value(`500`)}, state, act.CodeOK, "bounded"},
		{effect.ChangeState{Field: "energy"}, state, act.CodeMissingParams, "no new value"},
		{effect.ChangeState{Field: "energy", New: value(`[]`)}, state, act.CodeInvalidValue, "no number"},
		{effect.ChangeState{Field: "mood", New: value(`""`)}, state, act.CodeInvalidValue, "no mood"},
		{effect.ChangeState{Field: "_x", New: value(`1`)}, state, act.CodeProtectedField, "private"},
		{effect.ChangeState{Field: "wings", New: value(`1`)}, state, act.CodeUnknownField, "not there"},
		{effect.ChangeState{Field: "energy", New: value(`1`)}, hooks.Env{}, act.CodeUnavailable,
			"no state"},
		{effect.ChangeRelationship{Field: "trust", New: value(`1`)}, state, act.CodeUnavailable,
			"no relationship"},
		{effect.InjectPrompt{Content: "c"}, hooks.Env{Missing: []act.Capability{act.Prompts}},
			act.CodeUnavailable, "no prompt"},
		{effect.InjectPrompt{Content: "c", Scope: "forever"}, state, act.CodeInvalidValue, "no scope"},
		{effect.InjectPrompt{Content: "c", Scope: "conversation"}, state, act.CodeOK, "a session"},
		{effect.Notify{Message: "m"}, state, act.CodeOK, "the host's own matter"},
	}
	for _, tt := range tests {
		var actions act.Table
		err := actions.Register("do", act.Type{
			Internal: true,
			Handler: func(context.Context, act.Call) (act.Outcome, error) {
				return act.Outcome{Effects: []effect.Effect{tt.effect}}, nil
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		set := mustCompile(t, &actions, `[{"name":"h","event":"e","actions":[{"type":"do"}]}]`)
		res := emit(t, set, act.Event{ID: "evt", Type: "e"}, tt.env)
		if got := res.Logs[0].Results[0]; got.Code != tt.code {
			t.Errorf("%v: %s, want %s: %s", tt.effect, toJSON(t, got), tt.code, tt.reason)
		}
		if (len(res.Effects) == 1) != (tt.code == act.CodeOK) {
			t.Errorf("%v: effects %s", tt.effect, toJSON(t, res.Effects))
		}
		for _, e := range res.Effects {
			in, isPrompt := e.(effect.InjectPrompt)
			if isPrompt && (in.Scope != effect.ForSession || in.Key != "hook_evt") {
				t.Errorf("injected %s", toJSON(t, in))
			}
		}
	}
}

// If one part of an action fails, no part of it has an effect, also after a retry.
func TestNothingByHalves(t *testing.T) {
	t.Parallel()
	bad := func(_ context.Context, call act.Call) (act.Outcome, error) {
		return act.Outcome{Effects: []effect.Effect{
			effect.AddMessage{Content: "half"},
			effect.ChangeState{Field: "energy", New: value(`5`)},
			effect.InjectPrompt{Content: "half", Scope: effect.PromptScope(call.Action.Get("scope").String())},
			effect.ChangeState{Field: "wings", New: value(`2`)},
		}}, nil
	}
	var actions act.Table
	calls := map[string]int{}
	for typ, internal := range map[string]bool{"outer": false, "inner": true} {
		err := actions.Register(typ, act.Type{
			Internal: internal,
			Handler: func(ctx context.Context, call act.Call) (act.Outcome, error) {
				calls[typ]++
				return bad(ctx, call)
			},
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	list, _ := hooks.Parse([]byte(`[{"id":"h","name":"h","event":"e","max_retries":2,"actions":[
		{"type":"state_delta","payload":{"energy":-10,"mood":"sad","wings":2}},
		{"type":"relationship_delta","payload":{"trust":5,"envy":1}},
		{"type":"outer"},{"type":"inner"},{"type":"message","content":"whole"}]}]`))
	set, _ := hooks.Compile(list, &actions)
	env := hooks.Env{
		Character: value(`{"energy":80,"mood":"calm"}`), Relationship: value(`{"trust":50}`),
	}
	res := hooks.Run(t.Context(), set, act.Event{ID: "evt", Type: "e"}, hooks.State{}, env)
	wantCodes(t, res.Logs[0], act.CodeUnknownField, act.CodeUnknownField,
		act.CodeInvalidValue, act.CodeInvalidValue, act.CodeOK)
	if got := toJSON(t, res.Effects); got != `[{"type":"add-message","content":"whole"}]` {
		t.Errorf("effects %s", got)
	}
	if !res.Character.Equal(env.Character) || !res.Relationship.Equal(env.Relationship) {
		t.Errorf("state %s, relationship %s", res.Character, res.Relationship)
	}
	// The external work of outer is done, though its effects were refused; inner has no effect.
	if calls["outer"] != 1 || calls["inner"] != 3 {
		t.Errorf("calls %v, want 1 of outer and 3 of inner", calls)
	}
}
