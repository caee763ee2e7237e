package postgres

import (
	"fmt"
	"testing"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/llm/llmtest"
)

// TestTurnsOverACutConnection: where the connection breaks while the server commits, the
// turn is completed, and paid for once: the engine finds its record.
func TestTurnsOverACutConnection(t *testing.T) {
	config := server(t)
	w := &wire{}
	config.DialFunc = w.dial
	g, problems := game.Compile(game.Content{})
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	const turns = 5
	var replies []llmtest.Reply
	for i := range turns {
		replies = append(replies, llmtest.Text(fmt.Sprintf("Dust %d.", i+1)))
	}
	model := llmtest.NewScripted(replies...)
	engine, err := campaign.NewEngine(campaign.Config{Game: g, Store: connect(t, config), Model: model,
		Observe: func(string, turn.Generation) { w.after.Store(true) }}) // the commit, which tells of dust
	if err != nil {
		t.Fatal(err)
	}
	ann := state.Character{ID: "ann", Name: "Ann", HP: state.HP{Current: 10, Max: 10}}
	if _, err := engine.Create(t.Context(), state.Setup{ID: "mill", Characters: []state.Character{ann}}); err != nil {
		t.Fatal(err)
	}
	for i := range turns {
		o, err := engine.Turn(t.Context(), "mill", turn.Submit{Text: "I wait."})
		if err != nil || o.Err() != nil {
			t.Fatalf("turn %d: %v, %v", i+1, err, o.Err())
		}
		if w.after.Load() || w.cut.Load() {
			t.Fatalf("turn %d: nothing was cut", i+1)
		}
	}
	if n := len(model.Requests()); n != turns {
		t.Errorf("%d requests were paid for, want %d", n, turns)
	}
	if c, err := engine.Rebuild(t.Context(), "mill"); err != nil || len(c.Turns) != turns {
		t.Errorf("rebuilt %d turns, %v", len(c.Turns), err)
	}
}
