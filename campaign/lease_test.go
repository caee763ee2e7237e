package campaign_test

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/storetest"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/llm/llmtest"
)

// leasingEngine returns a new engine on a store that leases campaigns for 9 seconds.
func leasingEngine(t *testing.T, store campaign.Store, owner string, model llm.Model) *campaign.Engine {
	t.Helper()
	e, err := campaign.New(campaign.Config{Store: store, Model: model, Game: compile(t, game.Content{}),
		Sharing: campaign.Sharing{Lease: 9 * time.Second, Owner: owner}, Now: func() time.Time { return noon }})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func createCave(t *testing.T, e *campaign.Engine, changes ...string) {
	t.Helper()
	if _, err := e.Create(t.Context(), cave(t, changes...)); err != nil {
		t.Fatal(err)
	}
}

// TestLeaseLostWhileLoading: a process whose lease expires while it reads the campaign reports
// this, not a cancellation. The retry is played.
func TestLeaseLostWhileLoading(t *testing.T) {
	for what, play := range map[string]func(context.Context, *campaign.Engine) error{
		"turn": func(ctx context.Context, e *campaign.Engine) error {
			o, err := e.Turn(ctx, "cave", turn.Submit{Text: "One"})
			return errors.Join(err, o.Err())
		},
		"step": func(ctx context.Context, e *campaign.Engine) error {
			entry, err := turn.JournalEntryOf(turn.Submit{Text: "One"})
			if err == nil {
				_, err = e.Step(ctx, "cave", turn.Journal{Entries: []turn.JournalEntry{entry}}, nil)
			}
			return err
		},
	} {
		sound := &campaign.MemoryStore{}
		createCave(t, leasingEngine(t, sound, "first", llmtest.NewScripted()))
		var lost, again error
		synctest.Test(t, func(t *testing.T) {
			plan := storetest.FaultPlanOf(storetest.PlannedFault{Op: "acquire", N: 1, Kind: "late", Word: "8s"},
				storetest.PlannedFault{Op: "load", N: 1, Kind: "late", Word: "2s"})
			plan.Sleep = func(ctx context.Context, d time.Duration) error {
				select {
				case <-time.After(d):
					return nil
				case <-ctx.Done():
					return ctx.Err()
				}
			}
			e := leasingEngine(t, &storetest.FaultyCluster{Cluster: sound, Plan: plan.Store}, "second", llmtest.NewScripted(llmtest.Text("Dust falls.")))
			lost, again = play(t.Context(), e), play(t.Context(), e)
		})
		if !errors.Is(lost, campaign.ErrLeaseLost) || errors.Is(lost, context.Canceled) || again != nil {
			t.Errorf("%s: %v, then %v", what, lost, again)
		}
	}
}

// TestCallEndsWithTheLease: a call of the model ends when no renewal has succeeded for the time of
// the lease, and not before. Then a different process may have the campaign. The turn fails, and a
// retry plays it.
func TestCallEndsWithTheLease(t *testing.T) {
	sound := &campaign.MemoryStore{}
	createCave(t, leasingEngine(t, sound, "first", llmtest.NewScripted()))
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		cutOff := func(c storetest.FaultCall) (f storetest.Fault) {
			if c.Op == "renew" && c.N > 3 { // the check before the call, and two renewals during it
				f.Before = storetest.ErrConnectionLost
			}
			if c.Op == "release" {
				t.Error("a lease that was lost is given back")
			}
			return f
		}
		e := leasingEngine(t, &storetest.FaultyCluster{Cluster: sound, Plan: cutOff}, "second", llmtest.NewScripted(llmtest.Block()))
		o, err := e.Turn(t.Context(), "cave", turn.Submit{Text: "One"})
		if err != nil || !o.Failure.Retry {
			t.Errorf("%+v, %v", o, err)
		}
		wantOutcome(t, o, "failed lease_lost")
		if held := time.Since(begun); held != 15*time.Second { // two renewals after 3 and 6 seconds, and 9 more
			t.Errorf("the call was ended after %s", held)
		}
		other := leasingEngine(t, sound, "third", llmtest.NewScripted(llmtest.Text("Dust falls.")))
		o, err = other.Turn(t.Context(), "cave", turn.Submit{Text: "One"})
		if err != nil {
			t.Fatal(err)
		}
		wantOutcome(t, o, "completed turn_0001")
	})
}

