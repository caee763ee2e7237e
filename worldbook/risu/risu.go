package risu

import (
	"errors"
	"fmt"
	"strings"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/internal/keyindex"
	"github.com/talewright/talewright/worldbook"
	"github.com/talewright/talewright/worldbook/internal/lore"
)

// notBook begins the text of a problem with other files.
const notBook = "risu: not a lorebook"

// Parse reads a lorebook. An empty piece between commas is a key, as in SillyTavern's
// importer, and an activation percent stands in the probability switch too. With
// useRegex, key and secondkey are one regular expression each, in slashes or without;
// one that is no pattern never matches, which is a problem. An entry is constant by
// alwaysActive, by constant, or by its mode. Compile the book with
// [profile.DecoratorsCardV3] to make its decorators act. The problems list what does
// not act; the whole source is kept as the book's member originalData.
func Parse(data []byte) (worldbook.Book, talewright.Problems) {
	return lore.Read(notBook, data, func(src *lore.Source) (worldbook.Book, error) { return parse(src, false) })
}

// ParseExact is [Parse] as SillyTavern's importer reads the file: useRegex, constant
// and the mode do not act, which is a problem.
func ParseExact(data []byte) (worldbook.Book, talewright.Problems) {
	return lore.Read(notBook, data, func(src *lore.Source) (worldbook.Book, error) { return parse(src, true) })
}

func parse(src *lore.Source, exact bool) (worldbook.Book, error) {
	file := src.Object()
	if lore.Text(file["type"]) != "risu" {
		return worldbook.Book{}, errors.New("type is not \"risu\"")
	}
	err := src.Each("data", file["data"], func(e lore.Item) lore.Members {
		src.Lost(e.Path, e.Object, acting(e.Object, exact)...)
		out := convert(e)
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
func acting(e lore.Object, exact bool) []string {
	used := []string{"key", "secondkey", "comment", "content", "alwaysActive", "selective",
		"insertorder", "activationPercent"}
	mode := lore.Text(e["mode"])
	if mode == "normal" || mode == "constant" && !exact {
		used = append(used, "mode")
	}
	if !exact {
		used = append(used, "useRegex", "constant")
	}
	return used
}

func convert(e lore.Item) lore.Members {
	out := lore.Default(e.Index)
	out["key"] = lore.SplitTrimmed(lore.Text(e.Object["key"]))
	if second := lore.Text(e.Object["secondkey"]); second != "" {
		out["keysecondary"] = lore.SplitTrimmed(second)
	}
	out["comment"] = e.Object["comment"]
	out["addMemo"] = true
	out["content"] = e.Object["content"]
	out["constant"] = e.Object["alwaysActive"]
	out["selective"] = e.Object["selective"]
	out["order"] = e.Object["insertorder"]
	out["probability"] = lore.Or(e.Object["activationPercent"], 100)
	out["useProbability"] = lore.Or(e.Object["activationPercent"], true)
	return out
}

// complete adds what SillyTavern's importer passes over.
func complete(src *lore.Source, e lore.Item, out lore.Members) {
	if lore.Truthy(e.Object["constant"]) || lore.Text(e.Object["mode"]) == "constant" {
		out["constant"] = true
	}
	if !lore.Truthy(e.Object["useRegex"]) {
		return
	}
	out["key"] = pattern(src, e, "key")
	if second := pattern(src, e, "secondkey"); len(second) > 0 {
		out["keysecondary"] = second
	}
}

// pattern reads a member that is a regular expression as the one key that it makes.
func pattern(src *lore.Source, e lore.Item, name string) []string {
	text := keyindex.TrimSpace(lore.Text(e.Object[name]))
	if text == "" {
		return []string{}
	}
	key := text
	if !lore.IsPattern(key) {
		key = "/" + strings.ReplaceAll(strings.ReplaceAll(text, `\/`, "/"), "/", `\/`) + "/"
	}
	if !lore.IsPattern(key) {
		src.Add(lore.BadPattern, e.Path+"."+name,
			fmt.Sprintf("%.80q is no regular expression: it never matches", text))
		return []string{}
	}
	return []string{key}
}
