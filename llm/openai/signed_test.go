package openai_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/talewright/talewright/internal/wire/wiretest"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/llm/openai"
)

// signing is a transport of a host that signs requests.
type signing struct{ token string }

func (s signing) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+s.token)
	return http.DefaultTransport.RoundTrip(r)
}

// The signature of a transport is not in the configuration, and no error shows it.
func TestSignatureEchoed(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusForbidden)
		w.Write([]byte(`{"error":{"message":"what is ` + r.Header.Get("Authorization") + `?"}}`))
	}))
	t.Cleanup(server.Close)
	const token = "ya29.signed-by-the-host"
	client, err := openai.New(openai.Config{BaseURL: server.URL, Model: "m", HTTPClient: &http.Client{Transport: signing{token}}})
	if err != nil {
		t.Fatal(err)
	}
	_, err = llm.Collect(client.Generate(t.Context(), hello()))
	failure := wiretest.Failure(t, err, llm.Error{Code: llm.CodeAuth, Status: 403})
	if strings.Contains(err.Error()+failure.Body, "signed") || !strings.Contains(err.Error(), "what is") {
		t.Errorf("the error is %v, its body %s", err, failure.Body)
	}
}
