package mcp_test

import (
	"context"
	"encoding/json"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/talewright/talewright/llm/mcp"
)

// library is an untrusted server, in this process.
type library struct {
	*sdk.Server
	asked chan string        // the arguments of every call that has arrived
	close context.CancelFunc // ends blocked calls
}

// newLibrary returns a server with a tool of every kind: search answers, hang does not answer, long
// answers too much, fail reports an error.
func newLibrary(t testing.TB) *library {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	l := &library{
		Server: sdk.NewServer(&sdk.Implementation{Name: "library", Version: "1"}, nil),
		asked:  make(chan string, 100), close: cancel,
	}
	l.add("search", `{"type":"object","properties":{"query":{"type":"string","minLength":1},"limit":{"type":"integer","minimum":1,"maximum":5}},"required":["query"]}`,
		func(context.Context) *sdk.CallToolResult { return said("The bridge was built by trolls.") })
	l.add("hang", `{"type":"object"}`, func(call context.Context) *sdk.CallToolResult {
		<-ctx.Done() // it ignores its own context
		return said("at last")
	})
	l.add("long", `{"type":"object"}`, func(context.Context) *sdk.CallToolResult { return said(string(make([]byte, 1<<20))) })
	l.add("fail", `{"type":"object"}`, func(context.Context) *sdk.CallToolResult {
		out := said("the shelf is empty")
		out.IsError = true
		return out
	})
	return l
}

func (l *library) add(name, schema string, answer func(context.Context) *sdk.CallToolResult) {
	l.AddTool(&sdk.Tool{Name: name, Description: "About " + name + ".", InputSchema: json.RawMessage(schema)},
		func(ctx context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			l.asked <- name + string(req.Params.Arguments)
			return answer(ctx), nil
		})
}

func said(text string) *sdk.CallToolResult {
	return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: text}}}
}

// calls returns the calls that have arrived.
func (l *library) calls() (out []string) {
	for {
		select {
		case c := <-l.asked:
			out = append(out, c)
		default:
			return out
		}
	}
}

// connect connects a client to the server within the process.
func (l *library) connect(t testing.TB, o mcp.Options) *mcp.Client {
	t.Helper()
	here, there := sdk.NewInMemoryTransports()
	session, err := l.Connect(context.Background(), there, nil)
	if err != nil {
		t.Fatal(err)
	}
	client, err := mcp.Connect(context.Background(), here, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		l.close()
		if err := client.Close(); err != nil {
			t.Error(err)
		}
		_ = session.Wait() // the error on the other side does not matter
	})
	return client
}
