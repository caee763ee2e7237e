package anthropic_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"

	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/llm/anthropic"
)

// tavern replaces the server: it always sends the same reply.
func tavern() *httptest.Server {
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		io.WriteString(w, `data: {"type":"message_start","message":{"usage":{"input_tokens":21,"output_tokens":1}}}

data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}

data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Come in, "}}

data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"it rains."}}

data: {"type":"content_block_stop","index":0}

data: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":6}}

data: {"type":"message_stop"}

`)
	}))
}

// A model with a key. The key is not printed.
func ExampleNew() {
	model, err := anthropic.New(anthropic.Config{Key: "sk-ant-0123456789", Model: "claude-sonnet-4-5"})
	fmt.Println(model, err)

	_, err = anthropic.New(anthropic.Config{BaseURL: "api.anthropic.com", Key: "sk-ant 0123"})
	fmt.Println(err)
	// Output:
	// anthropic.Client{BaseURL:"https://api.anthropic.com" Model:"claude-sonnet-4-5" Key:set Header: Body:} <nil>
	// anthropic: BaseURL does not begin with http:// or https:// and a host; give the server's address, such as https://api.anthropic.com
	// anthropic: Key has white space or other characters that a header cannot carry
}

// One reply, with a cache mark after the part that is the same in every turn.
func ExampleClient_Generate() {
	server := tavern()
	defer server.Close()
	model, err := anthropic.New(anthropic.Config{BaseURL: server.URL, Key: os.Getenv("ANTHROPIC_API_KEY"), Model: "claude-sonnet-4-5"})
	if err != nil {
		fmt.Println(err)
		return
	}
	reply, err := llm.Collect(model.Generate(context.Background(), llm.Request{
		Messages: []llm.Message{
			{Role: llm.System, Text: "You are the keeper of a haunted inn.",
				Extra: map[string]json.RawMessage{"cache_control": json.RawMessage(`{"type":"ephemeral"}`)}},
			{Role: llm.User, Text: "I knock."},
		},
	}))
	fmt.Println(reply.Message.Text, err)
	fmt.Println(reply.Finish, reply.Usage.PromptTokens, reply.Usage.CompletionTokens)
	// Output:
	// Come in, it rains. <nil>
	// stop 21 6
}

// A client and a configuration are printed without their secrets.
func ExampleConfig_Format() {
	fmt.Printf("%+v\n", anthropic.Config{BaseURL: "https://me:secret@host/v1", Key: "sk-ant-0123456789", Model: "m"})
	// Output: anthropic.Config{BaseURL:"https://host" Model:"m" Key:set Header: Body:}
}
