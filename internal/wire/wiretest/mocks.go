package wiretest

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/llm/wrap"
)

// mocksVariable names a folder with third-party servers to test against.
const mocksVariable = "TALEWRIGHT_MOCKS"

// start runs a server of that folder until the test ends, and returns its address. It waits until
// the server reports that it listens.
func start(t *testing.T, name string, listens func(line string) bool, arguments func(port string) []string) string {
	t.Helper()
	folder := os.Getenv(mocksVariable)
	if folder == "" {
		t.Skipf("%s names no folder in which `npm install @copilotkit/aimock@1.43.0 openai-mock-api@0.4.0` was run", mocksVariable)
	}
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := strconv.Itoa(free.Addr().(*net.TCPAddr).Port)
	if err := free.Close(); err != nil {
		t.Fatal(err)
	}
	command := exec.CommandContext(t.Context(), filepath.Join(folder, "node_modules", ".bin", name), arguments(port)...)
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	command.Stderr = command.Stdout
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = command.Process.Kill() // it may have ended already
		_ = command.Wait()
	})
	var told strings.Builder
	for lines := bufio.NewScanner(out); lines.Scan(); {
		told.WriteString(lines.Text() + "\n")
		if listens(lines.Text()) {
			go io.Copy(io.Discard, out) // ends with the server
			return "http://127.0.0.1:" + port
		}
	}
	t.Fatalf("%s does not listen:\n%s", name, &told)
	return ""
}

// fixtures are aimock's answers, by a word of the user.
const fixtures = `{"fixtures":[
{"match":{"userMessage":"hello"},"response":{"content":"The door opens onto a dark hall. 龙 🐉"},"chunkSize":3},
{"match":{"userMessage":"think"},"response":{"content":"A troll.","reasoning":"The bridge hides one."}},
{"match":{"userMessage":"roll","hasToolResult":false},"response":{"toolCalls":[{"name":"roll","arguments":"{\"dice\":\"1d20\"}"},{"name":"roll","arguments":"{\"dice\":\"2d6\"}"}]},"chunkSize":4},
{"match":{"userMessage":"roll","hasToolResult":true},"response":{"content":"You rolled 17."}},
{"match":{"userMessage":"wait","sequenceIndex":0},"response":{"error":{"message":"slow down","type":"rate_limit_error","code":"rate_limit_exceeded"},"status":429,"retryAfter":3}},
{"match":{"userMessage":"wait","sequenceIndex":1},"response":{"content":"Now."}},
{"match":{"userMessage":"key"},"response":{"error":{"message":"bad key","type":"authentication_error","code":"invalid_api_key"},"status":401}},
{"match":{"userMessage":"cut"},"response":{"content":"A troll strikes you with a long club, again and again."},"chunkSize":5,"latency":5,"truncateAfterChunks":4},
{"match":{"userMessage":"long"},"response":{"content":"It goes on","finishReason":"length"}},
{"match":{"inputText":"the bell"},"response":{"embedding":[0.25,-0.5,1]}}
]}`

// Aimock tests an adapter with aimock, a third-party server: texts, thinking, calls and their
// results, a 429, a wrong key, an interrupted stream. The function open makes a model for a
// server's address. without names the cases that aimock does not support in a dialect. Without the
// server the test is skipped.
func Aimock(t *testing.T, open func(t *testing.T, address string) llm.Model, without ...string) {
	file := filepath.Join(t.TempDir(), "fixtures.json")
	if err := os.WriteFile(file, []byte(fixtures), 0o600); err != nil {
		t.Fatal(err)
	}
	address := start(t, "llmock", func(line string) bool { return strings.Contains(line, "listening on") },
		func(port string) []string {
			return []string{"-p", port, "-f", file, "--validate-on-load", "--strict", "--log-level", "info"}
		})
	model := open(t, address)
	run := func(name string, play func(t *testing.T)) {
		if !slices.Contains(without, name) {
			t.Run(name, play)
		}
	}
	run("text", func(t *testing.T) {
		got := told(t, model, "hello")
		if got.Message.Text != "The door opens onto a dark hall. 龙 🐉" || got.Finish != llm.FinishStop {
			t.Errorf("%+v", got)
		}
	})
	run("thinking", func(t *testing.T) {
		got := told(t, model, "think")
		if got.Message.Text != "A troll." || got.Message.Reasoning != "The bridge hides one." {
			t.Errorf("%+v", got)
		}
	})
	run("calls", func(t *testing.T) { calls(t, model, "roll", 2) })
	run("length", func(t *testing.T) {
		if got := told(t, model, "long"); got.Finish != llm.FinishLength {
			t.Errorf("%+v", got)
		}
	})
	run("429", func(t *testing.T) {
		var waits []time.Duration
		patient := wrap.Retry(model, wrap.RetryPolicy{Sleep: func(_ context.Context, d time.Duration) error {
			waits = append(waits, d)
			return nil
		}})
		if got := told(t, patient, "wait"); got.Message.Text != "Now." || len(waits) != 1 || waits[0] != 3*time.Second {
			t.Errorf("%+v after %v", got, waits)
		}
	})
	run("wrong key", func(t *testing.T) {
		_, err := llm.Collect(model.Generate(t.Context(), question("key")))
		if e, ok := errors.AsType[*llm.Error](err); !ok || e.Code != llm.CodeAuth || e.Retry {
			t.Errorf("got %v", err)
		}
	})
	run("cut", func(t *testing.T) {
		got, err := llm.Collect(model.Generate(t.Context(), question("cut")))
		e, ok := errors.AsType[*llm.Error](err)
		if !ok || e.Code != llm.CodeIncomplete || !e.Retry || !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%+v, %v", got, err)
		}
	})
}

