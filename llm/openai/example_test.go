package openai_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"

	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/llm/openai"
)

// chatServer replaces a real server: it sends a fixed stream.
func chatServer() *httptest.Server {
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		io.WriteString(w, `data: {"choices":[{"index":0,"delta":{"reasoning_content":"A guest."}}]}

data: {"choices":[{"index":0,"delta":{"content":"The door "}}]}

data: {"choices":[{"index":0,"delta":{"content":"opens."},"finish_reason":"stop"}]}

data: {"choices":[],"usage":{"prompt_tokens":9,"completion_tokens":5}}

data: [DONE]

`)
	}))
}

func ExampleNew() {
	server := chatServer()
	defer server.Close()

	model, err := openai.New(openai.Config{
		BaseURL: server.URL, // http://localhost:11434, https://openrouter.ai/api/v1, …
		Key:     "sk-from-the-environment",
		Model:   "qwen3",
	})
	if err != nil {
		log.Fatal(err)
	}
	reply, err := llm.Collect(model.Generate(context.Background(), llm.Request{
		Messages: []llm.Message{{Role: llm.User, Text: "I knock."}},
	}))
	fmt.Println(reply.Message.Text, reply.Usage.CompletionTokens, err)

	// All mistakes of a configuration are reported together.
	_, err = openai.New(openai.Config{BaseURL: "localhost:11434", Key: "sk-1\n"})
	fmt.Println(err)
	// Output:
	// The door opens. 5 <nil>
	// openai: BaseURL does not begin with http:// or https:// and a host; give the server's address, such as http://localhost:11434/v1
	// openai: Key has white space or other characters that a header cannot carry
}

func ExampleClient_Generate() {
	server := chatServer()
	defer server.Close()
	model, err := openai.New(openai.Config{BaseURL: server.URL, Model: "qwen3"})
	if err != nil {
		log.Fatal(err)
	}

	request := llm.Request{
		Messages: []llm.Message{
			{Role: llm.System, Text: "You are the keeper of a haunted inn."},
			{Role: llm.User, Text: "I knock."},
		},
		Options: llm.Options{
			Temperature: new(0.8),
			// A setting that only some servers have.
			Extra: map[string]json.RawMessage{"min_p": json.RawMessage("0.05")},
		},
	}
	for chunk, err := range model.Generate(context.Background(), request) {
		if err != nil {
			log.Fatal(err)
		}
		switch chunk := chunk.(type) {
		case llm.ReasoningDelta:
			fmt.Printf("(%s)\n", chunk.Text)
		case llm.TextDelta:
			fmt.Printf("%s|", chunk.Text)
		case llm.UsageReport:
			fmt.Printf("\n%d tokens\n", chunk.Usage.PromptTokens+chunk.Usage.CompletionTokens)
		case llm.Done:
			fmt.Println("reason:", chunk.Reason)
		}
	}
	// Output:
	// (A guest.)
	// The door |opens.|
	// 14 tokens
	// reason: stop
}

// The error classifies the failure, for any text of the server.
func ExampleClient_Generate_refused() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "20")
		w.WriteHeader(http.StatusTooManyRequests)
		io.WriteString(w, `{"error":{"message":"slow down","code":"rate_limit_exceeded"}}`)
	}))
	defer server.Close()
	model, err := openai.New(openai.Config{BaseURL: server.URL, Model: "qwen3"})
	if err != nil {
		log.Fatal(err)
	}

	_, err = llm.Collect(model.Generate(context.Background(), llm.Request{}))
	if failure, ok := errors.AsType[*llm.Error](err); ok {
		fmt.Println(failure)
		fmt.Println(failure.Code, failure.Retryable(), failure.RetryAfter)
	}
	// Output:
	// llm: rate_limit (status 429): slow down (a retry may help)
	// rate_limit true 20s
}

// Text completions, for models that need a prompt in their own template.
func ExampleClient_Completion() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var sent struct{ Prompt string }
		if err := json.NewDecoder(r.Body).Decode(&sent); err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s %q\n", r.URL.Path, sent.Prompt)
		io.WriteString(w, `{"choices": [{"index": 0, "text": "Who is there?", "finish_reason": "stop"}]}`)
	}))
	defer server.Close()
	client, err := openai.New(openai.Config{BaseURL: server.URL, Model: "qwen3"})
	if err != nil {
		log.Fatal(err)
	}
	model := client.Completion(func(req llm.Request) (string, error) {
		prompt := ""
		for _, m := range req.Messages {
			prompt += "<" + string(m.Role) + ">" + m.Text + "\n"
		}
		return prompt + "<assistant>", nil
	})
	reply, err := llm.Collect(model.Generate(context.Background(), llm.Request{
		Messages: []llm.Message{{Role: llm.User, Text: "I knock."}},
	}))
	fmt.Println(reply.Message.Text, err)
	// Output:
	// /v1/completions "<user>I knock.\n<assistant>"
	// Who is there? <nil>
}

// Texts as vectors, for example for memory.Vectors of campaign/memory.
func ExampleClient_Embed() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, `{"data": [{"index": 1, "embedding": [0, 1]}, {"index": 0, "embedding": [1, 0]}], "usage": {"prompt_tokens": 6}}`)
	}))
	defer server.Close()
	client, err := openai.New(openai.Config{BaseURL: server.URL, Model: "bge-m3"})
	if err != nil {
		log.Fatal(err)
	}
	vectors, usage, err := client.Embed(context.Background(), "", []string{"a lamp", "a reef"})
	fmt.Println(vectors, usage.PromptTokens, err)
	// Output:
	// [[1 0] [0 1]] 6 <nil>
}

// The servers that have a profile.
func ExampleProfiles() {
	for _, p := range openai.Profiles() {
		if p.Name == "ollama" {
			fmt.Println(p.Name, p.BaseURL)
		}
	}
	// Output: ollama http://localhost:11434/v1
}
