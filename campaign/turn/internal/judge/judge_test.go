package judge

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/internal/answer"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/tool"
	"github.com/talewright/talewright/internal/wording"
	"github.com/talewright/talewright/memvars/tree"
)

// TestCallKey checks that two calls have the same key if they have the same tool and the same
// arguments, however these are written.
func TestCallKey(t *testing.T) {
	call := func(args string) tool.Call {
		var v tree.Value
		if err := json.Unmarshal([]byte(args), &v); err != nil {
			t.Fatal(err)
		}
		return tool.Call{Tool: "hp_delta", Args: v}
	}
	for _, tt := range []struct {
		name, a, b string
		same       bool
	}{
		{"order of members", `{"delta": -4, "target": "ann"}`, `{"target": "ann", "delta": -4}`, true},
		{"a null is absent", `{"delta": -4, "cause": null}`, `{"delta": -4}`, true},
		{"spelling of a whole number", `{"delta": 5.0}`, `{"delta": 5}`, true},
		{"exponent", `{"delta": 1e3}`, `{"delta": 1000}`, true},
		{"large number", `{"delta": 9007199254740993.0}`, `{"delta": 9007199254740993}`, true},
		{"different number", `{"delta": 5}`, `{"delta": 6}`, false},
		{"number and text", `{"delta": 5}`, `{"delta": "5"}`, false},
	} {
		if got := CallKey(call(tt.a)) == CallKey(call(tt.b)); got != tt.same {
			t.Errorf("%s: %t", tt.name, got)
		}
	}
}

// TestNamesInCalls checks that a call may name characters and areas instead of their IDs, if the name
// has one meaning.
func TestNamesInCalls(t *testing.T) {
	s := state.State{
		Characters: []state.Character{{ID: "bran", Name: "Bran Ironfoot", Aliases: []string{"the dwarf", "twin"}},
			{ID: "odo", Name: "bran", Aliases: []string{"Twin"}}},
		Map: state.Map{Areas: []state.MapArea{{ID: "fog"}, {ID: "yard", Name: "Courtyard", Aliases: []string{"the yard"}}}},
	}
	for given, want := range map[string]string{
		`{"actor_id":"Bran ironfoot","to_area_id":" The Yard "}`: `{"actor_id":"bran","to_area_id":"yard"}`,
		`{"target_character_id":"bran","from_area_id":"YARD"}`:   `{"target_character_id":"bran","from_area_id":"yard"}`, // an ID counts first
		`{"from_area_id":" ","to_area_id":"yard"}`:               `{"from_area_id":" ","to_area_id":"yard"}`,
		`{"target_character_id":"twin","to_area_id":"moon"}`:     `{"target_character_id":"twin","to_area_id":"moon"}`,
		`{"target":"the dwarf","actor_id":3}`:                    `{"target":"the dwarf","actor_id":3}`,
	} {
		args, err := tree.ParseValue([]byte(given))
		if err != nil {
			t.Fatal(err)
		}
		if got := withIDs(args, s).String(); got != want {
			t.Errorf("%s is %s, want %s", given, got, want)
		}
	}
}

// TestSameFaults checks that an attempt counts as repeated if calls and narration failed for the
// same reasons as before, in any order.
func TestSameFaults(t *testing.T) {
	call := state.FailedCall{Tool: "move", Reason: "unknown_area"}
	edited := state.FailedCall{Tool: "move", Reason: "edited", OriginalReason: "unknown_area"}
	blow := conflict.Conflict{Kind: "hp_change_unsettled", EntityID: "ann", Quote: "you lose 4"}
	again := conflict.Conflict{Kind: "hp_change_unsettled", EntityID: "ann", Quote: "4 hit points are gone"}
	bob := conflict.Conflict{Kind: "hp_change_unsettled", EntityID: "bob"}
	attempt := func(calls []state.FailedCall, conflicts ...conflict.Conflict) state.Attempt {
		return state.Attempt{FailedCalls: calls, Conflicts: conflicts}
	}
	calls := []state.FailedCall{call}
	for _, tt := range []struct {
		name     string
		attempts []state.Attempt
		want     bool
	}{
		{"one attempt", []state.Attempt{attempt(calls)}, false},
		{"the same", []state.Attempt{attempt(calls, blow), attempt(calls, again)}, true},
		{"the same for its first reason", []state.Attempt{attempt(calls), attempt([]state.FailedCall{edited})}, true},
		{"somebody else", []state.Attempt{attempt(nil, blow), attempt(nil, bob)}, false},
		{"one more", []state.Attempt{attempt(nil, blow), attempt(nil, blow, bob)}, false},
		{"order", []state.Attempt{attempt(nil, bob, blow), attempt(nil, blow, bob)}, true},
		{"nothing wrong", []state.Attempt{attempt(nil), attempt(nil)}, false},
		{"only the last two count", []state.Attempt{attempt(nil, bob), attempt(nil, blow), attempt(nil, again)}, true},
	} {
		if got := SameFaults(tt.attempts); got != tt.want {
			t.Errorf("%s: %t", tt.name, got)
		}
	}
}