// MockAPI tests an adapter of the OpenAI dialect with openai-mock-api, a second third-party server,
// as Aimock does.
func MockAPI(t *testing.T, key string, open func(t *testing.T, address string) llm.Model) {
	file := filepath.Join(t.TempDir(), "config.yaml")
	config := fmt.Sprintf(`apiKey: %s
port: 0
responses:
  - id: hello
    messages:
      - {role: user, content: hello}
      - {role: assistant, content: The door opens onto a dark hall.}
  - id: call
    messages:
      - {role: user, content: roll}
      - role: assistant
        tool_calls:
          - {id: call_7, type: function, function: {name: roll, arguments: '{"dice":"1d20"}'}}
  - id: result
    messages:
      - {role: user, content: roll}
      - role: assistant
        tool_calls:
          - {id: call_7, type: function, function: {name: roll, arguments: '{"dice":"1d20"}'}}
      - {role: tool, matcher: any, tool_call_id: call_7}
      - {role: assistant, content: You rolled 17.}
`, key)
	if err := os.WriteFile(file, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	address := start(t, "openai-mock-api", func(line string) bool { return strings.Contains(line, "started on port") },
		func(port string) []string { return []string{"--config", file, "--port", port} })
	model := open(t, address)
	t.Run("text", func(t *testing.T) {
		if got := told(t, model, "hello"); got.Message.Text != "The door opens onto a dark hall." || got.Finish != llm.FinishStop {
			t.Errorf("%+v", got)
		}
	})
	t.Run("calls", func(t *testing.T) { calls(t, model, "roll", 1) })
}

func question(line string) llm.Request {
	return llm.Request{
		Messages: []llm.Message{{Role: llm.User, Text: line}},
		Tools:    []llm.ToolSpec{{Name: "roll", Description: "Rolls dice.", Parameters: json.RawMessage(`{"type":"object","properties":{"dice":{"type":"string"}}}`)}},
	}
}

func told(t *testing.T, model llm.Model, line string) llm.Response {
	t.Helper()
	got, err := llm.Collect(model.Generate(t.Context(), question(line)))
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// calls requests calls, sends their results, and checks the final answer.
func calls(t *testing.T, model llm.Model, line string, count int) {
	t.Helper()
	got := told(t, model, line)
	if n := len(got.Message.ToolCalls); n != count {
		t.Fatalf("%d calls, want %d: %+v", n, count, got)
	}
	req := question(line)
	req.Messages = append(req.Messages, got.Message)
	for _, c := range got.Message.ToolCalls {
		if c.ID == "" || c.Name != "roll" || !json.Valid([]byte(c.Arguments)) {
			t.Errorf("the call %+v", c)
		}
		req.Messages = append(req.Messages, llm.Message{Role: llm.Tool, ToolCallID: c.ID, Name: c.Name, Text: "17"})
	}
	got, err := llm.Collect(model.Generate(t.Context(), req))
	if err != nil || got.Message.Text != "You rolled 17." {
		t.Errorf("with the results: %+v, %v", got, err)
	}
}
