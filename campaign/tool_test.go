package campaign_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/tool"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/memvars/tree"
)

// judged plays one output without a retry and returns the results of its calls: "tool result" for
// an applied call, "tool status reason extras" for a failed one.
func judged(t testing.TB, m *turn.Machine, output string) []string {
	t.Helper()
	o := say(t, m, "I try.", output)
	var out []string
	if o.Turn != nil {
		for _, a := range o.Turn.Applied {
			out = append(out, a.Tool+" "+a.Result.String())
		}
	}
	for _, f := range o.Attempts[len(o.Attempts)-1].FailedCalls {
		text := fmt.Sprint(f.Tool, " ", f.Status, " ", f.Reason)
		for _, extra := range []string{strings.Join(f.Violations, ","), f.DisabledUntil, string(f.OriginalReason)} {
			if extra != "" {
				text += " " + extra
			}
		}
		for _, extra := range []tree.Value{f.Expected, f.Hint} {
			if extra.Exists() {
				text += " " + extra.String()
			}
		}
		out = append(out, text)
	}
	return out
}

// TestTools: every reason of the built-in tools, in order, with its details (CA-14, CA-16, CA-17,
// CA-38).
func TestTools(t *testing.T) {
	t.Parallel()
	const noRetry = `{"settings": {"retry.max_retries": 0, "rules.max_hp_delta": 5,
		"turn.max_tool_calls": 2}, "allowlist": ["move", "hp_delta", "check"]}`
	const lockedDown = `{"movement_lock": {"locked": true, "disabled_until": "dawn"}}`
	const deadMei = `{"characters": [
		{"character_id": "ren", "name": "Ren", "hp": {"current": 4, "max": 10}, "area_id": "gate",
			"attributes": {"strength": 14, "luck": 7}},
		{"character_id": "mei", "name": "Mei", "hp": {"current": 0, "max": 8}, "area_id": "gate",
			"status": {"alive_state": "dead"}}]}`
	for _, c := range []struct {
		name, setup string
		call        string // the one tool that the name begins with
		want        string
	}{
		{"move unknown_area first", lockedDown, `{"to_area_id": "moon", "from_area_id": "hall"}`,
			`rejected unknown_area`},
		{"move from_area_mismatch", lockedDown, `{"to_area_id": "gate", "from_area_id": "hall"}`,
			`rejected from_area_mismatch {"from_area_id":"gate"}`},
		{"move already_there before the lock", lockedDown, `{"to_area_id": "gate"}`, `rejected already_there`},
		{"move movement_locked before the area", lockedDown, `{"to_area_id": "vault"}`,
			`rejected movement_locked dawn`},
		{"move area_locked before the path", ``, `{"to_area_id": "vault", "path_id": "p9"}`,
			`rejected area_locked midnight`},
		{"move unknown_path", ``, `{"to_area_id": "hall", "path_id": "p9"}`, `rejected unknown_path`},
		{"move path_mismatch", ``, `{"to_area_id": "hall", "path_id": "p4"}`, `rejected path_mismatch`},
		{"move path_locked by name", `{"map": {"areas": [{"id": "gate", "name": "Gate"}, {"id": "tower", "name": "Tower"}], "paths": [
			{"id": "p4", "from": "gate", "to": "tower", "locked": true, "disabled_until": "dawn", "lock_reason": "rubble"}]}}`,
			`{"to_area_id": "tower", "path_id": "p4"}`, `rejected path_locked dawn {"lock_reason":"rubble"}`},
		{"move path_locked", ``, `{"to_area_id": "tower"}`, `rejected path_locked dawn`},
		{"move not_connected names what is", `{"map": {"areas": [{"id": "gate", "name": "Gate"},
			{"id": "z", "name": "Z"}, {"id": "a", "name": "A"}, {"id": "far", "name": "Far"},
			{"id": "shut", "name": "Shut", "locked": true}], "paths": [
			{"id": "1", "from": "gate", "to": "z"}, {"id": "2", "from": "gate", "to": "a"},
			{"id": "3", "from": "far", "to": "gate", "bidirectional": false},
			{"id": "4", "from": "gate", "to": "shut"}]}}`, `{"to_area_id": "far"}`,
			`rejected not_connected {"reachable_area_ids":["a","z"]}`},
		{"move accepted", ``, `{"to_area_id": "hall", "from_area_id": null, "path_id": "p1"}`,
			`{"actor_id":"ren","from_area_id":"gate","to_area_id":"hall","path_id":"p1"}`},
		{"move takes the first open path", `{"map": {"areas": [{"id": "gate", "name": "Gate"},
			{"id": "hall", "name": "Hall"}], "paths": [
			{"id": "1", "from": "gate", "to": "hall", "locked": true},
			{"id": "2", "from": "hall", "to": "gate"}, {"id": "3", "from": "gate", "to": "hall"}]}}`,
			`{"to_area_id": "hall"}`,
			`{"actor_id":"ren","from_area_id":"gate","to_area_id":"hall","path_id":"2"}`},

		{"hp_delta unknown_target first", ``, `{"target_character_id": "kai", "delta": 0, "cause": ""}`,
			`rejected unknown_target`},
		{"hp_delta zero_delta", ``, `{"target_character_id": "ren", "delta": 0, "cause": ""}`,
			`rejected zero_delta`},
		{"hp_delta delta_out_of_range", ``, `{"target_character_id": "ren", "delta": -6, "cause": ""}`,
			`rejected delta_out_of_range {"max_abs_delta":5}`},
		{"hp_delta cause_required", deadMei, `{"target_character_id": "mei", "delta": -5, "cause": " \t"}`,
			`rejected cause_required`},
		{"hp_delta target_dead", deadMei, `{"target_character_id": "mei", "delta": 5, "cause": "prayer"}`,
			`rejected target_dead`},
		{"hp_delta integral float", deadMei, `{"target_character_id": "ren", "delta": -3.0, "cause": "bat"}`,
			`{"target_character_id":"ren","hp_before":4,"hp_after":1,"applied_delta":-3,` +
				`"alive_before":"alive","alive_after":"alive"}`},
		{"hp_delta stops at 0 and downs", deadMei, `{"target_character_id": "ren", "delta": -5, "cause": "bat"}`,
			`{"target_character_id":"ren","hp_before":4,"hp_after":0,"applied_delta":-4,` +
				`"alive_before":"alive","alive_after":"downed"}`},
		{"hp_delta at full health", ``, `{"target_character_id": "ren", "delta": 5, "cause": "rest"}`,
			`{"target_character_id":"ren","hp_before":10,"hp_after":10,"applied_delta":0,` +
				`"alive_before":"alive","alive_after":"alive"}`},

		{"check dc_or_p_required: neither", ``, `{"dc": null}`, `rejected dc_or_p_required`},
		{"check dc_or_p_required: both", ``, `{"dc": 10, "p_success": 0.5}`, `rejected dc_or_p_required`},
		{"check unknown_attribute", ``, `{"dc": 10, "attribute": "charm"}`, `rejected unknown_attribute`},
		{"check p_out_of_range", ``, `{"p_success": 1.5}`, `rejected p_out_of_range`},
		{"check with a modifier", ``, `{"dc": 12, "attribute": "strength"}`,
			`{"actor_id":"ren","roll":10,"modifier":2,"total":12,"dc":12,"grade":"success"}`},
		{"check with a negative modifier", deadMei, `{"dc": 10, "attribute": "luck"}`,
			`{"actor_id":"ren","roll":10,"modifier":-2,"total":8,"dc":10,"grade":"partial"}`},
		{"check fails", ``, `{"dc": 13}`,
			`{"actor_id":"ren","roll":10,"modifier":0,"total":10,"dc":13,"grade":"fail"}`},
		{"check by a chance", ``, `{"p_success": 0.5}`,
			`{"actor_id":"ren","roll":10,"modifier":0,"total":10,"dc":11,"grade":"partial"}`},
		{"check by certainty", ``, `{"p_success": 1}`,
			`{"actor_id":"ren","roll":10,"modifier":0,"total":10,"dc":1,"grade":"success"}`},
		{"check by no chance", ``, `{"p_success": 0}`,
			`{"actor_id":"ren","roll":10,"modifier":0,"total":10,"dc":21,"grade":"fail"}`},

		// The schema: no value is converted.
		{"move schema", ``, `{"from_area_id": 5, "why": "so"}`,
			`error invalid_args from_area_id:type,to_area_id:required,why:unexpected`},
		{"hp_delta schema of a bool", ``, `{"target_character_id": "ren", "delta": true, "cause": "bat"}`,
			`error invalid_args delta:type`},
		{"hp_delta schema of a text", ``, `{"target_character_id": "ren", "delta": "5", "cause": null}`,
			`error invalid_args cause:required,delta:type`},
		{"hp_delta schema of a fraction", ``, `{"target_character_id": "ren", "delta": 1.5, "cause": "bat"}`,
			`error invalid_args delta:type`},
		{"hp_delta schema of a giant", ``,
			`{"target_character_id": "ren", "delta": 99999999999999999999, "cause": "bat"}`,
			`error invalid_args delta:type`},
		{"move for another", ``, `{"actor_id": "mei", "to_area_id": "moon"}`,
			`rejected actor_context_mismatch {"actor_id":"ren"}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			tool, _, _ := strings.Cut(c.name, " ")
			args := c.call
			if tool != "hp_delta" && !strings.Contains(args, "actor_id") {
				args = `{"actor_id": "ren", ` + args[1:]
			}
			m := begin(t, game.Content{Extensions: game.Extensions{Random: func(_, _ uint64) float64 { return 0.475 }}},
				noRetry, c.setup)
			got := judged(t, m, output("Well.", `{"tool": "`+tool+`", "args": `+args+`}`))
			if diff := cmp.Diff([]string{tool + " " + c.want}, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// TestAdjudicationOrder: each call violates the named rule and every later one (CA-13, CA-14).
func TestAdjudicationOrder(t *testing.T) {
	t.Parallel()
	const base = `{"settings": {"retry.max_retries": 0, "turn.max_tool_calls": 3}}`
	const noTools = `{"settings": {"retry.max_retries": 0, "turn.max_tool_calls": 3, "dialog.tool_types": []}}`
	const downed = `{"characters": [{"character_id": "ren", "name": "Ren", "area_id": "gate",
		"hp": {"current": 0, "max": 10}, "status": {"alive_state": "downed"}},
		{"character_id": "mei", "name": "Mei", "hp": {"current": 5, "max": 5}}]}`
	for _, c := range []struct {
		name, setup, calls string
		want               []string
	}{
		{"form", noTools, `5, {"args": {}}, {"tool": "move", "args": []}, {"tool": "move", "id": 7}`,
			[]string{" error invalid_call", " error invalid_call", "move error invalid_call",
				"move error invalid_call"}},
		{"number of calls", noTools, `{"id": "a", "tool": "fly"}, {"id": "b", "tool": "fly"},
			{"id": "c", "tool": "fly"}, {"id": "a", "tool": "fly"}`,
			[]string{"fly rejected dialog_type_forbids_tools", "fly rejected dialog_type_forbids_tools",
				"fly rejected dialog_type_forbids_tools", "fly rejected too_many_calls"}},
		{"ids", noTools, `{"id": "a", "tool": "fly"}, {"id": "a", "tool": "fly"}`,
			[]string{"fly rejected dialog_type_forbids_tools", "fly error duplicate_call_id"}},
		{"unknown, not allowed, switched off",
			`{"disabled_tools": {"move": {"disabled_until": "dawn"}}}`,
			`{"tool": "fly"}, {"tool": "check"}, {"tool": "move"}`,
			[]string{"fly rejected tool_unknown", "check rejected tool_not_allowed",
				"move rejected tool_disabled dawn"}},
		{"known to campaigns, not allowed and not registered", base,
			`{"tool": "map_generate"}, {"tool": "character_generate"}`,
			[]string{"map_generate rejected tool_not_allowed",
				"character_generate rejected tool_not_allowed"}},
		{"allowed, but no host has built it", `{"allowlist": ["map_generate"]}`,
			`{"tool": "map_generate"}`, []string{"map_generate rejected tool_unknown"}},
		{"an empty actor is given and is not the turn's", base,
			`{"tool": "move", "args": {"actor_id": "", "to_area_id": "moon"}}`,
			[]string{`move rejected actor_context_mismatch {"actor_id":"ren"}`}},
		{"schema before the actor", base, `{"tool": "move", "args": {"actor_id": "mei"}}`,
			[]string{"move error invalid_args to_area_id:required"}},
		{"the actor before its state", downed,
			`{"tool": "move", "args": {"actor_id": "mei", "to_area_id": "moon"}}`,
			[]string{`move rejected actor_context_mismatch {"actor_id":"ren"}`}},
		{"its state before the precondition", downed,
			`{"tool": "move", "args": {"actor_id": "ren", "to_area_id": "moon"}}`,
			[]string{"move rejected actor_state_restricted"}},
		{"the downed heal only themselves", downed,
			hurt("mei", "1") + "," + hurt("ren", "-1") + "," + hurt("ren", "2"),
			[]string{"hp_delta rejected actor_state_restricted", "hp_delta rejected actor_state_restricted"}},
		{"each on the state that the one before left", base, moveHall + "," + moveHall,
			[]string{"move rejected already_there"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			m := begin(t, game.Content{}, base, c.setup, `{"settings": {"retry.on_rejection":
				"commit_partial", "turn.max_tool_calls": 3, "dialog.tool_types": `+
				map[bool]string{true: `[]`, false: `["scene"]`}[c.setup == noTools]+`}}`)
			var failed []string
			for _, line := range judged(t, m, `{"text": "Well.", "tool_calls": [`+c.calls+`]}`) {
				if strings.Contains(line, " rejected ") || strings.Contains(line, " error ") {
					failed = append(failed, line)
				}
			}
			if diff := cmp.Diff(c.want, failed); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// TestRepeatedCalls: the same refused call is reported as a repetition, however its arguments are
// written. A call that has become legal is not.
func TestRepeatedCalls(t *testing.T) {
	t.Parallel()
	m := begin(t, game.Content{}, `{"settings": {"retry.max_retries": 3}}`)
	other := `{"tool": "move", "args": {"to_area_id": "vault", "actor_id": "ren"}}`
	o := say(t, m, "In!", output("No.", moveLock, moveLock), output("No.", other),
		output("No.", `{"tool": "move", "args": {"actor_id": "ren", "to_area_id": "moon"}}`), "You wait.")
	var got []string
	for _, a := range o.Attempts {
		for _, f := range a.FailedCalls {
			got = append(got, string(f.Reason+" "+f.OriginalReason))
		}
	}
	want := []string{"area_locked ", "repeat_illegal_request area_locked",
		"repeat_illegal_request area_locked", "unknown_area "}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	// The next turn judges it again from the start.
	o = say(t, m, "In!", output("No.", moveLock), "You wait.")
	if r := o.Attempts[0].FailedCalls[0].Reason; r != "area_locked" {
		t.Errorf("in the next turn: %s", r)
	}
	m = begin(t, game.Content{}, `{"settings": {"retry.max_retries": 0, "retry.on_rejection": "commit_partial"}}`)
	back := `{"tool": "move", "args": {"actor_id": "ren", "to_area_id": "tower"}}`
	lines := judged(t, m, output("You climb.", back, moveHall, back)) // locked from the gate, open from the hall
	if len(lines) != 3 || !strings.HasPrefix(lines[1], `move {"actor_id":"ren","from_area_id":"hall"`) {
		t.Errorf("got %q", lines)
	}
}

// TestRollsStay: a re-generation gets the roll of the same check again, and the n-th of several
// equal checks gets the n-th roll (CA-38).
func TestRollsStay(t *testing.T) {
	t.Parallel()
	draws := 0
	content := game.Content{Extensions: game.Extensions{Random: func(_, n uint64) float64 {
		draws = max(draws, int(n)+1)
		return float64(n%20) / 20
	}}}
	m := begin(t, content, `{"allowlist": ["check"]}`)
	check := `{"tool": "check", "args": {"actor_id": "ren", "dc": 10}}`
	other := `{"tool": "check", "args": {"actor_id": "ren", "dc": 11}}`
	o := say(t, m, "I try.", output("You enter the Vault.", check, check),
		output("Well.", check, other, check))
	var rolls []string
	for _, a := range o.Turn.Applied {
		rolls = append(rolls, a.Result.Get("roll").String())
	}
	if diff := cmp.Diff([]string{"1", "3", "2"}, rolls); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if draws != 3 || m.Campaign().State.Random != 3 {
		t.Errorf("%d draws, cursor %d, want 3", draws, m.Campaign().State.Random)
	}
}

// TestIncompleteTool: registration names everything that is missing (CA-33).
func TestIncompleteTool(t *testing.T) {
	t.Parallel()
	complete := ringTool()
	bad := complete
	bad.Params = map[string]tool.Param{"a": {Type: "integr"}, "b": {}}
	for _, c := range []struct {
		name string
		tool tool.Tool
		want []string
	}{
		{"nothing", tool.Tool{}, []string{"a name", "a description for the model",
			"a manual for people", "its parameters", "its reject reasons", "the state fields",
			"a Judge function"}},
		{"parameter types", bad, []string{`parameter "a" has the unknown type "integr"`,
			`parameter "b" has the unknown type ""`}},
		{"a taken name", func() tool.Tool { c := complete; c.Name = "move"; return c }(),
			[]string{`"move" is registered already; choose a different name`}},
	} {
		_, err := tool.Builtin().With(c.tool)
		if err == nil {
			t.Errorf("%s: registered", c.name)
			continue
		}
		for _, want := range c.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: the error does not name %s: %v", c.name, want, err)
			}
		}
		if _, problems := game.Compile(game.Content{Extensions: game.Extensions{Tools: []tool.Tool{c.tool}}}); problems.Err() == nil {
			t.Errorf("%s: compiled", c.name)
		}
	}
	tools, err := tool.Builtin().With(complete)
	if err != nil {
		t.Fatal(err)
	}
	if tool, ok := tools.Get("ring"); !ok || tool.Manual == "" {
		t.Error("the complete tool is not there")
	}
	if _, ok := tool.Builtin().Get("ring"); ok {
		t.Error("the set that it was made from has changed")
	}
}

// TestToolFailures: a tool that panics or fails is an error of the call, not of the turn. A tool
// cannot change the state that it receives.
func TestToolFailures(t *testing.T) {
	t.Parallel()
	named := func(name string, judge func(tool.Call, tool.View) tool.Judgement) tool.Tool {
		return tool.Tool{Name: name, Description: "d", Manual: "m",
			Params: map[string]tool.Param{}, Reasons: map[state.CallCode]string{},
			Affects: []string{tool.AffectsNothing}, Judge: judge}
	}
	content := game.Content{Extensions: game.Extensions{Tools: []tool.Tool{
		named("boom", func(tool.Call, tool.View) tool.Judgement { panic("boom") }),
		named("fails", func(tool.Call, tool.View) tool.Judgement {
			return tool.Failed(errors.New("no wind"))
		}),
		named("grabs", func(_ tool.Call, v tool.View) tool.Judgement {
			v.State.Characters[0].HP.Current = 0
			v.State.Map.Areas[0].Locked = true
			v.State.Selected.Party[0] = "nobody"
			return tool.Judgement{Result: tree.Object()}
		}),
	}}}
	m := begin(t, content, `{"allowlist": ["boom", "fails", "grabs"],
		"settings": {"retry.on_rejection": "commit_partial"}}`)
	before := jsonOf(t, m.Campaign().State.Characters)
	got := judged(t, m, output("Well.", `{"tool": "boom"}`, `{"tool": "fails"}`, `{"tool": "grabs"}`))
	want := []string{"grabs {}", "boom error internal_error", `fails error internal_error "no wind"`}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	s := m.Campaign().State
	if jsonOf(t, s.Characters) != before || s.Map.Areas[0].Locked || s.Selected.Party[0] != "ren" {
		t.Error("a tool changed the state that it was shown")
	}
}

// TestSchema checks the schema for providers with native calls.
func TestSchema(t *testing.T) {
	t.Parallel()
	want := `{"additionalProperties":false,"properties":{"times":{"description":"","type":"integer"}},` +
		`"required":["times"],"type":"object"}`
	if got := string(ringTool().Schema()); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	for _, name := range []string{"check", "hp_delta", "move"} {
		tool, ok := tool.Builtin().Get(name)
		if !ok || value(t, string(tool.Schema())).Get("type").String() != `"object"` {
			t.Errorf("%s has no schema", name)
		}
	}
}
