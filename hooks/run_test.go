package hooks_test

import (
	"context"
	"encoding/json"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/hooks"
	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/effect"
)

// The trace names the gate at which each hook stopped, and the first false condition.
func TestTrace(t *testing.T) {
	t.Parallel()
	list, _ := hooks.Parse([]byte(`[
		{"id":"off","name":"n","event":"e","enabled":false},
		{"id":"else","name":"n","event":"f"},
		{"id":"ann","name":"n","event":"e","scope":"character","character_id":"ann"},
		{"id":"cond","name":"n","event":"e","conditions":{"mood_is":"calm","affection_gte":80}},
		{"id":"miss","name":"n","event":"e","conditions":{"payload.hp":{"lt":3}}},
		{"id":"or","name":"n","event":"e","conditions":{"mood_is":"sad","energy_gt":99},"condition_logic":"or"},
		{"id":"odd","name":"n","event":"e","conditions":{"any":[{"mood_is":"sad"}]}},
		{"id":"deny","name":"n","event":"e","permissions":{"channels":"qq"}},
		{"id":"run","name":"n","event":"e","max_retries":1,"actions":[
			{"type":"state_delta","field":"energy","delta":-1},{"type":"nope"}]},
		{"id":"deep","name":"n","event":"state.*","priority":1},
		{"id":"late","name":"n","event":"e","priority":200}]`))
	set, _ := hooks.Compile(list, nil)
	env := hooks.Env{
		Character: value(`{"mood":"calm","energy":50}`), Relationship: value(`{"affection":79}`),
		Trace: true, Limits: hooks.Limits{MaxHooksPerTurn: new(1)},
	}
	event := act.Event{ID: "evt", Type: "e", CharacterID: "bob", Payload: value(`{"channel":"web"}`)}
	first := hooks.Run(t.Context(), set, event, hooks.State{}, env)
	want := `e deep: pattern: "e"
e off: disabled
e else: pattern: "e"
e ann: scope: character
e cond: condition: affection_gte: 79, want 80
e miss: condition: payload.hp: unknown, want {"lt":3}
e or: condition: none of 2 keys holds
e odd: condition: any: want [{"mood_is":"sad"}]
e deny: permission: channel web
e run: action: attempt 1: 0 state_delta: ok
e run: action: attempt 1: 1 nope: unknown_type: unknown action type nope
e run: action: attempt 2: 1 nope: unknown_type: unknown action type nope
e run: status: partial
e run: derived: state.changed
e late: turn_limit
  state.changed off: disabled
  state.changed else: pattern: "state.changed"
  state.changed ann: pattern: "state.changed"
  state.changed cond: pattern: "state.changed"
  state.changed miss: pattern: "state.changed"
  state.changed or: pattern: "state.changed"
  state.changed odd: pattern: "state.changed"
  state.changed deny: pattern: "state.changed"
  state.changed run: pattern: "state.changed"
  state.changed late: pattern: "state.changed"
  state.changed deep: turn_limit
`
	if diff := cmp.Diff(want, first.Trace.String()); diff != "" {
		t.Errorf("trace (-want +got):\n%s", diff)
	}
	second := hooks.Run(t.Context(), set, event, first.State, env)
	if got := second.Trace.String(); !strings.Contains(got, "e run: already_ran_this_turn\n") ||
		!strings.Contains(got, "e deny: permission\n") {
		t.Errorf("second trace:\n%s", got)
	}
	env.Trace = false
	quiet := hooks.Run(t.Context(), set, event, hooks.State{}, env)
	if quiet.Trace != nil || toJSON(t, quiet.Logs) != toJSON(t, first.Logs) {
		t.Error("a run without trace must differ in nothing else")
	}
}

