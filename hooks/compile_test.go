package hooks_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/hooks"
	"github.com/talewright/talewright/hooks/act"
)

// All mistakes are reported together, each with its place.
func TestCompileProblems(t *testing.T) {
	t.Parallel()
	list, decoding := hooks.Parse([]byte(`{"hooks":[
		{"id":"a","event":["",""],"scope":"planet","timeout_ms":-1},
		{"id":"b","name":"b","event":"e","condition_logic":"xor","trigger_mode":"twice","on_error":"panic",
		 "priority":"high","enabled":"yes","permissions":{"channels":["web",5],"actions":["log","nope"]},
		 "conditions":{"affektion_gte":1,"mood":"sad","payload.hp":{"near":1,"gte":"x"},
		  "time_range":["25:00","1"],"any":[{"not":3}],"channel":[7]},
		 "actions":[{"type":"log"},"x",{"type":"workflow","workflow":"w"},{"type":"nope"},{"content":"c"}]},
		{"id":"b","name":"b2","event":"e","actions":[{"type":"state_delta","field":"_x","delta":1},
		 {"type":"state_delta","payload":{"mood":1}},
		 {"type":"relationship_delta","field":"love","delta":1},
		 {"type":"world_book_add","book_id":"b","content":"c","keywords":[1]}]},
		7]}`))
	_, compiling := hooks.Compile(list, new(act.Table))
	var got strings.Builder
	for _, p := range append(decoding, compiling...) {
		rejected := ""
		if p.Code == "rejected" {
			rejected = " (rejected)"
		}
		fmt.Fprintf(&got, "%s: %s%s\n", p.Path, p.Text, rejected)
	}
	want := `hooks[1].enabled: must be true or false, not a text
hooks[1].priority: must be a whole number, not "high"
hooks[1].permissions.channels[1]: must be a text, not a number
hooks[3]: a hook must be an object, not a number (rejected)
hooks[0].name: is required (rejected)
hooks[0].event: is required: a pattern such as "character.*", or a list of them (rejected)
hooks[0].scope: must be global, character, conversation or user, not "planet" (rejected)
hooks[0].timeout_ms: must not be negative; 0 means 3000 (rejected)
hooks[1].condition_logic: must be "and" or "or", not "xor"; "and" is taken
hooks[1].trigger_mode: must be "always" or "once_per_conversation", not "twice"; "always" is taken
hooks[1].on_error: must be "continue" or "abort", not "panic"; "continue" is taken
hooks[1].conditions.affektion_gte: field "affektion" is not a standard one: the key is true only ` +
		`where the host registers the field; did you mean "affection"?
hooks[1].conditions.mood: unknown condition key "mood": it is never true
hooks[1].conditions["payload.hp"].near: unknown operator; use eq ne gt gte lt lte in nin contains exists
hooks[1].conditions["payload.hp"].gte: must be a number, not "x"
hooks[1].conditions.time_range: must be two times of day like ["22:00", "06:00"], not ["25:00","1"]
hooks[1].conditions.any[0].not: must be one condition object, not a number
hooks[1].conditions.channel[0]: must be a text, not a number
hooks[1].actions[0].message: message is required
hooks[1].actions[1]: an action is an object with a text member "type"
hooks[1].actions[2]: the hook may not use workflow
hooks[1].actions[3].type: unknown action type nope
hooks[1].actions[4]: an action is an object with a text member "type"
hooks[2].actions[0]._x: _x is protected
hooks[2].actions[1].mood: mood must be a text that is not empty, not 1
hooks[2].actions[2].love: no relationship has a field love
hooks[2].actions[3].keywords: keywords[0] must be a text, not a number
hooks[2].id: "b" is given twice; the later hook is taken
hooks[3].name: is required (rejected)
hooks[3].event: is required: a pattern such as "character.*", or a list of them (rejected)
`
	if diff := cmp.Diff(want, got.String()); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
}

func TestDecodeRefusesOtherJSON(t *testing.T) {
	t.Parallel()
	for _, text := range []string{`{`, `{}`, `{"hooks":1}`, `7`, ``, `{"a":1,"a":2}`} {
		list, problems := hooks.Parse([]byte(text))
		if len(list) > 0 || len(problems) != 1 || problems[0].Code != "rejected" {
			t.Errorf("Decode(%q) = %v, %v", text, list, problems)
		}
	}
}

