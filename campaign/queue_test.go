package campaign_test

import (
	"context"
	"errors"
	"testing"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/llm/llmtest"
)

const queueing = `{"settings": {"turn.concurrency": "queue", "turn.order": "free"}}`

// submission is a turn that runs beside the test.
type submission struct {
	done    chan struct{}
	outcome turn.Outcome
	err     error
}

func submitBeside(ctx context.Context, e *campaign.Engine, in turn.Submit) *submission {
	s := &submission{done: make(chan struct{})}
	go func() {
		defer close(s.done)
		s.outcome, s.err = e.Turn(ctx, "cave", in)
	}()
	return s
}

// TestQueue: first come first served, one waiting submission per player, at most as
// many as the party has members (CA-35).
func TestQueue(t *testing.T) {
	t.Parallel()
	gate := llmtest.NewGate()
	held := llmtest.Text("first")
	held.Gate = gate
	model := llmtest.NewScripted(held, llmtest.Text("of mei"), llmtest.Text("of ren"))
	e := newEngine(t, campaign.Config{Model: model}, queueing)
	ctx := t.Context()
	first := submitBeside(ctx, e, turn.Submit{ActorID: "ren", Text: "One"})
	<-gate.Reached()
	wait := func(actor, text string) *submission {
		line := e.Waiting("cave")
		s := submitBeside(ctx, e, turn.Submit{ActorID: actor, Text: text})
		e.AwaitQueue("cave", line, s.done)
		return s
	}
	early := wait("mei", "Too early")
	second := wait("mei", "Two") // takes the place of the earlier one
	<-early.done
	wantOutcome(t, early.outcome, "refused replaced")
	third := wait("ren", "Three")
	// What could not be played is refused at once, not after waiting.
	wantOutcome(t, turnOf(t, e, turn.Submit{ActorID: "kai", Text: "Four"}),
		"refused actor_not_in_party")
	gate.Open()
	<-first.done
	<-second.done
	<-third.done
	wantOutcome(t, first.outcome, "completed turn_0001")
	wantOutcome(t, second.outcome, "completed turn_0002")
	wantOutcome(t, third.outcome, "completed turn_0003")
	if second.outcome.Turn.UserInput != "Two" || third.outcome.Turn.Text != "of ren" {
		t.Errorf("played %q and %q", second.outcome.Turn.UserInput, third.outcome.Turn.Text)
	}
}

// TestQueueKnowsWhoPlays: who names no character plays the active one, and has one place in the
// line with or without its name.
func TestQueueKnowsWhoPlays(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ early, late, reason string }{
		{"ren", "", "the later one names nobody"},
		{"", "ren", "the earlier one does"},
	} {
		t.Run(c.reason, func(t *testing.T) {
			t.Parallel()
			gate := llmtest.NewGate()
			held := llmtest.Text("first")
			held.Gate = gate
			model := llmtest.NewScripted(held, llmtest.Text("of ren"), llmtest.Text("of mei"))
			e := newEngine(t, campaign.Config{Model: model}, queueing)
			list := []*submission{submitBeside(t.Context(), e, turn.Submit{Text: "One"})}
			<-gate.Reached()
			for _, in := range []turn.Submit{{ActorID: c.early, Text: "Two"}, {ActorID: c.late, Text: "Three"}, {ActorID: "mei", Text: "Four"}} {
				line := e.Waiting("cave")
				s := submitBeside(t.Context(), e, in)
				e.AwaitQueue("cave", line, s.done)
				list = append(list, s)
			}
			gate.Open()
			for i, want := range []string{"completed turn_0001", "refused replaced", "completed turn_0002", "completed turn_0003"} {
				<-list[i].done
				wantOutcome(t, list[i].outcome, want)
			}
		})
	}
}

// TestClientTurnIDBesideARunningTurn: the same submission is in progress, another one
// with the id of the running turn is a mistake, whether or not it names its actor.
func TestClientTurnIDBesideARunningTurn(t *testing.T) {
	t.Parallel()
	gate := llmtest.NewGate()
	held := llmtest.Text("first")
	held.Gate = gate
	e := newEngine(t, campaign.Config{Model: llmtest.NewScripted(held)}, queueing)
	first := submitBeside(t.Context(), e, turn.Submit{Text: "One", ClientTurnID: "c1"})
	<-gate.Reached()
	for _, c := range []struct{ actor, text, want, reason string }{
		{"", "One", "refused in_progress", "the same"},
		{"ren", "One", "refused in_progress", "ren is whom the first one meant"},
		{"", "Two", "refused idempotency_conflict", "another text"},
		{"mei", "One", "refused idempotency_conflict", "another actor"},
	} {
		t.Run(c.reason, func(t *testing.T) {
			in := turn.Submit{ActorID: c.actor, Text: c.text, ClientTurnID: "c1"}
			wantOutcome(t, turnOf(t, e, in), c.want)
		})
	}
	gate.Open()
	<-first.done
	wantOutcome(t, first.outcome, "completed turn_0001")
}

// TestCommandsDoNotQueue: what is no turn is refused while one runs, also in queue mode.
func TestCommandsDoNotQueue(t *testing.T) {
	t.Parallel()
	gate := llmtest.NewGate()
	held := llmtest.Text("first")
	held.Gate = gate
	e := newEngine(t, campaign.Config{Model: llmtest.NewScripted(held)}, queueing)
	first := submitBeside(t.Context(), e, turn.Submit{Text: "One"})
	<-gate.Reached()
	_, err := e.Do(t.Context(), "cave", turn.MakeCheckpoint{})
	if !isRefused(err, state.CampaignBusy) {
		t.Errorf("a command beside a turn: %v", err)
	}
	gate.Open()
	<-first.done
	wantOutcome(t, first.outcome, "completed turn_0001")
}

// TestQueueLeave: who stops waiting gets the context's error, and the others go on.
func TestQueueLeave(t *testing.T) {
	t.Parallel()
	gate := llmtest.NewGate()
	held := llmtest.Text("first")
	held.Gate = gate
	e := newEngine(t, campaign.Config{Model: llmtest.NewScripted(held, llmtest.Text("last"))}, queueing)
	first := submitBeside(t.Context(), e, turn.Submit{ActorID: "ren", Text: "One"})
	<-gate.Reached()
	ctx, cancel := context.WithCancel(t.Context())
	gone := submitBeside(ctx, e, turn.Submit{ActorID: "mei", Text: "Two"})
	e.AwaitQueue("cave", nil, gone.done)
	cancel()
	<-gone.done
	if !errors.Is(gone.err, context.Canceled) {
		t.Errorf("who left got %v", gone.err)
	}
	last := submitBeside(t.Context(), e, turn.Submit{ActorID: "mei", Text: "Three"})
	e.AwaitQueue("cave", nil, last.done)
	gate.Open()
	<-first.done
	<-last.done
	wantOutcome(t, last.outcome, "completed turn_0002")
}

// TestReadingDisturbsNobody: looking at a campaign neither waits for a turn nor
// takes the place of one.
func TestReadingDisturbsNobody(t *testing.T) {
	t.Parallel()
	e := newEngine(t, campaign.Config{Model: replying("Dust falls.")}, queueing)
	stop := make(chan struct{})
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			select {
			case <-stop:
				return
			default:
				if _, err := e.Campaign(context.Background(), "cave"); err != nil {
					t.Error(err)
				}
			}
		}
	}()
	for range 15 {
		if o := turnOf(t, e, turn.Submit{ActorID: "ren", Text: "On."}); o.Status != turn.Completed {
			t.Fatalf("%s %s", o.Status, o.Reason)
		}
	}
	close(stop)
	<-stopped
}
