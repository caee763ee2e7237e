package format

import (
	"errors"

	"github.com/talewright/talewright/worldbook"
)

// This file reads Agnai memory books: {"kind": "memory", "entries": [...]}.
//
// An entry becomes a world book entry as follows. All other members have the values of a new entry
// in the editor, but the entry is not selective:
//
//	keywords   keys
//	entry      content
//	name       comment
//	weight     order
//	enabled    not disabled; missing is enabled
//
// Everything else has no effect and is reported, including priority: Agnai drops entries of low
// priority first, but a world book uses the order.

// agnaiParse reads a memory book as SillyTavern's importer does: keywords, entry, name, enabled,
// and the weight as order. In contrast to SillyTavern an entry without enabled is on. The problems
// list members without effect. The whole source is kept as the book's member originalData.
func agnaiParse(src *source) (worldbook.Book, error) {
	file := src.Object()
	if loreText(file["kind"]) != "memory" {
		return worldbook.Book{}, errors.New("kind is not \"memory\"")
	}
	err := src.Each("entries", file["entries"], func(e loreItem) members {
		out := loreDefault(e.Index)
		out.setTitle(e.take("name"))
		out["key"], out["content"] = e.take("keywords"), e.take("entry")
		out["order"], out["disable"] = e.take("weight"), off(e.take("enabled"))
		return out
	})
	return src.finish(err, loreText(file["name"]), file, "kind", "name", "entries")
}
