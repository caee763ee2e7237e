package novelai

import (
	"encoding/json"
	"errors"
	"strings"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/internal/keyindex"
	"github.com/talewright/talewright/worldbook"
	"github.com/talewright/talewright/worldbook/internal/lore"
)

// notBook begins the text of a problem with other files.
const notBook = "novelai: not a lorebook"

// Parse reads a .lorebook file: keys, text, displayName, enabled, forceActivation as
// constant, and the budget priority as order. The problems list what does not act,
// such as the other settings of contexts; the whole source is kept as the book's
// member originalData.
func Parse(data []byte) (worldbook.Book, talewright.Problems) {
	return lore.Read(notBook, data, func(src *lore.Source) (worldbook.Book, error) { return parse(src, true) })
}

// ParseExact is [Parse] as SillyTavern's importer reads the file: an entry of forced
// activation needs its keys like any other, which is a problem.
func ParseExact(data []byte) (worldbook.Book, talewright.Problems) {
	return lore.Read(notBook, data, func(src *lore.Source) (worldbook.Book, error) { return parse(src, false) })
}

func parse(src *lore.Source, forced bool) (worldbook.Book, error) {
	file := src.Object()
	if file["lorebookVersion"] == nil {
		return worldbook.Book{}, errors.New("lorebookVersion is missing")
	}
	used := []string{"text", "contextConfig", "displayName", "keys", "enabled", "id", "lastUpdatedAt"}
	if forced {
		used = append(used, "forceActivation")
	}
	err := src.Each("entries", file["entries"], func(e lore.Item) lore.Members {
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
		return worldbook.Book{}, err
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
