package prepare

import (
	"slices"
	"strconv"
	"testing"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/prompt"
)

// TestTextsAroundMessages: lore for a place comes to its message. The texts of the last message come
// to the last message before the beginning of the reply, however many messages a second layout has.
func TestTextsAroundMessages(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		slots []string
		want  []string
	}{
		"as many":            {[]string{"main", "history", "history"}, []string{"b0 m0 a0", "b1 m1 a1", "b2 m2 a2"}},
		"fewer":              {[]string{"main", "history"}, []string{"b0 m0 a0", "m1 a2"}},
		"more":               {[]string{"main", "history", "history", "history", "history"}, []string{"b0 m0 a0", "b1 m1 a1", "b2 m2", "m3", "m4 a2"}},
		"around a result":    {[]string{"main", "tool", "history"}, []string{"b0 m0 a0", "m1", "b2 m2 a2"}},
		"before the prefill": {[]string{"main", "history", "history", "prefill"}, []string{"b0 m0 a0", "b1 m1 a1", "b2 m2 a2", "m3"}},
	} {
		p := Prompter{Texts: newTexts(t, state.Campaign{})}
		var result prompt.Result
		for i, slot := range c.slots {
			result.Messages = append(result.Messages, llm.Message{Role: llm.User, Text: "m" + strconv.Itoa(i)})
			result.Origins = append(result.Origins, prompt.Origin{Slot: slot})
			if slot == "tool" {
				result.Messages[i].Role = llm.Tool
			}
		}
		p.insertAround(placed{before: []string{"b0 ", "b1 ", "b2 "}, after: []string{" a0", " a1", " a2"}}, &result, 12)
		var got []string
		for i, m := range result.Messages {
			if got = append(got, m.Text); (m.Text == "m"+strconv.Itoa(i)) == (result.Origins[i].Stability == prompt.Turn) {
				t.Errorf("%s: message %d has the stability %q", name, i, result.Origins[i].Stability)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
