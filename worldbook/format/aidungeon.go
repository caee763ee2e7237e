package format

import (
	"cmp"
	"errors"
	"slices"

	"github.com/talewright/talewright/worldbook"
)

// This file reads AI Dungeon story cards and the older world info lists.
//
// A card becomes a world book entry as follows. All other members have the values of a new entry in
// the editor, but the entry is not selective:
//
//	keys, triggers                      keys: a text with commas, or a list
//	value, else entry, description      content
//	title, else name                    comment
//
// Ids and times are kept without a report. Everything else, such as the type of a card, has no
// effect and is reported.

// aidungeonNotBook is the start of the problem text for other files.
const aidungeonNotBook = "aidungeon: not a list of story cards"

// aidungeonParse reads a list of story cards, or an object with a list as storyCards or worldInfo.
// If it has both, storyCards come first. The triggers (keys, split at commas) become keys, the text
// (value or entry) the content, and the title the comment. Cards without triggers are kept and
// never activate. The problems list members without effect. The whole source is kept as the book's
// member originalData.
func aidungeonParse(src *source) (worldbook.Book, error) {
	file := src.Object()
	lists := []string{"storyCards", "worldInfo"}
	lists = slices.DeleteFunc(lists, func(name string) bool { return !loreGiven(file[name]) })
	card := func(card loreItem) members { return convert(src, card) }
	var err error
	switch {
	case file == nil:
		err = src.Each("", src.Text, card)
	case len(lists) == 0:
		err = errors.New("storyCards is missing")
	}
	for _, name := range lists {
		err = cmp.Or(err, src.Each(name, file[name], card))
	}
	return src.finish(err, "", file, "storyCards", "worldInfo")
}

func convert(src *source, card loreItem) members {
	keys := append(src.Texts(card.Path+".keys", card.object["keys"]),
		src.Texts(card.Path+".triggers", card.object["triggers"])...)
	if len(keys) == 0 {
		src.Add(noKeys, card.Path+".keys", "no trigger: the card never activates")
	}
	title := first(src, card, "title", "name")
	src.Lost(card.Path, card.object, "keys", "triggers", "title", "name", "value", "entry",
		"description", "id", "createdAt", "updatedAt")
	out := loreDefault(card.Index)
	out["key"] = keys
	out["comment"], out["addMemo"] = title, title != ""
	out["content"] = first(src, card, "value", "entry", "description")
	out["selective"] = false
	return out
}

// first returns the first of the named members that is a text and not empty.
func first(src *source, card loreItem, names ...string) string {
	for _, n := range names {
		if s := src.TextOf(card.Path+"."+n, card.object[n]); s != "" {
			return s
		}
	}
	return ""
}
