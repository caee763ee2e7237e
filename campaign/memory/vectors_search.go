package memory

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/talewright/talewright/internal/utf8text"
)

const (
	maxVectorTexts = 4    // of a query; older texts have little weight
	maxVectorText  = 2000 // bytes of each
)

// embeddings has the texts of one collection with their vectors.
type embeddings struct {
	config *VectorConfig
	texts  *collection
	length atomic.Int64 // of each vector; 0 if it is not known yet
}

// collection opens or creates the collection with a name, for the configured model.
func (m *Vectors) collection(kind, name string) (*embeddings, error) {
	c, err := m.files.collection(m.collectionName(kind, name))
	if err != nil {
		return nil, fmt.Errorf("memory: open %s %q: %w", kind, name, err)
	}
	return &embeddings{config: &m.config, texts: c}, nil
}

func (m *Vectors) collectionName(kind, name string) string {
	return fmt.Sprintf("%s %q of %q %q", kind, name, m.config.Model, m.config.Passage)
}

// put stores each document with the vector of its content. Documents that are already stored with
// the same content need no request. If the embedder fails, nothing is stored.
func (v *embeddings) put(ctx context.Context, docs []document) error {
	var texts []string
	missing := make([]document, 0, len(docs))
	for _, d := range docs {
		if known, ok := v.texts.get(d.ID); !ok || known.Text != d.Text {
			missing = append(missing, d)
			texts = append(texts, v.config.Passage+d.Text)
		} else {
			v.length.CompareAndSwap(0, int64(len(known.Vector)))
		}
	}
	found, err := v.embed(ctx, texts)
	if err != nil {
		return err
	}
	for i := range missing {
		missing[i].Vector = found[i]
	}
	if err := v.texts.add(missing); err != nil {
		return fmt.Errorf("memory: keep vectors: %w", err)
	}
	return nil
}

// embed requests the vectors of texts in batches. Unusable vectors do not set the length of later
// ones.
func (v *embeddings) embed(ctx context.Context, texts []string) ([][]float32, error) {
	out := make([][]float32, 0, len(texts))
	length := v.length.Load()
	for batch := range slices.Chunk(texts, v.config.Batch) {
		found, _, err := v.config.Embedder.Embed(ctx, v.config.Model, batch)
		if err != nil {
			return nil, fmt.Errorf("memory: %w", err)
		}
		if len(found) != len(batch) {
			return nil, fmt.Errorf("%w: %d for %d texts", ErrVectors, len(found), len(batch))
		}
		for _, vector := range found {
			unit, ok := normal(vector)
			length = cmp.Or(length, int64(len(unit)))
			if !ok || int64(len(unit)) != length {
				return nil, fmt.Errorf("%w: one vector has %d numbers, others have %d", ErrVectors, len(vector), length)
			}
			out = append(out, unit)
		}
	}
	v.length.CompareAndSwap(0, length)
	if stored := v.length.Load(); stored != length { // a concurrent call has set a different length
		return nil, fmt.Errorf("%w: vectors of %d numbers, stored ones have %d", ErrVectors, length, stored)
	}
	return out, nil
}

// normal returns the vector of length 1 in the same direction. ok is false if the vector has no
// direction: its length is 0 or not finite.
func normal(vector []float32) (unit []float32, ok bool) {
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

// direction returns the weighted vector of a query's texts, newest first. Each text has a quarter
// of the weight of the one before it. The result is nil if the texts are empty.
func (v *embeddings) direction(ctx context.Context, texts []string) ([]float32, error) {
	var queries []string
	for _, text := range texts {
		if text = strings.TrimSpace(text); text != "" && len(queries) < maxVectorTexts {
			queries = append(queries, v.config.Query+utf8text.Cut(text, maxVectorText))
		}
	}
	if len(queries) == 0 {
		return nil, nil
	}
	found, err := v.embed(ctx, queries)
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
		return found[0], nil // the vectors cancel each other out
	}
	return unit, nil
}
