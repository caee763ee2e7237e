package hooks_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/talewright/talewright/hooks"
	"github.com/talewright/talewright/hooks/act"
)

// HK-14, HK-15: the six statuses, what each means for the actions, and which actions are in force.
// There are no sinks: a log line is an external effect of the hook.
func TestStatuses(t *testing.T) {
	t.Parallel()
	const say, fail, hang = `{"type":"message","content":"c"}`, `{"type":"fail"}`, `{"type":"hang"}`
	tests := []struct {
		name     string
		actions  string
		more     string
		status   act.Status
		executed int
		attempts int
		codes    string
		err      string
		effects  int
	}{
		{"no actions", ``, ``, act.StatusSuccess, 0, 1, "", "", 0},
		{"all succeed", say + "," + say, ``, act.StatusSuccess, 2, 1, "ok ok", "", 2},
		{"success at the last attempt is not to be had", fail, `,"max_retries":2`,
			act.StatusFailed, 0, 3, "handler_error", "no luck", 0},
		{"a negative number of retries", fail, `,"max_retries":-4`,
			act.StatusFailed, 0, 1, "handler_error", "no luck", 0},
		{"one of two", say + "," + fail, ``, act.StatusPartial, 1, 1, "ok handler_error", "no luck", 1},
		{"later actions still run", fail + "," + say + "," + fail, ``,
			act.StatusPartial, 1, 1, "handler_error ok handler_error", "no luck; no luck", 1},
		{"abort behind a success", say + "," + fail + "," + say, `,"on_error":"abort"`,
			act.StatusPartial, 1, 1, "ok handler_error aborted", "no luck; an earlier action failed", 1},
		{"abort at once", fail + "," + say, `,"on_error":"abort"`,
			act.StatusFailed, 0, 1, "handler_error aborted", "no luck; an earlier action failed", 0},
		{"an unknown error mode goes on", fail + "," + say, `,"on_error":"panic"`,
			act.StatusPartial, 1, 1, "handler_error ok", "no luck", 1},
		{"none succeeds", fail + `,{"type":"nope"},7`, ``, act.StatusFailed, 0, 1,
			"handler_error unknown_type invalid_action",
			`no luck; unknown action type nope; an action is an object with a text member "type"`, 0},
		{"atomic success", say, `,"atomic":true`, act.StatusSuccess, 1, 1, "ok", "", 1},
		{"atomic failure", say + "," + fail, `,"atomic":true`,
			act.StatusFailed, 0, 1, "rolled_back handler_error", "no luck", 0},
		{"atomic failure of a built-in action", say + `,{"type":"log"}`, `,"atomic":true`,
			act.StatusFailed, 0, 1, "rolled_back missing_params", "message is required", 0},
		{"timeout", say + "," + hang + "," + say, ``,
			act.StatusTimeout, 0, 1, "rolled_back timeout timeout", "Timeout", 0},
		{"timeout of each attempt", hang, `,"max_retries":1`,
			act.StatusTimeout, 0, 2, "timeout", "Timeout", 0},
		{"a failure and then a timeout", fail + "," + hang, ``,
			act.StatusTimeout, 0, 1, "handler_error timeout", "Timeout", 0},
		{"denied", say, `,"permissions":{"channels":"qq"}`,
			act.StatusDenied, 0, 0, "", "Permission denied", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				list, problems := hooks.Parse([]byte(`[{"id":"h","name":"n","event":"e","actions":[` +
					tt.actions + `]` + tt.more + `}]`))
				if len(problems) > 0 {
					t.Fatal(problems)
				}
				set, _ := hooks.Compile(list, failing(t))
				res := hooks.Run(t.Context(), set, at("e", "web"), hooks.State{}, hooks.Env{})
				if len(res.Logs) != 1 || len(res.Skipped) != 0 {
					t.Fatalf("%s", toJSON(t, res))
				}
				log := res.Logs[0]
				var codes []string
				for _, r := range log.Results {
					codes = append(codes, string(r.Code))
					if r.Success != (r.Code == act.CodeOK) {
						t.Errorf("result %s", toJSON(t, r))
					}
				}
				got := fmt.Sprintln(log.Status, log.ActionsExecuted, log.Attempts, codes, log.Error,
					len(res.Effects), log.Reason)
				want := fmt.Sprintln(tt.status, tt.executed, tt.attempts, strings.Fields(tt.codes), tt.err,
					tt.effects, "")
				if got != want {
					t.Errorf("got  %swant %s", got, want)
				}
			})
		})
	}
}

// The sixth status is in a separate list, with the reason. The first log is of the hook that ran.
func TestSkippedLog(t *testing.T) {
	t.Parallel()
	set := mustCompile(t, nil, `[{"id":"h","name":"five o'clock","event":"*",
		"actions":[{"type":"message","content":"tea"}]}]`)
	first := hooks.Run(t.Context(), set, at("a", ""), hooks.State{}, hooks.Env{})
	second := hooks.Run(t.Context(), set, at("b", ""), first.State, hooks.Env{Depth: 2})
	if len(second.Logs) != 0 || len(second.Skipped) != 1 || len(second.Effects) != 0 {
		t.Fatalf("result %s", toJSON(t, second))
	}
	want := `{"id":"` + second.Skipped[0].ID + `","hook_id":"h","hook_name":"five o'clock",` +
		`"event_id":"evt","event_type":"b","conversation_id":"v","status":"skipped",` +
		`"reason":"already_ran_this_turn","actions_executed":0,"attempts":0,"duration_ms":0,` +
		`"depth":2,"results":[],"display_message":"tea"}`
	if got := toJSON(t, second.Skipped[0]); got != want {
		t.Errorf("log  %s\nwant %s", got, want)
	}
}

// The text for a notification: the first text for people, otherwise the name.
func TestDisplayMessage(t *testing.T) {
	t.Parallel()
	for actions, want := range map[string]string{
		`[]`: "名字",
		`[{"type":"log","message":"a"},{"type":"message","content":"b"}]`:     "a",
		`[{"type":"message","content":"b"},{"type":"log","message":"a"}]`:     "b",
		`[{"type":"log"},{"type":"message","content":"b"}]`:                   "b",
		`[{"type":"log","message":7},{"type":"message","content":["b"]}]`:     "名字",
		`[{"type":"prompt_inject","content":"p"},{"type":"log","content":1}]`: "名字",
		`["log",{"type":"nope","message":"m"}]`:                               "名字",
	} {
		list, _ := hooks.Parse([]byte(`[{"name":"名字","event":"e","actions":` + actions + `}]`))
		set, _ := hooks.Compile(list, nil)
		res := hooks.Run(t.Context(), set, at("e", ""), hooks.State{}, hooks.Env{})
		if got := res.Logs[0].DisplayMessage; got != want {
			t.Errorf("%s: %q, want %q", actions, got, want)
		}
	}
}
