package anthropic_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/talewright/talewright/internal/wire/wiretest"
	"github.com/talewright/talewright/llm/anthropic"
	"github.com/talewright/talewright/llm/llmtest"
)

// newClient returns a client with its own connections.
func newClient(t testing.TB, config anthropic.Config) *anthropic.Client {
	t.Helper()
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	config.HTTPClient = &http.Client{Transport: transport}
	if config.Model == "" {
		config.Model = "test-model"
	}
	client, err := anthropic.New(config)
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// serve returns a client of a server that answers with handler.
func serve(t testing.TB, config anthropic.Config, handler http.HandlerFunc) *anthropic.Client {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	config.BaseURL = server.URL
	return newClient(t, config)
}

// serveBody returns a client of a server that sends these bytes with status 200.
func serveBody(t testing.TB, body string) *anthropic.Client {
	return serve(t, anthropic.Config{}, func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		io.WriteString(w, body)
	})
}

// scriptServer serves a scripted model in the dialect.
func scriptServer(t testing.TB, script []llmtest.Reply) *httptest.Server {
	server := httptest.NewServer(wiretest.Messages(script))
	t.Cleanup(server.Close)
	return server
}

func quote(text string) string {
	literal, _ := json.Marshal(text)
	return string(literal)
}
