package memory

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/talewright/talewright/internal/utf8text"
	"github.com/talewright/talewright/worldbook"
)

// VectorLore finds entries of world books by meaning. It is a [worldbook.Retriever] and safe for
// concurrent use.
type VectorLore struct {
	*embeddings
	ids map[string][]worldbook.ID // by the document of their content, in the order of the books
	at  map[worldbook.ID]int      // the position of each entry
}

// Lore makes a retriever for books. It covers the entries that are marked as vectorized, or all
// entries if no entry is marked. Disabled and empty entries are left out. Lore requests all vectors
// at once, except the vectors in the folder. The error comes from the context, the embedder or the
// folder.
func (m *Vectors) Lore(ctx context.Context, books ...worldbook.Book) (*VectorLore, error) {
	v, err := m.collection("lore", "")
	if err != nil {
		return nil, err
	}
	l := &VectorLore{v, map[string][]worldbook.ID{}, map[worldbook.ID]int{}}
	var docs []document
	marked := slices.ContainsFunc(books, func(b worldbook.Book) bool {
		return slices.ContainsFunc(b.Entries, func(e worldbook.Entry) bool { return e.Vectorized })
	})
	for _, book := range books {
		for _, e := range book.Entries {
			text := utf8text.Cut(strings.TrimSpace(e.Content), maxVectorText)
			if e.Disable || text == "" || marked && !e.Vectorized {
				continue
			}
			sum := sha256.Sum256([]byte(text))
			doc := hex.EncodeToString(sum[:16])
			if len(l.ids[doc]) == 0 {
				docs = append(docs, document{ID: doc, Text: text})
			}
			id := worldbook.ID{Book: book.Name, UID: e.UID}
			l.ids[doc] = append(l.ids[doc], id)
			l.at[id] = len(l.at)
		}
	}
	return l, l.put(ctx, docs)
}

// Retrieve implements [worldbook.Retriever]. The newest message has the largest weight. Entries
// with equal similarity are in the order of the books.
func (l *VectorLore) Retrieve(ctx context.Context, messages []worldbook.Message, limit int) ([]worldbook.ID, error) {
	if limit <= 0 || len(l.ids) == 0 {
		return nil, ctx.Err()
	}
	var texts []string
	for _, message := range slices.Backward(messages) {
		texts = append(texts, message.Text)
	}
	direction, err := l.direction(ctx, texts)
	if direction == nil {
		return nil, err
	}
	var out []worldbook.ID
	similarity := map[worldbook.ID]float32{}
	matches, err := l.texts.near(ctx, direction, l.config.Least)
	for _, one := range matches {
		for _, id := range l.ids[one.ID] { // none for an entry of other books
			similarity[id] = max(similarity[id], one.similarity)
			out = append(out, id)
		}
	}
	slices.SortFunc(out, func(a, b worldbook.ID) int {
		return cmp.Or(cmp.Compare(similarity[b], similarity[a]), l.at[a]-l.at[b])
	})
	return out[:min(len(out), limit)], err
}
