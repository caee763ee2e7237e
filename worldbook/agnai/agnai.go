package agnai

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/talewright/talewright/worldbook"
	"github.com/talewright/talewright/worldbook/internal/lore"
)

// ErrNotBook is returned for JSON that is no Agnai memory book.
var ErrNotBook = errors.New("agnai: not a memory book")

// Parse reads a memory book as SillyTavern's importer does: keywords, entry,
// name, enabled and the weight as order. The problems list what does not act;
// the whole source is kept as the book's member originalData.
func Parse(data []byte) (worldbook.Book, []worldbook.Problem, error) {
	var src struct {
		Kind    string                       `json:"kind"`
		Name    string                       `json:"name"`
		Entries []map[string]json.RawMessage `json:"entries"`
	}
	if err := json.Unmarshal(data, &src); err != nil {
		return worldbook.Book{}, nil, fmt.Errorf("%w: %v", ErrNotBook, err)
	}
	if src.Kind != "memory" {
		return worldbook.Book{}, nil, fmt.Errorf("%w: kind is %q, not memory", ErrNotBook, src.Kind)
	}
	var problems []worldbook.Problem
	list := make([]lore.Members, len(src.Entries))
	for i, e := range src.Entries {
		out := lore.Default(i)
		out["key"] = e["keywords"]
		out["comment"] = lore.TruthyOr(e["name"], "")
		out["addMemo"] = lore.Truthy(e["name"])
		out["content"] = e["entry"]
		out["selective"] = false
		out["order"] = e["weight"]
		out["disable"] = !lore.Truthy(e["enabled"])
		list[i] = out
		problems = lore.Lost(problems, fmt.Sprintf("entries[%d]", i), e,
			"name", "entry", "keywords", "weight", "enabled")
	}
	book, err := lore.Book(src.Name, list, bytes.Clone(data))
	return book, problems, err
}
