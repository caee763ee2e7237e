package campaign

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"log/slog"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/internal/turnlog"
	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/memvars/tree"
)

var brokenMember = map[string]json.RawMessage{"later": json.RawMessage("{")}

// TestPostsThatRunAgain: a post runs again if the store, the lease or the end of the process prevented its
// turn. Any other outcome is its answer.
func TestPostsThatRunAgain(t *testing.T) {
	t.Parallel()
	failed := func(code turn.FailureCode) turn.Outcome {
		return turn.Outcome{Status: turn.Failed, Failure: &turn.Failure{Code: code}}
	}
	for name, c := range map[string]struct {
		o     turn.Outcome
		final bool
	}{
		"completed": {turn.Outcome{Status: turn.Completed}, true}, "refused": {turn.Outcome{Status: turn.Refused}, true}, "cancelled": {turn.Outcome{Status: turn.Cancelled}, false},
		"a lost lease": {failed(turn.LeaseLost), false}, "a store that fails": {failed(turn.StoreFailed), false}, "another commit": {failed(turn.VersionConflict), false},
		"a past that cannot be read": {failed(turn.PastUnread), false}, "a panic": {failed(turn.Panicked), true},
	} {
		if got := isFinal(c.o); got != c.final {
			t.Errorf("%s is final: %t", name, got)
		}
	}
}

// TestMovedBeginnings: a campaign that begins after the records of its past refers to its state by the new
// version.
func TestMovedBeginnings(t *testing.T) {
	t.Parallel()
	first, fourth := state.StateRef(1), state.StateRef(4)
	for _, states := range []state.Snapshots{{}, {first: &state.State{TurnCount: 9}, "other": &state.State{}}} {
		c := state.Campaign{Version: 1, Checkpoints: []state.Checkpoint{{SnapshotRef: first}, {SnapshotRef: "other"}}, Snapshots: states}
		held := len(states)
		moveBeginning(&c, 4)
		if c.Version != 4 || c.Archive.Began != 4 || c.Checkpoints[0].SnapshotRef != fourth || c.Checkpoints[1].SnapshotRef != "other" {
			t.Errorf("%+v", c)
		}
		if kept := c.Snapshots[fourth]; len(c.Snapshots) != held || held > 0 && (kept == nil || kept.TurnCount != 9) {
			t.Errorf("states %v, want %d", c.Snapshots, held)
		}
	}
}

// contextStore remembers the contexts of calls that a lease or an instruction ends.
type contextStore struct {
	*MemoryStore
	mu   sync.Mutex
	seen map[string]context.Context
}

func (s *contextStore) see(what string, ctx context.Context) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seen[what] = ctx
}

func (s *contextStore) Acquire(ctx context.Context, id, owner string, d time.Duration) (int64, error) {
	s.see("acquire", ctx)
	return s.MemoryStore.Acquire(ctx, id, owner, d)
}

func (s *contextStore) Release(ctx context.Context, id string, fence int64) error {
	s.see("release", ctx)
	return s.MemoryStore.Release(ctx, id, fence)
}

