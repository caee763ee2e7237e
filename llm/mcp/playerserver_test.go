package mcp_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/llm/llmtest"
	"github.com/talewright/talewright/llm/mcp"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/worldbook"
)

// bridge returns a campaign with lore, a secret, and a character.
func bridge(t testing.TB, model llm.Model) mcp.PlayerServer {
	t.Helper()
	lore := func(uid, key, text string) worldbook.Entry {
		return worldbook.Entry{UID: uid, Comment: "About " + uid, Keys: []string{key}, Content: text, Probability: 100}
	}
	always := lore("always", "", "The sky is red.")
	always.Constant = true
	off := lore("off", "troll", "A draft.")
	off.Disable = true
	books := []worldbook.Attachment{{Book: worldbook.Book{Name: "land", Entries: []worldbook.Entry{
		lore("trolls", "troll", "@@activate_only_every 1\nTrolls fear {{user}}. {{setvar::x::1}}"), lore("bridge", "bridge", "A troll lives below."), always, off,
	}}}}
	game, problems := game.Compile(game.Content{Lore: game.Lore{Books: books}, Rules: game.Rules{Variables: []rules.Variable{
		{ID: "fear", Name: "Fear", Type: rules.TypeNumber, Default: tree.Int(3)},
		{ID: "secret", Name: "Secret", Type: rules.TypeNumber, Default: tree.Int(4711), Internal: true},
	}}})
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	engine, err := campaign.New(campaign.Config{Game: game, Store: &campaign.MemoryStore{}, Model: model})
	if err != nil {
		t.Fatal(err)
	}
	_, err = engine.Create(t.Context(), state.Setup{ID: "road", Goal: state.Goal{Text: "Cross the bridge."},
		Characters: []state.Character{{ID: "ann", Name: "Ann", HP: state.HP{Current: 10, Max: 10}}}})
	if err != nil {
		t.Fatal(err)
	}
	return mcp.PlayerServer{Engine: engine, Game: game, Campaign: "road", Books: books, Roll: func(sides int) int { return sides }}
}

// visit connects a client to a table.
func visit(t testing.TB, table mcp.PlayerServer) *sdk.ClientSession {
	t.Helper()
	server, err := table.Server()
	if err != nil {
		t.Fatal(err)
	}
	here, there := sdk.NewInMemoryTransports()
	session, err := server.Connect(context.Background(), there, nil)
	if err != nil {
		t.Fatal(err)
	}
	client, err := sdk.NewClient(&sdk.Implementation{Name: "agent"}, nil).Connect(t.Context(), here, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = client.Close()
		_ = session.Wait() // the error on the other side does not matter
	})
	return client
}

// ask calls a tool and returns its answer: JSON, or the text of an error.
func ask(t testing.TB, client *sdk.ClientSession, tool, arguments string) (answer string, failed bool) {
	t.Helper()
	got, err := client.CallTool(t.Context(), &sdk.CallToolParams{Name: tool, Arguments: json.RawMessage(arguments)})
	if err != nil {
		return err.Error(), true
	}
	if got.IsError || got.StructuredContent == nil {
		return got.Content[0].(*sdk.TextContent).Text, got.IsError
	}
	data, err := json.Marshal(got.StructuredContent)
	if err != nil {
		t.Fatal(err)
	}
	return string(data), false
}

