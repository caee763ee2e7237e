package embed

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/philippgille/chromem-go"
	"github.com/talewright/talewright/internal/utf8text"
)

const (
	maxTexts = 4    // of a query; what stands before them counts little
	maxText  = 2000 // bytes of each
)

// vectors are the texts of one collection with their vectors.
type vectors struct {
	config *Config
	texts  *chromem.Collection
	length atomic.Int64 // of each vector, 0 if it is not known yet
}

// collection opens or makes the one of a name, for the model in use.
func (m *Memory) collection(kind, name string) (*vectors, error) {
	c, err := m.db.GetOrCreateCollection(m.collectionName(kind, name), nil, refuseTexts)
	if err != nil {
		return nil, fmt.Errorf("embed: open %s %q: %w", kind, name, err)
	}
	return &vectors{config: &m.config, texts: c}, nil
}

func (m *Memory) collectionName(kind, name string) string {
	return fmt.Sprintf("%s %q of %q %q", kind, name, m.config.Model, m.config.Passage)
}

// refuseTexts stands for the library's own requests, which are never made.
func refuseTexts(context.Context, string) ([]float32, error) {
	return nil, errors.New("embed: a text without a vector")
}

// put sees to it that each document is kept, with the vector of its content. Those that are kept
// with the same content already cost nothing. If there are no vectors, nothing has changed.
func (v *vectors) put(ctx context.Context, docs []chromem.Document) error {
	var texts []string
	missing := make([]chromem.Document, 0, len(docs))
	for _, d := range docs {
		known, err := v.texts.GetByID(ctx, d.ID)
		if err != nil || known.Content != d.Content {
			missing = append(missing, d)
			texts = append(texts, v.config.Passage+d.Content)
		} else {
			v.length.CompareAndSwap(0, int64(len(known.Embedding)))
		}
	}
	found, err := v.embed(ctx, texts)
	if err != nil {
		return err
	}
	for i, d := range missing {
		d.Embedding = found[i]
		if err := v.texts.AddDocument(context.WithoutCancel(ctx), d); err != nil {
			return fmt.Errorf("embed: keep a vector: %w", err)
		}
	}
	return nil
}

// embed asks for the vectors of texts, in batches. Vectors that cannot be used decide nothing about the length of
// later ones.
func (v *vectors) embed(ctx context.Context, texts []string) ([][]float32, error) {
	out := make([][]float32, 0, len(texts))
	length := v.length.Load()
	for batch := range slices.Chunk(texts, v.config.Batch) {
		found, _, err := v.config.Embedder.Embed(ctx, v.config.Model, batch)
		if err != nil {
			return nil, fmt.Errorf("embed: %w", err)
		}
		if len(found) != len(batch) {
			return nil, fmt.Errorf("%w: %d for %d texts", ErrVectors, len(found), len(batch))
		}
		for _, vector := range found {
			unit, ok := normal(vector)
			length = cmp.Or(length, int64(len(unit)))
			if !ok || int64(len(unit)) != length {
				return nil, fmt.Errorf("%w: one of %d numbers among those of %d", ErrVectors, len(vector), length)
			}
			out = append(out, unit)
		}
	}
	if v.length.CompareAndSwap(0, length); v.length.Load() != length {
		return nil, fmt.Errorf("%w: of %d numbers among those of %d", ErrVectors, length, v.length.Load())
	}
	return out, nil
}

// normal is the vector of length 1 in the same direction; false if there is none.
func normal(vector []float32) ([]float32, bool) {
	sum := 0.0
	for _, x := range vector {
		sum += float64(x) * float64(x)
	}
	if !(sum > 0) || math.IsInf(sum, 1) {
		return nil, false
	}
	out, size := make([]float32, len(vector)), math.Sqrt(sum)
	for i, x := range vector {
		out[i] = float32(float64(x) / size)
	}
	return out, true
}

// direction is the vector of the texts of a query, newest first: each counts a quarter of the
// one after it. It is nil if there is nothing in them.
func (v *vectors) direction(ctx context.Context, texts []string) ([]float32, error) {
	var asked []string
	for _, text := range texts {
		if text = strings.TrimSpace(text); text != "" && len(asked) < maxTexts {
			asked = append(asked, v.config.Query+utf8text.Cut(text, maxText))
		}
	}
	if len(asked) == 0 {
		return nil, nil
	}
	found, err := v.embed(ctx, asked)
	if err != nil {
		return nil, err
	}
	sum, weight := make([]float32, len(found[0])), float32(1)
	for _, vector := range found {
		for i, x := range vector {
			sum[i] += weight * x
		}
		weight /= 4
	}
	unit, ok := normal(sum)
	if !ok {
		return found[0], nil // they cancel each other out
	}
	return unit, nil
}

// near yields what is kept by its similarity, the nearest first; what is equally near comes
// together, as one group.
func (v *vectors) near(ctx context.Context, direction []float32, yield func(group []chromem.Result) bool) error {
	given := 0
	for n := 128; ; n *= 4 {
		n = min(n, v.texts.Count())
		if n == 0 {
			return nil
		}
		found, err := v.texts.QueryEmbedding(ctx, direction, n, nil, nil)
		if ctx.Err() != nil { // the library gives what it has then
			return ctx.Err()
		}
		if err != nil {
			return fmt.Errorf("%w: %w", ErrVectors, err)
		}
		for given < len(found) {
			end := given + 1
			for end < len(found) && found[end].Similarity == found[given].Similarity {
				end++
			}
			if end == len(found) && n < v.texts.Count() {
				break // the group may go on
			}
			if similarity := float64(found[given].Similarity); similarity <= 0 || similarity < v.config.Least {
				return nil
			}
			if !yield(found[given:end]) {
				return nil
			}
			given = end
		}
		if n >= v.texts.Count() {
			return nil
		}
	}
}
