package hooks_test

import (
	"context"
	"strings"
	"testing"

	"github.com/talewright/talewright/hooks"
	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/effect"
)

// No hook may change identity fields or private fields, even if the state has them.
func TestProtectedFields(t *testing.T) {
	t.Parallel()
	for _, field := range []string{
		"id", "character_id", "user_id", "target_id", "scope_id", "conversation_id", "group_id",
		"created_at", "updated_at", "_", "_secret",
	} {
		env := hooks.Env{Character: tree.Object(member(field, tree.Text("old")))}
		res := runActions(t, env, `[{"type":"state_delta","field":"`+field+`","delta":"new"}]`)
		wantCodes(t, res.Logs[0], act.CodeProtectedField)
		if !res.Character.Equal(env.Character) {
			t.Errorf("%s: %s", field, res.Character)
		}
	}
}

// A scoped hook without an id accepts all events; a scoped hook with an id accepts only events with
// this id.
func TestScopesWithAndWithoutID(t *testing.T) {
	t.Parallel()
	mine := act.Event{ID: "1", Type: "e", CharacterID: "mara", ConversationID: "c1", UserID: "ann"}
	other := act.Event{ID: "2", Type: "e", CharacterID: "orin", ConversationID: "c2", UserID: "bob"}
	for _, tc := range []struct {
		reason, hook string
		mine, other  bool
	}{
		{"anybody's character", `"scope":"character"`, true, true},
		{"one character", `"scope":"character","character_id":"mara"`, true, false},
		{"anybody's conversation", `"scope":"conversation"`, true, true},
		{"one conversation", `"scope":"conversation","conversation_id":"c1"`, true, false},
		{"anybody", `"scope":"user"`, true, true},
		{"one user", `"scope":"user","user_id":"ann"`, true, false},
		{"ids of another scope do not count", `"scope":"user","character_id":"zoe","conversation_id":"c9"`, true, true},
		{"nor do any of a global hook", `"character_id":"zoe","conversation_id":"c9","user_id":"zed"`, true, true},
	} {
		set := mustCompile(t, nil, `[{"id":"h","name":"h","event":"e",`+tc.hook+`}]`)
		for event, want := range map[*act.Event]bool{&mine: tc.mine, &other: tc.other} {
			if got := len(emit(t, set, *event, hooks.Env{}).Logs) == 1; got != want {
				t.Errorf("%s: runs for %s: %v", tc.reason, event.CharacterID, got)
			}
		}
	}
}

// A structured memory has a category, an importance and append; the default importance is 0.6.
func TestStructuredMemory(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ reason, params, want string }{
		{"plain", ``, ``},
		{"importance alone is of no memory's", `,"importance":0.9`, ``},
		{"a category", `,"category":"timeline"`, `{"category":"timeline","importance":0.6}`},
		{"with all", `,"category":"important_event","importance":1,"append":true`,
			`{"category":"important_event","importance":1,"append":true}`},
	} {
		res := runActions(t, hooks.Env{}, `[{"type":"memory_write","content":"c"`+tc.params+`}]`)
		wantCodes(t, res.Logs[0], act.CodeOK)
		written := res.Effects[0].(effect.WriteMemory)
		if tc.want == "" {
			if len(written.Extra) > 0 {
				t.Errorf("%s: %s", tc.reason, written.Extra)
			}
			continue
		}
		wantObject(t, value(toJSON(t, written.Extra)), tc.want)
	}
	for _, params := range []string{`"category":"gossip"`, `"category":"timeline","importance":1.1`,
		`"category":"timeline","importance":-0.1`, `"category":"timeline","append":"yes"`} {
		res := runActions(t, hooks.Env{}, `[{"type":"memory_write","content":"c",`+params+`}]`)
		wantCodes(t, res.Logs[0], act.CodeInvalidValue)
	}
}

