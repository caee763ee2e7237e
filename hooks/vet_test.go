package hooks_test

import (
	"context"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"strings"
	"testing"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/hooks"
	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/memvars/tree"
)

func ExampleVet() {
	list, _ := hooks.Parse([]byte(`[
		{"id": "night", "name": "night mode", "event": "character.after_trun.finished",
		 "conditons": {"energy_lte": 20},
		 "actions": [{"type": "message", "content": "Good night."}]}]`))
	set, problems := hooks.Compile(list, nil)
	fmt.Println(set.Len(), len(problems))
	for _, p := range hooks.Vet(list, hooks.Host{}) {
		fmt.Println(p)
	}
	// Output:
	// 1 0
	// hooks[0].conditons (night): nothing reads "conditons"; did you mean "conditions"?
	// hooks[0].event (night): no known event is covered by "character.after_trun.finished"; did you mean "character.after_turn.finished"?
}

// TestVet: Vet suggests the probable intention for hooks that compile.
func TestVet(t *testing.T) {
	t.Parallel()
	var table act.Table
	err := table.Register("toast", act.Type{Params: []act.Param{{Name: "text"}},
		Handler: func(context.Context, act.Call) (act.Outcome, error) { return act.Outcome{}, nil }})
	if err != nil {
		t.Fatal(err)
	}
	host := hooks.Host{
		Events: []string{"shop.item.sold"}, Actions: &table, Missing: []act.Capability{act.Workflows},
		MemoryTypes: []string{"diary"}, Fields: map[string]act.Field{"hunger": {}},
		State: tree.Object(member("mood", tree.Text("calm")), member("location", tree.Text("inn"))),
	}
	const action = `"actions":[{"type":"message","content":"m"}]`
	for _, tc := range []struct{ reason, hook, want string }{
		{"nothing to say", `"event":["model.before_call","pipeline.*","plot.node.created","*","shop.item.sold"],` + action, ""},
		{"a level of its own", `"event":"*","actions":[{"type":"log","message":"m","level":"loud"},{"type":"log","message":"m","level":"warn"}]`,
			`actions[0].level: must be debug, info, warning or error: info is taken`},
		{"no retries", `"event":"*","max_retries":-3,` + action, `max_retries: below 0 counts as 0`},
		{"an event of somebody's own", `"event":"weather.rain.began",` + action, ""},
		{"a slip in an event", `"event":"modle.before_call",` + action, `event: no known event is covered by "modle.before_call"; did you mean "model.before_call"?`},
		{"in another spelling", `"event":"pipeline.stream_chunks",` + action, `did you mean "pipeline.stream_chunk"?`},
		{"in an event of the host's", `"event":"shop.item.slod",` + action, `did you mean "shop.item.sold"?`},
		{"in one of several", `"event":["*","tool.befor_call"],` + action, `event[1]: no known event is covered by "tool.befor_call"; did you mean "tool.before_call"?`},
		{"in a pattern", `"event":"charcter.*",` + action, `did you mean "character.*"?`},
		{"in a pattern with a star in front", `"event":"*.chnaged",` + action, `did you mean "*.changed"?`},
		{"a name where names are fixed", `"event":"character.danced",` + action, `"character.danced"; only the host can raise one`},
		{"in a condition", `"event":"*","conditions":{"any":[{"event_type":"repli.*"}]},` + action,
			`conditions.any[0].event_type: no known event is covered by "repli.*"; did you mean "reply.*"?`},
		{"a member of the hook", `"event":"*","enabeld":false,` + action, `enabeld: nothing reads "enabeld"; did you mean "enabled"?`},
		{"a member of somebody's own", `"event":"*","editor_color":"red",` + action, ""},
		{"a member of permissions", `"event":"*","permissions":{"chanels":"web"},` + action,
			`permissions.chanels: nothing reads "chanels"; did you mean "channels"?`},
		{"an allowed type", `"event":"*","permissions":{"actions":["message","mesage"]},` + action,
			`permissions.actions[1]: unknown action type "mesage"; did you mean "message"?`},
		{"channels that exclude each other", `"event":"*","permissions":{"channels":["a"],"deny_channels":["a","b"]},` + action,
			`permissions: every channel of channels is in deny_channels too: the hook never runs; remove one from deny_channels`},
		{"no action", `"event":"*"`, `actions: the hook has no action and does nothing; add one`},
		{"a parameter", `"event":"*","actions":[{"type":"prompt_inject","content":"c","priorty":5}]`,
			`actions[0].priorty: nothing reads "priorty"; did you mean "priority"?`},
		{"a parameter of the host's", `"event":"*","actions":[{"type":"toast","txet":"c"}]`, `did you mean "text"?`},
		{"a field", `"event":"*","actions":[{"type":"state_delta","field":"locaton","delta":"x"}]`,
			`actions[0].locaton: the state has no field "locaton"; did you mean "location"?`},
		{"a field that is not there", `"event":"*","actions":[{"type":"state_delta","payload":{"weapon":"axe","hunger":1}}]`,
			`actions[0].weapon: the state has no field "weapon"`},
		{"a field in a condition", `"event":"*","conditions":{"state.locaton.x":1},` + action, `did you mean "location"?`},
		{"what the host lacks", `"event":"*","actions":[{"type":"workflow","workflow":"w"}]`,
			`actions[0].type: the host has nothing for workflow: the action always fails`},
		{"a memory type", `"event":"*","actions":[{"type":"memory_write","content":"c","mem_type":"diray"},
			{"type":"memory_write","content":"c","mem_type":"diary"}]`,
			`actions[0].mem_type: "diray" is not long, short or a type of the host's`},
		{"limits that exclude each other", `"event":"*","conditions":{"trust_gte":80,"trust_lt":20,"energy_gte":1,"energy_lte":1},` + action,
			`conditions: trust cannot be at least 80 and at most 20: the conditions are never true`},
		{"not with or", `"event":"*","condition_logic":"or","conditions":{"trust_gte":80,"trust_lt":20},` + action, ""},
		{"a text for a turn that is over", `"event":"character.turn.after","actions":[{"type":"prompt_inject","content":"c"}]`,
			`actions[0].scope: the hook runs after the prompt of the turn is complete`},
		{"for the session", `"event":"reply.after_send","actions":[{"type":"prompt_inject","content":"c","scope":"session"}]`, ""},
		{"a text when the model is asked", `"event":"model.before_call","actions":[{"type":"prompt_inject","content":"c"}]`,
			`actions[0].scope: the hook runs after the prompt of the turn is complete`},
		{"a line in a complete prompt", `"event":"pipeline.after_prompt_render","actions":[{"type":"rewrite","target":"line","text":"c"}]`,
			`actions[0].type: the hook runs after the prompt is complete: the rewrite of the line has no effect`},
		{"a veto in time", `"event":"model.before_call","actions":[{"type":"veto","reason":"c"}]`, ""},
		{"a veto of an answer", `"event":["model.after_call","tool.before_call"],"actions":[{"type":"veto","reason":"c"}]`,
			`actions[0].type: the hook runs after the model has answered`},
		{"a rewrite of an answer", `"event":"model.after_call","actions":[{"type":"rewrite","target":"reply","text":"c"}]`, ""},
		{"in time as well", `"event":["reply.after_send","prompt.before_render"],"actions":[{"type":"prompt_inject","content":"c"}]`, ""},
	} {
		list, read := hooks.Parse([]byte(`[{"id":"h","name":"n",` + tc.hook + `}]`))
		if _, problems := hooks.Compile(list, &table); len(read)+len(problems) > 0 {
			t.Errorf("%s: Compile reports %v %v", tc.reason, read, problems)
		}
		got := hooks.Vet(list, host)
		if tc.want == "" {
			if len(got) > 0 {
				t.Errorf("%s: %v", tc.reason, got)
			}
			continue
		}
		if len(got) != 1 || !strings.Contains(got[0].Path+": "+got[0].Text, tc.want) || got[0].ID != "h" || got[0].Severity != talewright.Warning {
			t.Errorf("%s:\n%v\nwant\n%s", tc.reason, got, tc.want)
		}
	}
}

