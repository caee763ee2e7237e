package novelai

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/talewright/talewright/internal/keyindex"
	"github.com/talewright/talewright/worldbook"
	"github.com/talewright/talewright/worldbook/internal/lore"
)

// ErrNotBook is returned for JSON that is no NovelAI lorebook.
var ErrNotBook = errors.New("novelai: not a lorebook")

// Parse reads a .lorebook file as SillyTavern's importer does: keys, text,
// displayName, enabled and the budget priority as order. The problems list what
// does not act, forced activation among it; the whole source is kept as the
// book's member originalData.
func Parse(data []byte) (worldbook.Book, []worldbook.Problem, error) {
	var src struct {
		Version json.RawMessage              `json:"lorebookVersion"`
		Entries []map[string]json.RawMessage `json:"entries"`
	}
	if err := json.Unmarshal(data, &src); err != nil {
		return worldbook.Book{}, nil, fmt.Errorf("%w: %v", ErrNotBook, err)
	}
	if src.Version == nil {
		return worldbook.Book{}, nil, fmt.Errorf("%w: lorebookVersion is missing", ErrNotBook)
	}
	var problems []worldbook.Problem
	list := make([]lore.Members, len(src.Entries))
	for i, e := range src.Entries {
		list[i] = convert(e, i)
		problems = lore.Lost(problems, fmt.Sprintf("entries[%d]", i), e,
			"text", "contextConfig", "displayName", "keys", "enabled", "id", "lastUpdatedAt")
	}
	book, err := lore.Book("", list, bytes.Clone(data))
	return book, problems, err
}

func convert(e map[string]json.RawMessage, i int) lore.Members {
	var context struct {
		Priority json.RawMessage `json:"budgetPriority"`
	}
	if json.Unmarshal(e["contextConfig"], &context) != nil {
		context.Priority = nil
	}
	out := lore.Default(i)
	out["key"] = e["keys"]
	out["comment"] = lore.TruthyOr(e["displayName"], "")
	out["addMemo"] = keyindex.TrimSpace(lore.Text(e["displayName"])) != ""
	out["content"] = e["text"]
	out["selective"] = false
	out["order"] = lore.Or(context.Priority, 0)
	out["disable"] = !lore.Truthy(e["enabled"])
	return out
}
