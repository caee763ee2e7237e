package mcp_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/tool"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/llm/llmtest"
	"github.com/talewright/talewright/llm/mcp"
)

// travel plays a turn of a campaign with tools of a server, and rebuilds the campaign.
func travel(t *testing.T, tools []tool.Tool, allowed []string, replies ...llmtest.Reply) (turn.Outcome, *llmtest.Scripted) {
	t.Helper()
	game, problems := game.Compile(game.Content{Extensions: game.Extensions{Tools: tools}})
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	model := llmtest.NewScripted(replies...)
	store := &campaign.MemoryStore{}
	engine, err := campaign.New(campaign.Config{Game: game, Store: store, Model: model})
	if err != nil {
		t.Fatal(err)
	}
	setup := state.Setup{ID: "road", Allowlist: allowed, Characters: []state.Character{{ID: "ann", Name: "Ann", HP: state.HP{Current: 10, Max: 10}}}}
	if _, err := engine.Create(t.Context(), setup); err != nil {
		t.Fatal(err)
	}
	outcome, err := engine.Turn(t.Context(), "road", turn.Submit{Text: "I ask the library."})
	if err != nil {
		t.Fatal(err)
	}
	played, err := engine.Campaign(t.Context(), "road")
	if err != nil {
		t.Fatal(err)
	}
	rebuilt, err := engine.Rebuild(t.Context(), "road")
	if err != nil {
		t.Fatal(err)
	}
	a, _ := json.Marshal(played)
	b, _ := json.Marshal(rebuilt)
	if diff := cmp.Diff(string(a), string(b)); diff != "" {
		t.Error(diff)
	}
	return outcome, model
}

// LL-20: a model calls a tool of a server within a turn, and receives its answer. The rebuild calls
// no server.
func TestCampaignTool(t *testing.T) {
	l := newLibrary(t)
	o := open("search")
	o.Prefix = "library_"
	outcome, model := travel(t, l.connect(t, o).Tools(), []string{"library_search"},
		llmtest.Call("library_search", "query", "bridge"), llmtest.Text("The books speak of trolls."))
	if err := outcome.Err(); err != nil || outcome.Turn.Text != "The books speak of trolls." {
		t.Fatalf("%v, %v", outcome, err)
	}
	if got := outcome.Turn.Applied[0].Result.String(); got != `"The bridge was built by trolls."` {
		t.Errorf("the result is %s", got)
	}
	requests := model.Requests()
	if tool := requests[0].Tools; len(tool) != 1 || tool[0].Name != "library_search" || !strings.Contains(string(tool[0].Parameters), `"maximum":5`) {
		t.Errorf("the model was told of %s", tool)
	}
	if last := requests[1].Messages[len(requests[1].Messages)-1].Text; !strings.Contains(last, "built by trolls") {
		t.Errorf("the model was told %q", last)
	}
	if calls := l.calls(); !slices.Equal(calls, []string{`search{"query":"bridge"}`}) {
		t.Errorf("the server was asked %q", calls)
	}
}

// Calls without a result: the model receives the reason and nothing happens. A call that is not
// allowed, valid or approved never reaches the server.
func TestCampaignToolRefused(t *testing.T) {
	no := func(context.Context, mcp.Call) error { return errors.New("not in this house") }
	for _, c := range []struct {
		reason  string
		options mcp.Options
		allowed []string
		call    llmtest.Reply
		want    state.CallCode
		told    string
		asked   int
	}{
		{"the campaign does not allow it", open("search"), []string{"move"}, llmtest.Call("search", "query", "x"), tool.CallToolNotAllowed, "", 0},
		{"the server's list does not allow it", open("fail"), []string{"move"}, llmtest.Call("search", "query", "x"), tool.CallToolUnknown, "", 0},
		{"the arguments do not fit", open("search"), []string{"search"}, llmtest.Call("search", "query", "x", "limit", 9), tool.CallInvalidArgs, "limit:range", 0},
		{"nobody approves", mcp.Options{Allow: []string{"search"}, Approve: no}, []string{"search"}, llmtest.Call("search", "query", "x"), "not_approved", "not in this house", 0},
		{"it never answers", open("hang"), []string{"hang"}, llmtest.Call("hang"), "timed_out", "no answer within 10s", 1},
		{"it says too much", open("long"), []string{"long"}, llmtest.Call("long"), "too_large", "ask for less", 1},
		{"it fails", open("fail"), []string{"fail"}, llmtest.Call("fail"), "tool_failed", "the shelf is empty", 1},
	} {
		t.Run(c.reason, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := newLibrary(t)
				outcome, model := travel(t, l.connect(t, c.options).Tools(), c.allowed, c.call, llmtest.Text("You find nothing."))
				if err := outcome.Err(); err != nil || outcome.Turn.Text != "You find nothing." || len(outcome.Turn.Applied) != 0 {
					t.Fatalf("%v, %v", outcome, err)
				}
				if failed := outcome.Attempts[0].FailedCalls; len(failed) != 1 || failed[0].Reason != c.want {
					t.Errorf("refused calls %+v, want %s", failed, c.want)
				}
				told := ""
				for _, m := range model.Requests()[1].Messages {
					told += m.Text
				}
				if !strings.Contains(told, c.told) || !strings.Contains(told, string(c.want)) {
					t.Errorf("the model is not told %q", c.told)
				}
				if calls := l.calls(); len(calls) != c.asked {
					t.Errorf("the server was asked %q", calls)
				}
			})
		})
	}
}

// A tool whose arguments a campaign cannot express is omitted, with a problem; outside campaigns it
// can be called.
func TestToolWithoutWords(t *testing.T) {
	l := newLibrary(t)
	l.add("empty", `{"type":"object","properties":{"a":{"type":"string","minLength":5,"maxLength":2}}}`, func(context.Context) *sdk.CallToolResult { return said("no") })
	if client := l.connect(t, open("empty")); len(client.Tools()) != 0 || len(client.Problems()) != 1 {
		t.Errorf("bounds that leave nothing: %v, %v", client.Problems(), client.Tools())
	}
	l = newLibrary(t)
	l.add("either", `{"type":"object","properties":{"a":{"type":["string","integer"]}}}`, func(context.Context) *sdk.CallToolResult { return said("yes") })
	client := l.connect(t, open("either"))
	if p := client.Problems(); len(client.Tools()) != 0 || len(client.Specs()) != 1 || len(p) != 1 || p[0].Path != "allow[0]" || p[0].Code != "unusable_tool" {
		t.Errorf("%v, %v", p, client.Tools())
	}
	if got, err := client.Call(t.Context(), "either", json.RawMessage(`{"a":1}`)); err != nil || got.Text != "yes" {
		t.Errorf("%v, %v", got, err)
	}
}