// EX-06: a client reads a campaign: its state as a model sees it, its lore, dice, and the tools.
func TestTableLook(t *testing.T) {
	table := bridge(t, llmtest.NewScripted())
	client := visit(t, table)
	before, err := table.Engine.Campaign(t.Context(), "road")
	if err != nil {
		t.Fatal(err)
	}
	state, _ := ask(t, client, "state", `{}`)
	for _, want := range []string{"HP 10/10", "Cross the bridge.", "fear"} {
		if !strings.Contains(state, want) {
			t.Errorf("the state lacks %q: %s", want, state)
		}
	}
	if strings.Contains(state, "4711") || strings.Contains(state, "secret") {
		t.Errorf("the state tells what no model may see: %s", state)
	}
	for _, c := range []struct{ reason, tool, arguments, want string }{
		{"what a word leads to, and what that leads to", "search_lore", `{"query":"the old bridge"}`,
			`{"id":"land.trolls","text":"Trolls fear Ann. {{setvar::x::1}}","title":"About trolls","why":"key \"troll\" in recursion"},{"id":"land.bridge","text":"A troll lives below.","title":"About bridge","why":"key \"bridge\" in message 0"}]}`},
		{"names are filled in, other macros are left alone", "search_lore", `{"query":"a troll"}`,
			`{"entries":[{"id":"land.trolls","text":"Trolls fear Ann. {{setvar::x::1}}","title":"About trolls","why":"key \"troll\" in message 0"}]}`},
		{"a limit", "search_lore", `{"query":"bridge and troll","limit":1}`, `"more":1`},
		{"nothing", "search_lore", `{"query":"weather"}`, `{"entries":[]}`},
		{"dice", "roll", `{"dice":"2d6+3"}`, `{"rolls":[6,6],"total":15}`},
		{"one die", "roll", `{"dice":"d20"}`, `{"rolls":[20],"total":20}`},
		{"less", "roll", `{"dice":"1D4-5"}`, `{"rolls":[4],"total":-1}`},
		{"the tools", "tools", `{}`, `"name":"hp_delta"`},
	} {
		if got, failed := ask(t, client, c.tool, c.arguments); failed || !strings.Contains(got, c.want) {
			t.Errorf("%s: got %s, want %s", c.reason, got, c.want)
		}
	}
	after, err := table.Engine.Campaign(t.Context(), "road")
	if diff := cmp.Diff(before.Version, after.Version); diff != "" || err != nil {
		t.Errorf("looking has changed the campaign: %v %s", err, diff)
	}
}

// The state is told at any time: after the window of turns has grown beyond the turns in memory, while
// a call waits for people, and after the end of the story.
func TestTableLooksAtAnyTime(t *testing.T) {
	var replies []llmtest.Reply
	for range 40 {
		replies = append(replies, llmtest.Text("The wind howls."))
	}
	replies = append(replies, llmtest.Text("Ann bleeds.").AndCall("hp_delta", "target_character_id", "ann", "delta", -10, "cause", "a troll"))
	table := bridge(t, llmtest.NewScripted(replies...))
	client := visit(t, table)
	look := func(when, status string) {
		t.Helper()
		got, failed := ask(t, client, "state", `{}`)
		if failed || !strings.Contains(got, "Cross the bridge.") || !strings.Contains(got, status) {
			t.Errorf("%s: %s, want %s", when, got, status)
		}
		if got, failed := ask(t, client, "search_lore", `{"query":"bridge"}`); failed || !strings.Contains(got, "A troll lives below.") {
			t.Errorf("%s: %s", when, got)
		}
	}
	do := func(in turn.Input, want turn.OutcomeStatus) turn.Outcome {
		t.Helper()
		o, err := table.Engine.Do(t.Context(), "road", in)
		if err != nil || o.Status != want {
			t.Fatalf("%T: %+v, %v", in, o, err)
		}
		return o
	}
	do(turn.PatchSettings{Patch: setting.Snapshot{"context.full_context_enabled": tree.Bool(false), "context.recent_turns": tree.Int(2)}}, turn.Completed)
	for range 40 {
		do(turn.Submit{Text: "I wait."}, turn.Completed)
	}
	do(turn.PatchSettings{Patch: setting.Snapshot{"context.recent_turns": tree.Int(40), "tools.approval": tree.Text("all")}}, turn.Completed)
	look("after the window has grown", "HP 10/10")
	asked := do(turn.Submit{Text: "I fight."}, turn.Waiting)
	look("while people are asked", "HP 10/10")
	do(turn.Approve{Question: asked.Approval.ID, Decisions: asked.Approval.All(state.Approve, "")}, turn.Completed)
	look("after the end", "HP 0/10")
}

