package campaign_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/observe"
	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/hooks"
	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/llm/llmtest"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/worldbook"
)

// steps is a host that stores journals. Each step runs in a new process.
type steps struct {
	t     *testing.T
	cfg   campaign.Config
	twice bool // the result of each step is lost once
	taken int
	size  int // of the longest journal
}

func newSteps(t *testing.T, cfg campaign.Config, changes ...string) *steps {
	t.Helper()
	if cfg.Game == nil {
		cfg.Game = compile(t, game.Content{})
	}
	if cfg.Store == nil {
		cfg.Store = &campaign.MemoryStore{}
	}
	cfg.Now = func() time.Time { return noon }
	h := &steps{t: t, cfg: cfg}
	createCave(t, h.engine(), changes...)
	return h
}

func (h *steps) engine() *campaign.Engine {
	h.t.Helper()
	e, err := campaign.New(h.cfg)
	if err != nil {
		h.t.Fatal(err)
	}
	return e
}

func journalOf(t *testing.T, in turn.Input) turn.Journal {
	t.Helper()
	j, err := turn.JournalOf(turn.Stamp(in, noon))
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// step runs a step in a new process, with a journal that a different process has written.
func (h *steps) step(j turn.Journal, hear func(campaign.Progress)) (turn.JournalStep, error) {
	h.t.Helper()
	var read turn.Journal
	if err := json.Unmarshal([]byte(jsonOf(h.t, j)), &read); err != nil {
		h.t.Fatal(err)
	}
	h.taken, h.size = h.taken+1, max(h.size, j.Size())
	return h.engine().Step(h.t.Context(), "cave", read, hear)
}

// do runs an instruction.
func (h *steps) do(in turn.Input) turn.Outcome {
	h.t.Helper()
	return h.goOn(journalOf(h.t, in))
}

func (h *steps) goOn(j turn.Journal) turn.Outcome {
	h.t.Helper()
	before := int64(0)
	for range 200 {
		step, err := h.step(j, nil)
		if err == nil && h.twice {
			step, err = h.step(j, nil)
		}
		if err != nil {
			h.t.Fatalf("after %d steps: %v", h.taken, err)
		}
		if before == 0 {
			before = step.Base
		}
		if step.Outcome != nil {
			if step.Committed {
				step.Outcome.Version = h.handOver(before)
			}
			return *step.Outcome
		}
		j = j.Then(step)
	}
	h.t.Fatal("it does not end")
	return turn.Outcome{}
}

// handOver makes up for what follows from an instruction, twice if results are lost. It returns the
// new version.
func (h *steps) handOver(before int64) (version int64) {
	h.t.Helper()
	for n := 0; n < 1 || h.twice && n < 2; n++ {
		for p, err := range h.engine().Handover(h.t.Context(), "cave", before) {
			if err != nil {
				h.t.Fatal(err)
			}
			if last, is := p.(campaign.Finished); is {
				version = last.Outcome.Version
			}
		}
	}
	return version
}

func (h *steps) records() string {
	h.t.Helper()
	var all []string
	for rec, err := range campaign.Decoded(h.cfg.Store.Records(h.t.Context(), "cave", 0)) {
		if err != nil {
			h.t.Fatal(err)
		}
		all = append(all, jsonOf(h.t, rec))
	}
	return strings.Join(all, "\n")
}

// stepping has questions of several kinds: hooks before and after, and a tool call that is first
// refused, so that the model is asked twice.
func stepping(t *testing.T) (*game.Game, []string) {
	g := compile(t, game.Content{Rules: game.Rules{Hooks: []hooks.Hook{{ID: "h", Name: "h", Event: hooks.On(act.BeforePromptRender, act.AfterToolCall, act.AfterSend),
		Actions: []act.Action{act.New(act.LogLine, tree.Member{Key: "message", Value: tree.Text("heard")})}}}}})
	return g, []string{output("You enter the vault.", moveLock), output("You enter the hall.", moveHall)}
}

// TestStepsLeadWhereTheEngineLeads: many processes run the steps of an instruction, each step twice
// because its result was lost. The log is the same as with one engine. The model is asked as often,
// and each record is written once: ST-13.
func TestStepsLeadWhereTheEngineLeads(t *testing.T) {
	t.Parallel()
	g, replies := stepping(t)
	whole := newSteps(t, campaign.Config{Game: g, Model: scripted(replies...)})
	e := whole.engine()
	instructions := []turn.Input{
		turn.Submit{Text: "I go in.", At: noon},
		turn.MakeCheckpoint{Label: "here", At: noon},
		turn.Submit{Text: "", At: noon},
	}
	var want []turn.Outcome
	for _, in := range instructions {
		want = append(want, do(t, e, in))
	}
	for _, twice := range []bool{false, true} {
		model := scripted(replies...)
		h := newSteps(t, campaign.Config{Game: g, Model: model, SnapshotEvery: 1})
		h.twice = twice
		for i, in := range instructions {
			if got := h.do(in); jsonOf(t, got) != jsonOf(t, want[i]) || got.Version != want[i].Version {
				t.Errorf("twice %v: instruction %d ended at %d, want %d: %s", twice, i, got.Version, want[i].Version,
					cmp.Diff(jsonOf(t, want[i]), jsonOf(t, got)))
			}
		}
		if got := h.records(); got != whole.records() {
			t.Errorf("twice %v: the log differs: %s", twice, cmp.Diff(whole.records(), got))
		}
		if asked := len(model.Requests()); asked != len(replies) {
			t.Errorf("twice %v: the model was asked %d times, want %d", twice, asked, len(replies))
		}
		if _, err := h.engine().Rebuild(t.Context(), "cave"); err != nil {
			t.Error(err)
		}
	}
}

// TestLongJournalsNameWhatTheStoreKeeps: long answers stay in the store, and the journal has a
// limited size. This is so even if the commit has removed them there and its result is lost.
func TestLongJournalsNameWhatTheStoreKeeps(t *testing.T) {
	testkit.WithoutRace(t)
	t.Parallel()
	long := strings.Repeat("The wind howls over the stones. ", 3<<10)
	replies := []string{output(long+" You enter the vault.", moveLock), output(long+" You enter the hall.", moveHall)}
	model := llmtest.NewScripted(llmtest.Text(replies[0]), llmtest.Text(replies[1]))
	h := newSteps(t, campaign.Config{Model: model, SnapshotEvery: 1})
	h.twice = true
	wantOutcome(t, h.do(turn.Submit{Text: "I go in."}), "completed turn_0001")
	if h.size > turn.JournalInline || len(model.Requests()) != len(replies) {
		t.Errorf("a journal holds %d bytes, and the model was asked %d times", h.size, len(model.Requests()))
	}
	if _, err := h.engine().Rebuild(t.Context(), "cave"); err != nil {
		t.Error(err)
	}

	plain := newSteps(t, campaign.Config{Model: llmtest.NewScripted(llmtest.Text(replies[0]), llmtest.Text(replies[1])), Sharing: campaign.Sharing{Lease: -1}}) // it stores nothing for others
	wantOutcome(t, plain.do(turn.Submit{Text: "I go in."}), "completed turn_0001")
	if plain.size < 2*len(long) {
		t.Errorf("the journal holds %d bytes", plain.size)
	}
}

// TestStepsWaitForPeople: a turn that waits ends the instruction. It continues with an approver
// that is called at once, or with the answer as an instruction.
func TestStepsWaitForPeople(t *testing.T) {
	t.Parallel()
	for _, twice := range []bool{false, true} {
		h := newSteps(t, campaign.Config{Model: scripted(output("You lose 3 HP.", hurt("ren", "-3")))}, askAll)
		h.twice = twice
		wantOutcome(t, h.do(turn.Submit{Text: "I go in.", ClientTurnID: "c1"}), "awaiting_approval")
		wantOutcome(t, h.do(turn.Submit{Text: "I go in.", ClientTurnID: "c1"}), "awaiting_approval replayed")
		wantOutcome(t, h.do(turn.Submit{Text: "I go out.", ClientTurnID: "c2"}), "refused awaiting_approval")
		q, err := h.engine().Pending(t.Context(), "cave")
		if err != nil || q == nil {
			t.Fatal(q, err)
		}
		_, err = h.step(journalOf(t, turn.Approve{Question: "another"}), nil)
		if !isRefused(err, state.NoPendingApproval, `the question is approval_0002, not "another"`) {
			t.Errorf("an answer to another question: %v", err)
		}
		wantOutcome(t, h.do(turn.Approve{Question: q.ID, Decisions: q.All(state.Approve, "")}), "completed turn_0001")
		if hp := campaignOf(t, h.engine()).State.Characters[0].HP.Current; hp != 7 {
			t.Errorf("ren has %d HP", hp)
		}

		h = newSteps(t, campaign.Config{Model: scripted(output("You lose 3 HP.", hurt("ren", "-3"))),
			Services: campaign.Services{Approver: func(_ context.Context, q state.ApprovalQuestion) (*turn.Approve, error) {
				return &turn.Approve{Decisions: q.All(state.Approve, "")}, nil
			}}}, askAll)
		h.twice = twice
		wantOutcome(t, h.do(turn.Submit{Text: "I go in."}), "completed turn_0001")
		if _, err := h.engine().Rebuild(t.Context(), "cave"); err != nil {
			t.Error(err)
		}
	}
}

// TestStepsAreOvertaken: commits of others end the instruction before anything more is paid for,
// and a retry of the host begins again.
func TestStepsAreOvertaken(t *testing.T) {
	t.Parallel()
	g, replies := stepping(t)
	model := scripted(append(replies, "Dust.")...)
	h := newSteps(t, campaign.Config{Game: g, Model: model})
	j := journalOf(t, turn.Submit{Text: "I go in."})
	step, err := h.step(j, nil)
	if err != nil || step.Outcome != nil || step.Base != 1 {
		t.Fatal(step, err)
	}
	do(t, h.engine(), turn.MakeCheckpoint{Label: "here"})
	asked := len(model.Requests())
	o := h.goOn(j.Then(step))
	wantOutcome(t, o, "failed version_conflict")
	if o.Failure.Kind != turn.FailureStore || o.Failure.Code != turn.VersionConflict || !errors.Is(o.Failure, campaign.ErrVersionConflict) || !o.Failure.Retry || o.Version != 2 || len(model.Requests()) != asked {
		t.Errorf("%+v, and the model was asked %d times more", o.Failure, len(model.Requests())-asked)
	}
	wantOutcome(t, h.do(turn.Submit{Text: "I go in."}), "completed turn_0001")
}

// TestStepsThatDoNotBegin: the first step of an instruction that is not run returns the reason.
func TestStepsThatDoNotBegin(t *testing.T) {
	t.Parallel()
	h := newSteps(t, campaign.Config{Model: scripted("Dust.")})
	wantOutcome(t, h.do(turn.Submit{Text: "I go in.", ClientTurnID: "c1"}), "completed turn_0001")
	wantOutcome(t, h.do(turn.Once{ID: "k", Input: turn.MakeCheckpoint{Label: "a", At: noon}}), "completed")
	if _, err := h.step(turn.Journal{Entries: []turn.JournalEntry{{Input: json.RawMessage(`{"input":5}`)}}}, nil); !errors.Is(err, turn.ErrInvalidInput) {
		t.Errorf("no input: %v", err)
	}
	if _, err := h.step(journalOf(t, turn.Once{ID: "k", Input: turn.MakeCheckpoint{Label: "b", At: noon}}), nil); !isRefused(err, state.IdempotencyConflict, "") {
		t.Errorf("another instruction with a known id: %v", err)
	}
	wantOutcome(t, h.do(turn.Submit{Text: "I go out.", ClientTurnID: "c1"}), "refused idempotency_conflict")
	wantOutcome(t, h.do(turn.Submit{ActorID: "nobody", Text: "I go in."}), "refused actor_not_in_party")
	twice := turn.Journal{Entries: []turn.JournalEntry{{Input: json.RawMessage(`{"input":"submit","once":"a","client_turn_id":"b","text":"x"}`)}}}
	if _, err := h.step(twice, nil); !errors.Is(err, turn.ErrInvalidInput) {
		t.Errorf("an instruction with two ids: %v", err)
	}
	wantOutcome(t, h.do(turn.Announce{Event: "bell"}), "completed")
}

// leaving is a model whose caller leaves during the call.
type leaving struct {
	llm.Model
	leave func()
}

func (m leaving) Generate(ctx context.Context, r llm.Request) iter.Seq2[llm.Chunk, error] {
	m.leave()
	return m.Model.Generate(ctx, r)
}

// TestCancelledSteps: a cancelled instruction makes no further call, and the turn ends as
// cancelled. An interrupted call is not an answer.
func TestCancelledSteps(t *testing.T) {
	t.Parallel()
	model := scripted("Dust.")
	ctx, cancel := context.WithCancel(t.Context())
	h := newSteps(t, campaign.Config{Model: leaving{model, cancel}})
	j := journalOf(t, turn.Submit{Text: "I go in."})
	if _, err := h.engine().Step(ctx, "cave", j, nil); !errors.Is(err, context.Canceled) {
		t.Fatalf("a call that is cut off is %v", err)
	}
	asked := len(model.Requests())
	j.Cancelled = true
	step, err := h.step(j, nil)
	for err == nil && step.Outcome == nil {
		j = j.Then(step)
		step, err = h.step(j, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	wantOutcome(t, *step.Outcome, "cancelled cancelled")
	wantOutcome(t, h.goOn(j.Then(step)), "cancelled cancelled") // a step after the last one
	if got := len(model.Requests()); got != asked {
		t.Errorf("the model was asked %d times more", got-asked)
	}
}

// TestStepsTellWhatToRepeat: a failed model call does not end the instruction if a retry helps and
// the host wants one. Without a retry the turn fails.
func TestStepsTellWhatToRepeat(t *testing.T) {
	t.Parallel()
	overloaded := &llm.Error{Code: llm.CodeOverloaded, Retry: true, RetryAfter: time.Minute}
	h := newSteps(t, campaign.Config{Repeats: -1, Model: llmtest.NewScripted(llmtest.Fail(overloaded), llmtest.Text("Dust."),
		llmtest.Fail(&llm.Error{Code: llm.CodeAuth}), llmtest.Fail(overloaded))})
	j := journalOf(t, turn.Submit{Text: "I go in."})
	step, err := h.step(j, nil)
	if err != nil || step.Again == nil || *step.Again != (turn.JournalAgain{Code: turn.FailureCode(llm.CodeOverloaded), After: time.Minute}) {
		t.Fatal(step, err)
	}
	wantOutcome(t, h.goOn(j), "completed turn_0001")

	if step, err := h.step(journalOf(t, turn.Submit{Text: "Two"}), nil); err != nil || step.Again != nil {
		t.Fatal(step, err)
	}
	wantOutcome(t, h.do(turn.Submit{Text: "Three"}), "failed overloaded")
}

// TestStepsTakeTextBack: the process that asks again retracts the provisional text of a refused
// attempt.
func TestStepsTakeTextBack(t *testing.T) {
	t.Parallel()
	h := newSteps(t, campaign.Config{Model: scripted(output("You enter the vault.", moveLock), output("You enter the hall.", moveHall))},
		`{"settings": {"conflict.intercept_output": false}}`)
	var heard []string
	hear := func(p campaign.Progress) {
		switch p := p.(type) {
		case campaign.AttemptStarted:
			heard = append(heard, "attempt")
		case campaign.Provisional:
			if last := len(heard) - 1; heard[last] != "text" {
				heard = append(heard, "text")
			}
		case campaign.Retracted:
			heard = append(heard, "back")
			if p.Attempt != 1 {
				t.Errorf("attempt %d is taken back", p.Attempt)
			}
		}
	}
	j := journalOf(t, turn.Submit{Text: "I go in."})
	for {
		step, err := h.step(j, hear)
		if err != nil {
			t.Fatal(err)
		}
		if step.Outcome != nil {
			break
		}
		j = j.Then(step)
	}
	if got, want := strings.Join(heard, " "), "attempt text back attempt text"; got != want {
		t.Errorf("players see %q, want %q", got, want)
	}
}

// TestJournalsThatDoNotFit: a journal of different content, an empty one, a campaign in use and an
// unknown one are errors that change nothing.
func TestJournalsThatDoNotFit(t *testing.T) {
	t.Parallel()
	h := newSteps(t, campaign.Config{Model: scripted("Dust.")})
	before := h.records()
	for _, c := range []struct {
		reason string
		j      turn.Journal
		want   error
	}{
		{"nothing is to be done", turn.Journal{}, turn.ErrInvalidInput},
		{"the first entry is none", turn.Journal{Entries: []turn.JournalEntry{{Input: []byte(`{}`)}}}, turn.ErrInvalidInput},
		{"an answer that nobody asked for", turn.Journal{Base: 1, Entries: []turn.JournalEntry{{Input: []byte(`{"input":"committed"}`)}}}, turn.ErrDiverged},
		{"the store is behind", turn.Journal{Base: 9}, campaign.ErrUnavailable},
	} {
		if _, err := h.step(c.j, nil); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.reason, err, c.want)
		}
	}
	for want, entry := range map[string]turn.JournalEntry{"the store does not have it any more": {Kept: "gone"}, "at: must be a time": {Input: []byte(`{"input":"undo","at":5}`)}} {
		if _, err := h.step(turn.Journal{Base: 1, Entries: []turn.JournalEntry{entry}}, nil); err == nil || !strings.Contains(err.Error(), "entry 0 of the journal") || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	_, err := h.step(turn.Journal{Entries: []turn.JournalEntry{{Input: []byte(`{"input":"dance"}`)}}}, nil)
	if newer, is := errors.AsType[*turn.Unplayable](err); !is || !slices.Equal(newer.Inputs, []string{"dance"}) {
		t.Errorf("an instruction of a newer version: %v, %v", err, newer)
	}
	if _, err := h.engine().Step(t.Context(), "nowhere", journalOf(t, turn.Submit{Text: "x"}), nil); !errors.Is(err, campaign.ErrNotFound) {
		t.Errorf("an unknown campaign: %v", err)
	}
	if _, err := h.cfg.Store.(campaign.Cluster).Acquire(t.Context(), "cave", "somebody", time.Hour); err != nil {
		t.Fatal(err)
	}
	_, err = h.step(journalOf(t, turn.Submit{Text: "x"}), nil)
	if held, ok := errors.AsType[*campaign.HeldError](err); !ok || held.Owner != "somebody" {
		t.Errorf("a campaign that is leased: %v", err)
	}
	if h.records() != before {
		t.Error("the log has changed")
	}
}

// TestStepsTakeBackTextOfAQuestion: a process that drops a waiting turn, or asks the model again,
// retracts the provisional text that a different process has shown.
func TestStepsTakeBackTextOfAQuestion(t *testing.T) {
	t.Parallel()
	for reason, answer := range map[string]func(q *state.ApprovalQuestion) turn.Input{
		"dropped": func(*state.ApprovalQuestion) turn.Input { return turn.Discard{} },
		"refused": func(q *state.ApprovalQuestion) turn.Input {
			return turn.Approve{Question: q.ID, Decisions: q.All(state.Deny, "no")}
		},
	} {
		h := newSteps(t, campaign.Config{Model: scripted(output("You lose 3 HP.", hurt("ren", "-3")), "Dust.")},
			`{"settings": {"tools.approval": "all", "conflict.intercept_output": false}}`)
		wantOutcome(t, h.do(turn.Submit{Text: "I go in."}), "awaiting_approval")
		q, err := h.engine().Pending(t.Context(), "cave")
		if err != nil || q == nil {
			t.Fatal(q, err)
		}
		var heard []string
		j := journalOf(t, answer(q))
		for {
			step, err := h.step(j, func(p campaign.Progress) { heard = append(heard, fmt.Sprintf("%T", p)) })
			if err != nil {
				t.Fatal(err)
			}
			if step.Outcome != nil {
				break
			}
			j = j.Then(step)
		}
		if len(heard) == 0 || heard[0] != "campaign.Retracted" || slices.Contains(heard[1:], heard[0]) {
			t.Errorf("%s: players see %q", reason, heard)
		}
	}
}

// TestStepsAreObservedOnce: an observer hears of refused calls, lore and prompts of an instruction
// once, also if each step runs in a new process.
func TestStepsAreObservedOnce(t *testing.T) {
	t.Parallel()
	_, replies := stepping(t)
	content := game.Content{Lore: game.Lore{Books: []worldbook.Attachment{{Book: worldbook.Book{Name: "b", Entries: []worldbook.Entry{
		{UID: "1", Constant: true, Content: "Old stones.", Probability: 100}}}}}}}
	watched := func(run func(t *testing.T, cfg campaign.Config) turn.Outcome) (out []string) {
		cfg := campaign.Config{Game: compile(t, content), Model: scripted(replies...),
			Services: campaign.Services{Judge: func(context.Context, question.Judge) ([]conflict.Verdict, error) { return nil, nil }}}
		cfg.Observe = observe.Func(func(_ observe.Place, m observe.Moment) {
			switch m.(type) {
			case observe.CallRefused, observe.ConflictFound, observe.LoreActivated, observe.PromptAssembled, observe.CallApplied:
				out = append(out, fmt.Sprintf("%T %s", m, jsonOf(t, m)))
			}
		})
		wantOutcome(t, run(t, cfg), "completed turn_0001")
		return out
	}
	const judged = `{"settings": {"conflict.judge": "full"}}`
	in := turn.Submit{Text: "I go in.", At: noon}
	whole := watched(func(t *testing.T, cfg campaign.Config) turn.Outcome { return do(t, newEngine(t, cfg, judged), in) })
	steps := watched(func(t *testing.T, cfg campaign.Config) turn.Outcome { return newSteps(t, cfg, judged).do(in) })
	if diff := cmp.Diff(whole, steps); diff != "" || len(whole) < 4 {
		t.Errorf("%d moments (-in one process +in steps):\n%s", len(whole), diff)
	}
}
