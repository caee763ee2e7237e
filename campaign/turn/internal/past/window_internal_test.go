package past

import (
	"slices"
	"testing"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn/internal/draft"
)

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
