package memory_test

import (
	"cmp"
	"context"
	"hash/fnv"
	"strings"
	"sync"
	"testing"
	"unicode"

	"github.com/talewright/talewright/campaign/memory"
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

func openVectors(t testing.TB, config memory.VectorConfig) *memory.Vectors {
	t.Helper()
	m, err := memory.OpenVectors(config)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func rememberIn(t testing.TB, m *memory.Vectors, turns ...memory.Turn) {
	t.Helper()
	remember(t, m, "c", turns...)
}

func recallNear(t testing.TB, m *memory.Vectors, q memory.Query) []memory.Item {
	t.Helper()
	q.Campaign = cmp.Or(q.Campaign, "c")
	return recall(t, m, q)
}

// ids returns the IDs of the items' turns.
func ids(items []memory.Item) string {
	var out []string
	for _, item := range items {
		out = append(out, item.TurnID)
	}
	return strings.Join(out, " ")
}
