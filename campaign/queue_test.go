package campaign_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/llm/llmtest"
)

const queueing = `{"settings": {"turn.concurrency": "queue", "turn.order": "free"}}`

// submission is an instruction that runs in parallel with the test.
type submission struct {
	done    chan struct{}
	outcome turn.Outcome
	err     error
}

func submitBeside(ctx context.Context, e *campaign.Engine, in turn.Submit) *submission {
	return besideTurn(ctx, e, in)
}

func besideTurn(ctx context.Context, e *campaign.Engine, in turn.Input) *submission {
	s := &submission{done: make(chan struct{})}
	go func() {
		defer close(s.done)
		s.outcome, s.err = e.Do(ctx, "cave", in)
	}()
	return s
}

// TestQueue: first come, first served, one waiting submission per player, at most as many as the
// party has members (CA-35).
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
	second := wait("mei", "Two") // replaces the earlier one
	<-early.done
	wantOutcome(t, early.outcome, "refused replaced")
	third := wait("ren", "Three")
	// An instruction that cannot be played is refused at once, not after waiting.
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

// TestQueueKnowsWhoPlays: a submission without a character belongs to the active one, which has one
// place in the queue with or without its name.
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

// TestClientTurnIDBesideARunningTurn: the same submission is in progress. A different one with the
// ID of the running turn is a mistake, with or without an actor.
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

// everyInstruction returns an instruction of each type, without its data, by its name.
func everyInstruction(t *testing.T) map[string]turn.Input {
	t.Helper()
	files, err := filepath.Glob("turn/instruction_*.go")
	if err != nil || len(files) == 0 {
		t.Fatal("no instructions", err)
	}
	all := map[string]turn.Input{}
	for _, file := range files {
		name := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(file), "instruction_"), ".go")
		if all[name], err = turn.ParseInstruction(fmt.Appendf(nil, `{"input": %q}`, name)); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// TestEveryInstructionQueues: in queue mode every instruction waits while a turn runs, unless it is
// refused at once for a different reason. In the other mode it is refused (CA-35).
func TestEveryInstructionQueues(t *testing.T) {
	t.Parallel()
	for _, mode := range []string{"reject", "queue"} {
		gate := llmtest.NewGate()
		held := llmtest.Text("first")
		held.Gate = gate
		e := newEngine(t, campaign.Config{Model: llmtest.NewScripted(held)}, `{"settings": {"turn.concurrency": "`+mode+`"}}`)
		first := submitBeside(t.Context(), e, turn.Submit{Text: "One"})
		<-gate.Reached()
		waited := 0
		for name, in := range everyInstruction(t) {
			ctx, cancel := context.WithCancel(t.Context())
			line := e.Waiting("cave")
			s := besideTurn(ctx, e, in)
			e.AwaitQueue("cave", line, s.done)
			_, asks := turn.NeedsModel(in)
			if waits := len(e.Waiting("cave")) == 1; waits {
				waited++
			} else if mode == "queue" && !asks {
				t.Errorf("%s does not wait", name)
			}
			cancel()
			<-s.done
			busy := isRefused(cmp.Or(s.err, s.outcome.Err()), state.CampaignBusy, "")
			if busy && mode == "queue" || !busy && mode == "reject" && !asks {
				t.Errorf("%s, %s: %v", mode, name, cmp.Or(s.err, s.outcome.Err()))
			}
		}
		if mode == "reject" && waited > 0 {
			t.Errorf("%d instructions wait", waited)
		}
		gate.Open()
		<-first.done
		wantOutcome(t, first.outcome, "completed turn_0001")
	}
}

