package memory

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/talewright/talewright/llm"
)

// Embedder returns one vector for each text, in the same order, all with the same length. The
// client of llm/openai is an Embedder. An Embedder must be safe for concurrent use.
type Embedder interface {
	Embed(ctx context.Context, model string, texts []string) ([][]float32, *llm.Usage, error)
}

// VectorConfig configures [Vectors]. Embedder is required.
type VectorConfig struct {
	Embedder Embedder
	// Model is the name of the embedder's model; "" means its default. Vectors of different models
	// are stored separately.
	Model string
	// Passage is put before each text that is remembered, Query before each text of a query. Some
	// models need them, such as "passage: " and "query: ".
	Passage, Query string
	// Folder is the folder for the vectors; "" means that they are only in memory. The folder is
	// created if it does not exist. Only one process at a time may use it.
	Folder string
	// Batch is the maximum number of texts in one request; 0 means 64.
	Batch int
	// Passages is the maximum number of passages that are kept for a campaign; 0 means 20,000. The
	// passages of the newest turns are kept.
	Passages int
	// Least is the minimum cosine of a recalled passage. Passages with a cosine of 0 or less are
	// never recalled. Useful values depend on the model.
	Least float64
}

// ErrNoEmbedder is returned by [OpenVectors].
var ErrNoEmbedder = errors.New("memory: no embedder is configured")

// ErrVectors means that the embedder returned unusable vectors: too few, empty, of a different
// length than the known ones, not finite, or all 0.
var ErrVectors = errors.New("memory: unusable vectors")

// OpenVectors opens a memory. The error is [ErrNoEmbedder], or the error of a folder that cannot be created.
func OpenVectors(config VectorConfig) (*Vectors, error) {
	if config.Embedder == nil {
		return nil, ErrNoEmbedder
	}
	config.Batch = cmp.Or(max(config.Batch, 0), 64)
	config.Passages = cmp.Or(max(config.Passages, 0), 20_000)
	files, err := openFolder(config.Folder)
	if err != nil {
		return nil, fmt.Errorf("memory: open %q: %w", config.Folder, err)
	}
	return &Vectors{config: config, files: files, campaigns: map[string]*campaignVectors{}}, nil
}
