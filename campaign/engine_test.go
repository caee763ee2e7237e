package campaign_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/internal/filltest"
	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/llm/llmtest"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
)

// newEngine returns an engine with the cave in its store.
func newEngine(t testing.TB, cfg campaign.Config, changes ...string) *campaign.Engine {
	t.Helper()
	if cfg.Game == nil {
		cfg.Game = compile(t, game.Content{})
	}
	if cfg.Store == nil {
		cfg.Store = &campaign.MemoryStore{}
	}
	cfg.Now = func() time.Time { return noon }
	e, err := campaign.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Create(t.Context(), cave(t, changes...)); err != nil {
		t.Fatal(err)
	}
	return e
}

// scripted returns a model that answers with these texts, in pieces.
func scripted(texts ...string) *llmtest.Scripted {
	var replies []llmtest.Reply
	for _, text := range texts {
		reply := llmtest.Text(text)
		reply.Piece = 7
		replies = append(replies, reply)
	}
	return llmtest.NewScripted(replies...)
}

func turnOf(t testing.TB, e *campaign.Engine, in turn.Submit) turn.Outcome {
	t.Helper()
	o, err := e.Turn(t.Context(), "cave", in)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func do(t testing.TB, e *campaign.Engine, in turn.Input) turn.Outcome {
	t.Helper()
	o, err := e.Do(t.Context(), "cave", in)
	if err != nil {
		t.Fatalf("%T: %v", in, err)
	}
	return o
}

func campaignOf(t testing.TB, e *campaign.Engine) state.Campaign {
	t.Helper()
	c, err := e.Campaign(t.Context(), "cave")
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// wantOutcome compares an outcome with its words.
var wantOutcome = filltest.Want

// TestReplayAfterTheActorChanged: a repeated submission without an actor is the same one, even
// after the active actor has changed (CA-34).
func TestReplayAfterTheActorChanged(t *testing.T) {
	t.Parallel()
	e := newEngine(t, campaign.Config{Model: scripted("Dust falls.", "You lose 3 HP.")},
		`{"settings": {"turn.order": "round_robin", "retry.max_retries": 0}}`)
	waiting := turn.Submit{Text: "I wait.", ClientTurnID: "c1"}
	fighting := turn.Submit{Text: "I fight.", ClientTurnID: "c2"}
	wantOutcome(t, turnOf(t, e, waiting), "completed turn_0001")
	wantOutcome(t, turnOf(t, e, waiting), "completed turn_0001 replayed")
	wantOutcome(t, turnOf(t, e, fighting), "conflict")
	do(t, e, turn.SelectActor{ActorID: "ren"})
	wantOutcome(t, turnOf(t, e, fighting), "conflict replayed")
	waiting.ActorID = "mei"
	wantOutcome(t, turnOf(t, e, waiting), "refused idempotency_conflict")
}

func TestConfigNamesWhatIsMissing(t *testing.T) {
	t.Parallel()
	_, err := campaign.New(campaign.Config{})
	for _, field := range []string{"Config.Game", "Config.Model"} {
		if err == nil || !strings.Contains(err.Error(), field) {
			t.Errorf("the error does not name %s: %v", field, err)
		}
	}
}

// TestSagaThroughTheEngine plays the saga with every snapshot interval: a second engine finds the
// same campaign in the store, and a rebuild of the log gives it too.
func TestSagaThroughTheEngine(t *testing.T) {
	t.Parallel()
	l := uncut(t)
	for _, every := range []int{1, 3, 32} {
		t.Run(fmt.Sprint(every), func(t *testing.T) {
			t.Parallel()
			model := &llmtest.Scripted{}
			cfg := campaign.Config{Game: l.game, Store: &campaign.MemoryStore{}, Model: model,
				SnapshotEvery: every, Now: func() time.Time { return noon },
				Services: campaign.Services{
					Route: func(context.Context, question.Route) (state.RouteDecision, error) {
						return sagaRoute(), nil
					},
					Judge: func(_ context.Context, q question.Judge) ([]conflict.Verdict, error) {
						return sagaJudge(q), nil
					},
				}}
			e, err := campaign.New(cfg)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := e.Create(t.Context(), sagaSetup(t)); err != nil {
				t.Fatal(err)
			}
			for _, a := range saga() {
				for _, out := range a.outputs {
					if out == "!" {
						model.Add(llmtest.Fail(&llm.Error{Code: llm.CodeOverloaded}))
					} else {
						model.Add(llmtest.Text(out))
					}
				}
				do(t, e, a.in)
			}
			if n := model.Remaining(); n != 0 {
				t.Errorf("%d replies are left", n)
			}
			live := jsonOf(t, campaignOf(t, e))
			if diff := cmp.Diff(l.bytes, live); diff != "" {
				t.Errorf("another end than by hand (-want +got):\n%s", diff)
			}
			other, err := campaign.New(cfg)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(live, jsonOf(t, campaignOf(t, other))); diff != "" {
				t.Errorf("the store has another campaign (-live +stored):\n%s", diff)
			}
			if _, err := other.Rebuild(t.Context(), "cave"); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestRebuildNoticesOtherContent: a game with different rules does not replay to the log, and the
// error names the place (CA-36).
func TestRebuildNoticesOtherContent(t *testing.T) {
	t.Parallel()
	store := &campaign.MemoryStore{}
	e := newEngine(t, campaign.Config{Store: store, Model: scripted("Dust falls.")})
	turnOf(t, e, turn.Submit{Text: "I wait."})
	other, err := campaign.New(campaign.Config{Store: store, Model: scripted(),
		Game: compile(t, game.Content{Rules: game.Rules{Rules: []rules.Rule{{
			ID: "hurt", Trigger: &rules.Trigger{Type: rules.EveryTurn}, Conditions: []rules.Condition{},
			Actions: effect.Actions{effect.ChangeHP{CharacterID: "ren", Delta: -1}}}}}})})
	if err != nil {
		t.Fatal(err)
	}
	_, err = other.Rebuild(t.Context(), "cave")
	if !errors.Is(err, turn.ErrDiverged) {
		t.Fatalf("got %v, want ErrDiverged", err)
	}
	if !strings.Contains(err.Error(), "record 2 (turn)") {
		t.Errorf("the error names no place: %v", err)
	}
}

// TestIdempotency: a repeated submission gets the first outcome. While it runs it is in progress,
// and an ID cannot be used for two lines (CA-34).
func TestIdempotency(t *testing.T) {
	t.Parallel()
	gate := llmtest.NewGate()
	held := llmtest.Text("Dust falls.")
	held.Gate = gate
	model := llmtest.NewScripted(llmtest.Fail(&llm.Error{Code: llm.CodeOverloaded}), held)
	e := newEngine(t, campaign.Config{Model: model})
	in := turn.Submit{Text: "I wait.", ClientTurnID: "c1"}
	wantOutcome(t, turnOf(t, e, in), "failed overloaded") // and the id is free
	done := make(chan turn.Outcome)
	go func() {
		o, err := e.Turn(context.Background(), "cave", in)
		if err != nil {
			t.Error(err)
		}
		done <- o
	}()
	<-gate.Reached()
	wantOutcome(t, turnOf(t, e, in), "refused in_progress")
	wantOutcome(t, turnOf(t, e, turn.Submit{Text: "Me too."}), "refused campaign_busy")
	if _, err := e.Do(t.Context(), "cave", turn.MakeCheckpoint{}); !isRefused(err, state.CampaignBusy, "") {
		t.Errorf("a command beside a turn: %v", err)
	}
	if c := campaignOf(t, e); c.Version != 1 { // reads do not wait
		t.Errorf("version %d is visible before the commit", c.Version)
	}
	gate.Open()
	wantOutcome(t, <-done, "completed turn_0001")
	wantOutcome(t, turnOf(t, e, in), "completed turn_0001 replayed")
	wantOutcome(t, turnOf(t, e, turn.Submit{Text: "No.", ClientTurnID: "c1"}),
		"refused idempotency_conflict")
	if n := len(model.Requests()); n != 2 {
		t.Errorf("%d requests, want 2", n)
	}
}

func isRefused(err error, code state.RefusalCode, detail string) bool {
	r, ok := errors.AsType[*state.Refusal](err)
	return ok && r.Code == code && r.Detail == detail
}

// wantRefusal checks that an error is a refusal with a code and a detail.
func wantRefusal(t testing.TB, err error, code state.RefusalCode, detail string) {
	t.Helper()
	if !isRefused(err, code, detail) {
		t.Errorf("got %v, want %s: %s", err, code, detail)
	}
}

// TestLostRace: two processes play at the same time without leases, and one loses. Nothing of its
// turn is stored, its ID stays free, and it continues with the other's records (CA-37).
func TestLostRace(t *testing.T) {
	t.Parallel()
	store := &campaign.MemoryStore{}
	gate := llmtest.NewGate()
	held := llmtest.Text("Lost.")
	held.Gate = gate
	loser := newEngine(t, campaign.Config{Store: store, Sharing: campaign.Sharing{Lease: -1},
		Model: llmtest.NewScripted(llmtest.Text("One."), held, llmtest.Text("Two."))})
	winner, err := campaign.New(campaign.Config{Store: store, Model: scripted(), Sharing: campaign.Sharing{Lease: -1},
		Game: compile(t, game.Content{})})
	if err != nil {
		t.Fatal(err)
	}
	wantOutcome(t, turnOf(t, loser, turn.Submit{Text: "First"}), "completed turn_0001")
	in := turn.Submit{ActorID: "ren", Text: "Second", ClientTurnID: "c2"}
	lost := submitBeside(t.Context(), loser, in)
	<-gate.Reached()
	do(t, winner, turn.SelectActor{ActorID: "mei"})
	gate.Open()
	<-lost.done
	wantOutcome(t, lost.outcome, "failed version_conflict")
	if c := campaignOf(t, loser); c.Version != 3 || c.State.Selected.ActorID != "mei" {
		t.Errorf("after the race: version %d, %s acts", c.Version, c.State.Selected.ActorID)
	}
	wantOutcome(t, turnOf(t, loser, in), "refused not_active_actor")
	in.ActorID = "mei"
	wantOutcome(t, turnOf(t, loser, in), "completed turn_0002")
	wantOutcome(t, do(t, winner, turn.SelectActor{ActorID: "ren"}), "completed")
	for _, e := range []*campaign.Engine{winner, loser} {
		if c, err := e.Rebuild(t.Context(), "cave"); err != nil || c.Version != 5 {
			t.Errorf("rebuilt version %d, %v", c.Version, err)
		}
	}
}

// TestModelErrorsAreTyped: the reason of a failed turn is the model's error code, and nothing is
// stored.
func TestModelErrorsAreTyped(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		reply llmtest.Reply
		want  string
	}{
		{"overloaded", llmtest.Fail(&llm.Error{Code: llm.CodeOverloaded}), "failed overloaded"},
		{"in the middle", llmtest.Reply{Text: "You", Err: &llm.Error{Code: llm.CodeRateLimit}},
			"failed " + string(llm.CodeRateLimit)},
		{"cut", llmtest.Reply{Text: "You", Cut: true}, "failed " + string(llm.CodeIncomplete)},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			e := newEngine(t, campaign.Config{Repeats: -1, Model: llmtest.NewScripted(c.reply, llmtest.Text("Dust."))})
			wantOutcome(t, turnOf(t, e, turn.Submit{Text: "I wait."}), c.want)
			if v := campaignOf(t, e).Version; v != 1 {
				t.Errorf("version %d after a failure", v)
			}
			wantOutcome(t, turnOf(t, e, turn.Submit{Text: "I wait."}), "completed turn_0001")
		})
	}
}

// TestDeadlineIsNoCancellation: a turn that exceeds its deadline is failed, not cancelled.
func TestDeadlineIsNoCancellation(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		e := newEngine(t, campaign.Config{Model: llmtest.NewScripted(llmtest.Block(), llmtest.Text("Dust."))})
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		o, _ := e.Turn(ctx, "cave", turn.Submit{Text: "I wait."})
		wantOutcome(t, o, "failed timeout")
		wantOutcome(t, turnOf(t, e, turn.Submit{Text: "I wait."}), "completed turn_0001")
	})
}

// TestCancellation: a context that ends during the model call leaves nothing, and the same line may
// be submitted again.
func TestCancellation(t *testing.T) {
	t.Parallel()
	gate := llmtest.NewGate()
	held := llmtest.Text("Dust falls.")
	held.Gate = gate
	e := newEngine(t, campaign.Config{Model: llmtest.NewScripted(held, llmtest.Text("Dust."))})
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan turn.Outcome)
	go func() {
		o, _ := e.Turn(ctx, "cave", turn.Submit{Text: "I wait."})
		done <- o
	}()
	<-gate.Reached()
	cancel()
	o := <-done
	wantOutcome(t, o, "cancelled cancelled")
	if o.Failure.Kind != turn.FailureCancelled || !o.Failure.Retry {
		t.Errorf("it failed with %+v", o.Failure)
	}
	wantOutcome(t, turnOf(t, e, turn.Submit{Text: "I wait."}), "completed turn_0001")
}