// TestHeldByAnotherProcess: while one process plays, a second one waits or refuses by the setting.
// No process pays twice: ST-06.
func TestHeldByAnotherProcess(t *testing.T) {
	for _, c := range []struct {
		reason, settings string
		in               turn.Input
		waits            bool
		want             string
		paid             int // by the second process
	}{
		{"reject is the default", `{}`, turn.Submit{Text: "Two"}, false, "refused campaign_busy", 0},
		{"queue waits", queueing, turn.Submit{Text: "Two"}, true, "completed turn_0003", 1},
		{"what was played is known", queueing, turn.Submit{Text: "Zero", ClientTurnID: "c0"}, false, "completed turn_0001 replayed", 0},
		{"the same submission is played once", queueing, turn.Submit{Text: "One", ClientTurnID: "c1"}, true, "completed turn_0002 replayed", 0},
		{"what cannot be accepted does not wait", queueing, turn.Submit{Text: " "}, false, "refused empty_input", 0},
		{"a checkpoint waits", queueing, turn.MakeCheckpoint{Label: "here"}, true, "completed", 0},
		{"a checkpoint is refused", `{}`, turn.MakeCheckpoint{Label: "here"}, false, "", 0},
	} {
		t.Run(c.reason, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				store := &campaign.MemoryStore{}
				gate := llmtest.NewGate()
				held := llmtest.Text("Moss.")
				held.Gate = gate
				first := leasingEngine(t, store, "first", llmtest.NewScripted(llmtest.Text("Dust."), held))
				model := scripted("Fog.")
				second := leasingEngine(t, store, "second", model)
				createCave(t, first, c.settings)
				wantOutcome(t, turnOf(t, first, turn.Submit{Text: "Zero", ClientTurnID: "c0"}), "completed turn_0001")
				running := submitBeside(t.Context(), first, turn.Submit{Text: "One", ClientTurnID: "c1"})
				<-gate.Reached()
				time.Sleep(time.Minute) // longer than the lease, which is renewed
				var outcome turn.Outcome
				var err error
				done := make(chan struct{})
				go func() {
					defer close(done)
					outcome, err = second.Do(t.Context(), "cave", c.in)
				}()
				time.Sleep(time.Minute)
				select {
				case <-done:
					if c.waits {
						t.Error("it did not wait")
					}
				default:
					if !c.waits {
						t.Error("it waits")
					}
				}
				gate.Open()
				<-running.done
				wantOutcome(t, running.outcome, "completed turn_0002")
				<-done
				if err == nil {
					wantOutcome(t, outcome, c.want)
				}
				if refusal, ok := errors.AsType[*state.Refusal](cmp.Or(err, outcome.Err())); ok && refusal.Code == state.CampaignBusy &&
					!strings.HasPrefix(refusal.Detail, `the campaign is held by "first"`) || err != nil && !ok {
					t.Errorf("got %v", cmp.Or(err, outcome.Err()))
				}
				if paid := len(model.Requests()); paid != c.paid {
					t.Errorf("the second process paid for %d calls, want %d", paid, c.paid)
				}
			})
		})
	}
}

// TestWaitingForAnotherProcessEnds: waiting for a different process ends with the context.
func TestWaitingForAnotherProcessEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &campaign.MemoryStore{}
		e := leasingEngine(t, store, "", scripted())
		createCave(t, e, queueing)
		if _, err := store.Acquire(t.Context(), "cave", "somebody", time.Hour); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		o, err := e.Turn(ctx, "cave", turn.Submit{Text: "I wait."})
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%v, %v", o, err)
		}
	})
}

// stoppedStore is the store of a process that is stopped at a place: its calls are blocked there
// until it continues.
type stoppedStore struct {
	*campaign.MemoryStore
	at     string        // "check", "call" or "commit"
	onward chan struct{} // closed when it continues
	here   chan struct{} // closed when it has arrived there
	calls  int           // the number of calls of Renew
}

func (s *stoppedStore) stop(at string) {
	if s.at == at {
		s.at = ""
		close(s.here)
		<-s.onward
	}
}

