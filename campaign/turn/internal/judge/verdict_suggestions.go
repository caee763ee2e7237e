package judge

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/campaign/internal/answer"
	"github.com/talewright/talewright/internal/modeltext"
	"github.com/talewright/talewright/internal/utf8text"
)

// maxSuggestion limits one suggestion, in bytes; the rest is cut.
const maxSuggestion = 2000

// Suggestions reads the model's suggestions, at most n: a JSON list, or lines with or without
// numbers, or one text. single says that the model was asked for one suggestion. Then a text that is
// not JSON is one suggestion, even if it has several lines. The function clean removes the parts of
// a suggestion that are not for players. A suggestion that reveals the hidden goal is dropped.
func (x Examiner) Suggestions(text string, n int, single bool, clean func(string) string) []string {
	said := answer.Read(text, nil)
	if text = said.Text; text == "" && said.Extra.Exists() {
		text = said.Extra.String() // an object that has the list in a member
	}
	list, isJSON := listed(text)
	if single && !isJSON {
		list = []string{text}
	}
	var out []string
	for _, one := range list {
		one = strings.TrimSpace(utf8text.Cut(clean(one), maxSuggestion))
		if one == "" || slices.Contains(out, one) || x.revealsGoal(one) {
			continue
		}
		if out = append(out, one); len(out) == n {
			break
		}
	}
	return out
}

// revealsGoal reports whether a text reveals the hidden goal.
func (x Examiner) revealsGoal(text string) bool {
	return x.View.Goal.Hidden && slices.ContainsFunc(conflict.Detect(text, nil, x.View, x.Options),
		func(c conflict.Conflict) bool { return c.Kind == conflict.HiddenGoalLeak })
}

// listed returns the items of the list in a text. isJSON reports whether the whole text is JSON,
// except for fences. It tries in this order:
//
//  1. The text is a JSON list of texts, or of objects with a text. Typical mistakes of models are
//     repaired. If the list was cut off, its last item is dropped.
//  2. A JSON list is between other words.
//  3. The text is other JSON: it has no items.
//  4. Some lines begin with a number or a bullet: these lines are the items, without it.
//  5. Each line is an item.
//
// Empty lines are not items.
func listed(text string) (items []string, isJSON bool) {
	if strings.HasPrefix(text, "[") || strings.HasPrefix(text, "{") || strings.HasPrefix(text, "```") {
		for candidate := range modeltext.Candidates(text) {
			if out := listItems(candidate); len(out) > 0 {
				if !strings.Contains(text, "]") && len(out) > 1 {
					out = out[:len(out)-1]
				}
				return out, true
			}
		}
	}
	from, to := strings.IndexByte(text, '['), strings.LastIndexByte(text, ']')
	if from >= 0 && to > from {
		if out := listItems(text[from : to+1]); len(out) > 0 {
			return out, false
		}
	}
	if strings.ContainsAny(text, "[{") && json.Valid([]byte(text)) {
		return nil, true
	}
	var plain []string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		mark := itemMark(line)
		switch item := strings.TrimSpace(line[mark:]); {
		case item == "": // a list that was cut off ends in a number
		case mark > 0:
			items = append(items, item)
		default:
			plain = append(plain, item)
		}
	}
	if len(items) == 0 {
		items = plain
	}
	return items, false
}

// listItems returns the texts of a JSON list, which may be the only member of an object.
func listItems(text string) (out []string) {
	var items []json.RawMessage
	var object map[string]json.RawMessage
	if json.Unmarshal([]byte(text), &object) == nil && len(object) == 1 {
		for _, only := range object {
			text = string(only)
		}
	}
	if json.Unmarshal([]byte(text), &items) != nil {
		return nil
	}
	for _, item := range items {
		var one string
		var object struct {
			Text string `json:"text"`
		}
		if json.Unmarshal(item, &one) == nil {
			out = append(out, one)
		} else if json.Unmarshal(item, &object) == nil {
			out = append(out, object.Text)
		}
	}
	return out
}

// marked matches the beginning of an item: a bullet, a number, or both.
var marked = regexp.MustCompile(`^(?:[-*•·]+\s+|[•·]+)?(?:[(（]?(?:[0-9０-９]{1,3}|[一二三四五六七八九十]{1,3})[.．)）、:：]|[①-⑳])?`)

// itemMark returns the length of the number or bullet of a line, in bytes.
func itemMark(line string) int {
	n := len(marked.FindString(line))
	if n > 0 && n < len(line) && strings.IndexByte(".:", line[n-1]) >= 0 && '0' <= line[n] && line[n] <= '9' {
		return 0 // for example 3.5 litres, 10:30
	}
	return n
}
