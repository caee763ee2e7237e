package koboldai

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/talewright/talewright/worldbook"
	"github.com/talewright/talewright/worldbook/internal/lore"
)

// ErrNotBook is returned for JSON that holds no KoboldAI world info.
var ErrNotBook = errors.New("koboldai: no world info")

// Parse reads a list of world info entries, or a story file or export with one
// as worldinfo or entries. key and keysecondary are split at commas; an entry is
// selective if it says so, constant entries need no key, keyanti (one of them
// must not occur) becomes NOT_ANY where there are no secondary keys. probability
// is in percent. The problems list what does not act.
func Parse(data []byte) (worldbook.Book, []worldbook.Problem, error) {
	list, err := readList(data)
	if err != nil {
		return worldbook.Book{}, nil, err
	}
	var problems []worldbook.Problem
	entries := make([]lore.Members, len(list))
	for i, e := range list {
		path := fmt.Sprintf("[%d]", i)
		entries[i], problems = convert(e, i, path, problems)
		problems = lore.Lost(problems, path, e, "key", "keysecondary", "keyanti", "content", "comment",
			"selective", "constant", "probability", "init", "uid", "num", "wigroup", "widisabled", "entry")
	}
	book, err := lore.Book("", entries, bytes.Clone(data))
	return book, problems, err
}

type members = map[string]json.RawMessage

func readList(data []byte) ([]members, error) {
	var list []members
	if json.Unmarshal(data, &list) == nil {
		return list, nil
	}
	var holder struct {
		WorldInfo []members       `json:"worldinfo"`
		Entries   json.RawMessage `json:"entries"`
	}
	if err := json.Unmarshal(data, &holder); err != nil {
		return nil, fmt.Errorf("%w: %v", ErrNotBook, err)
	}
	switch {
	case holder.WorldInfo != nil:
		return holder.WorldInfo, nil
	case !lore.Given(holder.Entries):
		return nil, ErrNotBook
	}
	values, err := lore.ObjectValues(holder.Entries)
	if err != nil {
		return nil, fmt.Errorf("%w: entries: %v", ErrNotBook, err)
	}
	list = make([]members, len(values))
	for i, v := range values {
		if json.Unmarshal(v, &list[i]) != nil {
			return nil, fmt.Errorf("%w: entries: no object", ErrNotBook)
		}
	}
	return list, nil
}

func convert(
	e members, i int, path string, problems []worldbook.Problem,
) (lore.Members, []worldbook.Problem) {
	out := lore.Default(i)
	out["key"] = split(e["key"])
	secondary, anti := split(e["keysecondary"]), split(e["keyanti"])
	out["selective"] = lore.Truthy(e["selective"]) && len(secondary) > 0
	switch {
	case len(anti) > 0 && len(secondary) > 0:
		problems = append(problems, lore.Problem("not_carried", path+".keyanti",
			"an entry has one list of secondary keys: the anti keys do not act"))
	case len(anti) > 0:
		secondary = anti
		out["selective"], out["selectiveLogic"] = true, int(worldbook.NotAny)
	}
	out["keysecondary"] = secondary
	out["comment"] = lore.TruthyOr(e["comment"], "")
	out["addMemo"] = lore.Truthy(e["comment"])
	out["content"] = lore.Or(e["content"], lore.Or(e["entry"], ""))
	out["constant"] = lore.Truthy(e["constant"])
	out["disable"] = lore.Truthy(e["widisabled"])
	out["probability"] = lore.Or(e["probability"], 100)
	return out, problems
}

// split reads keys: a text with commas, or a list.
func split(raw json.RawMessage) []string {
	var list []string
	if json.Unmarshal(raw, &list) != nil {
		list = strings.Split(lore.Text(raw), ",")
	}
	return lore.NotBlank(list)
}
