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
	keys := append(src.Texts(card, "keys"), src.Texts(card, "triggers")...)
	if len(keys) == 0 {
		src.Add(noKeys, card.Path+".keys", "no trigger: the card never activates")
	}
	out := loreDefault(card.Index)
	title := first(src, card, "title", "name")
	out["key"], out["comment"], out["addMemo"] = keys, title, title != ""
	out["content"] = first(src, card, "value", "entry", "description")
	for _, name := range []string{"id", "createdAt", "updatedAt"} {
		card.take(name)
	}
	return out
}

// first takes the named members and returns the first one that is a text and not empty.
func first(src *source, card loreItem, names ...string) (first string) {
	for _, name := range names {
		if first == "" {
			first = src.TextOf(card, name)
		}
		card.take(name)
	}
	return first
}
