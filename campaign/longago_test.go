package campaign_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/memory"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/prompt/card"
)

// TestTurnsOfLongAgoAreWorkedOn (CA-51, CA-42): a turn that the head does not hold is edited,
// rolled back to, answered again, chosen, continued and followed by a new one. Each is done by a
// process that has just loaded the head. A replay of the log gives the same campaign.
func TestTurnsOfLongAgoAreWorkedOn(t *testing.T) {
	testkit.WithoutRace(t)
	t.Parallel()
	mem := &notebook{}
	cfg := campaign.Config{Services: campaign.Services{Memory: mem}, Model: numbered(), Game: compile(t, game.Content{}), Store: &campaign.MemoryStore{}}
	e := newEngine(t, cfg, `{"settings": {"context.full_context_enabled": false}}`)
	for i := range 5 {
		turnOf(t, e, turn.Submit{Text: fmt.Sprintf("I wait, line %d.", i+1)})
	}
	_, err := e.Do(t.Context(), "cave", turn.MakeCheckpoint{Label: "camp"})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 130 {
		turnOf(t, e, turn.Submit{Text: fmt.Sprintf("I wait, line %d.", i+6)})
	}
	c := campaignOf(t, e)
	if _, held := c.Turn("turn_0005"); held || c.TurnCounter != 135 {
		t.Fatalf("turn 5 of %d is held: %v", c.TurnCounter, held)
	}
	textOf := func(id string) string {
		t.Helper()
		for one, err := range fresh(t, cfg).History(t.Context(), "cave", state.HistoryPage{Limit: 200}) {
			if err != nil {
				t.Fatal(err)
			}
			if one.ID == id {
				return one.Text
			}
		}
		return ""
	}
	act := func(what string, in turn.Input, want string) state.Turn {
		t.Helper()
		o, err := fresh(t, cfg).Do(t.Context(), "cave", in)
		if err != nil || o.Err() != nil {
			t.Fatalf("%s: %+v, %v", what, o, err)
		}
		if o.Turn == nil {
			return state.Turn{}
		}
		if got := fmt.Sprintf("%s behind %s at %d", o.Turn.ID, o.Turn.ParentID, o.Turn.Index); got != want {
			t.Errorf("%s: %s, want %s", what, got, want)
		}
		return *o.Turn
	}
	// Edit, from the head.
	act("edit", turn.EditText{TurnID: "turn_0003", Text: "It was loud."}, "turn_0003 behind turn_0002 at 3")
	act("edit again", turn.EditText{TurnID: "turn_0003", Text: "It was very loud."}, "turn_0003 behind turn_0002 at 3")
	if text := textOf("turn_0003"); text != "It was very loud." {
		t.Errorf("edited it reads %q", text)
	}
	if !slices.ContainsFunc(mem.told, func(one memory.Turn) bool { return one.ID == "turn_0003" && one.Text == "It was very loud." }) {
		t.Error("the memory was not told of the new text")
	}
	if got := act("edit to the same", turn.EditText{TurnID: "turn_0003", Text: "It was very loud."}, "turn_0003 behind turn_0002 at 3"); got.Original != "It is quiet. (3)" {
		t.Errorf("the original is %q", got.Original)
	}
	// Roll back, and answer again. The state before the turn is known from the checkpoint of the
	// previous turn, which is no longer in the head.
	act("roll back", turn.RollBack{To: "turn_0005"}, "")
	if o, err := fresh(t, cfg).Do(t.Context(), "cave", turn.Regenerate{}); err != nil || o.Status != turn.Refused {
		t.Errorf("what came before the checkpoint is known: %+v, %v", o, err)
	}
	went := act("go on with it", turn.Continue{}, "turn_0005 behind turn_0004 at 5")
	if text := textOf("turn_0005"); text != went.Text || went.Continued == nil {
		t.Errorf("gone on with it reads %q, not %q", text, went.Text)
	}
	act("edit the head", turn.EditText{TurnID: "turn_0005", Text: "All is quiet."}, "turn_0005 behind turn_0004 at 5")
	act("follow it", turn.Submit{Text: "I go on from here."}, "turn_0136 behind turn_0005 at 6")
	other := act("another answer", turn.Regenerate{}, "turn_0137 behind turn_0005 at 6")
	act("choose the first", turn.Choose{TurnID: "turn_0136"}, "turn_0136 behind turn_0005 at 6")
	act("choose the other", turn.Choose{TurnID: other.ID}, "turn_0137 behind turn_0005 at 6")
	if text := textOf("turn_0005"); text != "All is quiet." {
		t.Errorf("it reads %q", text)
	}
	act("back to the old branch", turn.SwitchBranch{BranchID: "main"}, "")
	act("follow the old end", turn.Submit{Text: "I wait."}, "turn_0138 behind turn_0135 at 136")
	// A fork has the present texts, and continues in its own log.
	if _, err := e.Fork(t.Context(), "cave", "turn_0135", "fork"); err != nil {
		t.Fatal(err)
	}
	forked := func(page state.HistoryPage) (out []state.HistoryTurn) {
		t.Helper()
		for one, err := range fresh(t, cfg).History(t.Context(), "fork", page) {
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, one)
		}
		return out
	}
	if page := forked(state.HistoryPage{Before: "turn_0004", Limit: 1}); page[0].Text != "It was very loud." {
		t.Errorf("in the fork it reads %q", page[0].Text)
	}
	if _, err := fresh(t, cfg).Do(t.Context(), "fork", turn.EditText{TurnID: "turn_0003", Text: "It was still."}); err != nil {
		t.Error(err)
	}
	if page := forked(state.HistoryPage{Before: "turn_0004", Limit: 1}); page[0].Text != "It was still." {
		t.Errorf("edited in the fork it reads %q", page[0].Text)
	}
	if text := textOf("turn_0003"); text != "It was very loud." {
		t.Errorf("and here it reads %q", text)
	}
	for _, id := range []string{"cave", "fork"} {
		if _, err := fresh(t, cfg).Rebuild(t.Context(), id); err != nil {
			t.Error(err)
		}
	}
}