// TestNothingStaysOpen: when a call returns, the contexts that it gave to the store and the model have
// ended, and the campaign may leave the memory.
func TestNothingStaysOpen(t *testing.T) {
	t.Parallel()
	store := &contextStore{MemoryStore: new(MemoryStore), seen: map[string]context.Context{}}
	model := llm.ModelFunc(func(ctx context.Context, _ llm.Request) iter.Seq2[llm.Chunk, error] {
		store.see("model", ctx)
		return func(yield func(llm.Chunk, error) bool) {
			_ = yield(llm.TextDelta{Text: "Dust falls."}, nil) && yield(llm.Done{Reason: llm.FinishStop}, nil)
		}
	})
	e := engineOf(t, Config{Store: store, Model: model})
	if _, err := e.Create(t.Context(), state.Setup{ID: "c", Characters: []state.Character{{ID: "ann", Name: "Ann"}}}); err != nil {
		t.Fatal(err)
	}
	line := turn.Submit{Text: "I wait."}
	entry, err := turn.JournalEntryOf(line)
	if err != nil {
		t.Fatal(err)
	}
	drain := func(list iter.Seq2[Progress, error]) (err error) {
		for _, err = range list {
		}
		return err
	}
	for name, call := range map[string]func() error{
		"Do":       func() error { _, err := e.Do(t.Context(), "c", line); return err },
		"Stream":   func() error { return drain(e.Stream(t.Context(), "c", line)) },
		"Handover": func() error { return drain(e.Handover(t.Context(), "c", 0)) },
		"Step": func() error {
			_, err := e.Step(t.Context(), "c", turn.Journal{Entries: []turn.JournalEntry{entry}}, nil)
			return err
		},
		"Suggest": func() error { _, err := e.Suggest(t.Context(), "c", turn.Suggest{N: 2}); return err },
	} {
		clear(store.seen)
		if err := call(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for what, ctx := range store.seen {
			if ctx.Err() == nil {
				t.Errorf("%s: the context of %s has not ended", name, what)
			}
		}
		if len(store.seen) < 2 {
			t.Errorf("%s: only %d calls were seen", name, len(store.seen))
		}
		if s := e.sessions.all["c"]; s != nil && s.users != 0 {
			t.Errorf("%s: %d users of the campaign are left", name, s.users)
		}
	}
}

// TestValuesWithoutForm: a value without a JSON form is an error, and has no key.
func TestValuesWithoutForm(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	c := state.Campaign{ID: "c", Version: 1, Extra: brokenMember}
	for name, do := range map[string]func() error{
		"a record": func() error {
			return archive{}.append(ctx, "c", turn.Record{Version: 2, Kind: turn.RecordTurn, Turns: []state.Turn{{Extra: brokenMember}}}, nil, 0)
		},
		"a campaign": func() error {
			read := func(int, int) ([]state.Turn, error) { return nil, nil }
			return archive{store: new(MemoryStore)}.writeBeginning(ctx, &c, nil, read, 0)
		},
		"an event": func() error { _, err := marshalProgress(Retracted{}, brokenMember); return err },
		"an effect": func() error {
			return json.Unmarshal([]byte(`{"effect": {"effect": "cue", "tag": "rain"}, "source": 5}`), new(HostEffect))
		},
		"an import": func() error {
			return storeLog(ctx, archive{store: new(MemoryStore)}, c, []Entry{{Version: 1, Kind: string(turn.RecordPast), Data: []byte("{}")}})
		},
		"the first record": func() error {
			entry, err := EntryOf(turn.Record{Version: 1, Kind: turn.RecordCreate, Campaign: json.RawMessage("5")})
			if err != nil {
				t.Fatal(err)
			}
			_, err = engineOf(t, Config{Store: storeOf(t, entry)}).origin(ctx, "c")
			return err
		},
		"the inputs of a record": func() error {
			return Entry{Version: 2, Data: []byte(`{"inputs": 5}`)}.addRequirements(new(turnlog.Requirements))
		},
	} {
		if do() == nil {
			t.Errorf("%s: no error", name)
		}
	}
	calls := newRunner(engineOf(t, Config{}), ctx, nil, "c", nil).calls
	calls.lease = new(lease)
	if got := calls.nameQuestion(1, brokenMember); got != "" {
		t.Errorf("a question has the name %q", got)
	}
	messages := []llm.Message{{Extra: brokenMember}}
	for name, req := range map[string]llm.Request{"a message": {Messages: messages}, "a request": {Options: llm.Options{Extra: brokenMember}}} {
		if got := keyOf("c", 1, 1, req); got != "" {
			t.Errorf("%s has the key %q", name, got)
		}
	}
}

// engineOf returns an engine without content, on a store in memory.
func engineOf(t *testing.T, cfg Config) *Engine {
	t.Helper()
	g, problems := Compile(game.Content{})
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	if cfg.Game = g; cfg.Model == nil {
		cfg.Model = NoModel
	}
	if cfg.Store == nil {
		cfg.Store = new(MemoryStore)
	}
	e, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// storeOfPast returns a store with a record of the past of a campaign.
func storeOfPast(t *testing.T) *MemoryStore {
	t.Helper()
	return storeOf(t, Entry{Version: 1, Kind: string(turn.RecordPast), Data: []byte("{}")})
}

// storeOf returns a store with an entry of a campaign.
func storeOf(t *testing.T, entry Entry) *MemoryStore {
	t.Helper()
	store := new(MemoryStore)
	if err := store.Append(t.Context(), "c", entry, nil); err != nil {
		t.Fatal(err)
	}
	return store
}

// tornStore lists a campaign whose records cannot be read.
type tornStore struct{ *MemoryStore }

var errTornStore = fmt.Errorf("torn: %w", ErrUnavailable)

func (tornStore) List(context.Context, Page) ([]Info, error) {
	return []Info{{ID: "c", Version: 9}}, nil
}

func (tornStore) Records(context.Context, string, int64) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) { yield(Entry{}, errTornStore) }
}

