package past

import (
	"fmt"
	"slices"
	"testing"

	"github.com/talewright/talewright/campaign/cast"
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

// TestDepthsAndSpeakers: the depth of a turn is the number of messages after it. Who speaks next depends
// on the messages since the player's last line.
func TestDepthsAndSpeakers(t *testing.T) {
	t.Parallel()
	g, problems := game.Compile(game.Content{})
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	c := state.Campaign{State: state.State{HeadTurnID: state.StartTurnID, Greeting: "Welcome."}}
	for i, turn := range []state.Turn{{UserInput: "a", Text: "b"}, {Text: "c"}, {UserInput: "d", Text: "e f", Replies: []state.Reply{{Speaker: "bo", Text: "e"}, {Text: "f"}}}, {Text: "g"}} {
		turn.ID, turn.ParentID, turn.Index, turn.ActorID = state.TurnID(i+1), c.State.HeadTurnID, i+1, "ann"
		c.Turns = append(c.Turns, turn)
		c.CountTurn()
		c.State.HeadTurnID = turn.ID
		c.State.TurnCount++
	}
	w := Window{Past: new(WindowPast), Turn: draft.Turn{Game: g, Campaign: &c, State: &c.State, HasLine: true, Dialog: new(game.DialogType),
		In: &state.Submission{ActorID: "ann", Text: "h"}, Values: g.Settings().Freeze(nil, nil)}}
	for i, want := range []int{6, 5, 2, 1} {
		if got := w.DepthOf(&c.Turns[i]); got != want {
			t.Errorf("after turn %d: %d messages, want %d", i+1, got, want)
		}
	}
	var got []string
	for _, l := range w.CastLines() {
		got = append(got, fmt.Sprint(l.By, " ", l.ID, " ", l.Text))
	}
	if want := []string{fmt.Sprint(cast.ByPlayer, "  d"), fmt.Sprint(cast.ByMember, " bo e"), fmt.Sprint(cast.ByNarrator, "  f"), fmt.Sprint(cast.ByNarrator, "  g")}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
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