// TestSplit checks that only conflicts of severity block stop an output.
func TestSplit(t *testing.T) {
	blocking, warnings := Split([]conflict.Conflict{{Kind: "a", Severity: conflict.Warn}, {Kind: "b", Severity: conflict.Block}, {Kind: "c"}})
	if len(blocking) != 1 || blocking[0].Kind != "b" || len(warnings) != 2 {
		t.Errorf("%v, %v", blocking, warnings)
	}
	if got := FaultClasses([]state.FailedCall{{}}, append(blocking, blocking...)); got != "refused_calls,b" {
		t.Errorf("%q", got)
	}
}

// TestManyViolations: of many wrong arguments the first are listed, and the others are counted.
func TestManyViolations(t *testing.T) {
	for n, want := range map[int]string{maxViolations: "", maxViolations + 4: "+4"} {
		ring := tool.Tool{Params: map[string]tool.Param{}}
		for i := range n {
			ring.Params[fmt.Sprintf("bell%02d", i)] = tool.Param{Type: tool.StringParam, Required: true}
		}
		e := examination{Tool: ring}
		c := Adjudicator{ReasonText: func(tool.Tool, state.CallCode) string { return "wrong" }}
		c.examineArgs(&e, state.State{})
		got := e.Failed.Violations
		if len(got) != min(n, maxViolations+1) || want != "" && got[maxViolations] != want || e.Failed.Reason == "" {
			t.Errorf("%d: %q", n, got)
		}
	}
}

// TestCallsRefusedWithoutTheirTool: a call is refused for the first reason that applies, in this order.
func TestCallsRefusedWithoutTheirTool(t *testing.T) {
	t.Parallel()
	set, err := tool.Builtin().With()
	if err != nil {
		t.Fatal(err)
	}
	moving := answer.RawCall{ID: "1", Tool: "move"}
	for _, c := range []struct {
		name      string
		change    func(*Adjudicator)
		place     int
		raw       answer.RawCall
		duplicate bool
		want      string
	}{
		{"one ruling for many calls", nil, 2 + MaxCallsListed, answer.RawCall{ID: "1", Tool: "move", Form: answer.NoJSON}, true, "rejected too_many_calls"},
		{"a call without JSON", nil, 5, answer.RawCall{ID: "1", Tool: "move", Form: answer.NoJSON}, true, "error invalid_call invalid_call.json"},
		{"too many calls", nil, 2, moving, true, "rejected too_many_calls"},
		{"an ID twice", func(c *Adjudicator) { c.Narrating = true }, 0, moving, true, "error duplicate_call_id"},
		{"a call in the narration", func(c *Adjudicator) { c.Narrating, c.DialogOK = true, false }, 0, moving, false, "rejected tools_not_allowed_in_narration"},
		{"a dialog without tools", func(c *Adjudicator) { c.DialogOK = false }, 0, answer.RawCall{Tool: "fly"}, false, "rejected dialog_type_forbids_tools"},
		{"an unknown tool", nil, 0, answer.RawCall{Tool: "fly"}, false, "rejected tool_unknown"},
		{"a tool that is not allowed", func(c *Adjudicator) { c.Allowlist = nil }, 0, moving, false, "rejected tool_not_allowed"},
		{"a tool that is switched off", func(c *Adjudicator) {
			c.Disabled = map[string]state.DisabledTool{"move": {Reason: "the road is closed"}}
		}, 0, moving, false, "rejected tool_disabled the road is closed"},
	} {
		a := Adjudicator{Tools: set, MaxCalls: 2, DialogOK: true, Allowlist: []string{"move"},
			ReasonText: func(_ tool.Tool, code state.CallCode) string { return string(code) }}
		if c.change != nil {
			c.change(&a)
		}
		f := a.Examine(c.place, c.raw, c.duplicate, state.State{}).Failed
		if f == nil {
			t.Errorf("%s: not refused", c.name)
		} else if got := strings.TrimSuffix(fmt.Sprint(f.Status, " ", f.Reason, " ", f.Message), " "+string(f.Reason)); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// TestUnreadable: the instruction is in the language of the game, else in the language of the line.
func TestUnreadable(t *testing.T) {
	t.Parallel()
	zh := game.Chinese()
	for _, c := range []struct {
		texts   *game.Texts
		line    string
		chinese bool
	}{{nil, "I go.", false}, {nil, "我走向洞口。", true}, {&zh, "I go.", true}} {
		g, problems := game.Compile(game.Content{Extensions: game.Extensions{Texts: c.texts}})
		if err := problems.Err(); err != nil {
			t.Fatal(err)
		}
		if got := Unreadable(g, conflict.MalformedOutput, c.line); got.Instruction == "" || wording.IsChinese(got.Instruction) != c.chinese {
			t.Errorf("%s: %+v", c.line, got)
		}
	}
}
