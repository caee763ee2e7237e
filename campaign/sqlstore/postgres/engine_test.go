package postgres

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/llm/llmtest"
)

// newEngine returns an engine with the campaign "mill".
func newEngine(t *testing.T, config campaign.Config) *campaign.Engine {
	t.Helper()
	g, problems := game.Compile(game.Content{})
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	config.Game = g
	engine, err := campaign.NewEngine(config)
	if err != nil {
		t.Fatal(err)
	}
	ann := state.Character{ID: "ann", Name: "Ann", HP: state.HP{Current: 10, Max: 10}}
	if _, err := engine.Create(t.Context(), state.Setup{ID: "mill", Characters: []state.Character{ann}}); err != nil {
		t.Fatal(err)
	}
	return engine
}

// replies is a model that answers so often.
func replies(n int) *llmtest.Scripted {
	var out []llmtest.Reply
	for i := range n {
		out = append(out, llmtest.Text(fmt.Sprintf("Dust %d.", i+1)))
	}
	return llmtest.NewScripted(out...)
}

// TestTurnsOverACutConnection: where the connection breaks before the server has the commit,
// or while it answers, and where that happens to the answer that is kept before, the turn
// is completed, and paid for once: the engine finds its record.
func TestTurnsOverACutConnection(t *testing.T) {
	const turns = 3
	record, answer := []byte(`{"layout":`), []byte(`[{"input":"replied"`)
	for _, c := range []struct {
		reason string
		lost   lost
	}{
		{"the answer to a commit is lost", lost{record, false}},
		{"the commit does not arrive", lost{record, true}},
		{"nobody knows whether the model's answer is kept", lost{answer, false}},
		{"the model's answer is not kept", lost{answer, true}},
	} {
		t.Run(c.reason, func(t *testing.T) {
			config := server(t)
			w := &wire{}
			config.DialFunc = w.dial
			model := replies(turns)
			engine := newEngine(t, campaign.Config{Store: connect(t, config), Model: model,
				Observe: func(string, turn.Generation) { w.lose.Store(&c.lost) }})
			for i := range turns {
				o, err := engine.Turn(t.Context(), "mill", turn.Submit{Text: "I wait."})
				if err != nil || o.Err() != nil {
					t.Fatalf("turn %d: %v, %v", i+1, err, o.Err())
				}
				if w.lose.Load() != nil || w.cut.Load() {
					t.Fatalf("turn %d: nothing was cut", i+1)
				}
			}
			if n := len(model.Requests()); n != turns {
				t.Errorf("%d requests were paid for, want %d", n, turns)
			}
			if c, err := engine.Rebuild(t.Context(), "mill"); err != nil || c.Version != turns+1 {
				t.Errorf("rebuilt version %d, %v", c.Version, err)
			}
		})
	}
}

// TestTurnsWhileConnectionsEnd: an administrator ends all connections beside each call of the
// model, at a random moment of what follows. What goes wrong says that a retry helps, and the
// retry plays the turn or finds it: each is committed once.
func TestTurnsWhileConnectionsEnd(t *testing.T) {
	config := server(t)
	other := connect(t, config)
	const turns = 40
	model := replies(10 * turns)
	var wg sync.WaitGroup
	engine := newEngine(t, campaign.Config{Store: connect(t, config), Model: model, Lease: 300 * time.Millisecond,
		Observe: func(string, turn.Generation) { wg.Go(func() { endOthers(t, other) }) }})
	broken := 0
	for i := range turns {
		in := turn.Submit{Text: "I wait.", ClientTurnID: fmt.Sprint(i)}
		for done := false; !done; broken++ {
			o, err := engine.Turn(t.Context(), "mill", in)
			failure, failed := errors.AsType[*turn.Failure](o.Err())
			refusal, refused := errors.AsType[*state.Refusal](o.Err())
			if err != nil && !errors.Is(err, campaign.ErrUnavailable) ||
				failed && !failure.Retry || refused && refusal.Code != state.CampaignBusy {
				t.Fatalf("turn %d: %v, %v: no retry helps", i+1, err, o.Err())
			}
			done = err == nil && o.Err() == nil
		}
		broken--
	}
	wg.Wait()
	if c, err := engine.Rebuild(t.Context(), "mill"); err != nil || c.Version != turns+1 {
		t.Errorf("rebuilt version %d, %v", c.Version, err)
	}
	t.Logf("%d turns, %d broken, %d requests paid for", turns, broken, len(model.Requests()))
}