// A complete log, so that its JSON form does not change (HK-13, HK-14).
func TestLogJSON(t *testing.T) {
	t.Parallel()
	set := mustCompile(t, nil, `[{"id":"h","name":"five words","event":"e","actions":[
		{"type":"log","message":"hello"},{"type":"state_delta","field":"energy","delta":1},
		{"type":"message","content":"there"}]}]`)
	env := hooks.Env{Now: time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)}
	event := act.Event{ID: "evt", Type: "e", ConversationID: "v"}
	res := hooks.Run(t.Context(), set, event, hooks.State{}, env)
	var log tree.Value
	if err := json.Unmarshal([]byte(toJSON(t, res.Logs[0])), &log); err != nil {
		t.Fatal(err)
	}
	want := value(`{"id":"` + res.Logs[0].ID + `","hook_id":"h","hook_name":"five words","event_id":"evt",
		"event_type":"e","conversation_id":"v","status":"partial","actions_executed":2,"attempts":1,
		"error":"a character state is not available","duration_ms":0,"depth":0,
		"created_at":"2026-05-01T12:00:00Z",
		"results":[{"success":true,"action_type":"log","code":"ok","detail":"logged"},
		{"success":false,"action_type":"state_delta","code":"unavailable",
		 "detail":"a character state is not available"},
		{"success":true,"action_type":"message","code":"ok","detail":"message added"}],
		"display_message":"hello"}`)
	if !log.Equal(want) {
		t.Errorf("log %s\nwant %s", log, want)
	}
	if !strings.HasPrefix(res.Logs[0].ID, "log_") || len(res.Logs[0].ID) != 16 {
		t.Errorf("id %q", res.Logs[0].ID)
	}
}

// Derived events contain the fields that their hooks need. They are handled in the order in which
// they were raised, each with everything that follows from it before the next one (HK-19).
func TestDerivedEvents(t *testing.T) {
	t.Parallel()
	set := mustCompile(t, nil, `[
		{"id":"a","name":"n","event":"e","actions":[{"type":"relationship_delta","field":"trust","delta":1},
			{"type":"state_delta","payload":{"energy":-1,"mood":"calm"}}]},
		{"id":"b","name":"n","event":"e","actions":[{"type":"state_delta","field":"energy","delta":-1}]},
		{"id":"s","name":"n","event":"state.changed","actions":[
			{"type":"state_delta","field":"energy","delta":-1}]},
		{"id":"r","name":"n","event":"relationship.changed"},
		{"id":"d","name":"n","event":"state.*","conditions":{"payload.hook_id":"s"}}]`)
	env := hooks.Env{
		Character: value(`{"energy":80,"mood":"calm"}`), Relationship: value(`{"trust":1}`),
	}
	event := act.Event{
		ID: "evt", Type: "e", ConversationID: "v", CharacterID: "c", UserID: "u", GroupID: "g",
		Metadata: value(`{"channel":"web"}`),
	}
	res := hooks.Run(t.Context(), set, event, hooks.State{}, env)
	var order []string
	for _, l := range res.Logs {
		order = append(order, l.HookID)
	}
	if got := strings.Join(order, " "); got != "a b s d r" {
		t.Errorf("order %s, want a b s d r", got)
	}
	got := res.Derived[0].Event
	if got.Type != act.StateChanged || got.Source != "hooks" || got.ConversationID != "v" ||
		got.CharacterID != "c" || got.UserID != "u" || got.GroupID != "g" || got.Channel() != "web" ||
		!got.Payload.Equal(value(`{"changes":{"energy":{"old":80,"new":79}},"hook_id":"a",
			"cause_event_id":"evt"}`)) {
		t.Errorf("derived event %s", toJSON(t, got))
	}
	ids := map[string]bool{}
	for _, d := range res.Derived {
		ids[d.Event.ID] = true
	}
	if len(ids) != 4 || len(res.Derived) != 4 {
		t.Errorf("%d ids of %d derived events", len(ids), len(res.Derived))
	}
	env.NoDerivedEvents = true
	res = hooks.Run(t.Context(), set, event, hooks.State{}, env)
	if len(res.Derived) > 0 || len(res.Logs) != 2 {
		t.Errorf("derived events are off: %s", toJSON(t, res.Derived))
	}
}

