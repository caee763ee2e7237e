package agnai

import (
	"errors"
	"fmt"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/worldbook"
	"github.com/talewright/talewright/worldbook/internal/lore"
)

// errNotBook begins the texts of problems with JSON that is no Agnai memory book.
var errNotBook = errors.New("agnai: not a memory book")

// Parse reads a memory book as SillyTavern's importer does: keywords, entry,
// name, enabled and the weight as order; but an entry without enabled is on. The
// problems list what does not act; the whole source is kept as the book's member
// originalData.
func Parse(data []byte) (worldbook.Book, talewright.Problems) {
	return lore.Result(parse(data))
}

func parse(data []byte) (worldbook.Book, talewright.Problems, error) {
	src, err := lore.Open(data)
	if err != nil {
		return worldbook.Book{}, nil, fmt.Errorf("%w: %w", errNotBook, err)
	}
	file := src.Object()
	if lore.Text(file["kind"]) != "memory" {
		return worldbook.Book{}, nil, fmt.Errorf("%w: kind is not \"memory\"", errNotBook)
	}
	err = src.Each("entries", file["entries"], func(e lore.Item) lore.Members {
		out := lore.Default(e.Index)
		out["key"] = e.Object["keywords"]
		out["comment"] = lore.TruthyOr(e.Object["name"], "")
		out["addMemo"] = lore.Truthy(e.Object["name"])
		out["content"] = e.Object["entry"]
		out["selective"] = false
		out["order"] = e.Object["weight"]
		out["disable"] = lore.Off(e.Object["enabled"])
		src.Lost(e.Path, e.Object, "name", "entry", "keywords", "weight", "enabled")
		return out
	})
	if err != nil {
		return worldbook.Book{}, nil, fmt.Errorf("%w: %w", errNotBook, err)
	}
	src.Lost("", file, "kind", "name", "entries")
	return src.Book(lore.Text(file["name"]))
}
