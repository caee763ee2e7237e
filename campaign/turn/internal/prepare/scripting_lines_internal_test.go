package prepare

import (
	"testing"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn/internal/draft"
)

// TestTagsInLines: a line of the history comes without its tags. <%% and %%> do not begin or end one.
func TestTagsInLines(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"I wait.":               "I wait.",
		"I <% x %>wait<% y %>.": "I wait.",
		"I <%% x %> wait.":      "I <%% x %> wait.",
		"I <% x %%> y %>wait.":  "I wait.",
		"I <% x %%> wait.":      "I <% x %%> wait.",
		"<% x %>":               "<% x %>",
	} {
		if got := withoutTags(line); got != want {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
}

// TestScriptedLinesAreForgotten: the results of scripts on lines that no longer fit into a prompt are
// dropped once they are many.
func TestScriptedLinesAreForgotten(t *testing.T) {
	t.Parallel()
	for old, want := range map[int]int{200: 202, 300: 2} {
		texts := newTexts(t, state.Campaign{State: state.State{HeadTurnID: "t1", TurnCount: 1}, Turns: []state.Turn{
			{ID: "t1", Index: 1, ParentID: state.StartTurnID, UserInput: "I wait.", Text: "Rain."}}})
		log := texts.Conversation()
		log.Scripted = map[int]draft.Scripted{}
		for i := range old {
			log.Scripted[-1-i] = draft.Scripted{Text: "old"}
		}
		lines := texts.rememberedLines(texts.ShownChat(), 0)
		if len(lines) != 2 || lines[0].Text != "I wait." || lines[1].Text != "Rain." || len(log.Scripted) != want {
			t.Errorf("after %d old lines: %d results, want %d; lines %+v", old, len(log.Scripted), want, lines)
		}
	}
}
