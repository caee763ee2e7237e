package koboldai

import (
	"encoding/json"
	"errors"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/worldbook"
	"github.com/talewright/talewright/worldbook/internal/lore"
)

// notBook begins the text of a problem with other files.
const notBook = "koboldai: no world info"

// Parse reads a list of world info entries, a story file or export with one as
// worldinfo or entries, or an export of KoboldAI United, whose entries are an object.
// key and keysecondary are split at commas; an entry is selective if it says so,
// constant entries need no key, keyanti (one of them must not occur) becomes NOT_ANY
// where there are no secondary keys. probability is in percent. The problems list what
// does not act; the whole source is kept as the book's member originalData, and the
// names of group and folder with each entry too.
func Parse(data []byte) (worldbook.Book, talewright.Problems) {
	return lore.Read(notBook, data, parse)
}

func parse(src *lore.Source) (worldbook.Book, error) {
	file := src.Object()
	path, list := "", src.Text
	switch {
	case file == nil:
	case lore.Given(file["worldinfo"]):
		path, list = "worldinfo", file["worldinfo"]
	default:
		path, list = "entries", file["entries"]
	}
	if !lore.Given(list) {
		return worldbook.Book{}, errors.New("neither worldinfo nor entries")
	}
	err := src.Each(path, list, func(e lore.Item) lore.Members {
		src.Lost(e.Path, e.Object, used...)
		return convert(src, e)
	})
	if err != nil {
		return worldbook.Book{}, err
	}
	src.Lost("", file, path, "folders")
	return src.Book("")
}

// used are the members that act, and at the end those that say nothing about what an
// entry does: its number, and what KoboldAI United notes about the making of its content.
var used = []string{
	"key", "keysecondary", "keyanti", "content", "entry", "manual_text", "comment", "title",
	"selective", "constant", "probability", "widisabled",
	"init", "uid", "num", "wpp", "use_wpp", "token_length", "used_in_game", "object_type",
}

func convert(src *lore.Source, e lore.Item) lore.Members {
	member := func(name string) json.RawMessage { return e.Object[name] }
	texts := func(name string) []string { return src.Texts(e.Path+"."+name, member(name)) }
	out := lore.Default(e.Index)
	out["key"] = texts("key")
	secondary, anti := texts("keysecondary"), texts("keyanti")
	out["selective"] = lore.Truthy(member("selective")) && len(secondary) > 0
	switch {
	case len(anti) > 0 && len(secondary) > 0:
		src.Add(lore.NotCarried, e.Path+".keyanti",
			"an entry has one list of secondary keys: the anti keys do not act")
	case len(anti) > 0:
		secondary = anti
		out["selective"], out["selectiveLogic"] = true, int(worldbook.NotAny)
	}
	out["keysecondary"] = secondary
	out["comment"] = lore.TruthyOr(member("comment"), lore.TruthyOr(member("title"), ""))
	out["addMemo"] = lore.Truthy(member("comment")) || lore.Truthy(member("title"))
	out["content"] = lore.TruthyOr(member("content"),
		lore.TruthyOr(member("entry"), lore.TruthyOr(member("manual_text"), "")))
	out["constant"] = lore.Truthy(member("constant"))
	out["disable"] = lore.Truthy(member("widisabled"))
	out["probability"] = lore.Or(member("probability"), 100)
	for _, name := range []string{"wigroup", "folder"} { // to sort entries by
		if lore.Given(member(name)) {
			out[name] = member(name)
		}
	}
	return out
}
