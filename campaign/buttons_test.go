package campaign_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/internal/filltest"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/llm/llmtest"
	"github.com/talewright/talewright/prompt/card"
)

// logged lists the entries of the campaign.
func logged(t *testing.T, store campaign.Store) (lines []string) {
	t.Helper()
	for entry, err := range store.Records(t.Context(), "cave", 0) {
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, entry.Key+" "+string(entry.Data))
	}
	return lines
}

// pressed runs an instruction and returns its result.
func pressed(ctx context.Context, e *campaign.Engine, in turn.Input) (string, error) {
	o, err := e.Do(ctx, "cave", in)
	if refusal, ok := errors.AsType[*state.Refusal](err); ok {
		return "refused " + string(refusal.Code), nil
	}
	return filltest.Words(o), err
}

// TestButtonsBetweenPosts: lines are posted, and buttons are pressed in a second process. The
// outcomes and the log are the same, byte for byte, as if one engine plays everything directly
// (CA-42).
func TestButtonsBetweenPosts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hi := card.Card{Name: "Orin", FirstMes: "Hi.", AlternateGreetings: []string{"Ho."}}
		g := compile(t, game.Content{People: game.People{Card: &hi}})
		engine := func(store campaign.Store, owner string, replies ...string) *campaign.Engine {
			e, err := campaign.New(campaign.Config{Store: store, Model: scripted(replies...), Game: g, Sharing: campaign.Sharing{Owner: owner},
				Now: func() time.Time { return noon }})
			if err != nil {
				t.Fatal(err)
			}
			return e
		}
		replies := []string{"One.", "Two.", "Three.", "Four.", "Five."}
		alone, shared := &campaign.MemoryStore{}, &campaign.MemoryStore{}
		direct, serving, buttons := engine(alone, "direct", replies...), engine(shared, "serving", replies...), engine(shared, "buttons")
		createCave(t, direct, `{"greeting_id": "0"}`)
		createCave(t, serving, `{"greeting_id": "0"}`)
		for i, c := range []struct {
			in   turn.Input
			want string
		}{
			{turn.Undo{}, "refused no_head_turn"},
			{turn.NextAnswer{}, "completed"},
			{turn.PreviousAnswer{}, "completed"},
			{turn.Submit{Text: "I wait.", ClientTurnID: "c1"}, "completed turn_0001"},
			{turn.Submit{Text: "I wait on.", ClientTurnID: "c2"}, "completed turn_0002"},
			{turn.Regenerate{ClientTurnID: "r1"}, "completed turn_0003"},
			{turn.NextAnswer{}, "refused unknown_alternative"},
			{turn.PreviousAnswer{}, "completed turn_0002"},
			{turn.NextAnswer{}, "completed turn_0003"},
			{turn.Undo{}, "completed"},
			{turn.Submit{Text: "I wait on.", ClientTurnID: "c2"}, "completed turn_0002 replayed"}, // the turn stays undone
			{turn.Redo{}, "completed"},
			{turn.Redo{}, "refused undo_not_allowed"},
			{turn.Undo{}, "completed"},
			{turn.Submit{Text: "I go.", ClientTurnID: "c3"}, "completed turn_0004"},
			{turn.Redo{}, "refused undo_not_allowed"},
			{turn.Submit{Text: "I go on.", ClientTurnID: "c4", ExpectedHead: "turn_0002"}, "refused stale_head"},
		} {
			want, err := pressed(t.Context(), direct, c.in)
			if err != nil || want != c.want {
				t.Errorf("%d %T: %q directly, %v, want %q", i, c.in, want, err, c.want)
			}
			in, asks := c.in.(turn.ModelInstruction)
			if !asks {
				got, err := pressed(t.Context(), buttons, c.in)
				if err != nil || got != want {
					t.Errorf("%d %T: %q, %v, want %q as directly", i, c.in, got, err, want)
				}
				continue
			}
			if _, err := serving.Post(t.Context(), "cave", in); err != nil {
				t.Fatal(err)
			}
			serveFor(t, time.Second, serving)
			o, err := serving.Post(t.Context(), "cave", in)
			if err != nil || o == nil || filltest.Words(*o) != strings.TrimSuffix(want, " replayed")+" replayed" {
				t.Errorf("%d %T: posted: %+v, %v, want %q as directly", i, c.in, o, err, want)
			}
		}
		if diff := gocmp.Diff(logged(t, alone), logged(t, shared)); diff != "" {
			t.Errorf("another log (-direct +posted):\n%s", diff)
		}
		rebuilt(t, serving)
	})
}

// TestButtonsBeforePosts: a button that is pressed while lines wait acts at once, before the lines.
// After an undo the first line replaces the undone turn. A button is refused while a line is
// played.
func TestButtonsBeforePosts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store, gate := &campaign.MemoryStore{}, llmtest.NewGate()
		held := llmtest.Text("Three.")
		held.Gate = gate
		serving := leasingEngine(t, store, "serving", llmtest.NewScripted(llmtest.Text("One."), llmtest.Text("Two."), held))
		buttons := leasingEngine(t, store, "buttons", llmtest.NewScripted())
		createCave(t, serving)
		for _, id := range []string{"c1", "c2"} {
			postTo(t, serving, id, "I wait.")
		}
		serveFor(t, time.Second, serving)
		postTo(t, serving, "c3", "I go.")
		wantOutcome(t, do(t, buttons, turn.Undo{}), "completed")

		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- serving.Serve(ctx, 1, nil) }()
		synctest.Wait() // the model is asked
		for _, in := range []turn.Input{turn.Undo{}, turn.Redo{}, turn.NextAnswer{}, turn.PreviousAnswer{}} {
			if got, err := pressed(t.Context(), buttons, in); err != nil || got != "refused campaign_busy" {
				t.Errorf("%T while a line is played: %q, %v", in, got, err)
			}
		}
		gate.Open()
		synctest.Wait()
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		if got := postTo(t, buttons, "c3", "I go."); got != "completed turn_0003" {
			t.Errorf("the line after the undo: %q", got)
		}
		if got, want := told(campaignOf(t, buttons)), "turn_0001 1  < turn_0000: I wait. > One.\nturn_0003 2  < turn_0001: I go. > Three.\n"; got != want {
			t.Errorf("the story is\n%swant\n%s", got, want)
		}
		rebuilt(t, serving)
	})
}
