package embed

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/philippgille/chromem-go"

	"github.com/talewright/talewright/llm"
)

// Embedder makes one vector of each text, in their order, all of one length. The client of
// llm/openai is one. It has to be safe for concurrent use.
type Embedder interface {
	Embed(ctx context.Context, model string, texts []string) ([][]float32, *llm.Usage, error)
}

// Config is what a Memory works with. Embedder is required.
type Config struct {
	Embedder Embedder
	// Model is the embedder's; "" means its default. Vectors of two models are kept apart.
	Model string
	// Passage and Query stand before each text that is remembered, or asked for. Some
	// models want that, such as "passage: " and "query: ".
	Passage, Query string
	// Folder is where the vectors are kept; "" means in the memory of the process only. It is
	// made if it is missing. One process may use it at a time.
	Folder string
	// Batch is how many texts go into one request; 0 means 64.
	Batch int
	// Passages is how many passages of a campaign are kept, those of the newest turns; 0
	// means 20,000.
	Passages int
	// Least is the cosine below which nothing is recalled; the zero Least lets pass all that
	// does not point away. What is near depends on the model.
	Least float64
}

// ErrNoEmbedder is returned by [New].
var ErrNoEmbedder = errors.New("embed: no embedder is configured")

// ErrVectors says that the embedder gave vectors that cannot be used: too few, empty, of another
// length than those that are known, or with numbers that are not finite or all 0.
var ErrVectors = errors.New("embed: unusable vectors")

// New opens a memory. The error is [ErrNoEmbedder], or that of a folder that cannot be read.
func New(config Config) (*Memory, error) {
	if config.Embedder == nil {
		return nil, ErrNoEmbedder
	}
	config.Batch = cmp.Or(max(config.Batch, 0), 64)
	config.Passages = cmp.Or(max(config.Passages, 0), 20_000)
	db := chromem.NewDB()
	if config.Folder != "" {
		var err error
		if db, err = chromem.NewPersistentDB(config.Folder, false); err != nil {
			return nil, fmt.Errorf("embed: open %q: %w", config.Folder, err)
		}
	}
	return &Memory{config: config, db: db, campaigns: map[string]*campaignVectors{}}, nil
}
