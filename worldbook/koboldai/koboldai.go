package koboldai

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/talewright/talewright/worldbook"
	"github.com/talewright/talewright/worldbook/internal/lore"
)

// ErrNotBook is returned for JSON that holds no KoboldAI world info.
var ErrNotBook = errors.New("koboldai: no world info")

// Parse reads a list of world info entries, or a story file or export with one
// as worldinfo or entries. key and keysecondary are split at commas; an entry is
// selective if it says so, constant entries need no key, keyanti (one of them
// must not occur) becomes NOT_ANY where there are no secondary keys. probability
// is in percent. The problems list what does not act; the whole source is kept as
// the book's member originalData.
func Parse(data []byte) (worldbook.Book, []worldbook.Problem, error) {
	src, err := lore.Open(data)
	if err != nil {
		return worldbook.Book{}, nil, fmt.Errorf("%w: %w", ErrNotBook, err)
	}
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
		return worldbook.Book{}, nil, fmt.Errorf("%w: neither worldinfo nor entries", ErrNotBook)
	}
	err = src.Each(path, list, func(e lore.Item) lore.Members {
		src.Lost(e.Path, e.Object, "key", "keysecondary", "keyanti", "content", "comment",
			"selective", "constant", "probability", "init", "uid", "num", "widisabled", "entry")
		return convert(src, e)
	})
	if err != nil {
		return worldbook.Book{}, nil, fmt.Errorf("%w: %w", ErrNotBook, err)
	}
	src.Lost("", file, path)
	return src.Book("")
}

func convert(src *lore.Source, e lore.Item) lore.Members {
	member := func(name string) json.RawMessage { return e.Object[name] }
	out := lore.Default(e.Index)
	out["key"] = lore.Texts(member("key"))
	secondary, anti := lore.Texts(member("keysecondary")), lore.Texts(member("keyanti"))
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
	out["comment"] = lore.TruthyOr(member("comment"), "")
	out["addMemo"] = lore.Truthy(member("comment"))
	out["content"] = lore.Or(member("content"), lore.Or(member("entry"), ""))
	out["constant"] = lore.Truthy(member("constant"))
	out["disable"] = lore.Truthy(member("widisabled"))
	out["probability"] = lore.Or(member("probability"), 100)
	return out
}
