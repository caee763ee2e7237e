package hooks_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/talewright/talewright/hooks"
	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/memvars/tree"
)

// statuses lists the hooks that are in the log, with their status or their reason.
func statuses(res hooks.Result) string {
	var out []string
	for _, l := range res.Logs {
		out = append(out, l.HookID+" "+string(l.Status))
	}
	for _, l := range res.Skipped {
		out = append(out, l.HookID+" "+string(l.Reason))
	}
	return strings.Join(out, ", ")
}

// at returns an event from a channel; an empty channel is unknown.
func at(typ, channel string) act.Event {
	event := act.Event{ID: "evt", Type: typ, ConversationID: "v"}
	if channel != "" {
		event.Payload = tree.Object(member("channel", tree.Text(channel)))
	}
	return event
}

// HK-20: the channels that are allowed, at the limits of both lists.
func TestPermissionChannels(t *testing.T) {
	t.Parallel()
	tests := []struct{ permissions, passes, denied, reason string }{
		{`{}`, "web qq -", "", "nothing is restricted"},
		{`null`, "web -", "", "nor by null"},
		{`{"channels":[],"deny_channels":[]}`, "web -", "", "nor by empty lists"},
		{`{"channels":["web"]}`, "web", "qq WEB we webb -", "whole names, in their case"},
		{`{"channels":"web"}`, "web", "we -", "a string is a list of one"},
		{`{"channels":["网页","web"]}`, "网页 web", "网 -", "any of them"},
		{`{"deny_channels":["web"]}`, "qq WEB we -", "web", "all others, and the unknown one"},
		{`{"deny_channels":"web"}`, "we", "web", "a string here too"},
		{`{"deny_channels":[""]}`, "web", "-", "the unknown channel can be denied"},
		{`{"channels":["web","qq"],"deny_channels":["qq"]}`, "web", "qq -", "both lists hold"},
		{`{"channels":["web"],"deny_channels":["web"]}`, "", "web qq -", "nothing passes both"},
		{`{"actions":["log"]}`, "web -", "", "action types are another matter"},
		// Permissions that cannot be read deny everything.
		{`{"channels":[5]}`, "", "web 5 -", "no channel is a number"},
		{`{"channels":["web",5]}`, "", "web -", "one mistake locks the hook"},
		{`{"deny_channels":{"web":true}}`, "", "web qq -", "no list"},
		{`{"actions":7}`, "", "web -", "no list"},
		{`"web"`, "", "web -", "no object"},
	}
	for _, tt := range tests {
		list, problems := hooks.Parse([]byte(`[{"id":"h","name":"n","event":"e","permissions":` +
			tt.permissions + `}]`))
		set, _ := hooks.Compile(list, nil)
		for status, channels := range map[act.Status]string{
			act.StatusSuccess: tt.passes, act.StatusDenied: tt.denied,
		} {
			for channel := range strings.FieldsSeq(channels) {
				event := at("e", strings.TrimPrefix(channel, "-"))
				res := hooks.Run(t.Context(), set, event, hooks.State{}, hooks.Env{})
				if got := statuses(res); got != "h "+string(status) {
					t.Errorf("%s, channel %s: %s, want %s: %s",
						tt.permissions, channel, got, status, tt.reason)
				}
			}
		}
		if wrong := tt.passes == "" && !strings.Contains(tt.permissions, "deny_channels\":["); wrong !=
			(len(problems) > 0) {
			t.Errorf("%s: problems %v", tt.permissions, problems)
		}
	}
}

