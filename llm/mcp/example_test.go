package mcp_test

import (
	"context"
	"encoding/json"
	"fmt"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/llm/mcp"
)

// A server in the same process. For other servers, use mcp.CommandTransport and
// mcp.StreamableClientTransport of the SDK.
func Example() {
	type question struct {
		Query string `json:"query"`
	}
	server := sdk.NewServer(&sdk.Implementation{Name: "library"}, nil)
	sdk.AddTool(server, &sdk.Tool{Name: "search", Description: "Searches the library."},
		func(_ context.Context, _ *sdk.CallToolRequest, q question) (*sdk.CallToolResult, any, error) {
			return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: "Nothing about " + q.Query + "."}}}, nil, nil
		})
	ctx := context.Background()
	here, there := sdk.NewInMemoryTransports()
	if _, err := server.Connect(ctx, there, nil); err != nil {
		fmt.Println(err)
		return
	}

	client, err := mcp.Connect(ctx, here, mcp.Options{
		Allow:  []string{"search"},
		Prefix: "library_",
		Approve: func(_ context.Context, c mcp.Call) error {
			fmt.Printf("approve %s %s\n", c.Tool, c.Arguments)
			return nil
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer client.Close()
	for _, p := range client.Problems() {
		fmt.Println(p)
	}
	for _, spec := range client.Specs() { // the tools that a model sees
		fmt.Println(spec.Name, "-", spec.Description)
	}
	result, err := client.Call(ctx, "library_search", json.RawMessage(`{"query":"trolls"}`)) // the call that the model wants
	fmt.Println(result.Text, err)
	_, err = client.Call(ctx, "library_search", json.RawMessage(`{"question":"trolls"}`))
	fmt.Println(err != nil)
	// Output:
	// library_search - Searches the library.
	// approve search {"query":"trolls"}
	// Nothing about trolls. <nil>
	// true
}

// An agent reads the state of a campaign and plays a turn as its game master.
func ExamplePlayerServer() {
	game, problems := game.Compile(game.Content{})
	if err := problems.Err(); err != nil {
		fmt.Println(err)
		return
	}
	engine, err := campaign.New(campaign.Config{Game: game, Store: &campaign.MemoryStore{}, Model: mcp.ClientModel(nil)})
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx := context.Background()
	ann := state.Character{ID: "ann", Name: "Ann", HP: state.HP{Current: 10, Max: 10}}
	if _, err := engine.Create(ctx, state.Setup{ID: "road", Characters: []state.Character{ann}}); err != nil {
		fmt.Println(err)
		return
	}
	server, err := mcp.PlayerServer{Engine: engine, Game: game, Campaign: "road", Play: true}.Server()
	if err != nil {
		fmt.Println(err)
		return
	}

	// The other side is usually an agent in a different process; here it is in the same one.
	here, there := sdk.NewInMemoryTransports()
	if _, err := server.Connect(ctx, there, nil); err != nil {
		fmt.Println(err)
		return
	}
	agent, err := sdk.NewClient(&sdk.Implementation{Name: "agent"}, nil).Connect(ctx, here, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer agent.Close()
	for _, arguments := range []string{
		`{"line": "I climb.", "narration": "You slip and lose 2 hit points."}`,
		`{"line": "I climb.", "narration": "You slip and lose 2 hit points.",
		  "calls": [{"tool": "hp_delta", "args": {"target_character_id": "ann", "delta": -2, "cause": "a fall"}}]}`,
	} {
		result, err := agent.CallTool(ctx, &sdk.CallToolParams{Name: "turn", Arguments: json.RawMessage(arguments)})
		if err != nil {
			fmt.Println(err)
			return
		}
		answer := result.StructuredContent.(map[string]any)
		fmt.Println(answer["played"], answer["turn"])
	}
	played, err := engine.Campaign(ctx, "road")
	fmt.Println(played.State.Characters[0].HP.Current, err)
	// Output:
	// false <nil>
	// true turn_0001
	// 8 <nil>
}
