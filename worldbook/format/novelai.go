package format

import (
	"encoding/json"
	"errors"
	"strings"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/worldbook"
)

// This file reads NovelAI lorebooks.
//
// An entry becomes a world book entry as follows. All other members have the values of a new entry
// in the editor, but the entry is not selective:
//
//	keys                           keys
//	text                           content
//	displayName                    comment
//	enabled                        not disabled; missing is enabled
//	forceActivation                constant
//	contextConfig.budgetPriority   order, 0 if missing
//
// Everything else has no effect and is reported: searchRange, categories, biases, and the other
// settings of contexts.

// novelaiNotBook is the start of the problem text for other files.
const novelaiNotBook = "novelai: not a lorebook"

// ParseNovelAIExact reads a file of NovelAI by the rules of SillyTavern's importer: an entry with forced
// activation still needs its keys, and a problem is reported.
func ParseNovelAIExact(data []byte) (worldbook.Book, talewright.Problems) {
	return loreRead(novelaiNotBook, data, func(src *source) (worldbook.Book, error) { return novelaiParse(src, false) })
}

// novelaiParse reads a .lorebook file: keys, text, displayName, enabled, forceActivation as
// constant, and the budget priority as order. The problems list members without effect, such as the
// other settings of contexts. The whole source is kept as the book's member originalData.
func novelaiParse(src *source, forced bool) (worldbook.Book, error) {
	file := src.Object()
	if file["lorebookVersion"] == nil {
		return worldbook.Book{}, errors.New("lorebookVersion is missing")
	}
	err := src.Each("entries", file["entries"], func(e loreItem) members {
		var context object
		if json.Unmarshal(e.take("contextConfig"), &context) != nil {
			context = nil
		}
		if left := unused(context, "budgetPriority"); len(left) > 0 {
			src.Add(notCarried, e.Path+".contextConfig", "only budgetPriority acts, not "+
				strings.Join(left, ", ")+"; they are kept in the book's originalData")
		}
		out := loreDefault(e.Index)
		title := e.take("displayName")
		out["comment"], out["addMemo"] = truthyOr(title, ""), !blank(loreText(title))
		out["key"], out["content"] = e.take("keys"), e.take("text")
		out["order"], out["disable"] = or(context["budgetPriority"], 0), off(e.take("enabled"))
		if forced {
			out["constant"] = truthy(e.take("forceActivation"))
		}
		e.take("id")
		e.take("lastUpdatedAt")
		return out
	})
	return src.finish(err, "", file, "lorebookVersion", "entries")
}
