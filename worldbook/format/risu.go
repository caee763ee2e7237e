package format

import (
	"errors"
	"fmt"
	"strings"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/internal/keyindex"
	"github.com/talewright/talewright/worldbook"
)

// The risu part reads RisuAI lorebooks: {"type": "risu", "data": [...]}.
//
// An entry becomes a world book entry in this way; everything else of it is as
// the editor makes a new one:
//
//	key                 keys, split at commas
//	secondkey           secondary keys, split at commas; none if empty
//	comment, content    comment, content
//	insertorder         order
//	useRegex            key and secondkey are one regular expression each
//	alwaysActive        constant; also by constant, or mode "constant"
//	selective           selective
//	activationPercent   probability, and its switch: 0 switches the roll off
//
// Everything else does not act and is reported, every other mode, such as a folder,
// among it.

// risuNotBook begins the text of a problem with other files.
const risuNotBook = "risu: not a lorebook"

// ParseRisu reads a lorebook. An empty piece between commas is a key, as in SillyTavern's
// importer, and an activation percent stands in the probability switch too. With
// useRegex, key and secondkey are one regular expression each, in slashes or without;
// one that is no pattern never matches, which is a problem. An entry is constant by
// alwaysActive, by constant, or by its mode. Compile the book with
// [worldbook.DecoratorsCardV3] to make its decorators act. The problems list what does
// not act; the whole source is kept as the book's member originalData.
func ParseRisu(data []byte) (worldbook.Book, talewright.Problems) {
	return loreRead(risuNotBook, data, func(src *source) (worldbook.Book, error) { return risuParse(src, false) })
}

// ParseRisuExact is [ParseRisu] as SillyTavern's importer reads the file: useRegex, constant
// and the mode do not act, which is a problem.
func ParseRisuExact(data []byte) (worldbook.Book, talewright.Problems) {
	return loreRead(risuNotBook, data, func(src *source) (worldbook.Book, error) { return risuParse(src, true) })
}

func risuParse(src *source, exact bool) (worldbook.Book, error) {
	file := src.Object()
	if loreText(file["type"]) != "risu" {
		return worldbook.Book{}, errors.New("type is not \"risu\"")
	}
	err := src.Each("data", file["data"], func(e loreItem) members {
		src.Lost(e.Path, e.object, acting(e.object, exact)...)
		out := risuConvert(e)
		if !exact {
			complete(src, e, out)
		}
		return out
	})
	if err != nil {
		return worldbook.Book{}, err
	}
	src.Lost("", file, "type", "ver", "data")
	return src.Book("")
}

// acting names the members of an entry that act. Modes beside normal and constant are
// folders and the like.
func acting(e object, exact bool) []string {
	used := []string{"key", "secondkey", "comment", "content", "alwaysActive", "selective",
		"insertorder", "activationPercent"}
	mode := loreText(e["mode"])
	if mode == "normal" || mode == "constant" && !exact {
		used = append(used, "mode")
	}
	if !exact {
		used = append(used, "useRegex", "constant")
	}
	return used
}

func risuConvert(e loreItem) members {
	out := loreDefault(e.Index)
	out["key"] = splitTrimmed(loreText(e.object["key"]))
	if second := loreText(e.object["secondkey"]); second != "" {
		out["keysecondary"] = splitTrimmed(second)
	}
	out["comment"] = e.object["comment"]
	out["addMemo"] = true
	out["content"] = e.object["content"]
	out["constant"] = e.object["alwaysActive"]
	out["selective"] = e.object["selective"]
	out["order"] = e.object["insertorder"]
	out["probability"] = or(e.object["activationPercent"], 100)
	out["useProbability"] = or(e.object["activationPercent"], true)
	return out
}

// complete adds what SillyTavern's importer passes over.
func complete(src *source, e loreItem, out members) {
	if truthy(e.object["constant"]) || loreText(e.object["mode"]) == "constant" {
		out["constant"] = true
	}
	if !truthy(e.object["useRegex"]) {
		return
	}
	out["key"] = pattern(src, e, "key")
	if second := pattern(src, e, "secondkey"); len(second) > 0 {
		out["keysecondary"] = second
	}
}

// pattern reads a member that is a regular expression as the one key that it makes.
func pattern(src *source, e loreItem, name string) []string {
	text := keyindex.TrimSpace(loreText(e.object[name]))
	if text == "" {
		return []string{}
	}
	key := text
	if !isPattern(key) {
		key = "/" + strings.ReplaceAll(strings.ReplaceAll(text, `\/`, "/"), "/", `\/`) + "/"
	}
	if !isPattern(key) {
		src.Add(badPattern, e.Path+"."+name,
			fmt.Sprintf("%.80q is no regular expression: it never matches", text))
		return []string{}
	}
	return []string{key}
}