// TestHostsAndPlayersQueue: instructions of the host and lines wait in the order of arrival. An
// instruction of the host replaces no other one and no line, and their number is limited (CA-35).
func TestHostsAndPlayersQueue(t *testing.T) {
	t.Parallel()
	gate := llmtest.NewGate()
	held := llmtest.Text("first")
	held.Gate = gate
	e := newEngine(t, campaign.Config{Model: llmtest.NewScripted(held, llmtest.Text("second"))}, queueing)
	list := []*submission{submitBeside(t.Context(), e, turn.Submit{Text: "One"})}
	<-gate.Reached()
	wait := func(in turn.Input) {
		line := e.Waiting("cave")
		s := besideTurn(t.Context(), e, in)
		e.AwaitQueue("cave", line, s.done)
		list = append(list, s)
	}
	wait(turn.MakeCheckpoint{Label: "a"})
	wait(turn.Submit{Text: "Two"})
	for range 63 {
		wait(turn.MakeCheckpoint{Label: "b"})
	}
	wait(turn.MakeCheckpoint{Label: "c"})
	gate.Open()
	for i, s := range list {
		<-s.done
		switch {
		case i == len(list)-1:
			if !isRefused(s.err, state.QueueFull, "") {
				t.Errorf("one too many: %v", s.err)
			}
		case s.err != nil || s.outcome.Status != turn.Completed:
			t.Errorf("%d: %s %v", i, s.outcome.Status, s.err)
		case i > 0 && s.outcome.Version != list[i-1].outcome.Version+1:
			t.Errorf("%d led to version %d", i, s.outcome.Version)
		}
	}
}

// TestQueueLeave: a cancelled wait returns the context's error, and the others continue.
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

// TestReadingDisturbsNobody: reading a campaign neither waits for a turn nor blocks one.
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

// TestTheSecondOfThreeLeaves: a waiting player leaves the queue. The others keep their places.
func TestTheSecondOfThreeLeaves(t *testing.T) {
	t.Parallel()
	gate := llmtest.NewGate()
	held := llmtest.Text("first")
	held.Gate = gate
	e := newEngine(t, campaign.Config{Model: llmtest.NewScripted(held, llmtest.Text("of ren"))}, queueing)
	first := submitBeside(t.Context(), e, turn.Submit{ActorID: "ren", Text: "One"})
	<-gate.Reached()
	leaving, leave := context.WithCancel(t.Context())
	var waiting []*submission
	for i, in := range []turn.Input{turn.Submit{ActorID: "ren", Text: "Two"}, turn.Submit{ActorID: "mei", Text: "Three"}, turn.MakeCheckpoint{Label: "here"}} {
		ctx := t.Context()
		if i == 1 {
			ctx = leaving
		}
		line := e.Waiting("cave")
		s := besideTurn(ctx, e, in)
		e.AwaitQueue("cave", line, s.done)
		waiting = append(waiting, s)
	}
	line := e.Waiting("cave")
	leave()
	e.AwaitQueue("cave", line, nil)
	if left := e.Waiting("cave"); len(left) != 2 || left[0] != line[0] || left[1] != line[2] {
		t.Errorf("%d are left", len(left))
	}
	<-waiting[1].done
	if waiting[1].err == nil && waiting[1].outcome.Status == turn.Completed {
		t.Errorf("the one who left has played: %+v", waiting[1].outcome)
	}
	gate.Open()
	<-first.done
	for i, want := range map[int]string{0: "completed turn_0002", 2: "completed"} {
		<-waiting[i].done
		wantOutcome(t, waiting[i].outcome, want)
	}
}

// TestConsumerPanicsBeforeAWaitingTurn: the code that ranges over a turn panics while a second turn
// waits. The second turn is played as if the first one had ended normally.
func TestConsumerPanicsBeforeAWaitingTurn(t *testing.T) {
	t.Parallel()
	gate := llmtest.NewGate()
	held := llmtest.Text("first")
	held.Gate = gate
	e := newEngine(t, campaign.Config{Model: llmtest.NewScripted(held, llmtest.Text("second"))}, queueing)
	recovered := make(chan any)
	go func() {
		defer func() { recovered <- recover() }()
		for p := range e.Stream(t.Context(), "cave", turn.Submit{ActorID: "ren", Text: "One"}) {
			if _, ok := p.(campaign.Narration); ok {
				panic("the consumer's own")
			}
		}
	}()
	<-gate.Reached()
	line := e.Waiting("cave")
	second := submitBeside(t.Context(), e, turn.Submit{ActorID: "mei", Text: "Two"})
	e.AwaitQueue("cave", line, second.done)
	gate.Open()
	if what := <-recovered; what != "the consumer's own" {
		t.Errorf("recovered %v", what)
	}
	<-second.done
	if second.err != nil {
		t.Fatal(second.err)
	}
	wantOutcome(t, second.outcome, "completed turn_0002")
}