// A denial is recorded once per turn and uses up nothing. It is checked after the conditions and
// before the limits.
func TestDenial(t *testing.T) {
	t.Parallel()
	set := mustCompile(t, nil, `[
		{"id":"unmet","name":"n","event":"*","conditions":{"mood_is":"sad"},
			"permissions":{"channels":"qq"}},
		{"id":"once","name":"n","event":"*","trigger_mode":"once_per_conversation",
			"permissions":{"channels":"qq"}},
		{"id":"free","name":"n","event":"*"}]`)
	env := hooks.Env{Limits: hooks.Limits{MaxHooksPerTurn: new(1)}}
	var state hooks.State
	for i, step := range []struct{ typ, channel, want string }{
		{"a", "web", "once denied, free success"},                       // a denial does not count
		{"b", "web", "once already_denied, free already_ran_this_turn"}, // and is recorded once
		{"c", "qq", "once turn_limit, free already_ran_this_turn"},      // allowed, but too late
		{"", "", ""}, // next turn
		{"a", "web", "once denied, free success"},
		{"", "", ""},
		{"a", "qq", "once success, free turn_limit"}, // the mode was not used up by denials
		{"", "", ""},
		{"a", "web", "free success, once already_triggered"}, // now it is used up, and this is checked first
	} {
		if step.typ == "" {
			state = state.BeginTurn(fmt.Sprint(i))
			continue
		}
		res := hooks.Run(t.Context(), set, at(step.typ, step.channel), state, env)
		state = res.State
		if got := statuses(res); got != step.want {
			t.Errorf("step %d: %s, want %s", i, got, step.want)
		}
	}
}

// HK-20: a hook that may use some action types continues after an action of a forbidden type.
func TestPermissionActions(t *testing.T) {
	t.Parallel()
	const actions = `"actions":[{"type":"log","message":"m"},{"type":"Log","message":"m"},
		{"type":"nope"},{"type":"log"},{"message":"m"},{"type":"message","content":"c"}]`
	const ok, no, unknown = act.CodeOK, act.CodeForbidden, act.CodeUnknownType
	const missing, invalid = act.CodeMissingParams, act.CodeInvalidAction
	for allowed, want := range map[string][]act.ResultCode{
		`[]`:              {ok, unknown, unknown, missing, invalid, ok},
		`"log"`:           {ok, no, no, missing, invalid, no},
		`["log","nope"]`:  {ok, no, unknown, missing, invalid, no},
		`["message"]`:     {no, no, no, no, invalid, ok},
		`["workflow",""]`: {no, no, no, no, invalid, no},
	} {
		list, _ := hooks.Parse([]byte(`[{"name":"n","event":"e","permissions":{"actions":` +
			allowed + `},` + actions + `}]`))
		set, _ := hooks.Compile(list, nil)
		res := hooks.Run(t.Context(), set, at("e", ""), hooks.State{}, hooks.Env{})
		wantCodes(t, res.Logs[0], want...)
	}
}

// TestForbiddenActions: a forbidden action fails as any action does. Only a channel denies a hook
// (hooks.md 5, 8 and 11).
func TestForbiddenActions(t *testing.T) {
	t.Parallel()
	for actions, want := range map[string]act.Status{
		`{"type":"log","message":"m"},{"type":"message","content":"c"}`:   act.StatusFailed,
		`{"type":"log","message":"m"},{"type":"workflow","workflow":"w"}`: act.StatusPartial,
		``: act.StatusSuccess,
	} {
		list, _ := hooks.Parse([]byte(`[{"name":"n","event":"e","permissions":{"actions":["workflow"]},"actions":[` + actions + `]}]`))
		set, _ := hooks.Compile(list, nil)
		res := hooks.Run(t.Context(), set, at("e", ""), hooks.State{}, hooks.Env{})
		if got := res.Logs[0].Status; got != want {
			t.Errorf("%s: %s, want %s", actions, got, want)
		}
	}
}