// TestVetFindsUnknownActions: HK-16. Without a table of the host only the built-in actions are known.
// A cast has further prompts after the first answer.
func TestVetFindsUnknownActions(t *testing.T) {
	t.Parallel()
	vet := func(action act.Action, host hooks.Host) string {
		var out []string
		for _, p := range hooks.Vet([]hooks.Hook{{Name: "n", Event: hooks.On(act.AfterModelCall), Actions: []act.Action{action}}}, host) {
			out = append(out, p.Path+": "+p.Text)
		}
		return strings.Join(out, "\n")
	}
	notification := act.New("notification", member("target", tree.Text("admin")))
	const want = `hooks[0].actions[0].type: unknown action type "notification"; only a host that registers it can run it`
	if got := vet(notification, hooks.Host{}); got != want {
		t.Errorf("without a table: %q, want %q", got, want)
	}
	inject := act.New(act.PromptInject, member("content", tree.Text("c")))
	if got := vet(inject, hooks.Host{}); !strings.Contains(got, "no prompt contains it") {
		t.Errorf("one prompt: %q", got)
	}
	if got := vet(inject, hooks.Host{Cast: true}); got != "" {
		t.Errorf("a cast: %q", got)
	}
}

// TestSlipsInCompile: Compile suggests the likely word for an unknown one.
func TestSlipsInCompile(t *testing.T) {
	t.Parallel()
	for hook, want := range map[string]string{
		`"actions":[{"type":"mesage"}]`:                                                      `did you mean "message"?`,
		`"conditions":{"mod_is":"x"}`:                                                        `did you mean "mood_is"?`,
		`"conditions":{"affecton_gte":5}`:                                                    `did you mean "affection"?`,
		`"conditions":{"paylod.x":5}`:                                                        `did you mean "payload"?`,
		`"conditions":{"payload.x":{"exist":true}}`:                                          `did you mean "exists"?`,
		`"actions":[{"type":"relationship_delta","field":"jealosy","delta":1}]`:              `did you mean "jealousy"?`,
		`"conditions":{"` + strings.Repeat("x", 1000) + `":5}`:                               "…",
		`"conditions":{"time_range":["` + strings.Repeat("x", 1000) + `","1:00"]}`:           "…",
		`"conditions":{"energy_gte":"` + strings.Repeat("魔", 1000) + `"}`:                    "…",
		`"actions":[{"type":"state_delta","field":"mood","delta":{"x":[1,2,3]}}]`:            "not an object",
		`"actions":[{"type":"world_book_add","book_id":"b","content":"c","keywords":[0,1]}]`: "keywords[0] must be a text, not a number",
	} {
		list, _ := hooks.Parse([]byte(`[{"name":"n","event":"*",` + hook + `}]`))
		_, problems := hooks.Compile(list, new(act.Table))
		if len(problems) != 1 || !strings.Contains(problems[0].Text, want) {
			t.Errorf("%.80s: %v, want %s", hook, problems, want)
		}
		if len(problems) > 0 && len(problems[0].Text) > 400 {
			t.Errorf("%.80s: a message of %d bytes", hook, len(problems[0].Text))
		}
	}
}

