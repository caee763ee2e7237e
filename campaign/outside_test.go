package campaign_test

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/tool"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/llm/llmtest"
	"github.com/talewright/talewright/memvars/tree"
)

// oracle is a tool that asks outside the game.
func oracle(asked *[]string, ask func() tool.Answer) tool.Tool {
	return tool.Tool{
		Name: "oracle", Description: "Asks the oracle.", Manual: "Asks the oracle.", Affects: []string{tool.AffectsNothing},
		Params:  map[string]tool.Param{"about": {Type: tool.StringParam, Required: true}},
		Reasons: map[state.CallCode]string{"silent": "it does not answer"},
		Outside: func(_ context.Context, c tool.Call) tool.Answer {
			*asked = append(*asked, c.Text("about"))
			return ask()
		},
		Judge: func(_ tool.Call, v tool.View) tool.Judgement {
			return tool.Judgement{Result: tree.Object(tree.Member{Key: "says", Value: v.Answer})}
		},
	}
}

// nested returns a list nested n levels deep.
func nested(levels int) tree.Value {
	v := tree.Array()
	for range levels {
		v = tree.Array(v)
	}
	return v
}

// TestToolAsksOutside: the outside question of a tool is asked once, only for calls that are
// judged. The answer is recorded: a rebuild asks nothing.
func TestToolAsksOutside(t *testing.T) {
	t.Parallel()
	says := func(v tree.Value) func() tool.Answer { return func() tool.Answer { return tool.Answer{Value: v} } }
	trolls := says(tree.Text("Beware of {{user}}."))
	call := func(about any) llmtest.Reply { return llmtest.Call("oracle", "about", about) }
	for _, c := range []struct {
		reason  string
		ask     func() tool.Answer
		allowed []string
		replies []llmtest.Reply
		asked   []string
		result  string
		refused []state.CallCode
	}{
		{"its answer is what Judge sees, and data", trolls, nil, []llmtest.Reply{call("trolls")},
			[]string{"trolls"}, `{"says":"Beware of {{user}}."}`, nil},
		{"nothing found", says(tree.Value{}), nil, []llmtest.Reply{call("trolls")}, []string{"trolls"}, `{}`, nil},
		{"not allowed: not asked", trolls, []string{"move"}, []llmtest.Reply{call("trolls")}, nil, "", []state.CallCode{tool.CallToolNotAllowed}},
		{"wrong arguments: not asked", trolls, nil, []llmtest.Reply{call(7)}, nil, "", []state.CallCode{tool.CallInvalidArgs}},
		{"two calls, one of them with an id that was used", trolls, nil, []llmtest.Reply{call("a").AndCall("oracle", "about", "b")},
			[]string{"a", "b"}, `{"says":"Beware of {{user}}."}`, nil},
		{"a refusal", func() tool.Answer { return tool.Answer{Reason: "silent", Hint: tree.Text("ask at night")} }, nil,
			[]llmtest.Reply{call("trolls")}, []string{"trolls"}, "", []state.CallCode{"silent"}},
		{"the same call once more is refused without asking", func() tool.Answer { return tool.Answer{Reason: "silent"} }, nil,
			[]llmtest.Reply{call("trolls"), call("trolls")}, []string{"trolls"}, "", []state.CallCode{"silent", tool.CallRepeated}},
		{"a panic", func() tool.Answer { panic("the oracle is gone") }, nil, []llmtest.Reply{call("trolls")}, []string{"trolls"}, "", []state.CallCode{tool.CallToolFailed}},
		{"nested deeper than can be kept", says(nested(65)), nil, []llmtest.Reply{call("trolls")}, []string{"trolls"}, "", []state.CallCode{tool.CallToolFailed}},
		{"nested as deep as can be kept", says(nested(63)), nil, []llmtest.Reply{call("trolls")}, []string{"trolls"}, `{"says":` + nested(63).String() + `}`, nil},
		{"more than can be kept", says(tree.Text(strings.Repeat("x", turn.MaxReplyBytes))), nil,
			[]llmtest.Reply{call("trolls")}, []string{"trolls"}, "", []state.CallCode{tool.CallToolFailed}},
	} {
		t.Run(c.reason, func(t *testing.T) {
			t.Parallel()
			var asked []string
			var log bytes.Buffer
			model := llmtest.NewScripted(append(c.replies, llmtest.Text("You wait."))...)
			e := newEngine(t, campaign.Config{Model: model, Logger: slog.New(slog.NewTextHandler(&log, nil)),
				Game: compile(t, game.Content{Extensions: game.Extensions{Tools: []tool.Tool{oracle(&asked, c.ask)}}})})
			if c.allowed == nil {
				c.allowed = []string{"oracle"}
			}
			if _, err := e.Do(t.Context(), "cave", turn.SetTools{Allowlist: c.allowed}); err != nil {
				t.Fatal(err)
			}
			o := turnOf(t, e, turn.Submit{Text: "I ask the oracle."})
			wantOutcome(t, o, "completed turn_0001")
			var result string
			for _, a := range o.Turn.Applied {
				result = a.Result.String()
			}
			var refused []state.CallCode
			for _, a := range o.Attempts {
				for _, f := range a.FailedCalls {
					refused = append(refused, f.Reason)
				}
			}
			if diff := cmp.Diff(c.asked, asked); diff != "" || result != c.result || cmp.Diff(c.refused, refused) != "" {
				t.Errorf("asked %q, result %s, refused %q", asked, result, refused)
			}
			if panicked := strings.Contains(log.String(), "the oracle is gone"); panicked != (c.reason == "a panic") {
				t.Errorf("the log: %s", &log)
			}
			played := campaignOf(t, e)
			asked = nil
			rebuilt, err := e.Rebuild(t.Context(), "cave")
			if err != nil || len(asked) > 0 {
				t.Fatalf("the rebuild: %v, asked %q", err, asked)
			}
			a, _ := json.Marshal(played)
			b, _ := json.Marshal(rebuilt)
			if diff := cmp.Diff(string(a), string(b)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestThinkingGoesBackWithResults: a provider that signs its thinking gets it back with the results of
// the calls that came after it, and not in the next turn.
func TestThinkingGoesBackWithResults(t *testing.T) {
	t.Parallel()
	var asked []string
	model := llmtest.NewScripted(llmtest.Reply{Chunks: llm.Chunks{
		llm.ReasoningDelta{Text: "The oracle knows."}, llm.Seal{Provider: "p", Signature: "s"},
		llm.CallDelta{ID: "1", Name: "oracle", Arguments: `{"about":"trolls"}`}, llm.Done{Reason: llm.FinishToolCalls}}},
		llmtest.Text("It warns you."), llmtest.Text("You go on."))
	e := newEngine(t, campaign.Config{Model: model, Game: compile(t, game.Content{Extensions: game.Extensions{
		Tools: []tool.Tool{oracle(&asked, func() tool.Answer { return tool.Answer{Value: tree.Text("Beware.")} })}}})})
	if _, err := e.Do(t.Context(), "cave", turn.SetTools{Allowlist: []string{"oracle"}}); err != nil {
		t.Fatal(err)
	}
	wantOutcome(t, turnOf(t, e, turn.Submit{Text: "I ask the oracle."}), "completed turn_0001")
	wantOutcome(t, turnOf(t, e, turn.Submit{Text: "I go on."}), "completed turn_0002")
	var sent [][]llm.Thought
	for _, r := range model.Requests() {
		var all []llm.Thought
		for _, m := range r.Messages {
			all = append(all, m.Thoughts...)
		}
		sent = append(sent, all)
	}
	want := [][]llm.Thought{nil, {{Provider: "p", Text: "The oracle knows.", Signature: "s"}}, nil}
	if diff := cmp.Diff(want, sent); diff != "" {
		t.Error(diff)
	}
}