// HK-17: the events that a scoped hook accepts.
func TestScopes(t *testing.T) {
	t.Parallel()
	tests := []struct {
		scope  string
		wants  bool
		reason string
	}{
		{`"scope":"global"`, true, "everything"},
		{`"character_id":"zoe"`, true, "the ids count for their own scope only"},
		{`"scope":"global","character_id":"zoe","conversation_id":"z","user_id":"z"`, true, "here too"},
		{`"scope":""`, true, "empty is global"},
		{`"scope":null`, true, "null is missing"},
		{`"scope":"character"`, true, "every character"},
		{`"scope":"character","character_id":""`, true, "every character"},
		{`"scope":"character","character_id":"安"`, true, "this one"},
		{`"scope":"character","character_id":"安","user_id":"z"`, true, "whoever the user is"},
		{`"scope":"character","character_id":"zoe"`, false, "another one"},
		{`"scope":"conversation","conversation_id":"v"`, true, "this conversation"},
		{`"scope":"conversation","conversation_id":"V"`, false, "case counts"},
		{`"scope":"user","user_id":"7"`, true, "this user"},
		{`"scope":"user","user_id":"bob"`, false, "another user"},
		{`"scope":"planet"`, false, "no scope"},
		{`"scope":"Global"`, false, "case counts"},
		// A value of the wrong type must not open the hook to all events.
		{`"scope":7`, false, "no scope"},
		{`"scope":false`, false, "no scope either"},
		{`"scope":"user","user_id":7`, true, "the text of the number"},
		{`"scope":"user","user_id":8`, false, "and of no other number"},
		{`"scope":"user","user_id":{}`, false, "nobody's id"},
	}
	event := act.Event{Type: "e", CharacterID: "安", ConversationID: "v", UserID: "7"}
	for _, tt := range tests {
		list, _ := hooks.Parse([]byte(`[{"name":"n","event":"e",` + tt.scope + `}]`))
		set, _ := hooks.Compile(list, nil)
		res := hooks.Run(t.Context(), set, event, hooks.State{}, hooks.Env{})
		if got := len(res.Logs) == 1; got != tt.wants || len(res.Skipped) > 0 {
			t.Errorf("%s: runs %v, want %v: %s", tt.scope, got, tt.wants, tt.reason)
		}
		// An event without ids does not match a hook with an id.
		res = hooks.Run(t.Context(), set, act.Event{Type: "e"}, hooks.State{}, hooks.Env{})
		named := strings.Contains(tt.scope, `"scope":"`) && !strings.Contains(tt.scope, "global") &&
			strings.Contains(tt.scope, "_id") && !strings.Contains(tt.scope, `_id":""`)
		if got := len(res.Logs) == 1; got != (set.Len() == 1 && !named) {
			t.Errorf("%s: runs %v for an event without ids", tt.scope, got)
		}
	}
}

// HK-19: the results that use up a once_per_conversation hook, and their conversation.
func TestTriggerMode(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		actions string
		more    string
		used    bool
	}{
		"no actions": {`[]`, ``, true},
		"success":    {`[{"type":"message","content":"c"}]`, ``, true},
		"partial":    {`[{"type":"message","content":"c"},{"type":"fail"}]`, ``, true},
		"failed":     {`[{"type":"fail"}]`, ``, false},
		"atomic":     {`[{"type":"message","content":"c"},{"type":"fail"}]`, `,"atomic":true`, false},
		"timeout":    {`[{"type":"message","content":"c"},{"type":"hang"}]`, ``, false},
		"denied":     {`[]`, `,"permissions":{"channels":"qq"}`, false},
		"unmet":      {`[]`, `,"conditions":{"mood_is":"sad"}`, false},
		"always":     {`[]`, `,"trigger_mode":"always"`, false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				mode := `,"trigger_mode":"once_per_conversation"`
				if name == "always" {
					mode = ""
				}
				set := mustCompile(t, failing(t), `[{"id":"h","name":"n","event":"e","actions":`+
					tt.actions+mode+tt.more+`}]`)
				var state hooks.State
				again := func(conversation string) bool {
					event := act.Event{Type: "e", ConversationID: conversation}
					res := hooks.Run(t.Context(), set, event, state.BeginTurn("t"), hooks.Env{})
					state = res.State
					return len(res.Skipped) == 1 && res.Skipped[0].Reason == act.AlreadyTriggered
				}
				for _, step := range []struct {
					conversation string
					skipped      bool
				}{
					{"", false}, {"", false}, // unknown: the mode has no effect
					{"v", false}, {"v", tt.used}, {"V", false}, {"V", tt.used}, {"v", tt.used},
					{"", false},
				} {
					if got := again(step.conversation); got != step.skipped {
						t.Errorf("conversation %q: skipped %v, want %v",
							step.conversation, got, step.skipped)
					}
				}
				if want := map[string][]string{"h": {"v", "V"}}; tt.used && !maps.EqualFunc(
					state.Triggered, want, slices.Equal) || !tt.used && len(state.Triggered) > 0 {
					t.Errorf("triggered %v", state.Triggered)
				}
				if state = state.Forget("h"); again("v") {
					t.Error("a removed and added hook must run again")
				}
			})
		})
	}
}

