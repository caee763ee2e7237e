package format

import (
	"errors"

	"github.com/talewright/talewright/worldbook"
)

// This file reads the world info of KoboldAI and KoboldAI Lite stories.
//
// An entry becomes a world book entry as follows. All other members have the values of a new entry
// in the editor:
//
//	key                      keys: a text with commas, or a list
//	keysecondary             secondary keys
//	selective                selective, if there are secondary keys
//	keyanti                  secondary keys with NOT_ANY, if there are no others
//	content, else entry, manual_text   content
//	comment, else title      comment
//	constant                 constant
//	probability              probability in percent, 100 if missing
//	widisabled               disabled
//
// Everything else has no effect and is reported. This includes groups and folders, which sort the
// entries in the editor; they stay with each entry as the members wigroup and folder. It also
// includes all parts of a story file except its world info.

// koboldaiParse reads a list of world info entries, or a story file or export with such a list as
// worldinfo or entries. It also reads an export of KoboldAI United, whose entries are an object.
// The members key and keysecondary are split at commas. An entry is selective if its member
// selective is on. Constant entries need no key. keyanti (one of its keys must not occur) becomes
// NOT_ANY if there are no secondary keys. probability is in percent. The problems list members
// without effect. The whole source is kept as the book's member originalData, and the names of
// group and folder are also kept with each entry.
func koboldaiParse(src *source) (worldbook.Book, error) {
	file := src.Object()
	path, list := "", src.Text
	switch {
	case file == nil:
	case loreGiven(file["worldinfo"]):
		path, list = "worldinfo", file["worldinfo"]
	default:
		path, list = "entries", file["entries"]
	}
	if !loreGiven(list) {
		return worldbook.Book{}, errors.New("neither worldinfo nor entries")
	}
	err := src.Each(path, list, func(e loreItem) members { return koboldaiConvert(src, e) })
	return src.finish(err, "", file, path, "folders")
}

// koboldaiNotes are the members that do not affect an entry and are not reported: its number, and notes
// of KoboldAI United about how its content was made.
var koboldaiNotes = [...]string{"init", "uid", "num", "wpp", "use_wpp", "token_length", "used_in_game", "object_type"}

func koboldaiConvert(src *source, e loreItem) members {
	out := loreDefault(e.Index)
	out["key"] = src.Texts(e, "key")
	secondary, anti := src.Texts(e, "keysecondary"), src.Texts(e, "keyanti")
	out["selective"] = truthy(e.take("selective")) && len(secondary) > 0
	switch {
	case len(anti) > 0 && len(secondary) > 0:
		src.Add(notCarried, e.Path+".keyanti",
			"an entry has one list of secondary keys: the anti keys do not act")
	case len(anti) > 0:
		secondary = anti
		out["selective"], out["selectiveLogic"] = true, int(worldbook.NotAny)
	}
	out["keysecondary"] = secondary
	out.setTitle(e.takeFirst("comment", "title"))
	out["content"] = truthyOr(e.takeFirst("content", "entry", "manual_text"), "")
	out["constant"], out["disable"] = truthy(e.take("constant")), truthy(e.take("widisabled"))
	out["probability"] = or(e.take("probability"), 100)
	for _, name := range koboldaiNotes {
		e.take(name)
	}
	for _, name := range []string{"wigroup", "folder"} { // for sorting entries; reported, too
		if loreGiven(e.object[name]) {
			out[name] = e.object[name]
		}
	}
	return out
}
