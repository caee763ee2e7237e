package novelai

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/internal/keyindex"
	"github.com/talewright/talewright/worldbook"
	"github.com/talewright/talewright/worldbook/internal/lore"
)

// errNotBook begins the texts of problems with JSON that is no NovelAI lorebook.
var errNotBook = errors.New("novelai: not a lorebook")

// Parse reads a .lorebook file: keys, text, displayName, enabled, forceActivation as
// constant, and the budget priority as order. The problems list what does not act,
// such as the other settings of contexts; the whole source is kept as the book's
// member originalData.
func Parse(data []byte) (worldbook.Book, talewright.Problems) {
	return lore.Result(parse(data, true))
}

// ParseExact is [Parse] as SillyTavern's importer reads the file: an entry of forced
// activation needs its keys like any other, which is a problem.
func ParseExact(data []byte) (worldbook.Book, talewright.Problems) {
	return lore.Result(parse(data, false))
}

func parse(data []byte, forced bool) (worldbook.Book, talewright.Problems, error) {
	src, err := lore.Open(data)
	if err != nil {
		return worldbook.Book{}, nil, fmt.Errorf("%w: %w", errNotBook, err)
	}
	file := src.Object()
	if file["lorebookVersion"] == nil {
		return worldbook.Book{}, nil, fmt.Errorf("%w: lorebookVersion is missing", errNotBook)
	}
	used := []string{"text", "contextConfig", "displayName", "keys", "enabled", "id", "lastUpdatedAt"}
	if forced {
		used = append(used, "forceActivation")
	}
	err = src.Each("entries", file["entries"], func(e lore.Item) lore.Members {
		var context lore.Object
		if json.Unmarshal(e.Object["contextConfig"], &context) != nil {
			context = nil
		}
		src.Lost(e.Path, e.Object, used...)
		if left := lore.Unused(context, "budgetPriority"); len(left) > 0 {
			src.Add(lore.NotCarried, e.Path+".contextConfig", "only budgetPriority acts, not "+
				strings.Join(left, ", ")+"; they are kept in the book's originalData")
		}
		out := convert(e, context["budgetPriority"])
		if forced {
			out["constant"] = lore.Truthy(e.Object["forceActivation"])
		}
		return out
	})
	if err != nil {
		return worldbook.Book{}, nil, fmt.Errorf("%w: %w", errNotBook, err)
	}
	src.Lost("", file, "lorebookVersion", "entries")
	return src.Book("")
}

func convert(e lore.Item, priority json.RawMessage) lore.Members {
	out := lore.Default(e.Index)
	out["key"] = e.Object["keys"]
	out["comment"] = lore.TruthyOr(e.Object["displayName"], "")
	out["addMemo"] = keyindex.TrimSpace(lore.Text(e.Object["displayName"])) != ""
	out["content"] = e.Object["text"]
	out["selective"] = false
	out["order"] = lore.Or(priority, 0)
	out["disable"] = lore.Off(e.Object["enabled"])
	return out
}