func (s *stoppedStore) Renew(ctx context.Context, id string, fence int64, d time.Duration) error {
	if s.calls++; s.calls == 1 {
		s.stop("check")
	} else {
		select { // a stopped process renews nothing
		case <-s.onward:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return s.MemoryStore.Renew(ctx, id, fence, d)
}

func (s *stoppedStore) Append(ctx context.Context, id string, entry campaign.Entry, snapshot []byte) error {
	if entry.Fence != 0 {
		s.stop("commit")
	}
	return s.MemoryStore.Append(ctx, id, entry, snapshot)
}

// TestHolderIsStopped: a process that has the lease and is stopped before the model call, during
// it, or before the commit, loses its lease. A second process plays the turn, which is committed
// once. An answer that had arrived is not paid for again. The first process detects the loss when
// it continues, and a retry helps: ST-06.
func TestHolderIsStopped(t *testing.T) {
	for _, c := range []struct {
		at   string
		paid int
	}{{"check", 1}, {"call", 2}, {"commit", 1}} {
		t.Run(c.at, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				store := &campaign.MemoryStore{}
				stopped := &stoppedStore{MemoryStore: store, at: c.at, onward: make(chan struct{}), here: make(chan struct{})}
				reply := llmtest.Text("Dust.")
				if c.at == "call" {
					reply.Gate = llmtest.NewGate() // is never opened: the call ends with the lease
				}
				model := llmtest.NewScripted(reply, llmtest.Text("Dust."))
				first, second := leasingEngine(t, stopped, "first", model), leasingEngine(t, store, "second", model)
				createCave(t, second, queueing)
				in := turn.Submit{Text: "I wait.", ClientTurnID: "c1"}
				running := submitBeside(t.Context(), first, in)
				if c.at != "call" {
					<-stopped.here
				}
				synctest.Wait()
				in.At = noon.Add(time.Second) // from the record of the first process
				wantOutcome(t, turnOf(t, second, in), "completed turn_0001")
				close(stopped.onward)
				<-running.done
				wantOutcome(t, running.outcome, "failed lease_lost")
				why, ok := errors.AsType[*turn.Failure](running.outcome.Err())
				if !ok || why.Kind != turn.FailureStore || !why.Retry || !errors.Is(why, campaign.ErrLeaseLost) {
					t.Errorf("the failure is %#v", running.outcome.Err())
				}
				wantOutcome(t, turnOf(t, first, in), "completed turn_0001 replayed")
				if paid := len(model.Requests()); paid != c.paid {
					t.Errorf("%d calls were paid for, want %d", paid, c.paid)
				}
				if rebuilt, err := first.Rebuild(t.Context(), "cave"); err != nil || rebuilt.Version != 2 {
					t.Errorf("rebuilt version %d, %v", rebuilt.Version, err)
				}
			})
		})
	}
}

// TestAnswerIsPaidForOnce: an answer that arrived and was not committed is found when the same line
// is played next, also with a codec. A different line is a new call.
func TestAnswerIsPaidForOnce(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		paid int
		want string
	}{{"I wait.", 1, "Dust."}, {"I go.", 2, "Fog."}} {
		store := &deafStore{deaf: "before", next: "before"}
		model := scripted("Dust.", "Fog.")
		play := func(text string) (turn.Outcome, error) {
			e, err := campaign.New(campaign.Config{Store: store, Model: model, Game: compile(t, game.Content{}),
				Codec: rot{}, Now: func() time.Time { return noon }})
			if err != nil {
				t.Fatal(err)
			}
			return e.Turn(t.Context(), "cave", turn.Submit{Text: text})
		}
		createCave(t, engineWithCodec(t, &store.MemoryStore))
		if o, err := play("I wait."); !errors.Is(err, campaign.ErrUnavailable) {
			t.Fatalf("%v, %v", o, err)
		}
		o, err := play(c.text)
		if err != nil || o.Turn == nil || o.Turn.Text != c.want {
			t.Fatalf("%v, %v", o, err)
		}
		if paid := len(model.Requests()); paid != c.paid {
			t.Errorf("%s: %d calls were paid for, want %d", c.text, paid, c.paid)
		}
	}
}