// TestForkRepeatsConflicts: a fork answers a repeated submission with the report of its conflict, as
// a report of its own.
func TestForkRepeatsConflicts(t *testing.T) {
	t.Parallel()
	e := newEngine(t, campaign.Config{Model: scripted("You lose 4 HP.", "You wait.")}, `{"settings": {"retry.max_retries": 0}}`)
	line := turn.Submit{Text: "I fall.", ClientTurnID: "c1"}
	wantOutcome(t, turnOf(t, e, line), "conflict")
	turnOf(t, e, turn.Submit{Text: "I wait."})
	if _, err := e.Fork(t.Context(), "cave", "turn_0001", "cave2"); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"cave", "cave2"} {
		o, err := e.Turn(t.Context(), id, line)
		if err != nil || o.Report == nil || o.Report.CampaignID != id {
			t.Errorf("%s: %+v, %v", id, o.Report, err)
		}
	}
}

func TestForkSharesNothing(t *testing.T) {
	t.Parallel()
	e := newEngine(t, campaign.Config{Model: scripted("1", "2", "3", "other 2", "4")})
	for _, line := range []string{"One", "Two", "Three"} {
		turnOf(t, e, turn.Submit{Text: line})
	}
	fork, err := e.Fork(t.Context(), "cave", "turn_0001", "cave2")
	if err != nil {
		t.Fatal(err)
	}
	if len(fork.Turns) != 1 || fork.State.HeadTurnID != "turn_0001" || fork.Version != 1 {
		t.Errorf("the fork has %d turns, head %s, version %d", len(fork.Turns),
			fork.State.HeadTurnID, fork.Version)
	}
	if want := (state.Origin{CampaignID: "cave", TurnID: "turn_0001"}); fork.ForkedFrom != want || campaignOf(t, e).ForkedFrom != (state.Origin{}) {
		t.Errorf("it comes from %v", fork.ForkedFrom)
	}
	o, err := e.Turn(t.Context(), "cave2", turn.Submit{Text: "Two"})
	if err != nil || o.Turn.Text != "other 2" {
		t.Fatalf("%+v, %v", o, err)
	}
	turnOf(t, e, turn.Submit{Text: "Four"})
	if n := len(campaignOf(t, e).Turns); n != 4 {
		t.Errorf("the original has %d turns, want 4", n)
	}
	for _, id := range []string{"cave", "cave2"} {
		if _, err := e.Rebuild(t.Context(), id); err != nil {
			t.Errorf("%s: %v", id, err)
		}
	}
	if _, err := e.Fork(t.Context(), "cave", "turn_0009", "x"); !isRefused(err, state.CheckpointNotFound, `no turn turn_0009`) {
		t.Errorf("an unknown turn: %v", err)
	}
	if _, err := e.Fork(t.Context(), "cave", "turn_0001", "cave2"); !errors.Is(err, campaign.ErrVersionConflict) {
		t.Errorf("a taken id: %v", err)
	}
	if _, err := e.Fork(t.Context(), "nowhere", "turn_0001", "x"); !errors.Is(err, campaign.ErrNotFound) {
		t.Errorf("an unknown campaign: %v", err)
	}
}

