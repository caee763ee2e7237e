package gemini_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"

	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/llm/gemini"
)

// tavern replaces the server: it always sends the same reply.
func tavern() *httptest.Server {
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		io.WriteString(w, `data: {"candidates":[{"content":{"parts":[{"text":"Come in, "}],"role":"model"},"index":0}]}

data: {"candidates":[{"content":{"parts":[{"text":"it rains."}],"role":"model"},"finishReason":"STOP","index":0}],"usageMetadata":{"promptTokenCount":21,"candidatesTokenCount":6}}

`)
	}))
}

// A model with a key. The key is not printed.
func ExampleNew() {
	model, err := gemini.New(gemini.Config{Key: "AIza0123456789", Model: "gemini-2.5-flash"})
	fmt.Println(model, err)

	_, err = gemini.New(gemini.Config{BaseURL: "generativelanguage.googleapis.com", Key: "AIza 0123"})
	fmt.Println(err)
	// Output:
	// gemini.Client{BaseURL:"https://generativelanguage.googleapis.com" Model:"gemini-2.5-flash" Key:set Header: Body:} <nil>
	// gemini: BaseURL does not begin with http:// or https:// and a host; give the server's address, such as https://generativelanguage.googleapis.com
	// gemini: Key has white space or other characters that a header cannot carry
}

// One reply, with thoughts requested.
func ExampleClient_Generate() {
	server := tavern()
	defer server.Close()
	model, err := gemini.New(gemini.Config{BaseURL: server.URL, Key: "none", Model: "gemini-2.5-flash"})
	if err != nil {
		fmt.Println(err)
		return
	}
	reply, err := llm.Collect(model.Generate(context.Background(), llm.Request{
		Messages: []llm.Message{
			{Role: llm.System, Text: "You are the keeper of a haunted inn."},
			{Role: llm.User, Text: "I knock."},
		},
		Options: llm.Options{ReasoningEffort: "low"},
	}))
	fmt.Println(reply.Message.Text, err)
	fmt.Println(reply.Finish, reply.Usage.PromptTokens, reply.Usage.CompletionTokens)
	// Output:
	// Come in, it rains. <nil>
	// stop 21 6
}

// A client and a configuration are printed without their secrets.
func ExampleConfig_Format() {
	fmt.Printf("%+v\n", gemini.Config{BaseURL: "https://me:secret@host/v1", Key: "AIza0123456789", Model: "m"})
	// Output: gemini.Config{BaseURL:"https://host" Model:"m" Key:set Header: Body:}
}