// tornCodec cannot open anything.
type tornCodec struct{ Codec }

func (tornCodec) Open(Place, []byte) ([]byte, error) { return nil, errTornStore }

// TestReadsThatFail: an error of a store or a codec is passed on.
func TestReadsThatFail(t *testing.T) {
	t.Parallel()
	ctx, store := t.Context(), storeOfPast(t)
	torn := archive{store: tornStore{store}}
	held := state.Campaign{ID: "c", Version: 9, TurnCounter: 5}
	r := newRunner(engineOf(t, Config{Store: tornStore{store}}), ctx, nil, "c", nil)
	for name, do := range map[string]func() error{
		"the end of a log": func() error { return torn.checkEnd(ctx, "c", 3) },
		"a lost end":       func() error { return endLostError(torn.store.Records(ctx, "c", 0)) },
		"a list":           func() error { _, err := collect(torn.store.Records(ctx, "c", 0)); return err },
		"a past":           func() error { _, err := archive{store: store, codec: tornCodec{}}.storedPast(ctx, "c"); return err },
		"an export":        func() error { return r.engine.Export(ctx, "c", io.Discard) },
		"an exported record": func() error {
			_, err := archive{store: store, codec: tornCodec{}}.exportRecords(ctx, "c", func([]byte) {})
			return err
		},
		"an import": func() error { return storeLog(ctx, torn, held, nil) },
		"unread turns": func() error {
			_, err := r.readMissingTurns(held, question.Summarize{Unread: []string{state.TurnID(1)}})
			return err
		},
		"a turn that waits": func() error {
			journal, err := tree.Of(turn.Inputs{turn.Undo{}})
			if err != nil {
				t.Fatal(err)
			}
			c := held
			c.State.HeadTurnID, c.PendingApproval = state.TurnID(5), &state.PendingApproval{Records: 1, Journal: journal}
			return (&stepper{runner: r}).newMachine(c)
		},
	} {
		if err := do(); !errors.Is(err, errTornStore) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := (archive{store: store}).record(ctx, "c", 2); !errors.Is(err, ErrNotFound) {
		t.Errorf("a record after the last: %v", err)
	}
	if _, _, err := store.OldestPost(ctx, "d"); !errors.Is(err, ErrNotFound) {
		t.Errorf("a post of an unknown campaign: %v", err)
	}
	for range readThroughDamage(listed([]Entry{{Version: 5}}), 0, Entry.Record) {
		break // in the place of lost records
	}
	if err := (&stepper{runner: r}).environmentError(turn.GenerateFailed{Reason: turn.StoreFailed}); err == nil {
		t.Error("a step goes on without its store")
	}
}

// logged is a handler that counts records.
type logged struct {
	slog.Handler
	mu sync.Mutex
	n  int
}

func (l *logged) Enabled(context.Context, slog.Level) bool { return true }

func (l *logged) Handle(context.Context, slog.Record) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.n++
	return nil
}