func TestUnknownCampaign(t *testing.T) {
	t.Parallel()
	e := newEngine(t, campaign.Config{Model: scripted()})
	_, errTurn := e.Turn(t.Context(), "nowhere", turn.Submit{Text: "Hello?"})
	_, errRead := e.Campaign(t.Context(), "nowhere")
	_, errRebuild := e.Rebuild(t.Context(), "nowhere")
	for _, err := range []error{errTurn, errRead, errRebuild} {
		if !errors.Is(err, campaign.ErrNotFound) || !strings.Contains(err.Error(), `"nowhere"`) {
			t.Errorf("got %v, want ErrNotFound with the id", err)
		}
	}
	if _, err := e.Create(t.Context(), cave(t)); !errors.Is(err, campaign.ErrVersionConflict) {
		t.Errorf("a taken id: %v", err)
	}
}

func TestRollbackAndUndo(t *testing.T) {
	t.Parallel()
	e := newEngine(t, campaign.Config{Model: scripted("1", output("You step into the Hall.", moveHall))})
	turnOf(t, e, turn.Submit{Text: "One"})
	turnOf(t, e, turn.Submit{Text: "Two"})
	before := campaignOf(t, e)
	if _, err := e.Do(t.Context(), "cave", turn.RollBack{To: "turn_0001"}); err != nil {
		t.Fatal(err)
	}
	if c := campaignOf(t, e); c.State.HeadTurnID != "turn_0001" || c.State.Characters[0].AreaID != "gate" {
		t.Errorf("at %s in %s", c.State.HeadTurnID, c.State.Characters[0].AreaID)
	}
	if _, err := e.Do(t.Context(), "cave", turn.UndoRollBack{}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(jsonOf(t, before.State), jsonOf(t, campaignOf(t, e).State)); diff != "" {
		t.Errorf("the undo is not exact:\n%s", diff)
	}
	if _, err := e.Do(t.Context(), "cave", turn.UndoRollBack{}); !isRefused(err, state.UndoNotAllowed, `no rollback is pending: a new instruction closes the window, and what was set aside is a branch then`) {
		t.Errorf("a second undo: %v", err)
	}
}

// TestManyCampaigns plays many campaigns at once on one engine, each from several goroutines; run
// it with -race. Each campaign must be the same as with one player.
func TestManyCampaigns(t *testing.T) {
	t.Parallel()
	const campaigns, players = 6, 3
	e := newEngine(t, campaign.Config{Model: replying("Dust falls."), SnapshotEvery: 2})
	var wg sync.WaitGroup
	for i := range campaigns {
		setup := cave(t, fmt.Sprintf(`{"campaign_id": "c%d", "settings": {"turn.order": "free",
			"turn.concurrency": "queue"}}`, i))
		if _, err := e.Create(t.Context(), setup); err != nil {
			t.Fatal(err)
		}
		for p := range players {
			wg.Go(func() {
				actor := []string{"ren", "mei", "ren"}[p]
				id := fmt.Sprintf("c%d", i)
				_, err := e.Turn(t.Context(), id, turn.Submit{ActorID: actor, Text: "I wait."})
				if err != nil {
					t.Error(err)
				}
				if _, err := e.Campaign(t.Context(), id); err != nil {
					t.Error(err)
				}
			})
		}
	}
	wg.Wait()
	for i := range campaigns {
		id := fmt.Sprintf("c%d", i)
		c, err := e.Rebuild(t.Context(), id)
		if err != nil {
			t.Error(err)
		}
		if n := len(c.Turns); n < 2 || n > players {
			t.Errorf("%s has %d turns", id, n)
		}
	}
}

// TestSettingsOfTheInstallation: they apply if the campaign has no value (CA-07).
func TestSettingsOfTheInstallation(t *testing.T) {
	t.Parallel()
	e := newEngine(t, campaign.Config{Model: scripted("You enter the Vault.", "You enter the Vault.")},
		`{"global_settings": {"retry.max_retries": 0}}`)
	o := turnOf(t, e, turn.Submit{Text: "In!"})
	if o.Status != turn.Conflict || len(o.Attempts) != 1 {
		t.Errorf("%s after %d attempts", o.Status, len(o.Attempts))
	}
	do(t, e, turn.PatchSettings{Patch: setting.Snapshot{"conflict.mode": tree.Text("warn")}})
	wantOutcome(t, turnOf(t, e, turn.Submit{Text: "In!"}), "completed turn_0001")
}
