package prompt_test

import (
	"strings"
	"testing"

	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/worldbook"
)

// TestBeforeNewest shows the places of slots before the newest line among the lines and the texts
// at a depth, in all combinations.
func TestBeforeNewest(t *testing.T) {
	t.Parallel()
	layout := prompt.Layout{Slots: []prompt.Slot{
		{Name: "main"}, {Name: "chat", Form: prompt.History},
		{Name: "state", BeforeNewest: true}, {Name: "map", BeforeNewest: true}, {Name: "end"}}}
	blocks := []prompt.Block{
		{Key: "main", Slot: "main", Text: "main"}, {Key: "state", Slot: "state", Text: "state"},
		{Key: "map", Slot: "map", Text: "map"}, {Key: "end", Slot: "end", Text: "end"},
		{Key: "d0", Depth: new(0), Text: "depth 0"}, {Key: "d1", Depth: new(1), Text: "depth 1"},
		{Key: "d2", Depth: new(2), Text: "depth 2"}}
	lines := []prompt.Line{{Role: llm.User, Text: "A"}, {Role: llm.Assistant, Text: "B"}, {Role: llm.User, Text: "C"}}
	for _, c := range []struct {
		name, reason string
		lines        []prompt.Line
		kind         worldbook.GenerationType
		want         string
	}{
		{"a chat", "they stand before the newest line, behind what is deeper", lines, "",
			"main/A/depth 2/B/depth 1/state/map/C/depth 0/end"},
		{"one line", "everything deeper stands before it", lines[:1], "",
			"main/depth 2/depth 1/state/map/A/depth 0/end"},
		{"no line", "they are sent all the same", nil, "", "main/depth 2/depth 1/state/map/depth 0/end"},
		{"a continue", "the newest line goes behind everything", lines[:2], worldbook.Continue,
			"main/depth 2/A/depth 1/state/map/depth 0/end/B"},
	} {
		r, err := prompt.Assemble(layout, prompt.Input{Blocks: blocks, History: c.lines, Generation: c.kind}, prompt.Env{}, prompt.Budget{})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for i, m := range r.Messages {
			got = append(got, m.Text)
			if line, ok := r.Report.Line(r.Origins[i].Keys[0]); !ok || line.Message != i {
				t.Errorf("%s: the report has %s at message %d, not %d", c.name, r.Origins[i].Keys[0], line.Message, i)
			}
		}
		if strings.Join(got, "/") != c.want {
			t.Errorf("%s: %s\n got %s\nwant %s", c.name, c.reason, strings.Join(got, "/"), c.want)
		}
	}
	layout.Slots[1], layout.Slots[4] = layout.Slots[4], layout.Slots[1]
	if err := layout.Check(); err == nil || !strings.Contains(err.Error(), "slots[2].before_newest: the slot before it") {
		t.Errorf("a slot apart from the history: %v", err)
	}
}