// TestSwipeOfLongAgo (CA-49, CA-51): the same speakers answer a line again, also if the head does
// not hold their turn.
func TestSwipeOfLongAgo(t *testing.T) {
	t.Parallel()
	c := game.Content{}
	for _, id := range []string{"ash", "reed", "dov"} {
		c.People.Cast = append(c.People.Cast, game.CastMember{CharacterID: id, Card: &card.Card{Name: id}})
	}
	cfg := campaign.Config{Model: numbered(), Game: compile(t, c), Store: &campaign.MemoryStore{}}
	e := newEngine(t, cfg, `{"settings": {"context.full_context_enabled": false, "context.recent_turns": 1, "cast.order": "pooled"}}`)
	for _, who := range []string{"ash", "dov"} {
		turnOf(t, e, turn.Submit{Text: "I wait.", Speaker: who})
		do(t, e, turn.MakeCheckpoint{Label: who})
	}
	for range 80 {
		turnOf(t, e, turn.Submit{Text: "I wait.", Speaker: "ash"})
	}
	do(t, e, turn.RollBack{To: "turn_0002"})
	if _, held := campaignOf(t, e).Turn("turn_0002"); held {
		t.Fatal("the head holds the turn")
	}
	for n := range 3 { // one of three would be chosen at random
		o := do(t, fresh(t, cfg), turn.Regenerate{Swipe: true})
		if o.Turn == nil || len(o.Turn.Replies) != 1 || o.Turn.Replies[0].Speaker != "dov" {
			t.Errorf("swipe %d is answered by %s", n+1, jsonOf(t, o))
		}
	}
	c.People.Cast = c.People.Cast[:2] // "dov" is gone
	cfg.Game = compile(t, c)
	if o := do(t, fresh(t, cfg), turn.Regenerate{Swipe: true}); o.Reason != string(state.UnknownSpeaker) {
		t.Errorf("a swipe for somebody who is gone: %s", jsonOf(t, o))
	}
	if o := do(t, fresh(t, cfg), turn.Continue{}); o.Reason != string(state.UnknownSpeaker) {
		t.Errorf("more text of somebody who is gone: %s", jsonOf(t, o))
	}
	if o := do(t, fresh(t, cfg), turn.Regenerate{}); o.Turn == nil || o.Turn.Replies[0].Speaker == "dov" {
		t.Errorf("a regeneration is answered by %s", jsonOf(t, o))
	}
}

