package gemini_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"cloud.google.com/go/auth"
	"github.com/talewright/talewright/internal/wire/wiretest"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/llm/gemini"
	"github.com/talewright/talewright/llm/llmtest"
	"github.com/talewright/talewright/prompt"
)

// bearer is the token of the test credentials.
const bearer = "ya29.token-of-the-cloud"

// tokens are credentials with one token, or with none.
type tokens struct{ err error }

func (t tokens) Token(context.Context) (*auth.Token, error) {
	return &auth.Token{Value: bearer}, t.err
}

func inn(err error) *gemini.Vertex {
	return &gemini.Vertex{Project: "inn", Location: "europe-west1", Credentials: auth.NewCredentials(&auth.CredentialsOptions{TokenProvider: tokens{err}})}
}

// elsewhere sends requests for the cloud to a server of the test.
type elsewhere struct {
	address *url.URL
	base    http.RoundTripper
}

func (e elsewhere) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("X-Meant-For", r.URL.Host)
	r.URL.Scheme, r.URL.Host = e.address.Scheme, e.address.Host
	return e.base.RoundTrip(r)
}

// inCloud returns a client whose cloud is a server of the test.
func inCloud(t *testing.T, config gemini.Config, server string) *gemini.Client {
	t.Helper()
	address, err := url.Parse(server)
	if err != nil {
		t.Fatal(err)
	}
	base := &http.Transport{}
	t.Cleanup(base.CloseIdleConnections)
	config.HTTPClient, config.Model = &http.Client{Transport: elsewhere{address, base}}, "gemini-2.5-flash"
	client, err := gemini.New(config)
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// LL-04, LL-14: the contract test, with Vertex AI.
func TestVertexContract(t *testing.T) {
	llmtest.TestModel(t, func(t *testing.T, script ...llmtest.Reply) llm.Model {
		return inCloud(t, gemini.Config{Vertex: inn(nil)}, scriptServer(t, script).URL)
	})
}

// LL-16: a third-party server at the address of Vertex AI; it supports v1.
func TestAimockVertex(t *testing.T) {
	wiretest.Aimock(t, func(t *testing.T, address string) llm.Model {
		return inCloud(t, gemini.Config{BaseURL: "https://aiplatform.googleapis.com/v1", Vertex: inn(nil)}, address)
	})
}

// LL-04: a campaign of 20 turns with Vertex AI.
func TestVertexCampaign(t *testing.T) {
	wiretest.Play(t, prompt.ShapeGemini, "gemini", wiretest.Signature, func(t *testing.T, script []llmtest.Reply) (llm.Model, *wiretest.Tape) {
		server := scriptServer(t, script)
		tape := wiretest.Record(server)
		return inCloud(t, gemini.Config{Vertex: inn(nil)}, server.URL), tape
	})
}

// LL-04: the addresses and the authorization of requests. The environment is ignored.
func TestVertexRequests(t *testing.T) {
	for _, name := range []string{"GOOGLE_API_KEY", "GOOGLE_CLOUD_PROJECT", "GOOGLE_CLOUD_LOCATION", "GOOGLE_VERTEX_BASE_URL"} {
		t.Setenv(name, "from-the-environment")
	}
	eu, global := inn(nil), inn(nil)
	eu.Location, global.Location = "eu", "global"
	for _, c := range []struct {
		reason            string
		config            gemini.Config
		host, path, proof string
	}{
		{"a region", gemini.Config{Vertex: inn(nil)}, "europe-west1-aiplatform.googleapis.com", "/v1beta1/projects/inn/locations/europe-west1/publishers/google/models/gemini-2.5-flash:streamGenerateContent", bearer},
		{"several regions", gemini.Config{Vertex: eu}, "aiplatform.eu.rep.googleapis.com", "/v1beta1/projects/inn/locations/eu/publishers/google/models/gemini-2.5-flash:streamGenerateContent", bearer},
		{"anywhere", gemini.Config{Vertex: global}, "aiplatform.googleapis.com", "/v1beta1/projects/inn/locations/global/publishers/google/models/gemini-2.5-flash:streamGenerateContent", bearer},
		{"a key", gemini.Config{Key: "AIza-1", Vertex: &gemini.Vertex{}}, "aiplatform.googleapis.com", "/v1beta1/publishers/google/models/gemini-2.5-flash:streamGenerateContent", "AIza-1"},
		{"another version", gemini.Config{BaseURL: "https://gate/v1", Vertex: inn(nil)}, "gate", "/v1/projects/inn/locations/europe-west1/publishers/google/models/gemini-2.5-flash:streamGenerateContent", bearer},
	} {
		server := scriptServer(t, []llmtest.Reply{llmtest.Text("You go on.")})
		tape := wiretest.Record(server)
		var path string
		inner := server.Config.Handler
		server.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			path = r.URL.Path
			inner.ServeHTTP(w, r)
		})
		got, err := llm.Collect(inCloud(t, c.config, server.URL).Generate(t.Context(), llm.Request{Messages: []llm.Message{
			{Role: llm.User, Text: "Hi"}, {Role: llm.Assistant, ToolCalls: []llm.ToolCall{{ID: "a", Name: "look", Arguments: "{}"}}},
			{Role: llm.Tool, ToolCallID: "a", Text: "dark"}},
			Tools: []llm.ToolSpec{{Name: "look", Parameters: json.RawMessage(`{"type":"object"}`)}}}))
		if err != nil || got.Message.Text != "You go on." {
			t.Errorf("%s: %+v, %v", c.reason, got, err)
			continue
		}
		header := tape.Header()
		if header.Get("X-Meant-For") != c.host || path != c.path {
			t.Errorf("%s: asked %s%s", c.reason, header.Get("X-Meant-For"), path)
		}
		if got := strings.TrimPrefix(header.Get("Authorization"), "Bearer ") + header.Get("X-Goog-Api-Key"); got != c.proof {
			t.Errorf("%s: authorized by %q", c.reason, got)
		}
	}
}