// A set never changes; With, Patch and Without return changed copies.
func TestSetIsImmutable(t *testing.T) {
	t.Parallel()
	set := mustCompile(t, nil, `[
		{"id":"a","name":"a","event":"e","created_at":"2026-01-01T00:00:00Z","x":1},
		{"id":"b","name":"b","event":"e"},
		{"id":"c","name":"c","event":"e","enabled":false}]`)
	before := toJSON(t, set.Hooks())

	with, problems := set.With(hooks.Hook{ID: "a", Name: "A", Event: hooks.On("f")},
		hooks.Hook{ID: "d", Name: "d", Event: hooks.On("e")}, hooks.Hook{ID: "b", Event: hooks.On("e")})
	if len(problems) != 1 || problems[0].Code != "rejected" || problems[0].Path != "hooks[2].name" {
		t.Errorf("With: %v", problems)
	}
	wantNames(t, with, "A b c d")

	patched, problems := set.Patch("a", value(
		`{"enabled":false,"priority":7,"y":{"z":2},"event":["p","q"]}`))
	if len(problems) > 0 {
		t.Errorf("Patch: %v", problems)
	}
	h, _ := patched.Hook("a")
	if got := toJSON(t, h); got != `{"id":"a","name":"a","enabled":false,"event":["p","q"],"priority":7,`+
		`"created_at":"2026-01-01T00:00:00Z","x":1,"y":{"z":2}}` {
		t.Errorf("patched hook: %s", got)
	}
	again, problems := patched.Patch("a", value(`{"enabled":null,"priority":null}`))
	if h, _ := again.Hook("a"); len(problems) > 0 || h.Enabled != nil || h.Priority != nil {
		t.Errorf("null must give back the default: %s, %v", toJSON(t, h), problems)
	}

	without, ok := with.Without("b", "zz")
	if !ok {
		t.Error("Without must say that a hook is gone")
	}
	wantNames(t, without, "A c d")
	if same, ok := set.Without("zz"); ok || same != set {
		t.Error("Without an unknown id must be the same set")
	}
	for fields, path := range map[string]string{
		`{"id":"z"}`:         "hooks[0].id",
		`{"created_at":"x"}`: "hooks[0].created_at",
		`{"priority":"x"}`:   "hooks[0].priority",
		`{"scope":"x"}`:      "hooks[0].scope",
		`{"name":""}`:        "hooks[0].name",
		`[]`:                 "hooks[0]",
	} {
		same, problems := set.Patch("a", value(fields))
		if same != set || len(problems) != 1 || problems[0].Path != path || problems[0].Code != "rejected" {
			t.Errorf("Patch %s: %v", fields, problems)
		}
	}
	if same, problems := set.Patch("zz", value(`{}`)); same != set || len(problems) != 1 {
		t.Errorf("Patch of an unknown hook: %v", problems)
	}
	given := hooks.Hook{
		ID: "a", Name: "a", Event: hooks.On("e"), Priority: new(1),
		Actions: []act.Action{act.New("log")}, Extra: map[string]json.RawMessage{"x": {'1'}},
	}
	kept, _ := hooks.Compile([]hooks.Hook{given}, nil)
	was := toJSON(t, kept.Hooks())
	given.Event[0], *given.Priority, given.Actions[0] = "hacked", 2, act.New("message")
	delete(given.Extra, "x")
	if is := toJSON(t, kept.Hooks()); is != was {
		t.Errorf("the set changed with the caller's hook:\n%s\n%s", was, is)
	}
	got := set.Hooks()
	got[0].Event[0] = "hacked"
	got[0].Extra["x"] = []byte("2")
	if after := toJSON(t, set.Hooks()); after != before {
		t.Errorf("the set changed:\n%s\n%s", before, after)
	}
}

func wantNames(t *testing.T, set *hooks.Set, want string) {
	t.Helper()
	var names []string
	for _, h := range set.Hooks() {
		names = append(names, h.Name)
	}
	if got := strings.Join(names, " "); got != want || set.Len() != len(names) {
		t.Errorf("hooks %s, want %s", got, want)
	}
}

// Hooks without an id get an id from their content, in any order.
func TestGeneratedIDs(t *testing.T) {
	t.Parallel()
	a, b := hooks.Hook{Name: "a", Event: hooks.On("e")}, hooks.Hook{Name: "b", Event: hooks.On("e")}
	one, _ := hooks.Compile([]hooks.Hook{a, b, a}, nil)
	two, _ := hooks.Compile([]hooks.Hook{b, a}, nil)
	x, y := one.Hooks(), two.Hooks()
	if x[0].ID != y[1].ID || x[1].ID != y[0].ID || x[2].ID != x[0].ID+"_2" ||
		len(x[0].ID) != len("hook_")+12 {
		t.Errorf("ids %s %s %s and %s %s", x[0].ID, x[1].ID, x[2].ID, y[0].ID, y[1].ID)
	}
}