// TestFollowUpsThatCannotBe: what follows from an instruction is left out without a machine, and
// logged if the machine refuses it. A goroutine that ends is not a panic.
func TestFollowUpsThatCannotBe(t *testing.T) {
	t.Parallel()
	log := &logged{}
	summarized := 0
	r := newRunner(engineOf(t, Config{Logger: slog.New(log), Services: Services{
		Summarize: func(context.Context, question.Summarize) (state.Summary, error) {
			summarized++
			return state.Summary{}, nil
		},
	}}), t.Context(), nil, "c", nil)
	r.runFollowUp(&session{}, turn.Committed{})
	over := make(chan bool)
	go func() {
		defer close(over)
		_ = r.guard(&session{}, func() error { runtime.Goexit(); return nil })
	}()
	<-over
	if log.n != 0 {
		t.Errorf("%d lines in the log", log.n)
	}
	s := &session{machine: turn.NewMachine(r.engine.game(), state.Campaign{ID: "c", Version: 3})}
	r.runFollowUp(s, turn.Committed{})
	if log.n != 1 {
		t.Errorf("%d lines in the log after a refused follow-up", log.n)
	}
	r.summarize(s, &question.Summarize{Unread: []string{state.TurnID(1)}})
	r.lease = &lease{cluster: storeOfPast(t), id: "c", fence: 7, logger: slog.New(log), renewing: make(chan struct{}, 1),
		ctx: t.Context(), lose: func(error) {}, expiry: time.NewTimer(time.Hour)}
	if _, err := r.askSummary(4, question.Summarize{}); !errors.Is(err, ErrLeaseLost) || summarized != 0 {
		t.Errorf("%v, %d summaries", err, summarized)
	}
}

// TestRecordsThatDoNotFit: a record that does not fit the campaign is not written with a snapshot.
func TestRecordsThatDoNotFit(t *testing.T) {
	t.Parallel()
	store := storeOfPast(t)
	r := newRunner(engineOf(t, Config{Store: store, SnapshotEvery: 1}), t.Context(), nil, "c", nil)
	s := &session{machine: turn.NewMachine(r.engine.game(), state.Campaign{ID: "c", Version: 1})}
	rec := turn.Record{Version: 2, Kind: turn.RecordCreate, Campaign: json.RawMessage("5")}
	if in, failed := r.commitRecord(s, &rec).(turn.CommitFailed); !failed {
		t.Errorf("%+v", in)
	}
	if _, found, err := r.engine.archive.entry(t.Context(), "c", 2); found || err != nil {
		t.Errorf("it is written: %v", err)
	}
}

// TestFailedCalls: an answer that comes too late is no cancellation. A second request takes nothing
// back, and a panic of the caller is passed on.
func TestFailedCalls(t *testing.T) {
	t.Parallel()
	var fail error
	model := llm.ModelFunc(func(context.Context, llm.Request) iter.Seq2[llm.Chunk, error] {
		return func(yield func(llm.Chunk, error) bool) {
			if yield(llm.TextDelta{Text: "Dust "}, nil) {
				yield(nil, fail)
			}
		}
	})
	var seen []Progress
	yield := func(p Progress, _ error) bool {
		seen = append(seen, p)
		return true
	}
	called := func() *runner {
		r := newRunner(engineOf(t, Config{Model: model}), t.Context(), nil, "c", yield)
		r.game = r.engine.game()
		return r
	}
	fail = fmt.Errorf("no answer: %w", context.DeadlineExceeded)
	if in, ok := called().calls.generate(question.Generate{}, 1).(turn.GenerateFailed); !ok || in.Reason != turn.FailureCode(llm.CodeTimeout) || !in.Retry {
		t.Errorf("%+v", in)
	}
	fail, seen = &llm.Error{Code: llm.CodeNetwork, Retry: true}, nil
	r := called()
	r.shownAttempt = 1
	if in, ok := r.calls.generate(question.Generate{Updates: true, Intercept: true}, 1).(turn.GenerateFailed); !ok || len(seen) > 0 {
		t.Errorf("%+v, seen %+v", in, seen)
	}
	yield = func(p Progress, _ error) bool {
		if _, words := p.(Provisional); words {
			panic("mine")
		}
		return true
	}
	defer func() {
		if what := recover(); what != "mine" {
			t.Errorf("recovered %v", what)
		}
	}()
	called().calls.generate(question.Generate{Attempt: 1}, 1)
}

