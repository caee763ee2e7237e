package verdict

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode"

	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/campaign/internal/answer"
	"github.com/talewright/talewright/internal/repair"
	"github.com/talewright/talewright/internal/utf8text"
)

// maxSuggestion bounds one suggestion, in bytes; of a longer one the rest is cut.
const maxSuggestion = 2000

// Suggestions reads what the model suggests, at most n: a list in JSON, or lines with or without
// numbers; or one text. clean is each without what is not for players.
// One that tells the hidden goal is left out.
func (x Examiner) Suggestions(text string, n int, line bool, clean func(string) string) []string {
	text = answer.Read(text, nil).Text
	var list []string
	if line {
		list = []string{text}
	} else {
		list = listed(text)
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
// of the text without their numbers and bullets. A list that is all of the text, but for
// fences, is repaired where models break it; of one that is cut off the last item is left out.
func listed(text string) []string {
	if strings.HasPrefix(text, "[") || strings.HasPrefix(text, "{") || strings.HasPrefix(text, "```") {
		for candidate := range repair.Candidates(text) {
			if out := listItems(candidate); len(out) > 0 {
				if !strings.Contains(text, "]") && len(out) > 1 {
					out = out[:len(out)-1]
				}
				return out
			}
		}
	}
	from, to := strings.IndexByte(text, '['), strings.LastIndexByte(text, ']')
	if from >= 0 && to > from {
		if out := listItems(text[from : to+1]); len(out) > 0 {
			return out
		}
	}
	var out []string
	for line := range strings.Lines(text) {
		out = append(out, unnumbered(strings.TrimSpace(line)))
	}
	return out
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

// unnumbered is a line without the number or bullet that it begins with.
func unnumbered(line string) string {
	rest := strings.TrimLeft(line, "-*•·")
	if rest != line && rest != "" && !unicode.IsSpace(rune(rest[0])) && !strings.HasPrefix(line, "•") && !strings.HasPrefix(line, "·") {
		return line // *he waits*, -5 degrees
	}
	digits := strings.TrimLeftFunc(rest, unicode.IsSpace)
	after := strings.TrimLeft(digits, "0123456789")
	if after != digits {
		for _, mark := range []string{".", ")", "、", "．", "）", ":"} {
			if text, ok := strings.CutPrefix(after, mark); ok {
				return strings.TrimSpace(text)
			}
		}
	}
	return strings.TrimSpace(rest)
}
