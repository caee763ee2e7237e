package format

import (
	"encoding/json"
	"errors"

	"github.com/talewright/talewright/worldbook"
)

// This file reads the lore in presets of ChatLuna, which are YAML files: {"world_lores": [...]}.
//
// An entry becomes a world book entry as follows. All other members have the values of a new entry
// in the editor:
//
//	keywords         keys: a list, or a text with commas
//	content          content
//	order            order
//	constant         constant
//	enabled          not disabled
//	scanDepth        scan depth
//	matchWholeWord   whole words
//	caseSensitive    letter case
//	recursiveScan    if it is off, the text leads to no other entry
//	insertPosition   before_char_defs, after_char_defs, before_example_messages or
//	                 after_example_messages
//
// An item without keywords and content has settings for the entries after it: scanDepth and
// recursiveScan. Everything else has no effect and is reported, including the prompts of the preset.

// chatlunaNotBook is the start of the problem text for other files.
const chatlunaNotBook = "chatluna: no lore"

// chatlunaPlaces are the positions that a world book has.
var chatlunaPlaces = map[string]worldbook.Position{
	"before_char_defs": worldbook.PositionBeforeCharacter, "after_char_defs": worldbook.PositionAfterCharacter,
	"before_example_messages": worldbook.PositionBeforeExamples, "after_example_messages": worldbook.PositionAfterExamples,
}

func chatlunaParse(src *source) (worldbook.Book, error) {
	file := src.Object()
	lores := file["world_lores"]
	if !loreGiven(lores) {
		return worldbook.Book{}, errors.New("no world_lores")
	}
	items, err := src.Items("world_lores", lores)
	if err != nil {
		return worldbook.Book{}, err
	}
	var depth, recursive json.RawMessage // of the settings
	n := 0
	for e := range items {
		if !has(e, "keywords", "content", "constant") {
			depth, recursive = e.object["scanDepth"], e.object["recursiveScan"]
			src.Lost(e.Path, e.object, "scanDepth", "recursiveScan")
			continue
		}
		e.Index = n
		n++
		if err := src.write(e, chatlunaEntry(src, e, depth, recursive)); err != nil {
			return worldbook.Book{}, err
		}
	}
	return src.finish(nil, "", file, "world_lores")
}

func chatlunaEntry(src *source, e loreItem, depth, recursive json.RawMessage) members {
	out := loreDefault(e.Index)
	out["key"], out["selective"] = src.Texts(e.Path+".keywords", e.object["keywords"]), false
	out["content"] = src.TextOf(e.Path+".content", e.object["content"])
	out["order"] = or(e.object["order"], 100)
	out["constant"], out["disable"] = truthy(e.object["constant"]), off(e.object["enabled"])
	out["scanDepth"] = or(e.object["scanDepth"], or(depth, nil))
	out["matchWholeWords"], out["caseSensitive"] = or(e.object["matchWholeWord"], nil), or(e.object["caseSensitive"], nil)
	if loreGiven(e.object["recursiveScan"]) {
		recursive = e.object["recursiveScan"]
	}
	out["preventRecursion"] = off(recursive)
	used := []string{"keywords", "content", "order", "constant", "enabled", "scanDepth", "matchWholeWord", "caseSensitive", "recursiveScan"}
	if place, known := chatlunaPlaces[loreText(e.object["insertPosition"])]; known {
		out["position"], used = int(place), append(used, "insertPosition")
	}
	src.Lost(e.Path, e.object, used...)
	return out
}
