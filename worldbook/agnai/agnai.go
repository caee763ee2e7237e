package agnai

import (
	"errors"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/worldbook"
	"github.com/talewright/talewright/worldbook/internal/lore"
)

// notBook begins the text of a problem with other files.
const notBook = "agnai: not a memory book"

// Parse reads a memory book as SillyTavern's importer does: keywords, entry,
// name, enabled and the weight as order; but an entry without enabled is on. The
// problems list what does not act; the whole source is kept as the book's member
// originalData.
func Parse(data []byte) (worldbook.Book, talewright.Problems) {
	return lore.Read(notBook, data, parse)
}

func parse(src *lore.Source) (worldbook.Book, error) {
	file := src.Object()
	if lore.Text(file["kind"]) != "memory" {
		return worldbook.Book{}, errors.New("kind is not \"memory\"")
	}
	err := src.Each("entries", file["entries"], func(e lore.Item) lore.Members {
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
		return worldbook.Book{}, err
	}
	src.Lost("", file, "kind", "name", "entries")
	return src.Book(lore.Text(file["name"]))
}
