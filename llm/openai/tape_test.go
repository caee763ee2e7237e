package openai_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// answer is a recorded answer of a real server.
type answer struct {
	Path   string   `json:"path"`
	Status int      `json:"status"`
	Kind   string   `json:"kind"`
	Lines  []string `json:"lines"` // of the body
}

// tape is a transport that records answers.
type tape struct {
	mu      sync.Mutex
	answers []answer
}

// RoundTrip implements http.RoundTripper. It reads the whole body first, so that the tape has the
// whole answer even if a client stops early.
func (w *tape) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.answers = append(w.answers, answer{r.URL.Path, response.StatusCode, response.Header.Get("Content-Type"), strings.SplitAfter(string(body), "\n")})
	response.Body = io.NopCloser(bytes.NewReader(body))
	return response, nil
}

func tapeFile(kind string) string { return filepath.Join("testdata", "ollama", kind+".json") }

// save writes the tape to its file.
func (w *tape) save(t *testing.T, kind string) {
	t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	var out bytes.Buffer
	in := json.NewEncoder(&out)
	in.SetEscapeHTML(false)
	in.SetIndent("", " ")
	if err := in.Encode(w.answers); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(tapeFile(kind), out.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
}

// player is a transport that answers from a tape, in order.
type player struct {
	mu   sync.Mutex
	left []answer
}

func readTape(t *testing.T, kind string) *player {
	t.Helper()
	data, err := os.ReadFile(tapeFile(kind))
	if err != nil {
		t.Fatal(err)
	}
	p := &player{}
	if err := json.Unmarshal(data, &p.left); err != nil {
		t.Fatal(err)
	}
	return p
}

// RoundTrip implements http.RoundTripper.
func (p *player) RoundTrip(r *http.Request) (*http.Response, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.left) == 0 {
		return nil, errors.New("the tape is over")
	}
	next := p.left[0]
	if p.left = p.left[1:]; next.Path != r.URL.Path {
		return nil, fmt.Errorf("asked %s, the tape has an answer of %s", r.URL.Path, next.Path)
	}
	return &http.Response{
		StatusCode: next.Status, Header: http.Header{"Content-Type": {next.Kind}},
		Body: io.NopCloser(strings.NewReader(strings.Join(next.Lines, ""))), Request: r,
	}, nil
}
