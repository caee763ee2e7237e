package past

import (
	"fmt"
	"slices"
	"testing"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn/internal/draft"
	"github.com/talewright/talewright/prompt"
)

// eachCount counts texts, and how often it did.
type eachCount struct{ times *int }

func (c eachCount) Count(text string) int { *c.times++; return len(text) }

// TestOldLinesAreForgotten: a prompt drops the cached counts of lines that it no longer has, once there
// are many.
func TestOldLinesAreForgotten(t *testing.T) {
	t.Parallel()
	times := 0
	g, problems := game.Compile(game.Content{Prompt: game.Prompt{Budget: prompt.Budget{Context: 100, Counter: eachCount{&times}}}})
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	w := Window{Past: new(WindowPast), Turn: draft.Turn{Game: g, Campaign: &state.Campaign{}, State: &state.State{}}}
	line := func(i int) string { return fmt.Sprint("line ", i) }
	for i := range 300 {
		w.LeastTokens(line(i))
	}
	before := times
	if w.LeastTokens(line(0)); times != before {
		t.Error("the count of a line is not cached")
	}
	w.Oldest(draft.Shown{})
	if w.LeastTokens(line(0)); times != before+1 {
		t.Error("the count of an old line is still cached")
	}
}

// TestEveryViewerHasItsOwnChat: conversations are kept apart for viewers that see different lines.
func TestEveryViewerHasItsOwnChat(t *testing.T) {
	t.Parallel()
	g, problems := game.Compile(game.Content{})
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	var keys []string
	for _, viewer := range []state.Viewer{{}, {Character: "ann"}, {Character: "ben"}, {Marks: true}, {Shared: true},
		{Shared: true, Group: []string{"ann"}}, {Shared: true, Group: []string{"ann", "ben"}}} {
		w := Window{Turn: draft.Turn{Game: g, Campaign: &state.Campaign{}, State: &state.State{}, As: &viewer, Dialog: new(game.DialogType),
			In: &state.Submission{ActorID: "ann"}, Values: g.Settings().Freeze(setting.Snapshot{}, setting.Snapshot{})}}
		key := w.chatKey()
		if slices.Contains(keys, key) {
			t.Errorf("%+v has the key %q of a different viewer", viewer, key)
		}
		keys = append(keys, key)
	}
}