func TestNilSet(t *testing.T) {
	t.Parallel()
	var set *hooks.Set
	if set.Len() != 0 || set.Hooks() != nil {
		t.Error("a nil set must be empty")
	}
	if _, ok := set.Hook("a"); ok {
		t.Error("a nil set has no hook")
	}
	if _, ok := set.Without("a"); ok {
		t.Error("a nil set has nothing to remove")
	}
	env := hooks.Env{Character: value(`{"energy":1}`)}
	res := hooks.Run(context.Background(), set, act.Event{Type: "e"}, hooks.State{}, env)
	if len(res.Logs) != 0 || !res.Character.Equal(env.Character) {
		t.Errorf("a nil set ran: %s", toJSON(t, res))
	}
	env.Depth, env.Trace = 9, true
	res = hooks.Run(context.Background(), set, act.Event{Type: "e"}, hooks.State{}, env)
	if len(res.Dropped) != 1 || res.Dropped[0].Reason != "chain_depth" {
		t.Errorf("a nil set must drop what an empty one drops: %s", toJSON(t, res))
	}
	env.Depth = 0
	if res := emit(t, set, act.Event{Type: "e"}, env); len(res.Trace) > 0 || len(res.Dropped) > 0 {
		t.Errorf("a nil set has nothing to explain: %s", toJSON(t, res))
	}
	full, problems := set.With(hooks.Hook{Name: "a", Event: hooks.On("e")})
	if full.Len() != 1 || len(problems) > 0 {
		t.Errorf("With on a nil set: %v", problems)
	}
}

// Hooks survive a round trip through JSON, including unknown members and unusual values.
func TestHookRoundTrip(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`{"id":"h","name":"n","description":"d","enabled":false,"event":["a","b.*"],"scope":"user",` +
			`"character_id":"c","conversation_id":"v","user_id":"u","priority":0,` +
			`"conditions":{"affection_gte":80.0},"condition_logic":"or",` +
			`"actions":[{"type":"log","message":"<m>","x":[1.50]},"odd",{"type":5}],` +
			`"permissions":{"channels":["web"],"deny_channels":["qq"],"actions":["log"],"p":1},` +
			`"timeout_ms":5,"max_retries":-2,"trigger_mode":"sometimes",` +
			`"on_error":"abort","atomic":true,"created_at":"x","updated_at":"y","z":{"k":null}}`,
		`{"name":"n","event":"e"}`,
	} {
		var h hooks.Hook
		if err := h.UnmarshalJSON([]byte(text)); err != nil {
			t.Fatal(err)
		}
		if got := toPlainJSON(t, h); got != text {
			t.Errorf("round trip:\n%s\nwant\n%s", got, text)
		}
	}
	var h hooks.Hook
	err := h.UnmarshalJSON([]byte(
		`{"name":1,"event":{},"actions":{},"permissions":5,"atomic":"x","max_retries":1.5}`))
	if err == nil || strings.Count(err.Error(), "\n") != 5 {
		t.Errorf("all six mistakes at once: %v", err)
	}
}

// The smaller public types also read their own JSON.
func TestPartsOfHookJSON(t *testing.T) {
	t.Parallel()
	var p hooks.Permissions
	var e hooks.Patterns
	var a act.Action
	var l act.Log
	parts := []struct {
		into       any
		text, want string
	}{
		{&p, `{"channels":"web","x":1}`, `{"channels":["web"],"x":1}`},
		{&p, `null`, `{}`},
		{&e, `"a"`, `"a"`},
		{&e, `["a","b"]`, `["a","b"]`},
		{&a, `{"x":[1.0],"type":"t"}`, `{"x":[1.0],"type":"t"}`},
		{&a, `7`, `7`},
		{&l, `{"id":"i","status":"failed","x":1}`, `{"id":"i","hook_id":"","hook_name":"","event_id":"",` +
			`"event_type":"","conversation_id":"","status":"failed","actions_executed":0,"attempts":0,` +
			`"duration_ms":0,"depth":0,"results":[],"x":1}`},
	}
	for _, part := range parts {
		if err := json.Unmarshal([]byte(part.text), part.into); err != nil {
			t.Errorf("%s: %v", part.text, err)
		}
		if got := toJSON(t, part.into); got != part.want {
			t.Errorf("%s became %s, want %s", part.text, got, part.want)
		}
	}
	for text, into := range map[string]any{`{"channels":5}`: &p, `[]`: &p, `[1]`: &e, `{}`: &e} {
		before := toJSON(t, into)
		if err := json.Unmarshal([]byte(text), into); err == nil || toJSON(t, into) != before {
			t.Errorf("%s into %T: %v", text, into, err)
		}
	}
}

func toPlainJSON(t *testing.T, h hooks.Hook) string {
	t.Helper()
	data, err := h.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
