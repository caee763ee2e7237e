package format

import (
	"errors"
	"fmt"
	"strings"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/internal/keyindex"
	"github.com/talewright/talewright/worldbook"
)

// This file reads RisuAI lorebooks: {"type": "risu", "data": [...]}.
//
// An entry becomes a world book entry as follows. All other members have the values of a new entry
// in the editor:
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
// Everything else has no effect and is reported, including every other mode, such as a folder.

// risuNotBook is the start of the problem text for other files.
const risuNotBook = "risu: not a lorebook"

// ParseRisuExact reads a lorebook of RisuAI by the rules of SillyTavern's importer: useRegex, constant and the
// mode have no effect, and a problem is reported.
func ParseRisuExact(data []byte) (worldbook.Book, talewright.Problems) {
	return loreRead(risuNotBook, data, func(src *source) (worldbook.Book, error) { return risuParse(src, true) })
}

// risuParse reads a lorebook. An empty piece between commas is a key, as in SillyTavern's importer,
// and the activation percent is also stored in the probability switch. With useRegex, key and
// secondkey are one regular expression each, with or without slashes. A regular expression that is
// not valid never matches and is reported as a problem. An entry is constant by alwaysActive, by
// constant, or by its mode. Compile the book with [worldbook.DecoratorsCardV3] to apply its
// decorators. The problems list members without effect. The whole source is kept as the book's
// member originalData.
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
	return src.finish(err, "", file, "type", "ver", "data")
}

// acting returns the members of an entry that have an effect. Modes other than normal and constant
// are folders and similar.
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

// complete adds the members that SillyTavern's importer ignores.
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

// pattern reads a member that is a regular expression. It returns at most one key.
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
			fmt.Sprintf("%.80q is not a regular expression: it never matches", text))
		return []string{}
	}
	return []string{key}
}