// TestVetKnowsAllEvents: every constant of an event is a known name.
func TestVetKnowsAllEvents(t *testing.T) {
	t.Parallel()
	file, err := parser.ParseFile(token.NewFileSet(), "act/on_names.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || len(spec.Names) != 1 || !spec.Names[0].IsExported() || len(spec.Values) != 1 {
			return true
		}
		if literal, ok := spec.Values[0].(*ast.BasicLit); ok {
			name, _ := strconv.Unquote(literal.Value)
			found++
			hook := hooks.Hook{Name: "n", Event: hooks.On(name), Actions: []act.Action{act.New(act.Message)}}
			if got := hooks.Vet([]hooks.Hook{hook}, hooks.Host{}); len(got) > 0 {
				t.Errorf("%s: %v", name, got)
			}
		}
		return true
	})
	if found != 27 {
		t.Errorf("%d constants found", found)
	}
}

// TestTypeErrorsOfRecords: all members of records with the wrong type are reported in terms of
// JSON.
func TestTypeErrorsOfRecords(t *testing.T) {
	t.Parallel()
	for text, into := range map[string]any{
		`{"id":5,"type":[]}`:                              new(act.Event),
		`{"turn":{"count":"x","ran":[1]},"triggered":[]}`: new(hooks.State),
	} {
		err := json.Unmarshal([]byte(text), into)
		if err == nil || strings.Contains(err.Error(), "Go ") || strings.Contains(err.Error(), "plain") ||
			!strings.Contains(err.Error(), "must be") {
			t.Errorf("%s: %v", text, err)
		}
	}
	err := json.Unmarshal([]byte(`{"turn":{"count":"x","ran":["a",1]},"triggered":{"h":[{}]}}`), new(hooks.State))
	const want = "turn.count: must be a whole number in range, not a text\n" +
		"turn.ran[1]: must be a text, not the number 1\ntriggered.h[0]: must be a text, not an object"
	if err == nil || err.Error() != want {
		t.Errorf("got\n%v\nwant\n%s", err, want)
	}
}
