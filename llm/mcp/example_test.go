package mcp_test

import (
	"context"
	"encoding/json"
	"fmt"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/talewright/talewright/llm/mcp"
)

// A server in the same process; others are reached by mcp.CommandTransport and
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
	for _, spec := range client.Specs() { // what a model is told
		fmt.Println(spec.Name, "-", spec.Description)
	}
	result, err := client.Call(ctx, "library_search", json.RawMessage(`{"query":"trolls"}`)) // what it wants
	fmt.Println(result.Text, err)
	_, err = client.Call(ctx, "library_search", json.RawMessage(`{"question":"trolls"}`))
	fmt.Println(err != nil)
	// Output:
	// library_search - Searches the library.
	// approve search {"query":"trolls"}
	// Nothing about trolls. <nil>
	// true
}