// A result can be stored as JSON, so that a turn can be replayed without its hooks.
func TestResultJSON(t *testing.T) {
	t.Parallel()
	set := mustCompile(t, nil, `[
		{"id":"a","name":"n","event":"e","trigger_mode":"once_per_conversation","actions":[
			{"type":"state_delta","field":"energy","delta":-1},{"type":"prompt_inject","content":"c"},
			{"type":"workflow","workflow":"w","params":{"n":1.50}},{"type":"memory_write","content":"m"}]},
		{"id":"b","name":"n","event":"*"}]`)
	env := hooks.Env{
		Trace: true, Character: value(`{"energy":80}`), Relationship: value(`{"trust":1}`),
		Limits: hooks.Limits{MaxChainDepth: new(0)},
		Sinks: act.Sinks{
			Memory: func(context.Context, act.Call, effect.WriteMemory) error { return nil },
		},
	}
	event := act.Event{ID: "evt", Type: "e", ConversationID: "v"}
	res := hooks.Run(t.Context(), set, event, hooks.State{}, env)
	text := toJSON(t, res)
	var loaded hooks.Result
	if err := json.Unmarshal([]byte(text), &loaded); err != nil {
		t.Fatal(err)
	}
	if got := toJSON(t, loaded); got != text {
		t.Errorf("round trip:\n%s\n%s", text, got)
	}
	for _, part := range []int{len(loaded.Logs), len(loaded.Dropped), len(loaded.Effects),
		len(loaded.Delivered), len(loaded.Derived), len(loaded.Trace)} {
		if part == 0 {
			t.Errorf("a part of the result is empty: %s", text)
		}
	}
}

// An event without hooks allocates nothing and changes nothing.
func TestUnwantedEvent(t *testing.T) {
	set := mustCompile(t, nil, `[{"name":"n","event":["model.*","tool.before_call"]},
		{"name":"off","event":"*","enabled":false}]`)
	env := hooks.Env{Character: value(`{"energy":1}`), Relationship: value(`{"trust":2}`)}
	state := hooks.State{Turn: hooks.Turn{ID: "t", Count: 3, Ran: []string{"x"}}}
	event := act.Event{ID: "evt", Type: "reply.before_send"}
	var res hooks.Result
	allocs := testkit.Allocs(100, func() {
		res = hooks.Run(context.Background(), set, event, state, env)
	})
	if allocs > 0 {
		t.Errorf("%v allocations", allocs)
	}
	want := hooks.Result{State: state, Character: env.Character, Relationship: env.Relationship}
	if got := toJSON(t, res); got != toJSON(t, want) {
		t.Errorf("result %s", got)
	}
	env.Trace = true
	if res := hooks.Run(t.Context(), set, event, state, env); len(res.Trace) != 2 {
		t.Errorf("trace %s", res.Trace)
	}
}

func TestEventWithoutType(t *testing.T) {
	t.Parallel()
	for _, pattern := range []string{"*", "e"} { // whether or not a hook matches everything
		set := mustCompile(t, nil, `[{"name":"n","event":"`+pattern+`"}]`)
		res := emit(t, set, act.Event{ID: "x"}, hooks.Env{})
		if len(res.Logs) > 0 || len(res.Dropped) != 1 || res.Dropped[0].Reason != "no_type" {
			t.Errorf("result %s", toJSON(t, res))
		}
	}
}

func TestEventJSON(t *testing.T) {
	t.Parallel()
	const text = `{"id":"i","type":"t","source":"s","conversation_id":"v","character_id":"c","user_id":"u",` +
		`"group_id":"g","payload":{"a":1.0},"metadata":{},"created_at":"now","x":[1]}`
	var e act.Event
	if err := json.Unmarshal([]byte(text), &e); err != nil {
		t.Fatal(err)
	}
	if got := toJSON(t, e); got != text {
		t.Errorf("round trip %s", got)
	}
	if err := json.Unmarshal([]byte(`{"type":"t","payload":null}`), &e); err != nil || e.Payload.Exists() {
		t.Errorf("null is no payload: %v", err)
	}
	err := json.Unmarshal([]byte(`{"type":"t","payload":[],"metadata":"x"}`), &e)
	if err == nil || !strings.Contains(err.Error(), "payload") || !strings.Contains(err.Error(), "metadata") {
		t.Errorf("payload and metadata must be objects: %v", err)
	}
}

