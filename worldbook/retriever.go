package worldbook

import (
	"context"
	"slices"
)

// Retriever finds entries by meaning, for example by a vector search. It is the
// one thing here that may be slow or fail, so it runs before the scan.
type Retriever interface {
	// Retrieve returns the ids of at most limit entries that belong to the
	// messages, oldest first, best entry first. It must not change messages.
	Retrieve(ctx context.Context, messages []Message, limit int) ([]ID, error)
}

// Retrieve asks r about the newest depth messages and returns what it finds as
// forced entries for [Input.Forced]. The error is the retriever's own.
func Retrieve(ctx context.Context, r Retriever, chat []Message, depth, limit int) ([]Forced, error) {
	newest := chat[max(0, len(chat)-max(depth, 0)):]
	ids, err := r.Retrieve(ctx, slices.Clone(newest), limit)
	if err != nil {
		return nil, err
	}
	var out []Forced
	for _, id := range ids[:min(len(ids), max(limit, 0))] {
		out = append(out, Forced{ID: id})
	}
	return out, nil
}
