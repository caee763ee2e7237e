package hooks_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/talewright/talewright/hooks"
	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/memvars/tree"
)

// maker makes values that a host can build.
type maker struct{ *rand.Rand }

func (m maker) text() string {
	return []string{"", "a", "h.1", "\u2028<b>&\"", "微笑", "\x00", "null", "_2", " "}[m.IntN(9)]
}

func (m maker) texts() []string {
	list := make([]string, m.IntN(3))
	for i := range list {
		list[i] = m.text()
	}
	return list
}

func (m maker) object() tree.Value {
	if m.IntN(3) == 0 {
		return tree.Value{}
	}
	return value([]string{`{}`, `{"a":[1.50,null,{"b":1e400}]}`, `{"":{"x":"\ufffd"}}`}[m.IntN(3)])
}

func (m maker) extra() map[string]json.RawMessage {
	out := map[string]json.RawMessage{}
	for i := range m.IntN(3) {
		out[fmt.Sprint("Own", i)] = json.RawMessage([]string{`1.0`, `null`, `[{"a":"x"}]`}[m.IntN(3)])
	}
	return out
}

func anyOf[T any](m maker, list ...T) T { return list[m.IntN(len(list))] }

func (m maker) hook() hooks.Hook {
	h := hooks.Hook{
		ID: m.text(), Name: m.text(), Description: m.text(), Enabled: anyOf(m, nil, new(true), new(false)),
		Event: m.texts(), Scope: anyOf(m, "", hooks.ScopeUser, hooks.Scope("odd")), CharacterID: m.text(),
		ConversationID: m.text(), UserID: m.text(), Priority: anyOf(m, nil, new(0), new(-5), new(math.MaxInt32)),
		Conditions: m.object(), ConditionLogic: anyOf(m, "", hooks.Or, hooks.Logic("xor")),
		TimeoutMS: anyOf(m, 0, -1, math.MaxInt32), MaxRetries: anyOf(m, 0, -1, 7),
		TriggerMode: anyOf(m, "", hooks.OncePerConversation), OnError: anyOf(m, "", hooks.Abort), Atomic: m.IntN(2) == 0,
		CreatedAt: m.text(), UpdatedAt: m.text(), Extra: m.extra(),
		Permissions: hooks.Permissions{Channels: m.texts(), DenyChannels: m.texts(), Actions: m.texts(), Extra: m.extra()},
	}
	for range m.IntN(3) {
		h.Actions = append(h.Actions, anyOf(m, act.New("message", member("content", tree.Text(m.text()))),
			act.Action{JSON: value(`[1]`)}, act.Action{JSON: tree.Null}))
	}
	return h
}

func (m maker) state() hooks.State {
	s := hooks.State{Extra: m.extra(), Turn: hooks.Turn{ID: m.text(), Count: m.IntN(30) - 5, Ran: m.texts(), Denied: m.texts(),
		DefaultKeys: map[string]int{}, Extra: m.extra()}, Triggered: map[string][]string{}}
	for range m.IntN(3) {
		s.Turn.DefaultKeys[m.text()] = m.IntN(5) - 1
		s.Triggered[m.text()] = m.texts()
	}
	return s
}

func (m maker) event() act.Event {
	return act.Event{ID: m.text(), Type: m.text(), Source: m.text(), ConversationID: m.text(), CharacterID: m.text(),
		UserID: m.text(), GroupID: m.text(), Payload: m.object(), Metadata: m.object(), CreatedAt: m.text(), Extra: m.extra()}
}

func (m maker) log() act.Log {
	l := act.Log{ID: m.text(), HookID: m.text(), HookName: m.text(), EventID: m.text(), EventType: m.text(),
		ConversationID: m.text(), Status: act.StatusPartial, Reason: anyOf(m, "", act.TurnLimit), ActionsExecuted: m.IntN(3),
		Attempts: m.IntN(3), Error: m.text(), DurationMS: anyOf[int64](m, 0, -1, math.MaxInt64), CreatedAt: m.text(), Depth: m.IntN(9) - 2,
		DisplayMessage: m.text(), Extra: m.extra()}
	for range m.IntN(3) {
		l.Results = append(l.Results, act.ActionResult{Success: m.IntN(2) == 0, ActionType: m.text(), Code: act.CodeOK,
			Detail: m.text(), Output: m.object()})
	}
	return l
}

// TestRoundTrip writes and reads values that a host can build: they do not change.
func TestRoundTrip(t *testing.T) {
	t.Parallel()
	for seed := range uint64(testkit.Cases(1000, 200)) {
		m := maker{rand.New(rand.NewPCG(seed, 2))}
		roundTripOf(t, seed, m.hook())
		roundTripOf(t, seed, m.hook().Permissions)
		roundTripOf(t, seed, m.state())
		roundTripOf(t, seed, m.event())
		roundTripOf(t, seed, m.log())
		roundTripOf(t, seed, hooks.DerivedEvent{Event: m.event(), Depth: m.IntN(9)})
		roundTripOf(t, seed, act.Field{Add: m.IntN(2) == 0, Type: anyOf(m, "", act.TextField), Min: anyOf(m, nil, new(0.1), new(-1e300))})
	}
}