// TestSameLineAsksAnew: a turn that ends without a commit leaves no saved answer, so the same line
// is answered again. This is so after a conflict, a failure of the model and a cancellation.
func TestSameLineAsksAnew(t *testing.T) {
	t.Parallel()
	broken := llmtest.Reply{Err: &llm.Error{Code: llm.CodeServer, Message: "no"}}
	bad := llmtest.Text("Ren loses 3 hp.")
	for reason, first := range map[string][]llmtest.Reply{
		"conflict": {bad, bad, bad},
		"failed":   {bad, broken},
	} {
		model := llmtest.NewScripted(append(first, llmtest.Text("Dust."))...)
		var warned bytes.Buffer
		e := newEngine(t, campaign.Config{Model: model, Codec: rot{}, Logger: slog.New(slog.NewTextHandler(&warned, nil))})
		if o := turnOf(t, e, turn.Submit{Text: "I wait."}); string(o.Status) != reason {
			t.Fatalf("%s: %v", reason, o)
		}
		if o := turnOf(t, e, turn.Submit{Text: "I wait."}); o.Turn == nil || o.Turn.Text != "Dust." || o.RetriesUsed > 0 {
			t.Errorf("after %s: %v", reason, o)
		}
		if strings.Contains(warned.String(), "cannot be read") {
			t.Errorf("after %s: %s", reason, warned.String())
		}
	}
}

// engineWithCodec is an engine configuration with a codec.
func engineWithCodec(t *testing.T, store campaign.Store) *campaign.Engine {
	t.Helper()
	e, err := campaign.New(campaign.Config{Store: store, Model: scripted(), Game: compile(t, game.Content{}), Codec: rot{}})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// refusingStore fails in one of its calls.
type refusingStore struct {
	*campaign.MemoryStore
	acquire, renew, answer, save, release, oldest error
	failures                                      int // the number of failures
	released                                      int
}

func (s *refusingStore) fail(err error) error {
	if err == nil || s.failures == 0 {
		return nil
	}
	s.failures--
	return err
}

func (s *refusingStore) Acquire(ctx context.Context, id, owner string, d time.Duration) (int64, error) {
	fence, err := s.MemoryStore.Acquire(ctx, id, owner, d) // it is written, and the answer is lost
	return fence, cmp.Or(s.fail(s.acquire), err)
}

func (s *refusingStore) Renew(ctx context.Context, id string, fence int64, d time.Duration) error {
	return cmp.Or(s.fail(s.renew), s.MemoryStore.Renew(ctx, id, fence, d))
}

func (s *refusingStore) Answer(ctx context.Context, id, key string) ([]byte, error) {
	if err := s.fail(s.answer); err != nil {
		return nil, err
	}
	return s.MemoryStore.Answer(ctx, id, key)
}

func (s *refusingStore) OldestPost(ctx context.Context, id string) (campaign.InboxPost, bool, error) {
	if err := s.fail(s.oldest); err != nil {
		return campaign.InboxPost{}, false, err
	}
	return s.MemoryStore.OldestPost(ctx, id)
}

func (s *refusingStore) SaveAnswer(ctx context.Context, id string, fence int64, key string, answer []byte) error {
	return cmp.Or(s.fail(s.save), s.MemoryStore.SaveAnswer(ctx, id, fence, key, answer))
}

func (s *refusingStore) Release(ctx context.Context, id string, fence int64) error {
	if err := s.fail(s.release); err != nil {
		return err
	}
	s.released++
	return s.MemoryStore.Release(ctx, id, fence)
}

// TestLeaseCallsFail: if the store cannot be reached, a second call may save the turn. Otherwise
// the turn ends before the model call, with an error that says whether a retry helps. The lease is
// always released.
func TestLeaseCallsFail(t *testing.T) {
	t.Parallel()
	full := errors.New("no space left")
	for _, c := range []struct {
		reason   string
		store    refusingStore
		want     string // the outcome, or the text of the error
		paid     int
		released int
	}{
		{"the answer to Acquire is lost once", refusingStore{acquire: errCut, failures: 1}, "completed turn_0001", 1, 1},
		{"and again", refusingStore{acquire: errCut, failures: 2}, "connection reset", 0, 0},
		{"Acquire fails for good", refusingStore{acquire: full, failures: 1}, "no space left", 0, 0},
		{"the check is cut once", refusingStore{renew: errCut, failures: 1}, "completed turn_0001", 1, 1},
		{"and again", refusingStore{renew: errCut, failures: 2}, "failed store_failed", 0, 1},
		{"the check fails for good", refusingStore{renew: full, failures: 1}, "failed store_failed", 0, 1},
		{"the answer cannot be saved", refusingStore{save: full, failures: 1}, "completed turn_0001", 1, 1},
		{"the release is cut once", refusingStore{release: errCut, failures: 1}, "completed turn_0001", 1, 1},
		{"the answer comes too late", refusingStore{save: campaign.ErrLeaseLost, failures: 1}, "failed lease_lost", 1, 1},
		{"pay once: an earlier answer cannot be read", refusingStore{answer: full, failures: 1}, "completed turn_0001", 1, 1},
		{"pay once: for good, it is unknown whether there was a call", refusingStore{answer: full, failures: 2}, "failed store_failed", 0, 1},
		{"pay once: for good, the call cannot be announced", refusingStore{save: full, failures: 1}, "failed store_failed", 0, 1},
	} {
		model := scripted("Dust.")
		store := &c.store
		store.MemoryStore = &campaign.MemoryStore{}
		e := newEngine(t, campaign.Config{Store: store, Model: model, Sharing: campaign.Sharing{PayOnce: strings.HasPrefix(c.reason, "pay once")}})
		o, err := e.Turn(t.Context(), "cave", turn.Submit{Text: "I wait.", ClientTurnID: "c1"})
		if err != nil {
			if !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: %v, want %s", c.reason, err, c.want)
			}
		} else {
			wantOutcome(t, o, c.want)
		}
		retry := errors.Is(err, campaign.ErrUnavailable)
		if o.Failure != nil {
			retry = o.Failure.Retry
		}
		if helps := !strings.Contains(c.reason, "for good") && o.Status != turn.Completed; retry != helps {
			t.Errorf("%s: retry %t", c.reason, retry)
		}
		if paid := len(model.Requests()); paid != c.paid || store.released != c.released {
			t.Errorf("%s: paid %d, released %d; want %d and %d", c.reason, paid, store.released, c.paid, c.released)
		}
	}
}

