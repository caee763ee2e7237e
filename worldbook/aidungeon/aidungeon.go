package aidungeon

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/talewright/talewright/worldbook"
	"github.com/talewright/talewright/worldbook/internal/lore"
)

// ErrNotCards is returned for JSON that holds no list of story cards.
var ErrNotCards = errors.New("aidungeon: not a list of story cards")

// Parse reads a list of story cards, or an object that has one as storyCards or
// worldInfo. The triggers (keys, split at commas) become keys, the text (value
// or entry) the content, and the title the comment. Cards without triggers are
// kept and never activate. The problems list what does not act.
func Parse(data []byte) (worldbook.Book, []worldbook.Problem, error) {
	cards, err := readCards(data)
	if err != nil {
		return worldbook.Book{}, nil, err
	}
	var problems []worldbook.Problem
	list := make([]lore.Members, len(cards))
	for i, card := range cards {
		out := lore.Default(i)
		out["key"] = keys(card)
		title := first(card, "title", "name")
		out["comment"], out["addMemo"] = title, title != ""
		out["content"] = first(card, "value", "entry", "description")
		out["selective"] = false
		list[i] = out
		path := fmt.Sprintf("[%d]", i)
		if len(keys(card)) == 0 {
			problems = append(problems, lore.Problem("no_keys", path+".keys",
				"no trigger: the card never activates"))
		}
		problems = lore.Lost(problems, path, card, "keys", "triggers", "title", "name", "value", "entry",
			"description", "id", "type", "createdAt", "updatedAt")
	}
	book, err := lore.Book("", list, bytes.Clone(data))
	return book, problems, err
}

type card = map[string]json.RawMessage

func readCards(data []byte) ([]card, error) {
	var list []card
	err := json.Unmarshal(data, &list)
	if err == nil {
		return list, nil
	}
	var holder struct {
		StoryCards []card `json:"storyCards"`
		WorldInfo  []card `json:"worldInfo"`
	}
	if again := json.Unmarshal(data, &holder); again != nil {
		return nil, fmt.Errorf("%w: %v", ErrNotCards, again)
	}
	if list = append(holder.StoryCards, holder.WorldInfo...); list == nil {
		return nil, ErrNotCards
	}
	return list, nil
}

// first returns the first of the named members that is a text.
func first(c card, names ...string) string {
	for _, n := range names {
		if s := lore.Text(c[n]); s != "" {
			return s
		}
	}
	return ""
}

// keys reads the triggers: a text with commas, or a list.
func keys(c card) []string {
	list := []string{}
	var many []string
	for _, name := range []string{"keys", "triggers"} {
		if json.Unmarshal(c[name], &many) == nil {
			list = append(list, many...)
			continue
		}
		list = append(list, strings.Split(lore.Text(c[name]), ",")...)
	}
	return lore.NotBlank(list)
}