// The zero state is new, and a saved state continues (HK-19).
func TestStateJSON(t *testing.T) {
	t.Parallel()
	set := mustCompile(t, nil, `[
		{"id":"once","name":"n","event":"e","trigger_mode":"once_per_conversation"},
		{"id":"deny","name":"n","event":"e","permissions":{"channels":"qq"}},
		{"id":"key","name":"n","event":"e","actions":[{"type":"prompt_inject","content":"c"}]}]`)
	var state hooks.State
	const old = `{"turn":{"id":"old","count":3,"x":1},"triggered":null,"y":2}`
	if err := json.Unmarshal([]byte(old), &state); err != nil {
		t.Fatal(err)
	}
	before := toJSON(t, state)
	event := act.Event{ID: "evt", Type: "e", ConversationID: "v"}
	fresh := state.BeginTurn("t1")
	res := hooks.Run(t.Context(), set, event, fresh, hooks.Env{})
	const want = `{"turn":{"id":"t1","count":2,"ran":["once","key"],"denied":["deny"],` +
		`"default_keys":{"hook_evt":1},"x":1},"triggered":{"once":["v"]},"y":2}`
	if got := toJSON(t, res.State); got != want {
		t.Errorf("state %s\nwant  %s", got, want)
	}
	if after := toJSON(t, state); after != before {
		t.Errorf("the input state changed to %s", after)
	}
	var loaded hooks.State
	if err := json.Unmarshal([]byte(want), &loaded); err != nil {
		t.Fatal(err)
	}
	again := hooks.Run(t.Context(), set, event, loaded, hooks.Env{})
	if got := reasons(again); got !=
		"once:already_ran_this_turn deny:already_denied key:already_ran_this_turn" {
		t.Errorf("skipped %s", got)
	}
	next := loaded.BeginTurn("t2")
	again = hooks.Run(t.Context(), set, event, next, hooks.Env{})
	if got := reasons(again); got != "once:already_triggered" {
		t.Errorf("skipped %s", got)
	}
	if !next.Used("once", "v") || next.Forget("once").Used("once", "v") || !next.Used("once", "v") {
		t.Error("Forget must change a copy")
	}
}

func reasons(res hooks.Result) string {
	var out []string
	for _, l := range res.Skipped {
		out = append(out, l.HookID+":"+string(l.Reason))
	}
	return strings.Join(out, " ")
}

// Two runs that begin with the same state do not affect each other.
func TestRunsDoNotShare(t *testing.T) {
	t.Parallel()
	set := mustCompile(t, nil, `[
		{"id":"a","name":"n","event":"a","trigger_mode":"once_per_conversation",
			"actions":[{"type":"prompt_inject","content":"c"}]},
		{"id":"b","name":"n","event":"b","trigger_mode":"once_per_conversation",
			"actions":[{"type":"prompt_inject","content":"c"}]},
		{"id":"c","name":"n","event":"c","trigger_mode":"once_per_conversation",
			"actions":[{"type":"prompt_inject","content":"c"}]}]`)
	run := func(typ string, s hooks.State) hooks.State {
		event := act.Event{ID: "i", Type: typ, ConversationID: "v"}
		return hooks.Run(t.Context(), set, event, s, hooks.Env{}).State
	}
	base := run("a", hooks.State{})
	want := toJSON(t, base)
	wantB, wantC := toJSON(t, run("b", base)), toJSON(t, run("c", base))
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if b, c := toJSON(t, run("b", base)), toJSON(t, run("c", base)); b != wantB || c != wantC {
				t.Errorf("got %s and %s", b, c)
			}
		})
	}
	wg.Wait()
	if got := toJSON(t, base); got != want {
		t.Errorf("the shared state changed: %s", got)
	}
}

