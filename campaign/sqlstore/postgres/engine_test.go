package postgres

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"sync"
	"testing"
	"time"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/observe"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/llm"
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
	engine, err := campaign.New(config)
	if err != nil {
		t.Fatal(err)
	}
	ann := state.Character{ID: "ann", Name: "Ann", HP: state.HP{Current: 10, Max: 10}}
	if _, err := engine.Create(t.Context(), state.Setup{ID: "mill", Characters: []state.Character{ann}}); err != nil {
		t.Fatal(err)
	}
	return engine
}

// whenAsked returns an observer that calls do before each request to the model.
func whenAsked(do func()) observe.Observer {
	return observe.Func(func(_ observe.Place, m observe.Moment) {
		if _, ok := m.(observe.ModelAsked); ok {
			do()
		}
	})
}

// replies returns a model with n replies.
func replies(n int) *llmtest.Scripted {
	var out []llmtest.Reply
	for i := range n {
		out = append(out, llmtest.Text(fmt.Sprintf("Dust %d.", i+1)))
	}
	return llmtest.NewScripted(out...)
}

// TestTurnsOverACutConnection cuts the connection before the server has a commit or while it
// answers. It does the same for the model answer that is stored earlier. The turn is completed and
// paid for once, because the engine finds its record.
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
			engine := newEngine(t, campaign.Config{Store: quiet(t, config), Model: model,
				Observe: whenAsked(func() { w.lose.Store(&c.lost) })})
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

// TestTurnsWhileConnectionsEnd has an administrator end all connections during two of three calls
// of the model, at a random moment. The errors say that a retry helps. The retry plays the turn or
// finds it: each is committed once.
func TestTurnsWhileConnectionsEnd(t *testing.T) {
	config := server(t)
	other := connect(t, config)
	const turns = 40
	model := replies(10 * turns)
	var wg sync.WaitGroup
	calls := 0
	engine := newEngine(t, campaign.Config{Store: connect(t, config), Model: model, Sharing: campaign.Sharing{Lease: 300 * time.Millisecond},
		Observe: whenAsked(func() {
			if calls++; calls%3 != 0 { // otherwise a turn might never succeed
				wg.Go(func() { endOthers(t, other) })
			}
		})})
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
	var c state.Campaign
	if err := again(func() (err error) { c, err = engine.Rebuild(t.Context(), "mill"); return err }); err != nil || c.Version != turns+1 {
		t.Errorf("rebuilt version %d, %v", c.Version, err)
	}
	t.Logf("%d turns, %d broken, %d requests paid for", turns, broken, len(model.Requests()))
}

// TestRoundTripsOfATurn checks the round trips of a turn. It has two: to read what others have
// committed, and to commit. Under a lease it has five more: acquire, read the stored answer, check,
// store the answer, release.
func TestRoundTripsOfATurn(t *testing.T) {
	for _, c := range []struct {
		reason string
		lease  time.Duration
		want   int64
	}{{"alone", -1, 2}, {"under a lease", time.Minute, 7}} {
		config := server(t)
		w := &wire{}
		config.DialFunc = w.dial
		store, err := open(t.Context(), config, Options{Connections: 1, Quiet: true})
		if err != nil {
			t.Fatal(err)
		}
		engine := newEngine(t, campaign.Config{Store: store, Model: replies(6), Sharing: campaign.Sharing{Lease: c.lease}})
		for i := range 6 {
			before := w.trips.Load()
			if o, err := engine.Turn(t.Context(), "mill", turn.Submit{Text: "I wait."}); err != nil || o.Err() != nil {
				t.Fatal(err, o.Err())
			}
			if n := w.trips.Load() - before; i > 2 && n != c.want { // the driver has prepared the statements by then
				t.Errorf("%s: turn %d takes %d round trips, want %d", c.reason, i+1, n, c.want)
			}
		}
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestNoConnectionIsHeldWhileModelsThink checks that fifty campaigns whose models all run at the
// same time need only two connections.
func TestNoConnectionIsHeldWhileModelsThink(t *testing.T) {
	const n = 50
	store, err := open(t.Context(), server(t), Options{Connections: 2})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	var thinking, players sync.WaitGroup
	thinking.Add(n)
	model := llm.ModelFunc(func(context.Context, llm.Request) iter.Seq2[llm.Chunk, error] {
		return func(yield func(llm.Chunk, error) bool) {
			thinking.Done()
			thinking.Wait()
			_ = yield(llm.TextDelta{Text: "Dust."}, nil) && yield(llm.Done{Reason: llm.FinishStop}, nil)
		}
	})
	engine := newEngine(t, campaign.Config{Store: store, Model: model})
	ann := state.Character{ID: "ann", Name: "Ann", HP: state.HP{Current: 10, Max: 10}}
	for i := range n {
		id := fmt.Sprint("mill", i)
		if _, err := engine.Create(t.Context(), state.Setup{ID: id, Characters: []state.Character{ann}}); err != nil {
			t.Fatal(err)
		}
		players.Go(func() {
			if o, err := engine.Turn(t.Context(), id, turn.Submit{Text: "I wait."}); err != nil || o.Err() != nil {
				t.Errorf("%s: %v, %v", id, err, o.Err())
			}
		})
	}
	players.Wait()
}