// The requests of clients are limited.
func TestTableRefuses(t *testing.T) {
	client := visit(t, bridge(t, llmtest.NewScripted()))
	long := strings.Repeat("x", 17<<10)
	for _, c := range []struct{ tool, arguments, want string }{
		{"roll", `{"dice":"101d6"}`, "1 to 100 dice"},
		{"roll", `{"dice":"0d6"}`, "1 to 100 dice"},
		{"roll", `{"dice":"1d0"}`, "1 to 1000 sides"},
		{"roll", `{"dice":"1d1001"}`, "1 to 1000 sides"},
		{"roll", `{"dice":"1d6+1d6"}`, "is not like 2d6+3"},
		{"roll", `{"dice":"` + long + `"}`, "is not like 2d6+3"},
		{"roll", `{}`, "dice"},
		{"search_lore", `{"query":"` + long + `"}`, "at most 16384 bytes"},
		{"search_lore", `{"query":" "}`, "at most 16384 bytes"},
		{"search_lore", `{"query":"x","limit":21}`, "0 to 20"},
		{"turn", `{"line":"x","narration":"y"}`, "turn"}, // without Play there is no such tool
	} {
		if got, failed := ask(t, client, c.tool, c.arguments); !failed || !strings.Contains(got, c.want) {
			t.Errorf("%s %.40s: got %.200s, want %q", c.tool, c.arguments, got, c.want)
		}
	}
	if _, err := (mcp.PlayerServer{}).Server(); err == nil || strings.Count(err.Error(), "missing") != 3 {
		t.Errorf("an empty table: %v", err)
	}
	lost := bridge(t, llmtest.NewScripted())
	lost.Campaign = "nowhere"
	if got, failed := ask(t, visit(t, lost), "state", `{}`); !failed || !strings.Contains(got, "not found") {
		t.Errorf("a campaign that is not there: %s", got)
	}
}

// EX-06: a client plays as the game master: its narration is checked, and a rebuild gives the same
// campaign.
func TestTablePlay(t *testing.T) {
	table := bridge(t, mcp.ClientModel(llmtest.NewScripted(llmtest.Text("The wind howls."))))
	table.Play = true
	client := visit(t, table)
	for _, c := range []struct{ reason, arguments, want, lacks string }{
		{"a blow that nothing settles is refused, with what to change", `{"line":"I wait.","narration":"A troll strikes Ann: she loses 3 hit points."}`, `"played":false`, `"turn"`},
		{"a call that does not fit is refused", `{"line":"I wait.","narration":"A troll strikes.","calls":[{"tool":"hp_delta","args":{"delta":"many"}}]}`, "invalid_args", `"turn"`},
		{"a tool that is not allowed", `{"line":"I wait.","narration":"You listen.","calls":[{"tool":"check"}]}`, "tool_not_allowed", `"turn"`},
		{"the blow with its call", `{"line":"I wait.","narration":"A troll strikes Ann: she loses 3 hit points.","calls":[{"tool":"hp_delta","args":{"target_character_id":"ann","delta":-3,"cause":"a troll"}}],"id":"a"}`, `"turn":"turn_0001"`, "change"},
		{"once more under the same name", `{"line":"I wait.","narration":"Something else.","id":"a"}`, "A troll strikes Ann", "Something else"},
	} {
		got, failed := ask(t, client, "turn", c.arguments)
		if failed || !strings.Contains(got, c.want) || strings.Contains(got, c.lacks) {
			t.Errorf("%s: got %s, want %s and not %s", c.reason, got, c.want, c.lacks)
		}
	}
	if state, _ := ask(t, client, "state", `{}`); !strings.Contains(state, "HP 7/10") {
		t.Errorf("the state after the blow: %s", state)
	}
	// The player also plays directly, with the client model.
	outcome, err := table.Engine.Turn(t.Context(), "road", turn.Submit{Text: "I go on."})
	if err != nil || outcome.Turn == nil || outcome.Turn.Text != "The wind howls." {
		t.Errorf("%v, %v", outcome, err)
	}
	played, err := table.Engine.Campaign(t.Context(), "road")
	if err != nil {
		t.Fatal(err)
	}
	rebuilt, err := table.Engine.Rebuild(t.Context(), "road")
	if err != nil {
		t.Fatal(err)
	}
	a, _ := json.Marshal(played)
	b, _ := json.Marshal(rebuilt)
	if diff := cmp.Diff(string(a), string(b)); diff != "" {
		t.Error(diff)
	}
}

// A client model without a client reports that no client plays.
func TestEmptySeat(t *testing.T) {
	_, err := llm.Collect(mcp.ClientModel(nil).Generate(t.Context(), llm.Request{}))
	if err == nil || !strings.Contains(err.Error(), "the seat of the game master is empty") {
		t.Errorf("got %v", err)
	}
}