// A state from a different program may contain the empty conversation: the mode has no effect there
// either.
func TestTriggerModeWithoutConversation(t *testing.T) {
	t.Parallel()
	set := mustCompile(t, nil, `[{"id":"h","name":"n","event":"e",
		"trigger_mode":"once_per_conversation"}]`)
	state := hooks.State{Triggered: map[string][]string{"h": {""}}}
	res := hooks.Run(t.Context(), set, act.Event{Type: "e"}, state, hooks.Env{})
	if got := statuses(res); got != "h success" {
		t.Errorf("%s, want h success", got)
	}
}

// failing returns a table with "fail", which returns an error, and "hang", which waits for the
// deadline.
func failing(t *testing.T) *act.Table {
	t.Helper()
	var actions act.Table
	err := errors.Join(
		actions.Register("fail", act.Type{
			Handler: func(context.Context, act.Call) (act.Outcome, error) {
				return act.Outcome{}, errors.New("no luck")
			},
		}),
		actions.Register("hang", act.Type{
			Handler: func(ctx context.Context, _ act.Call) (act.Outcome, error) {
				<-ctx.Done()
				return act.Outcome{}, ctx.Err()
			},
		}))
	if err != nil {
		t.Fatal(err)
	}
	return &actions
}

func limitName(limit *int) string {
	if limit == nil {
		return "by default"
	}
	return fmt.Sprint(*limit)
}

// HK-19: exactly as many hooks run in a turn as the limit allows, over all of its events, including
// derived events.
func TestTurnLimit(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		limit *int
		want  int
	}{{nil, 20}, {new(0), 0}, {new(1), 1}, {new(24), 24}, {new(25), 25}, {new(26), 25}, {new(-1), 0}} {
		var list []string
		for i := range 25 {
			list = append(list, []string{
				fmt.Sprintf(`{"id":"%d","name":"n","event":["a","b"],"conditions":{"event_type":"a"}}`, i),
				fmt.Sprintf(`{"id":"%d","name":"n","event":"b","actions":[{"type":"fail"}]}`, i), // failures count
				fmt.Sprintf(`{"id":"%d","name":"n","event":"b","priority":%d,"actions":[
					{"type":"state_delta","field":"energy","delta":-1}]}`, i, 100+i),
				fmt.Sprintf(`{"id":"%d","name":"n","event":"state.changed"}`, i),
			}[i%4],
				fmt.Sprintf(`{"id":"denied %d","name":"n","event":"*","priority":1,"permissions":{"channels":"qq"}}`, i),
				fmt.Sprintf(`{"id":"unmet %d","name":"n","event":"*","conditions":{"mood_is":"sad"}}`, i))
		}
		set := mustCompile(t, failing(t), "["+strings.Join(list, ",")+"]")
		env := hooks.Env{
			Character: value(`{"energy":80}`),
			Limits:    hooks.Limits{MaxHooksPerTurn: tt.limit, MaxChainDepth: new(25)},
		}
		for turn := range 2 { // the second starts from zero
			state := hooks.State{}.BeginTurn(fmt.Sprint(turn))
			ran, limited := map[string]bool{}, map[string]bool{}
			for _, typ := range []string{"a", "b", "c"} {
				res := hooks.Run(t.Context(), set, at(typ, "web"), state, env)
				state = res.State
				for _, l := range res.Logs {
					if l.Status != act.StatusDenied {
						ran[l.HookID] = true
					}
				}
				for _, l := range res.Skipped {
					if l.Reason == act.TurnLimit {
						limited[l.HookID] = true
					}
				}
			}
			if len(ran) != tt.want || state.Turn.Count != tt.want || len(state.Turn.Ran) != tt.want {
				t.Errorf("limit %s: %d ran (%d counted), want %d",
					limitName(tt.limit), len(ran), state.Turn.Count, tt.want)
			}
			// When the state no longer changes, no event is raised.
			if tt.want < 20 && len(limited) == 0 || tt.want == 25 && len(limited) > 0 {
				t.Errorf("limit %s: %d hooks were limited", limitName(tt.limit), len(limited))
			}
		}
	}
}