// TestSavedAnswersOfOthers: an answer of another kind is not the answer of a model.
func TestSavedAnswersOfOthers(t *testing.T) {
	t.Parallel()
	r := newRunner(engineOf(t, Config{Store: storeOfPast(t)}), t.Context(), nil, "c", nil)
	if err := r.acquireLease(); err != nil {
		t.Fatal(err)
	}
	defer r.releaseLease()
	if err := r.calls.saveAnswer(1, "key", turn.Inputs{turn.Recalled{}}); err != nil {
		t.Fatal(err)
	}
	if in, ok := r.calls.savedReply(1, "key"); ok || len(r.calls.answeredKeys) > 0 {
		t.Errorf("%+v, %q", in, r.calls.answeredKeys)
	}
}

// TestRenewedTooLate: a lease that has expired is lost, even if the store renews it.
func TestRenewedTooLate(t *testing.T) {
	t.Parallel()
	store := storeOfPast(t)
	fence, err := store.Acquire(t.Context(), "c", "me", time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	expired := time.NewTimer(time.Hour)
	expired.Stop()
	l := &lease{cluster: store, id: "c", fence: fence, duration: time.Hour, logger: slog.New(slog.DiscardHandler),
		renewing: make(chan struct{}, 1), expiry: expired}
	if err := l.renew(t.Context()); !errors.Is(err, ErrLeaseLost) {
		t.Error(err)
	}
}

// TestEntersOnlyWithTheCampaign: an instruction waits only for a campaign that can be read.
func TestEntersOnlyWithTheCampaign(t *testing.T) {
	t.Parallel()
	r := newRunner(engineOf(t, Config{}), t.Context(), nil, "c", nil)
	s := &session{}
	s.mu.Lock()
	if o, err := r.lockCampaign(s, turn.Submit{Text: "I wait."}); o != nil || !errors.Is(err, ErrNotFound) {
		t.Errorf("%+v, %v", o, err)
	}
}

// TestRepairsWithoutStates: a repair names only states that it has, and a first turn has no parent.
func TestRepairsWithoutStates(t *testing.T) {
	t.Parallel()
	c := state.Campaign{ID: "c", Version: 5, TurnCounter: 1}
	c.State.HeadTurnID = state.TurnID(1)
	if got := new(findings).turnsWithoutRecord(c); len(got) != 1 || got[0].ParentID != state.StartTurnID {
		t.Errorf("%+v", got)
	}
	c.Checkpoints = []state.Checkpoint{{Label: "here", SnapshotRef: "gone"}}
	if _, states := moveStates(c, 6); len(states) != 0 {
		t.Errorf("%v", states)
	}
}

// TestRepairOfLaterRecords: a repair ends the damage of the records from its beginning on, and of no
// record before.
func TestRepairOfLaterRecords(t *testing.T) {
	t.Parallel()
	for from, repaired := range map[int64]bool{2: true, 3: true, 4: false} {
		r := damageReader{damage: &state.LogDamage{Version: 3}}
		rec := turn.Record{Version: 9, Kind: turn.RecordRepair, Repair: &state.RepairNote{From: from, Version: 9}}
		if _, err := r.replaceDamaged(Entry{Version: 9}, rec, nil); err != nil || (r.damage == nil) != repaired {
			t.Errorf("a repair from %d: %v, %v", from, r.damage, err)
		}
	}
}

// TestKeysAndSummaries: suggestions without a key of their request have no key. Two summaries are the
// same if they end at the same turn, too.
func TestKeysAndSummaries(t *testing.T) {
	t.Parallel()
	in := turn.Suggest{ClientTurnID: "s"}
	if a, b := suggestionKey("", in), suggestionKey("k", in); a != "" || b == "" || b == suggestionKey("k", turn.Suggest{ClientTurnID: "t"}) {
		t.Errorf("keys %q and %q", a, b)
	}
	s := state.Summary{Version: 2, CoversThrough: "turn_0003", Text: "Fog."}
	for _, other := range []state.Summary{{Version: 3, CoversThrough: "turn_0003", Text: "Fog."}, {Version: 2, CoversThrough: "turn_0004", Text: "Fog."},
		{Version: 2, CoversThrough: "turn_0003", Text: "Rain."}} {
		if sameSummary(s, other) || !sameSummary(other, other) {
			t.Errorf("%+v", other)
		}
	}
}