// LL-08: a missing token, and a token that the server repeats.
func TestVertexRefuses(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusForbidden)
		io.WriteString(w, `{"error":{"code":403,"status":"PERMISSION_DENIED","message":"what is `+r.Header.Get("Authorization")+`?"}}`)
	}))
	t.Cleanup(server.Close)
	_, err := llm.Collect(inCloud(t, gemini.Config{Vertex: inn(nil)}, server.URL).Generate(t.Context(), hello()))
	if failure := wiretest.Failure(t, err, llm.Error{Code: llm.CodeAuth, Status: 403}); strings.Contains(err.Error()+failure.Body, "token-of") {
		t.Errorf("the error shows the token: %v", err)
	}
	_, err = llm.Collect(inCloud(t, gemini.Config{Vertex: inn(errors.New("the session has ended"))}, server.URL).Generate(t.Context(), hello()))
	if wiretest.Failure(t, err, llm.Error{Code: llm.CodeNetwork, Retry: true}); !strings.Contains(err.Error(), "session has ended") {
		t.Errorf("without a token: %v", err)
	}
}

// Contradictory settings are reported at once.
func TestVertexProblems(t *testing.T) {
	for want, config := range map[string]gemini.Config{
		"Key and a project":    {Key: "k", Vertex: inn(nil)},
		"a project or a loc":   {Vertex: &gemini.Vertex{Project: "inn"}},
		"Vertex.Project is":    {Vertex: &gemini.Vertex{Project: "../inn", Location: "global"}},
		"Vertex.Location is":   {Vertex: &gemini.Vertex{Project: "inn", Location: "host/x"}},
		"Vertex lacks Credent": {Vertex: &gemini.Vertex{Project: "inn", Location: "global"}},
	} {
		if _, err := gemini.New(config); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v does not say %q", err, want)
		}
	}
}