// HK-19: events as deep as the limit are handled, and the next one is dropped.
func TestChainDepth(t *testing.T) {
	t.Parallel()
	// Each hook runs on the change that the previous hook made.
	var list []string
	for i := range 9 {
		event, conditions := "e", "{}"
		if i > 0 {
			event, conditions = "state.changed", fmt.Sprintf(`{"payload.hook_id":"%d"}`, i-1)
		}
		list = append(list, fmt.Sprintf(`{"id":"%d","name":"n","event":%q,"conditions":%s,"actions":[
			{"type":"state_delta","field":"energy","delta":-1}]}`, i, event, conditions))
	}
	set := mustCompile(t, nil, "["+strings.Join(list, ",")+"]")
	for _, tt := range []struct {
		limit *int
		start int // depth of the event that the host raises
		ran   int
	}{
		{nil, 0, 6}, {nil, 4, 2}, {nil, 5, 1}, {nil, 6, 0},
		{new(0), 0, 1}, {new(0), 1, 0}, {new(1), 0, 2}, {new(7), 0, 8}, {new(8), 0, 9},
		{new(100), 0, 9},
	} {
		env := hooks.Env{
			Character: value(`{"energy":80}`), Depth: tt.start,
			Limits: hooks.Limits{MaxChainDepth: tt.limit},
		}
		res := hooks.Run(t.Context(), set, at("e", ""), hooks.State{}, env)
		var depths []int
		for _, l := range res.Logs {
			depths = append(depths, l.Depth)
		}
		want := make([]int, tt.ran)
		for i := range want {
			want[i] = tt.start + i
		}
		name := fmt.Sprintf("limit %s from depth %d", limitName(tt.limit), tt.start)
		if !slices.Equal(depths, want) {
			t.Errorf("%s: hooks ran at %v, want %v", name, depths, want)
		}
		energy, _ := res.Character.Get("energy").AsFloat()
		if energy != float64(80-tt.ran) { // changes before the limit are in force
			t.Errorf("%s: energy %v", name, energy)
		}
		drops := 0
		if cut := tt.start + tt.ran; tt.limit == nil || cut > *tt.limit {
			drops = 1
		}
		if len(res.Dropped) != drops {
			t.Fatalf("%s: dropped %v, want %d", name, res.Dropped, drops)
		}
		for _, d := range res.Dropped {
			if d.Reason != "chain_depth" || d.Depth != tt.start+tt.ran {
				t.Errorf("%s: dropped %+v", name, d)
			}
		}
	}
}

// The host learns that an event was too deep, even if no hook matches it.
func TestDepthOfDroppedEvents(t *testing.T) {
	t.Parallel()
	set := mustCompile(t, nil, `[{"name":"n","event":"other"}]`)
	res := emit(t, set, act.Event{ID: "x", Type: "e"}, hooks.Env{Depth: 6})
	want := hooks.Drop{EventID: "x", EventType: "e", Depth: 6, Reason: "chain_depth"}
	if len(res.Dropped) != 1 || res.Dropped[0] != want {
		t.Errorf("dropped %+v, want %+v", res.Dropped, want)
	}
}
