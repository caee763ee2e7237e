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
	var depth, recursive json.RawMessage // of the settings
	err := src.Each("world_lores", lores, func(e loreItem) members {
		if !has(e, "keywords", "content", "constant") {
			depth, recursive = e.take("scanDepth"), e.take("recursiveScan")
			return nil
		}
		return chatlunaEntry(src, e, depth, recursive)
	})
	return src.finish(err, "", file, "world_lores")
}

func chatlunaEntry(src *source, e loreItem, depth, recursive json.RawMessage) members {
	out := loreDefault(e.Index)
	out["key"], out["content"] = src.Texts(e, "keywords"), src.TextOf(e, "content")
	out["order"] = or(e.take("order"), 100)
	out["constant"], out["disable"] = truthy(e.take("constant")), off(e.take("enabled"))
	out["scanDepth"] = or(e.take("scanDepth"), or(depth, nil))
	out["matchWholeWords"], out["caseSensitive"] = or(e.take("matchWholeWord"), nil), or(e.take("caseSensitive"), nil)
	if own := e.take("recursiveScan"); loreGiven(own) {
		recursive = own
	}
	out["preventRecursion"] = off(recursive)
	if place, known := chatlunaPlaces[loreText(e.object["insertPosition"])]; known {
		out["position"] = int(place)
		e.take("insertPosition")
	}
	return out
}
