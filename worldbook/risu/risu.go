package risu

import (
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
	src, err := lore.Open(data)
	if err != nil {
		return worldbook.Book{}, nil, fmt.Errorf("%w: %w", ErrNotBook, err)
	}
	file := src.Object()
	if lore.Text(file["type"]) != "risu" {
		return worldbook.Book{}, nil, fmt.Errorf("%w: type is not \"risu\"", ErrNotBook)
	}
	err = src.Each("data", file["data"], func(e lore.Item) lore.Members {
		used := []string{"key", "secondkey", "comment", "content", "alwaysActive", "selective",
			"insertorder", "activationPercent"}
		if lore.Text(e.Object["mode"]) == "normal" { // others are folders and the like
			used = append(used, "mode")
		}
		src.Lost(e.Path, e.Object, used...)
		return convert(e)
	})
	if err != nil {
		return worldbook.Book{}, nil, fmt.Errorf("%w: %w", ErrNotBook, err)
	}
	src.Lost("", file, "type", "ver", "data")
	return src.Book("")
}

func convert(e lore.Item) lore.Members {
	out := lore.Default(e.Index)
	out["key"] = lore.SplitTrimmed(lore.Text(e.Object["key"]))
	if second := lore.Text(e.Object["secondkey"]); second != "" {
		out["keysecondary"] = lore.SplitTrimmed(second)
	}
	out["comment"] = e.Object["comment"]
	out["addMemo"] = true
	out["content"] = e.Object["content"]
	out["constant"] = e.Object["alwaysActive"]
	out["selective"] = e.Object["selective"]
	out["order"] = e.Object["insertorder"]
	out["probability"] = lore.Or(e.Object["activationPercent"], 100)
	out["useProbability"] = lore.Or(e.Object["activationPercent"], true)
	return out
}
