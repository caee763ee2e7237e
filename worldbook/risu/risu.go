package risu

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/talewright/talewright/worldbook"
	"github.com/talewright/talewright/worldbook/internal/lore"
)

// ErrNotBook is returned for JSON that is no RisuAI lorebook.
var ErrNotBook = errors.New("risu: not a lorebook")

// Parse reads a lorebook as SillyTavern's importer does, its oddities included:
// an empty piece between commas is a key, and an activation percent stands in
// the probability switch too. Compile the book with
// [worldbook.DecoratorsCardV3] to make its decorators act. The problems list
// what does not act; the whole source is kept as the book's member originalData.
func Parse(data []byte) (worldbook.Book, []worldbook.Problem, error) {
	var src struct {
		Type string                       `json:"type"`
		Data []map[string]json.RawMessage `json:"data"`
	}
	if err := json.Unmarshal(data, &src); err != nil {
		return worldbook.Book{}, nil, fmt.Errorf("%w: %v", ErrNotBook, err)
	}
	if src.Type != "risu" {
		return worldbook.Book{}, nil, fmt.Errorf("%w: type is %q, not risu", ErrNotBook, src.Type)
	}
	var problems []worldbook.Problem
	list := make([]lore.Members, len(src.Data))
	for i, e := range src.Data {
		list[i] = convert(e, i)
		path := fmt.Sprintf("data[%d]", i)
		problems = lore.Lost(problems, path, e, "key", "secondkey", "comment", "content",
			"alwaysActive", "selective", "insertorder", "activationPercent", "mode")
		if mode := lore.Text(e["mode"]); mode != "" && mode != "normal" {
			problems = append(problems, lore.Problem("not_carried", path+".mode",
				fmt.Sprintf("mode %q does not act", mode)))
		}
	}
	book, err := lore.Book("", list, bytes.Clone(data))
	return book, problems, err
}

func convert(e map[string]json.RawMessage, i int) lore.Members {
	out := lore.Default(i)
	out["key"] = lore.SplitTrimmed(lore.Text(e["key"]))
	if second := lore.Text(e["secondkey"]); second != "" {
		out["keysecondary"] = lore.SplitTrimmed(second)
	}
	out["comment"] = e["comment"]
	out["addMemo"] = true
	out["content"] = e["content"]
	out["constant"] = e["alwaysActive"]
	out["selective"] = e["selective"]
	out["order"] = e["insertorder"]
	out["probability"] = lore.Or(e["activationPercent"], 100)
	out["useProbability"] = lore.Or(e["activationPercent"], true)
	return out
}