// TestEndlessAnswerIsNotSaved: the size of saved model output is limited too.
func TestEndlessAnswerIsNotSaved(t *testing.T) {
	testkit.WithoutRace(t)
	t.Parallel()
	for _, c := range []struct {
		bytes int
		saved bool
	}{{1 << 20, true}, {5 << 20, false}} {
		store := &refusingStore{MemoryStore: &campaign.MemoryStore{}, save: errors.New("saved"), failures: 1}
		e := newEngine(t, campaign.Config{Store: store, Model: scripted(strings.Repeat("x", c.bytes), "Dust.")},
			`{"settings": {"retry.max_retries": 0}}`)
		turnOf(t, e, turn.Submit{Text: "I wait."})
		if saved := store.failures == 0; saved != c.saved {
			t.Errorf("an answer of %d bytes: saved %t", c.bytes, saved)
		}
	}
}

// TestLeasesHaveALeastLength: a lease that expires before the engine receives it would end each
// turn.
func TestLeasesHaveALeastLength(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // a busy machine would not renew it in time
		e := newEngine(t, campaign.Config{Sharing: campaign.Sharing{Lease: 1}, Model: scripted("Dust.")})
		wantOutcome(t, turnOf(t, e, turn.Submit{Text: "I wait."}), "completed turn_0001")
	})
}

// TestOwnLeaseIsNoObstacle: a lease that an engine could not release blocks others until it
// expires, but not the engine itself.
func TestOwnLeaseIsNoObstacle(t *testing.T) {
	t.Parallel()
	store := &refusingStore{MemoryStore: &campaign.MemoryStore{}, release: errCut, failures: 1 << 20}
	e := newEngine(t, campaign.Config{Store: store, Model: scripted("Dust.", "Moss.")})
	for i := range 2 {
		wantOutcome(t, turnOf(t, e, turn.Submit{Text: "I wait."}), fmt.Sprintf("completed turn_%04d", i+1))
	}
	wantOutcome(t, turnOf(t, another(t, store), turn.Submit{Text: "I wait."}), "refused campaign_busy")
}