// A handler may choose a code for its failure, but not a code that belongs to the engine.
func TestCodesOfHandlers(t *testing.T) {
	t.Parallel()
	for code, want := range map[act.ResultCode]act.ResultCode{
		act.CodeNotFound: act.CodeNotFound, act.CodeUnavailable: act.CodeUnavailable,
		act.CodeForbidden: act.CodeForbidden, act.CodeMissingParams: act.CodeMissingParams,
		act.CodeInvalidValue: act.CodeInvalidValue, act.CodeUnknownField: act.CodeUnknownField,
		act.CodeProtectedField: act.CodeProtectedField,
		act.CodeOK:             act.CodeHandlerError, act.CodeTimeout: act.CodeHandlerError,
		act.CodePanic: act.CodeHandlerError, act.CodeAborted: act.CodeHandlerError,
		act.CodeRolledBack: act.CodeHandlerError, act.CodeUnknownType: act.CodeHandlerError,
		act.CodeInvalidAction: act.CodeHandlerError, "mine": act.CodeHandlerError, "": act.CodeHandlerError,
	} {
		var actions act.Table
		if err := actions.Register("try", act.Type{Handler: func(context.Context, act.Call) (act.Outcome, error) {
			return act.Outcome{}, &act.Failure{Code: code, Detail: "why"}
		}}); err != nil {
			t.Fatal(err)
		}
		set := mustCompile(t, &actions, `[{"id":"h","name":"h","event":"e","actions":[{"type":"try"}]}]`)
		res := emit(t, set, act.Event{ID: "1", Type: "e"}, hooks.Env{})
		wantCodes(t, res.Logs[0], want)
		if !strings.Contains(res.Logs[0].Error, "why") {
			t.Errorf("%s: the log says %q", code, res.Logs[0].Error)
		}
	}
}

// Only session-scoped injections remain after their turn, with any scope of a different program.
func TestInjectionsThatOutliveATurn(t *testing.T) {
	t.Parallel()
	list := act.Injections{{Key: "a", Scope: effect.ForSession}, {Key: "b", Scope: effect.ForTurn}, {Key: "c"}, {Key: "d", Scope: "odd"}}
	if left := list.BeginTurn(); len(left) != 1 || left[0].Key != "a" {
		t.Errorf("left: %v", left)
	}
}

// Runs share the index of the hooks, and do not change it.
func TestRunsLeaveTheIndexAlone(t *testing.T) {
	t.Parallel()
	set := mustCompile(t, nil, `[{"id":"a","name":"a","event":"e","priority":5},{"id":"b","name":"b","event":"e","priority":6},
		{"id":"c","name":"c","event":"e","priority":7},{"id":"first","name":"w","event":"*","priority":1}]`)
	for _, event := range []string{"e", "e", "other", "e"} {
		want := "first success, a success, b success, c success"
		if event == "other" {
			want = "first success"
		}
		if got := statuses(emit(t, set, act.Event{ID: "1", Type: event}, hooks.Env{})); got != want {
			t.Errorf("%s: %s, want %s", event, got, want)
		}
	}
}

// A missing relationship field counts as 0, also in the event of the change.
func TestDerivedEventsOfNewFields(t *testing.T) {
	t.Parallel()
	env := hooks.Env{Relationship: value(`{"trust":3}`)}
	res := runActions(t, env, `[{"type":"relationship_delta","field":"affection","delta":5}]`)
	wantObject(t, res.Derived[0].Event.Payload.Get("changes"), `{"affection":{"old":0,"new":5}}`)
}

// Hooks without ids get different ids, also when they are added one after the other, and when an
// existing hook already has the id that would be generated.
func TestGeneratedIDsAreUnique(t *testing.T) {
	t.Parallel()
	alike := hooks.Hook{Name: "n", Event: hooks.On("e")}
	set, _ := hooks.Compile([]hooks.Hook{alike, alike}, nil)
	set, _ = set.With(alike)
	set, _ = set.With(alike, alike)
	seen := map[string]bool{}
	for _, h := range set.Hooks() {
		seen[h.ID] = true
	}
	if len(seen) != 5 {
		t.Errorf("%d hooks have the ids %v", set.Len(), seen)
	}
}

// Default keys of prompts do not collide, for any ids of events.
func TestDefaultKeysDoNotMeet(t *testing.T) {
	t.Parallel()
	two := mustCompile(t, nil, `[{"id":"h","name":"h","event":"e","actions":[
		{"type":"prompt_inject","content":"1"},{"type":"prompt_inject","content":"2"}]}]`)
	for _, ids := range [][]string{{"abcdef", "abcdef_2"}, {"abcdef_2", "abcdef"}, {"abcdef", "abcdef"}} {
		state, seen := hooks.State{}, map[string]bool{}
		for _, id := range ids {
			state.Turn.Ran = nil
			res := hooks.Run(t.Context(), two, act.Event{ID: id, Type: "e"}, state, hooks.Env{})
			state = res.State
			for _, e := range res.Effects {
				seen[e.(effect.InjectPrompt).Key] = true
			}
		}
		if len(seen) != 4 {
			t.Errorf("%v: the keys of four texts are %v", ids, seen)
		}
	}
}