// TestMessagesOfAPastPlayedElsewhere (CA-51): the number of earlier messages is known. The campaign
// may have begun with turns of several replies or no reply, and the head may hold only some of
// them.
func TestMessagesOfAPastPlayedElsewhere(t *testing.T) {
	t.Parallel()
	var past []string
	for i := range 60 {
		past = append(past, fmt.Sprintf(`{"user_input": "One, %d?", "assistant_output_text": "Two.", "replies": [
			{"speaker": "ash", "text": "Two."}, {"speaker": "reed", "text": "%s"}]}, {"user_input": "", "assistant_output_text": "Four."}`, i, strings.Repeat("The tide goes out. ", 20)))
	}
	c := newChronicle(t, 1, headContent(1200), `{"settings": {"conflict.mode": "off"}, "turns": [`+strings.Join(past, ",")+`]}`)
	for i := range 40 {
		asked := c.do(turn.Submit{Text: "Five?", At: noon}, "Six.")
		if want := fmt.Sprintf("Message %d.", 60*4+2*i); !strings.Contains(asked, want) {
			t.Fatalf("turn %d is not asked with %q: %.300s", i, want, asked)
		}
		if i%10 == 4 {
			c.reload()
		}
	}
	if held := len(c.m.Campaign().Turns); held > 80 {
		t.Errorf("the head holds %d turns: the test shows little", held)
	}
}

// TestForkOpensLikeItsHead: a fork of a long campaign is opened from a snapshot of its head, not
// from all turns at the beginning of its log. It equals the log all the same.
func TestForkOpensLikeItsHead(t *testing.T) {
	testkit.WithoutRace(t)
	t.Parallel()
	e, cfg := longGone(t, campaign.Config{}, 300)
	fork, err := e.Fork(t.Context(), "cave", "turn_0300", "fork")
	if err != nil {
		t.Fatal(err)
	}
	saved, err := cfg.Store.Load(t.Context(), "fork")
	if err != nil || saved.SnapshotVersion != fork.Version || len(saved.Entries) != 0 {
		t.Fatalf("a snapshot of version %d, %d entries, %v", saved.SnapshotVersion, len(saved.Entries), err)
	}
	if c, err := fresh(t, cfg).Campaign(t.Context(), "fork"); err != nil || len(c.Turns) > 100 || c.TurnCounter != 300 {
		t.Errorf("%d turns of %d are held, %v", len(c.Turns), c.TurnCounter, err)
	}
	if _, err := fresh(t, cfg).Rebuild(t.Context(), "fork"); err != nil {
		t.Error(err)
	}
	n := 0
	for one, err := range fresh(t, cfg).History(t.Context(), "fork", state.HistoryPage{}) {
		if n++; err != nil || one.ID != state.TurnID(301-n) {
			t.Fatalf("turn %d from the end is %s, %v", n, one.ID, err)
		}
	}
	if n != 300 {
		t.Errorf("%d turns are shown", n)
	}
}

// TestHandoverHoldsWhatTheHeadHolds: an engine that hands over a long campaign then holds only the
// turns that the head holds, as after a load.
func TestHandoverHoldsWhatTheHeadHolds(t *testing.T) {
	t.Parallel()
	e, cfg := longGone(t, campaign.Config{}, 80)
	want := campaignOf(t, e)
	if len(want.Turns) >= want.TurnCounter {
		t.Fatalf("all %d turns are held", want.TurnCounter)
	}
	other := fresh(t, cfg)
	for p, err := range other.Handover(t.Context(), "cave", want.Version) {
		t.Errorf("handed over: %v, %v", p, err)
	}
	if err := turn.Same(campaignOf(t, other), want); err != nil {
		t.Error(err)
	}
}
