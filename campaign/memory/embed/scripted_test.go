package embed_test

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"unicode"

	"github.com/talewright/talewright/campaign/memory"
	"github.com/talewright/talewright/campaign/memory/embed"
	"github.com/talewright/talewright/llm"
)

// scripted is an embedder without a model. A vector counts the words of a text, or the pairs of its
// Chinese characters. Words with the same meaning count as one word.
type scripted struct {
	mu    sync.Mutex
	texts []string // requested texts
	wrong func(vectors [][]float32) ([][]float32, error)
	worth map[string]float32 // weights of words; 1 for all others
}

const length = 512

// meanings maps words to words with the same meaning.
var meanings = map[string]string{"blade": "sword", "weapon": "sword", "刀刃": "长剑", "兵器": "长剑"}

func (s *scripted) Embed(ctx context.Context, _ string, texts []string) ([][]float32, *llm.Usage, error) {
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	s.mu.Lock()
	s.texts = append(s.texts, texts...)
	wrong := s.wrong
	s.mu.Unlock()
	out := make([][]float32, len(texts))
	for i, text := range texts {
		out[i] = weighed(text, s.worth)
	}
	if wrong != nil {
		out, err := wrong(out)
		return out, nil, err
	}
	return out, nil, nil
}

// asked returns the number of texts requested since the last call.
func (s *scripted) asked() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := len(s.texts)
	s.texts = nil
	return n
}

// vector returns the vector of a text whose words all have the same weight.
func vector(text string) []float32 { return weighed(text, nil) }

// weighed returns the vector of a text with weighted words.
func weighed(text string, worth map[string]float32) []float32 {
	out := make([]float32, length)
	any := false
	for _, word := range words(text) {
		if other, ok := meanings[word]; ok {
			word = other
		}
		h := fnv.New32a()
		h.Write([]byte(word))
		if w, ok := worth[word]; ok {
			out[h.Sum32()%length] += w
		} else {
			out[h.Sum32()%length]++
		}
		any = true
	}
	if !any { // every text has a direction
		out[0] = 1
	}
	return out
}

// words returns the words of a text with more than three letters, and the pairs of Chinese
// characters.
func words(text string) []string {
	var out []string
	for _, word := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		runes := []rune(word)
		if runes[0] < 0x1000 {
			if len(word) > 3 {
				out = append(out, word)
			}
			continue
		}
		for i := 1; i < len(runes); i++ {
			out = append(out, string(runes[i-1:i+1]))
		}
	}
	return out
}

// serve starts a server of the OpenAI embeddings dialect.
func serve(t testing.TB, s *scripted) *httptest.Server {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var in struct{ Input []string }
		if err := json.NewDecoder(r.Body).Decode(&in); err != nil || r.URL.Path != "/v1/embeddings" {
			http.Error(w, fmt.Sprint(r.URL, err), http.StatusBadRequest)
			return
		}
		vectors, _, _ := s.Embed(r.Context(), "", in.Input)
		type element struct {
			Index     int       `json:"index"`
			Embedding []float32 `json:"embedding"`
		}
		var out struct {
			Data []element `json:"data"`
		}
		for i, v := range vectors {
			out.Data = append(out.Data, element{i, v})
		}
		_ = json.NewEncoder(w).Encode(out)
	}))
	if t != nil {
		t.Cleanup(server.Close)
	}
	return server
}

func open(t testing.TB, config embed.Config) *embed.Memory {
	t.Helper()
	m, err := embed.New(config)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func remember(t testing.TB, m *embed.Memory, turns ...memory.Turn) {
	t.Helper()
	for _, turn := range turns {
		if err := m.Remember(t.Context(), "c", turn); err != nil {
			t.Fatal(err)
		}
	}
}

func recall(t testing.TB, m *embed.Memory, q memory.Query) []memory.Item {
	t.Helper()
	if q.Campaign == "" {
		q.Campaign = "c"
	}
	items, err := m.Recall(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	return items
}

// ids returns the IDs of the items' turns.
func ids(items []memory.Item) string {
	var out []string
	for _, item := range items {
		out = append(out, item.TurnID)
	}
	return strings.Join(out, " ")
}
