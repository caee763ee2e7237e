package aidungeon

import (
	"cmp"
	"errors"
	"slices"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/worldbook"
	"github.com/talewright/talewright/worldbook/internal/lore"
)

// notBook begins the text of a problem with other files.
const notBook = "aidungeon: not a list of story cards"

// Parse reads a list of story cards, or an object that has one as storyCards or
// worldInfo (of both, the former stand first). The triggers (keys, split at
// commas) become keys, the text (value or entry) the content, and the title the
// comment. Cards without triggers are kept and never activate. The problems list
// what does not act; the whole source is kept as the book's member originalData.
func Parse(data []byte) (worldbook.Book, talewright.Problems) {
	return lore.Read(notBook, data, parse)
}

func parse(src *lore.Source) (worldbook.Book, error) {
	file := src.Object()
	lists := []string{"storyCards", "worldInfo"}
	lists = slices.DeleteFunc(lists, func(name string) bool { return !lore.Given(file[name]) })
	card := func(card lore.Item) lore.Members { return convert(src, card) }
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
	if err != nil {
		return worldbook.Book{}, err
	}
	src.Lost("", file, "storyCards", "worldInfo")
	return src.Book("")
}

func convert(src *lore.Source, card lore.Item) lore.Members {
	keys := append(src.Texts(card.Path+".keys", card.Object["keys"]),
		src.Texts(card.Path+".triggers", card.Object["triggers"])...)
	if len(keys) == 0 {
		src.Add(lore.NoKeys, card.Path+".keys", "no trigger: the card never activates")
	}
	title := first(src, card, "title", "name")
	src.Lost(card.Path, card.Object, "keys", "triggers", "title", "name", "value", "entry",
		"description", "id", "createdAt", "updatedAt")
	out := lore.Default(card.Index)
	out["key"] = keys
	out["comment"], out["addMemo"] = title, title != ""
	out["content"] = first(src, card, "value", "entry", "description")
	out["selective"] = false
	return out
}

// first returns the first of the named members that is a text with something in it.
func first(src *lore.Source, card lore.Item, names ...string) string {
	for _, n := range names {
		if s := src.TextOf(card.Path+"."+n, card.Object[n]); s != "" {
			return s
		}
	}
	return ""
}