func roundTripOf[T any](t *testing.T, seed uint64, want T) {
	t.Helper()
	out, err := json.Marshal(want)
	if err != nil {
		t.Fatalf("seed %d: %v", seed, err)
	}
	var got T
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatalf("seed %d: %v\n%s", seed, err, out)
	}
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty(), cmp.Comparer(tree.Value.Equal)); diff != "" {
		t.Fatalf("seed %d: %T (-want +got):\n%s\n%s", seed, want, diff, out)
	}
}

// TestStoredIDs: ids that are not valid UTF-8 change when they are stored. The state after a run is
// the same before and after storing.
func TestStoredIDs(t *testing.T) {
	t.Parallel()
	set, problems := hooks.Compile([]hooks.Hook{{ID: "h\xff", Name: "n", Event: hooks.On("*"),
		TriggerMode: hooks.OncePerConversation,
		Actions:     []act.Action{act.New(act.PromptInject, member("content", tree.Text("c")))}}}, nil)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	event := act.Event{ID: "e\xff", Type: "t", ConversationID: "v\xff"}
	live := hooks.Run(t.Context(), set, event, hooks.State{}.BeginTurn("t\xff"), hooks.Env{}).State
	roundTripOf(t, 0, live)
	if !live.Used("h\xff", "v\xff") || len(live.Forget("h\xff").Triggered) != 0 {
		t.Errorf("state %+v", live)
	}
	if _, ok := set.Hook("h\xff"); !ok {
		t.Error("the hook is not found by the id that it was given")
	}
	if _, ok := set.Without("h\xff"); !ok {
		t.Error("the hook cannot be removed by the id that it was given")
	}
	var loaded hooks.State
	if err := json.Unmarshal([]byte(toJSON(t, live)), &loaded); err != nil {
		t.Fatal(err)
	}
	res := hooks.Run(t.Context(), set, event, loaded.BeginTurn("u"), hooks.Env{})
	if len(res.Logs) != 0 || len(res.Skipped) != 1 || res.Skipped[0].Reason != act.AlreadyTriggered {
		t.Errorf("after loading the hook runs again: %v %v", res.Logs, res.Skipped)
	}
}

// TestNullConditions: null conditions mean no conditions, as after the hook is stored and loaded.
func TestNullConditions(t *testing.T) {
	t.Parallel()
	hook := hooks.Hook{ID: "h", Name: "n", Event: hooks.On("*"), Conditions: tree.Null}
	var loaded hooks.Hook
	if err := json.Unmarshal([]byte(toJSON(t, hook)), &loaded); err != nil {
		t.Fatal(err)
	}
	for _, h := range []hooks.Hook{hook, loaded} {
		set, problems := hooks.Compile([]hooks.Hook{h}, nil)
		if res := emit(t, set, act.Event{Type: "e"}, hooks.Env{}); len(problems) > 0 || len(res.Logs) != 1 {
			t.Errorf("%v, %d logs", problems, len(res.Logs))
		}
	}
}

// TestKeysOfManyActions: each default key is used once, and a rollback releases its keys, however
// many there are.
func TestKeysOfManyActions(t *testing.T) {
	t.Parallel()
	inject := act.New(act.PromptInject, member("content", tree.Text("c")))
	var many []act.Action
	for range 300 {
		many = append(many, inject)
	}
	list := []hooks.Hook{
		{ID: "a", Name: "a", Event: hooks.On("*"), Actions: many},
		{ID: "b", Name: "b", Event: hooks.On("*"), Atomic: true, Actions: append(many[:300:300], act.New("nope"))},
		{ID: "c", Name: "c", Event: hooks.On("*"), Actions: []act.Action{inject}},
	}
	set, _ := hooks.Compile(list, nil)
	before := hooks.State{Turn: hooks.Turn{DefaultKeys: map[string]int{"hook_evt_0001": 1, "other": 1}}}
	res := hooks.Run(t.Context(), set, act.Event{ID: "evt_0001", Type: "e"}, before, hooks.Env{})
	keys := map[string]bool{}
	for _, in := range injectionsOf(res.Effects) {
		keys[in.Key] = true
	}
	if len(keys) != 301 || !keys["hook_evt_0001_2"] || !keys["hook_evt_0001_302"] || keys["hook_evt_0001"] {
		t.Errorf("%d keys", len(keys))
	}
	if got := res.State.Turn.DefaultKeys; got["hook_evt_0001"] != 302 || got["other"] != 1 || len(got) != 303 {
		t.Errorf("%d keys in the state, count %d", len(got), got["hook_evt_0001"])
	}
	if len(before.Turn.DefaultKeys) != 2 || before.Turn.DefaultKeys["hook_evt_0001"] != 1 {
		t.Error("the input is changed")
	}
	var in act.Injections
	in = in.With(injectionsOf(res.Effects)...).With(injectionsOf(res.Effects)...)
	if len(in) != 301 {
		t.Errorf("%d injections", len(in))
	}
}
