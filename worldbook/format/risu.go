package format

import (
	"encoding/json"
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
		out := loreDefault(e.Index)
		key, second := e.take("key"), e.take("secondkey")
		out["key"] = splitTrimmed(loreText(key))
		if text := loreText(second); text != "" {
			out["keysecondary"] = splitTrimmed(text)
		}
		percent := e.take("activationPercent")
		out["probability"], out["useProbability"] = or(percent, 100), or(percent, true)
		out["comment"], out["addMemo"], out["content"] = e.take("comment"), true, e.take("content")
		out["constant"], out["selective"], out["order"] = e.take("alwaysActive"), e.take("selective"), e.take("insertorder")
		mode := loreText(e.object["mode"])
		if mode == "normal" || mode == "constant" && !exact { // others are folders and similar
			e.take("mode")
		}
		if exact {
			return out
		}
		if truthy(e.take("constant")) || mode == "constant" {
			out["constant"] = true
		}
		if truthy(e.take("useRegex")) {
			out["key"] = pattern(src, e.Path+".key", key)
			if list := pattern(src, e.Path+".secondkey", second); len(list) > 0 {
				out["keysecondary"] = list
			}
		}
		return out
	})
	return src.finish(err, "", file, "type", "ver", "data")
}

// pattern reads a member that is a regular expression. It returns at most one key.
func pattern(src *source, path string, member json.RawMessage) []string {
	text := keyindex.TrimSpace(loreText(member))
	if text == "" {
		return []string{}
	}
	key := text
	if !isPattern(key) {
		key = "/" + strings.ReplaceAll(strings.ReplaceAll(text, `\/`, "/"), "/", `\/`) + "/"
	}
	if !isPattern(key) {
		src.Add(badPattern, path, fmt.Sprintf("%.80q is not a regular expression: it never matches", text))
		return []string{}
	}
	return []string{key}
}