// Lists of the input state with spare capacity, as decoders make them, are not appended to in
// place.
func TestStateListsAreNotShared(t *testing.T) {
	t.Parallel()
	set := mustCompile(t, nil, `[
		{"id":"a","name":"n","event":"e","trigger_mode":"once_per_conversation"},
		{"id":"b","name":"n","event":"f","trigger_mode":"once_per_conversation"},
		{"id":"x","name":"n","event":"e","permissions":{"channels":"qq"}},
		{"id":"y","name":"n","event":"f","permissions":{"channels":"qq"}}]`)
	roomy := func() []string { return append(make([]string, 0, 8), "old") }
	base := hooks.State{
		Turn:      hooks.Turn{Ran: roomy(), Denied: roomy()},
		Triggered: map[string][]string{"a": roomy(), "b": roomy()},
	}
	run := func(typ, conversation string) hooks.State {
		event := act.Event{Type: typ, ConversationID: conversation}
		return hooks.Run(t.Context(), set, event, base, hooks.Env{}).State
	}
	one := run("e", "v")
	want := toJSON(t, one)
	for _, typ := range []string{"f", "e"} {
		run(typ, "w")
		if got := toJSON(t, one); got != want {
			t.Errorf("a later run of %s changed an earlier result:\n%s\n%s", typ, got, want)
		}
	}
}

// Wildcard hooks and exact ones run in one order (HK-19).
func TestOrderAcrossPatterns(t *testing.T) {
	t.Parallel()
	set := mustCompile(t, nil, `[
		{"id":"3","name":"n","event":"model.before_call"},
		{"id":"4","name":"n","event":"*"},
		{"id":"2","name":"n","event":"pipeline.*","priority":50},
		{"id":"5","name":"n","event":["x","pipeline.before_model_call","model.before_call"]},
		{"id":"1","name":"n","event":["pipeline.before_model_call","*.z"],"priority":-3}]`)
	res := hooks.Run(t.Context(), set, act.Event{Type: "model.before_call"}, hooks.State{}, hooks.Env{})
	for i, log := range res.Logs {
		if want := string(rune('1' + i)); log.HookID != want {
			t.Errorf("place %d: %s, want %s", i, log.HookID, want)
		}
	}
	if len(res.Logs) != 5 || len(res.Skipped) != 0 {
		t.Errorf("%d hooks ran and %d were skipped, want 5 and 0", len(res.Logs), len(res.Skipped))
	}
}

func TestLogBook(t *testing.T) {
	t.Parallel()
	book := act.LogBook{Keep: 4}
	for i := range 11 {
		book.Add(act.Log{HookID: string(rune('a' + i%2)), EventID: string(rune('0' + i%10))})
	}
	show := func(q act.LogQuery) (s string) {
		for _, l := range book.Logs(q) {
			s += l.HookID + l.EventID + " "
		}
		return s
	}
	for q, want := range map[act.LogQuery]string{
		{}:                       "a0 b9 a8 b7 ",
		{Limit: 2}:               "a0 b9 ",
		{HookID: "b", Limit: -1}: "b9 b7 ",
		{HookID: "c"}:            "",
	} {
		if got := show(q); got != want {
			t.Errorf("%+v: %s, want %s", q, got, want)
		}
	}
	var big act.LogBook
	for range 3 * 500 {
		big.Add(act.Log{})
	}
	n, m := len(big.Logs(act.LogQuery{})), len(big.Logs(act.LogQuery{Limit: -1}))
	if n != 50 || m != 500 {
		t.Errorf("%d and %d logs, want 50 and 500", n, m)
	}
	if len(big.Entries) > 2*500 {
		t.Errorf("%d logs are held", len(big.Entries))
	}
}