// TestSameOwnerTakesOver: a process that is restarted with the name of a dead one does not wait for
// its lease. Late calls of the old process are refused.
func TestSameOwnerTakesOver(t *testing.T) {
	t.Parallel()
	store := &campaign.MemoryStore{}
	gate := llmtest.NewGate()
	held := llmtest.Text("Late.")
	held.Gate = gate
	first := leasingEngine(t, store, "tavern", llmtest.NewScripted(held))
	createCave(t, first)
	in := turn.Submit{Text: "I wait.", ClientTurnID: "c1"}
	running := submitBeside(t.Context(), first, in)
	<-gate.Reached()
	wantOutcome(t, turnOf(t, leasingEngine(t, store, "tavern", scripted("Dust.")), in), "completed turn_0001")
	gate.Open()
	<-running.done
	wantOutcome(t, running.outcome, "failed lease_lost")
}

// TestPayOnce: with PayOnce, a call that a dead process began is not repeated automatically: the
// turn fails once, and the next submission pays. A call that ended with an error was reported, and
// does not count.
func TestPayOnce(t *testing.T) {
	t.Parallel()
	store := &campaign.MemoryStore{}
	engine := func(model llm.Model) *campaign.Engine {
		e, err := campaign.New(campaign.Config{Store: store, Model: model, Game: compile(t, game.Content{}),
			Sharing: campaign.Sharing{Owner: "tavern", PayOnce: true}, Now: func() time.Time { return noon }})
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	gate := llmtest.NewGate()
	held := llmtest.Text("Late.")
	held.Gate = gate
	first := engine(llmtest.NewScripted(held))
	createCave(t, first)
	in := turn.Submit{Text: "I wait.", ClientTurnID: "c1"}
	running := submitBeside(t.Context(), first, in)
	<-gate.Reached()
	model := llmtest.NewScripted(llmtest.Fail(&llm.Error{Code: llm.CodeOverloaded}), llmtest.Text("Dust."))
	second := engine(model)
	for i, want := range []string{"failed call_lost", "failed overloaded", "completed turn_0001"} {
		o := turnOf(t, second, in)
		wantOutcome(t, o, want)
		if why := o.Failure; why != nil && (why.Kind != turn.FailureModel || why.Retry != (i == 0)) {
			t.Errorf("%s: %+v", want, why)
		}
		if paid := len(model.Requests()); paid != i {
			t.Errorf("after %s %d calls were paid for, want %d", want, paid, i)
		}
	}
	gate.Open()
	<-running.done
	wantOutcome(t, running.outcome, "failed lease_lost")
}

// noLeases is a store whose leases are switched off.
type noLeases struct{ *campaign.MemoryStore }

func (noLeases) Acquire(context.Context, string, string, time.Duration) (int64, error) {
	return 0, fmt.Errorf("as it is configured: %w", errors.ErrUnsupported)
}

// TestLeasesSwitchedOff: an engine plays without leases on a store that does not grant them.
func TestLeasesSwitchedOff(t *testing.T) {
	t.Parallel()
	e := newEngine(t, campaign.Config{Store: noLeases{&campaign.MemoryStore{}}, Model: scripted("Dust.")})
	wantOutcome(t, turnOf(t, e, turn.Submit{Text: "I wait."}), "completed turn_0001")
}

// TestKeysOfCalls: the same request has the same key in every process, and different requests have
// different keys. The model receives the key.
func TestKeysOfCalls(t *testing.T) {
	t.Parallel()
	keysOf := func(texts ...string) []string {
		var keys []string
		replies := scripted("Dust.", "Moss.", "Fog.")
		model := llm.ModelFunc(func(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
			if key := llm.CallKey(ctx); key != keys[len(keys)-1] {
				t.Errorf("the model is told of %q, want %q", key, keys[len(keys)-1])
			}
			return replies.Generate(ctx, req)
		})
		e := newEngine(t, campaign.Config{Model: model,
			Observe: requests(func(_ string, g question.Generate) { keys = append(keys, g.Key) })})
		for _, text := range texts {
			turnOf(t, e, turn.Submit{Text: text})
		}
		return keys
	}
	a, b := keysOf("I wait.", "I wait.", "I go."), keysOf("I wait.", "I wait.", "I wait.")
	if !strings.HasPrefix(a[0], "cave/2/1/") || a[0] != b[0] || a[1] != b[1] {
		t.Errorf("the same requests have the keys %q and %q", a, b)
	}
	if seen := map[string]bool{a[0]: true, a[1]: true, a[2]: true, b[2]: true}; len(seen) != 4 {
		t.Errorf("different requests have the keys %q and %q", a, b)
	}
}
