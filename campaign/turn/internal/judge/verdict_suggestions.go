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

// maxSuggestion bounds one suggestion, in bytes; of a longer one the rest is cut.
const maxSuggestion = 2000

// Suggestions reads what the model suggests, at most n: a list in JSON, or lines with or without
// numbers; or one text. clean is each without what is not for players.
// One that tells the hidden goal is left out.
func (x Examiner) Suggestions(text string, n int, line bool, clean func(string) string) []string {
	said := answer.Read(text, nil)
	if text = said.Text; text == "" && said.Extra.Exists() {
		text = said.Extra.String() // an object with a list is no answer of a turn
	}
	list, inJSON := listed(text)
	if line && !inJSON {
		list = []string{text}
	}
	var out []string
	for _, one := range list {
		one = strings.TrimSpace(utf8text.Cut(clean(one), maxSuggestion))
		if one == "" || slices.Contains(out, one) || x.tellsGoal(one) {
			continue
		}
		if out = append(out, one); len(out) == n {
			break
		}
	}
	return out
}

// tellsGoal reports whether a text tells the hidden goal.
func (x Examiner) tellsGoal(text string) bool {
	return x.View.Goal.Hidden && slices.ContainsFunc(conflict.Detect(text, nil, x.View, x.Options),
		func(c conflict.Conflict) bool { return c.Kind == conflict.HiddenGoalLeak })
}

// listed are the items of a list: of texts in JSON, or of objects with a text, else the lines
// of the text without their numbers and bullets; where some have these, only these are items.
// A list that is all of the text, but for fences, is repaired where models break it; of one that
// is cut off the last item is left out. JSON that is no such list has none.
func listed(text string) (items []string, inJSON bool) {
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
			return out, from == 0 && to == len(text)-1
		}
	}
	if strings.ContainsAny(text, "[{") && json.Valid([]byte(text)) {
		return nil, true
	}
	var plain []string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if mark := itemMark(line); mark > 0 {
			items = append(items, strings.TrimSpace(line[mark:]))
		} else {
			plain = append(plain, line)
		}
	}
	if len(items) == 0 {
		items = plain
	}
	return items, false
}

// listItems are the texts of a list in JSON, which may be the only member of an object.
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

// marked is how an item of a list begins: a bullet, a number, or both.
var marked = regexp.MustCompile(`^(?:[-*•·]+\s+|[•·]+)?(?:[(（]?(?:[0-9０-９]{1,3}|[一二三四五六七八九十]{1,3})[.．)）、:：]|[①-⑳])?`)

// itemMark is how many bytes of a line are its number or bullet.
func itemMark(line string) int {
	n := len(marked.FindString(line))
	if n > 0 && n < len(line) && strings.IndexByte(".:", line[n-1]) >= 0 && '0' <= line[n] && line[n] <= '9' {
		return 0 // 3.5 litres, 10:30
	}
	return n
}
