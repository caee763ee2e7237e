package campaign_test

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/memory"
	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/memvars/tree"
)

// failingCalls is a store and a codec, of which one call fails. If none fails, it notes which calls
// come from new places of the code.
type failingCalls struct {
	*campaign.MemoryStore
	mode string // store: an error of the store; codec: an error of the codec; bytes: half of an entry is lost
	n    int    // the call that fails; 0: none

	mu    sync.Mutex
	calls int
	lines map[string]bool // lines of the code that call it, also indirectly
	first map[int]string  // the calls from new lines
}

var errTorn = fmt.Errorf("the cable is torn: %w", campaign.ErrUnavailable)

// fails counts a call of a mode and reports whether it fails.
func (f *failingCalls) fails(mode string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if mode != f.mode {
		return false
	}
	if f.calls++; f.n > 0 {
		return f.calls == f.n
	}
	const module = "github.com/talewright/talewright/campaign"
	var at [64]uintptr
	frames := runtime.CallersFrames(at[:runtime.Callers(3, at[:])])
	place, isNew := "", false
	for more := true; more; {
		var frame runtime.Frame
		frame, more = frames.Next()
		if name, is := strings.CutPrefix(frame.Function, module); is && (name[0] == '.' || name[0] == '/') {
			line := fmt.Sprintf("%s:%d", name, frame.Line)
			isNew = isNew || !f.lines[line]
			f.lines[line], place = true, place+" "+line
		}
	}
	if isNew {
		f.first[f.calls] = place
	}
	return false
}

func (f *failingCalls) next() error {
	if f.fails("store") {
		return errTorn
	}
	return nil
}

func (f *failingCalls) Load(ctx context.Context, id string) (campaign.Saved, error) {
	if err := f.next(); err != nil {
		return campaign.Saved{}, err
	}
	return f.MemoryStore.Load(ctx, id)
}

func (f *failingCalls) List(ctx context.Context, page campaign.Page) ([]campaign.Info, error) {
	if err := f.next(); err != nil {
		return nil, err
	}
	return f.MemoryStore.List(ctx, page)
}

func (f *failingCalls) Find(ctx context.Context, id, key string) (int64, error) {
	if err := f.next(); err != nil {
		return 0, err
	}
	return f.MemoryStore.Find(ctx, id, key)
}

func (f *failingCalls) Records(ctx context.Context, id string, after int64) iter.Seq2[campaign.Entry, error] {
	return func(yield func(campaign.Entry, error) bool) {
		for e, err := range f.MemoryStore.Records(ctx, id, after) {
			if err == nil {
				err = f.next()
			}
			if !yield(e, err) || err != nil {
				return
			}
		}
	}
}

func (f *failingCalls) Append(ctx context.Context, id string, e campaign.Entry, snapshot []byte) error {
	if err := f.rejects(); err != nil {
		return err
	}
	return f.MemoryStore.Append(ctx, id, e, snapshot)
}

// rejects returns a permanent error if this call fails: an unavailable store is asked twice.
func (f *failingCalls) rejects() error {
	if f.fails("store") {
		return errDiskFull
	}
	return nil
}

func (f *failingCalls) Acquire(ctx context.Context, id, owner string, d time.Duration) (int64, error) {
	if err := f.rejects(); err != nil {
		return 0, err
	}
	return f.MemoryStore.Acquire(ctx, id, owner, d)
}

func (f *failingCalls) PutPost(ctx context.Context, id string, p campaign.InboxPost) (campaign.InboxPost, error) {
	if err := f.rejects(); err != nil {
		return campaign.InboxPost{}, err
	}
	return f.MemoryStore.PutPost(ctx, id, p)
}

func (f *failingCalls) OldestPost(ctx context.Context, id string) (campaign.InboxPost, bool, error) {
	if err := f.next(); err != nil {
		return campaign.InboxPost{}, false, err
	}
	return f.MemoryStore.OldestPost(ctx, id)
}

func (f *failingCalls) FinishPost(ctx context.Context, id string, fence int64, key string, outcome []byte) error {
	if err := f.rejects(); err != nil {
		return err
	}
	return f.MemoryStore.FinishPost(ctx, id, fence, key, outcome)
}

func (f *failingCalls) Answer(ctx context.Context, id, key string) ([]byte, error) {
	if err := f.next(); err != nil {
		return nil, err
	}
	return f.MemoryStore.Answer(ctx, id, key)
}

func (f *failingCalls) SaveAnswer(ctx context.Context, id string, fence int64, key string, data []byte) error {
	if err := f.next(); err != nil {
		return err
	}
	return f.MemoryStore.SaveAnswer(ctx, id, fence, key, data)
}

func (f *failingCalls) Seal(_ campaign.Place, plain []byte) ([]byte, error) {
	if f.fails("codec") {
		return nil, errTorn
	}
	return plain, nil
}

func (f *failingCalls) Open(_ campaign.Place, sealed []byte) ([]byte, error) {
	if f.fails("codec") {
		return nil, errTorn
	}
	if f.fails("bytes") {
		return sealed[:len(sealed)/2], nil
	}
	return sealed, nil
}

// copied returns a store with the same campaigns, after a change of their entries.
func copied(t *testing.T, from *campaign.MemoryStore, change func(campaign.Entry) campaign.Entry) *campaign.MemoryStore {
	t.Helper()
	to := &campaign.MemoryStore{}
	all, err := from.List(t.Context(), campaign.Page{})
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range all {
		saved, err := from.Load(t.Context(), one.ID)
		if err != nil {
			t.Fatal(err)
		}
		for e, err := range from.Records(t.Context(), one.ID, 0) {
			if change != nil {
				e = change(e)
			}
			var snapshot []byte
			if e.Version == saved.SnapshotVersion {
				snapshot = saved.Snapshot
			}
			if err == nil {
				err = to.Append(t.Context(), one.ID, e, snapshot)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	return to
}

// readings are ways to read a campaign.
var readings = map[string]func(ctx context.Context, e *campaign.Engine) (any, error){
	"campaign": func(ctx context.Context, e *campaign.Engine) (any, error) { return e.Campaign(ctx, "cave") },
	"history": func(ctx context.Context, e *campaign.Engine) (any, error) {
		return listOf(e.History(ctx, "cave", state.HistoryPage{}))
	},
	"history of a player": func(ctx context.Context, e *campaign.Engine) (any, error) {
		return listOf(e.History(ctx, "cave", state.HistoryPage{Viewer: "mei", Limit: 3, Before: "turn_0070"}))
	},
	"history of a branch": func(ctx context.Context, e *campaign.Engine) (any, error) {
		return listOf(e.History(ctx, "cave", state.HistoryPage{Branch: "main", Limit: 5}))
	},
	"branches": func(ctx context.Context, e *campaign.Engine) (any, error) {
		return listOf(e.Branches(ctx, "cave", state.HistoryBranches{}))
	},
	"compare": func(ctx context.Context, e *campaign.Engine) (any, error) {
		return e.Compare(ctx, "cave", state.HistorySpan{A: "turn_0003", B: "turn_0070"})
	},
	"compare for a player": func(ctx context.Context, e *campaign.Engine) (any, error) {
		return e.Compare(ctx, "cave", state.HistorySpan{A: "turn_0003", B: "turn_0070", Viewer: "mei"})
	},
	"report": func(ctx context.Context, e *campaign.Engine) (any, error) { return e.Report(ctx, "cave", "turn_0005") },
	"explain": func(ctx context.Context, e *campaign.Engine) (any, error) {
		return e.Explain(ctx, "cave", turn.Submit{Text: "I wait.", At: noon}, "Dust falls.")
	},
	"export": func(ctx context.Context, e *campaign.Engine) (any, error) {
		var b bytes.Buffer
		err := e.Export(ctx, "cave", &b)
		return b.String(), err
	},
	"rebuild": func(ctx context.Context, e *campaign.Engine) (any, error) { return e.Rebuild(ctx, "cave") },
	"check":   func(ctx context.Context, e *campaign.Engine) (any, error) { return nil, e.Check(ctx, "cave") },
	"repair": func(ctx context.Context, e *campaign.Engine) (any, error) {
		return e.Repair(ctx, "cave", state.KeepLogged)
	},
	"handover": func(ctx context.Context, e *campaign.Engine) (any, error) { return listOf(e.Handover(ctx, "cave", 60)) },
	"forks": func(ctx context.Context, e *campaign.Engine) (any, error) {
		return listOf(e.Forks(ctx, campaign.Page{}))
	},
	"pending":     func(ctx context.Context, e *campaign.Engine) (any, error) { return e.Pending(ctx, "cave") },
	"an old line": doingAs("c3"),
	"an old instruction": func(ctx context.Context, e *campaign.Engine) (any, error) {
		return result(e.Do(ctx, "cave", turn.Once{ID: "k1", Input: turn.PreviousAnswer{}}))
	},
	"an old line that is posted": func(ctx context.Context, e *campaign.Engine) (any, error) {
		return e.Post(ctx, "cave", turn.Submit{Text: "I wait, line 3.", ClientTurnID: "c3"})
	},
}

func doingAs(client string) func(ctx context.Context, e *campaign.Engine) (any, error) {
	return func(ctx context.Context, e *campaign.Engine) (any, error) {
		return result(e.Do(ctx, "cave", turn.Submit{Text: "I wait, line " + client[1:] + ".", ClientTurnID: client, At: noon}))
	}
}

// result returns an outcome, or the error that its turn failed with.
func result(o turn.Outcome, err error) (any, error) {
	if f, failed := errors.AsType[*turn.Failure](o.Err()); err == nil && failed {
		err = f
	}
	return o, err
}

// listOf returns the values of a sequence, or its error.
func listOf[T any](seq iter.Seq2[T, error]) (list []T, err error) {
	for one, err := range seq {
		if err != nil {
			return nil, err
		}
		list = append(list, one)
	}
	return list, nil
}

// failingCase is a call of an engine whose calls of the store fail.
type failingCase struct {
	name  string
	modes string
	in    string // the store
	reads bool   // it does not change the store
	do    func(ctx context.Context, e *campaign.Engine) (any, error)
	game  *game.Game // nil: without content
	reply string     // "": "Dust falls."
	lease bool       // the engine leases the campaign
}

// stepwise returns a call that runs an instruction step by step, each step twice. It does a step
// again after an error, and returns the outcome with the first error.
func stepwise(t *testing.T, in turn.Input) func(context.Context, *campaign.Engine) (any, error) {
	return func(ctx context.Context, e *campaign.Engine) (any, error) {
		j := journalOf(t, in)
		var first error
		for range 50 {
			var s turn.JournalStep
			for done := 0; done < 2; {
				one, err := e.Step(ctx, "cave", j, nil)
				if err != nil && first != nil {
					return nil, err
				}
				if first = cmp.Or(first, err); err == nil {
					s = one
					done++
				}
			}
			if s.Outcome != nil {
				_, err := result(*s.Outcome, nil)
				return s.Outcome, cmp.Or(first, err)
			}
			j = j.Then(s)
		}
		return nil, errors.New("it does not end")
	}
}

// playedStore is a store with a campaign of eighty turns that an engine has played.
func playedStore(t *testing.T, cfg campaign.Config) *campaign.MemoryStore {
	t.Helper()
	store := &campaign.MemoryStore{}
	cfg.Store = store
	e := newEngine(t, cfg, `{"settings": {"context.full_context_enabled": false, "turn.order": "free"}}`)
	for i := range 80 {
		in := turn.Submit{ActorID: "ren", Text: fmt.Sprintf("I wait, line %d.", i+1), ClientTurnID: fmt.Sprint("c", i+1), At: noon}
		if i%7 == 0 {
			in.Audience = []string{"ren"}
		}
		turnOf(t, e, in)
		switch i {
		case 4:
			do(t, e, turn.Regenerate{ClientTurnID: "r"})
			do(t, e, turn.Once{ID: "k1", Input: turn.PreviousAnswer{}})
		case 20:
			do(t, e, turn.EditText{TurnID: "turn_0009", Text: "Fog."})
			do(t, e, turn.RollBack{To: "turn_0018"})
		}
	}
	return store
}

// longStore is a store with a campaign that has archive pages of every kind, and with a fork of it.
func longStore(t *testing.T, cfg campaign.Config) *campaign.MemoryStore {
	t.Helper()
	s := &campaign.MemoryStore{}
	for _, entry := range entries(t, rolledBack(t, 300, func(*chronicle) {}).log...) {
		if err := s.Append(t.Context(), "cave", entry, nil); err != nil {
			t.Fatal(err)
		}
	}
	cfg.Store, cfg.SnapshotEvery, cfg.Model = s, 2, replying("You lose 4 HP.")
	e := fresh(t, cfg)
	do(t, e, turn.PatchSettings{Patch: setting.Snapshot{"conflict.mode": tree.Text("strict"), "retry.max_retries": tree.Int(0)}})
	for n := range 20 {
		wantOutcome(t, turnOf(t, e, turn.Submit{Text: "I fall.", ClientTurnID: fmt.Sprint("fall", n)}), "conflict")
	}
	cfg.Model = replying("Dust falls.")
	turnOf(t, fresh(t, cfg), turn.Submit{Text: "I wait.", ClientTurnID: "last"})
	head := campaignOf(t, fresh(t, cfg))
	if a := head.Archive; a.Jumps == 0 || a.Branches == 0 || len(head.Branches) == a.Branches {
		t.Fatalf("the archive has %d jumps and %d branches", a.Jumps, a.Branches)
	}
	if _, err := fresh(t, cfg).Fork(t.Context(), "cave", head.State.HeadTurnID, "fork"); err != nil {
		t.Fatal(err)
	}
	return s
}

// withoutCreation is a store that cannot store the record that creates a campaign.
type withoutCreation struct{ *campaign.MemoryStore }

func (s withoutCreation) Append(ctx context.Context, id string, e campaign.Entry, snapshot []byte) error {
	if e.Kind == string(turn.RecordCreate) {
		return errDiskFull
	}
	return s.MemoryStore.Append(ctx, id, e, snapshot)
}

// TestEveryReadFails: each place of the code that calls the store or the codec gets an error, at
// its first and at its last call. The error reaches the caller or the log. If a part
// was written before, the same call again completes it. If an entry is damaged, the call returns an error, or
// the same result as before the damage.
func TestEveryReadFails(t *testing.T) {
	testkit.WithoutRace(t)
	t.Parallel()
	const all, both = "store bytes", "store codec"
	base := campaign.Config{Game: compile(t, game.Content{}), Model: replying("Dust falls."), SnapshotEvery: 50, Sharing: campaign.Sharing{Lease: -1}}
	stores := map[string]*campaign.MemoryStore{"played": playedStore(t, base), "long": longStore(t, base), "empty": {}}
	waiting := copied(t, stores["played"], nil)
	asks := base
	asks.Store, asks.Model = waiting, replying(output("You lose 3 HP.", hurt("ren", "-3")))
	do(t, fresh(t, asks), turn.PatchSettings{Patch: setting.Snapshot{"tools.approval": tree.Text("all")}})
	wantOutcome(t, do(t, fresh(t, asks), turn.Submit{ActorID: "ren", Text: "I fall.", ClientTurnID: "w"}), "awaiting_approval")
	stores["waiting"] = waiting
	question1, err := fresh(t, asks).Pending(t.Context(), "cave")
	if err != nil {
		t.Fatal(err)
	}

	long := base
	long.Store = stores["long"]
	e := fresh(t, long)
	branches := listBranches(t, e, state.HistoryBranches{})
	oldest, head := branches[len(branches)-1], branches[0].HeadTurnID
	var exported bytes.Buffer
	if err := e.Export(t.Context(), "fork", &exported); err != nil {
		t.Fatal(err)
	}
	instruction := func(in turn.Input) func(context.Context, *campaign.Engine) (any, error) {
		return func(ctx context.Context, e *campaign.Engine) (any, error) { return result(e.Do(ctx, "cave", in)) }
	}
	var cases []failingCase
	for _, name := range slices.Sorted(maps.Keys(readings)) {
		modes := all
		if name == "repair" { // it repairs damage
			modes = both
		} else if name == "campaign" || name == "check" || name == "an old line that is posted" {
			modes += " codec"
		}
		cases = append(cases, failingCase{name: name, modes: modes, in: "played", reads: true, do: readings[name]})
	}
	add := func(name, modes, in string, reads bool, do func(context.Context, *campaign.Engine) (any, error)) {
		cases = append(cases, failingCase{name: name, modes: modes, in: in, reads: reads, do: do})
	}
	add("old branch", all, "long", true, func(ctx context.Context, e *campaign.Engine) (any, error) {
		return listOf(e.History(ctx, "cave", state.HistoryPage{Branch: oldest.ID, Viewer: "ren", Limit: 40}))
	})
	add("old turns", all, "long", true, func(ctx context.Context, e *campaign.Engine) (any, error) {
		return listOf(e.History(ctx, "cave", state.HistoryPage{Before: "turn_0060", Limit: 40}))
	})
	add("turns of a fork", all, "long", true, func(ctx context.Context, e *campaign.Engine) (any, error) {
		return listOf(e.History(ctx, "fork", state.HistoryPage{Limit: 60}))
	})
	add("old branches", all, "long", true, func(ctx context.Context, e *campaign.Engine) (any, error) {
		return listOf(e.Branches(ctx, "cave", state.HistoryBranches{}))
	})
	add("old turns compared", all, "long", true, func(ctx context.Context, e *campaign.Engine) (any, error) {
		return e.Compare(ctx, "cave", state.HistorySpan{A: oldest.HeadTurnID, B: head, Viewer: "ren"})
	})
	add("old report", all, "long", true, func(ctx context.Context, e *campaign.Engine) (any, error) {
		return e.Report(ctx, "cave", "turn_0040")
	})
	add("a long campaign explained", all, "long", true, func(ctx context.Context, e *campaign.Engine) (any, error) {
		return e.Explain(ctx, "cave", turn.Submit{Text: "I wait.", At: noon}, "Dust falls.")
	})
	add("a list of forks", all, "long", true, func(ctx context.Context, e *campaign.Engine) (any, error) {
		return listOf(e.Forks(ctx, campaign.Page{}))
	})
	add("import again", "store", "long", true, func(ctx context.Context, e *campaign.Engine) (any, error) {
		return e.Import(ctx, bytes.NewReader(exported.Bytes()))
	})
	add("fork rebuilt", all, "long", true, func(ctx context.Context, e *campaign.Engine) (any, error) { return e.Rebuild(ctx, "fork") })
	add("fork handed over", all, "long", true, func(ctx context.Context, e *campaign.Engine) (any, error) {
		return listOf(e.Handover(ctx, "fork", 1))
	})
	add("old conflict", all, "long", true, func(ctx context.Context, e *campaign.Engine) (any, error) {
		return result(e.Do(ctx, "cave", turn.Submit{Text: "I fall.", ClientTurnID: "fall2"}))
	})
	add("old submission", all, "long", true, func(ctx context.Context, e *campaign.Engine) (any, error) {
		return result(e.Do(ctx, "fork", turn.Submit{Text: "I wait.", ClientTurnID: "last"}))
	})

	add("import", both, "empty", false, func(ctx context.Context, e *campaign.Engine) (any, error) {
		return e.Import(ctx, bytes.NewReader(exported.Bytes()))
	})
	add("create", both, "empty", false, func(ctx context.Context, e *campaign.Engine) (any, error) {
		return e.Create(ctx, cave(t))
	})
	add("fork", "store", "long", false, func(ctx context.Context, e *campaign.Engine) (any, error) {
		return e.Fork(ctx, "cave", "turn_0041", "second")
	})
	add("fork of a played turn", both, "played", false, func(ctx context.Context, e *campaign.Engine) (any, error) {
		return e.Fork(ctx, "cave", "turn_0030", "second")
	})
	add("turn", both, "played", false, doingAs("c81"))
	add("old turn edited", "store", "long", false, instruction(turn.EditText{TurnID: "turn_0033", Text: "It was still."}))
	add("switch", "store", "long", false, instruction(turn.SwitchBranch{BranchID: oldest.ID}))
	add("rolled back", "store", "long", false, instruction(turn.RollBack{To: state.StartTurnID}))
	add("approved", "store", "waiting", false, instruction(turn.Approve{Question: question1.ID, Decisions: question1.All(state.Approve, "")}))
	add("handed over while it waits", all, "waiting", true, func(ctx context.Context, e *campaign.Engine) (any, error) {
		return listOf(e.Handover(ctx, "cave", 1))
	})
	add("step by step", both, "played", false, stepwise(t, turn.Submit{ActorID: "ren", Text: "I go.", ClientTurnID: "s"}))
	add("an old line step by step", "store", "played", true, stepwise(t, turn.Submit{Text: "I wait, line 3.", ClientTurnID: "c3"}))
	add("approved step by step", "store", "waiting", false,
		stepwise(t, turn.Approve{Question: question1.ID, Decisions: question1.All(state.Approve, "")}))
	add("rolled back step by step", "store", "long", false, stepwise(t, turn.RollBack{To: state.StartTurnID}))
	worn := knocked(t, 6, 3, nil).MemoryStore
	stores["drifted"], stores["damaged"] = worn, copied(t, worn, wearing(4, half))
	games := map[string]*game.Game{"drifted": knocking(t, 2), "damaged": knocking(t, 1)}
	repaired := map[string]*campaign.MemoryStore{"drifted": copied(t, worn, nil), "damaged": copied(t, stores["damaged"], nil)}
	for in, keep := range map[string]state.RepairKeep{"drifted": state.KeepReplayed, "damaged": state.KeepLogged} {
		mend := func(ctx context.Context, e *campaign.Engine) (any, error) { return e.Repair(ctx, "cave", keep) }
		cases = append(cases, failingCase{name: "repair of a " + in + " campaign", modes: both, in: in, do: mend, game: games[in]})
		cfg := base
		cfg.Game, cfg.Store = games[in], repaired[in]
		if note, err := mend(t.Context(), fresh(t, cfg)); err != nil || note == nil {
			t.Fatal(in, note, err)
		}
		stores[in+" and repaired"] = repaired[in]
		for _, name := range []string{"campaign", "history", "check", "export", "rebuild", "repair"} {
			cases = append(cases, failingCase{name: name + " of a " + in + " and repaired campaign", modes: "store",
				in: in + " and repaired", reads: true, do: readings[name], game: games[in]})
		}
	}
	add("post", both, "played", false, func(ctx context.Context, e *campaign.Engine) (any, error) {
		return e.Post(ctx, "cave", turn.Submit{Text: "Later.", ClientTurnID: "later", At: noon})
	})
	for name, in := range map[string]turn.Input{"undo": turn.Undo{At: noon}, "another answer": turn.Regenerate{At: noon},
		"an old summary": turn.Summarized{Summary: state.Summary{Text: "In short.", CoversThrough: "turn_0003"}, At: noon}} {
		add(name, "store", "played", false, instruction(in))
	}
	half, broken := copied(t, stores["played"], nil), base
	broken.Store = withoutCreation{half}
	if _, err := fresh(t, broken).Fork(t.Context(), "cave", "turn_0080", "second"); !errors.Is(err, errDiskFull) {
		t.Fatal(err)
	}
	stores["half forked"] = half
	add("fork completed", "store", "half forked", false, func(ctx context.Context, e *campaign.Engine) (any, error) {
		return e.Fork(ctx, "cave", "turn_0080", "second")
	})
	stores["held"], stores["posted"] = copied(t, stores["played"], nil), copied(t, stores["played"], nil)
	if _, err := stores["held"].Acquire(t.Context(), "cave", "a different process", time.Hour); err != nil {
		t.Fatal(err)
	}
	posting := base
	posting.Store = stores["posted"]
	if o, err := fresh(t, posting).Post(t.Context(), "cave", turn.Submit{Text: "Later.", ClientTurnID: "later"}); o != nil || err != nil {
		t.Fatal(o, err)
	}
	add("next post", "store", "posted", true, func(ctx context.Context, e *campaign.Engine) (any, error) { return e.NextPost(ctx, "cave") })
	leased := func(name, in string, reads bool, do func(context.Context, *campaign.Engine) (any, error), reply string) {
		cases = append(cases, failingCase{name: name, modes: "store", in: in, reads: reads, do: do, lease: true, reply: reply})
	}
	leased("turn with a lease", "played", false, doingAs("c81"), "")
	leased("an old line with a lease", "played", true, doingAs("c3"), "")
	leased("an old line while a different process plays", "held", true, doingAs("c3"), "")
	leased("repair with a lease", "played", true, readings["repair"], "")
	leased("post dropped", "played", false, func(ctx context.Context, e *campaign.Engine) (any, error) {
		line := turn.Submit{Text: "Later.", ClientTurnID: "later"}
		if _, err := e.Post(ctx, "cave", line); err != nil {
			return nil, err
		}
		next, err := e.NextPost(ctx, "cave")
		if err == nil && next != nil { // it was not dropped before
			err = e.DropPost(ctx, "cave", next.Key, "It is not needed.")
		}
		if err != nil {
			return nil, err
		}
		return e.Post(ctx, "cave", line)
	}, "")
	howling := strings.Repeat("The wind howls over the stones. ", turn.JournalInline/32)
	leased("long replies with a lease, step by step", "played", false, stepwise(t, turn.Submit{ActorID: "ren", Text: "I go.", ClientTurnID: "s"}), howling)
	failed := map[string]bool{} // lines of the code, with the mode of a call of them that has failed
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			bySteps := strings.HasSuffix(c.name, "step by step")
			listed := func(f *failingCalls) string {
				all, _ := f.MemoryStore.List(t.Context(), campaign.Page{})
				return jsonOf(t, all)
			}
			over := func(f *failingCalls) (got, log string, err error) {
				var out bytes.Buffer
				cfg := base
				cfg.Store, cfg.Codec, cfg.Repeats = f, f, -1
				cfg.Game = cmp.Or(c.game, cfg.Game)
				if c.reply != "" {
					cfg.Model = replying(c.reply)
				}
				if c.lease {
					cfg.Sharing.Lease = time.Hour
				}
				cfg.Now = func() time.Time { return noon }
				cfg.Logger = slog.New(slog.NewTextHandler(&out, nil))
				cfg.Services.Memory = &memory.Index{}
				cfg.Services.Summarize = func(context.Context, question.Summarize) (state.Summary, error) {
					return state.Summary{Text: "In short."}, nil
				}
				answer, err := c.do(t.Context(), fresh(t, cfg))
				return jsonOf(t, answer) + listed(f), out.String(), err
			}
			for mode := range strings.FieldsSeq(c.modes) {
				store := func(n int) *failingCalls {
					f := &failingCalls{MemoryStore: stores[c.in], mode: mode, n: n, lines: map[string]bool{}, first: map[int]string{}}
					if !c.reads {
						f.MemoryStore = copied(t, f.MemoryStore, nil)
					}
					return f
				}
				sound := store(0)
				before := listed(sound)
				want, _, err := over(sound)
				if err != nil || sound.calls == 0 {
					t.Fatalf("%s: %v, after %d calls", mode, err, sound.calls)
				}
				first := slices.Sorted(maps.Keys(sound.first))
				for _, n := range first {
					place, isNew := sound.first[n], testkit.Full()
					for line := range strings.FieldsSeq(place) {
						isNew = isNew || !failed[mode+line]
						failed[mode+line] = true
					}
					if !isNew {
						continue // without FULL, a call of each line fails once in all cases
					}
					f := store(n)
					got, log, err := over(f)
					wrong := ""
					told := log + errorText(err)
					reported := strings.Contains(told, "cable is torn") || strings.Contains(told, errDiskFull.Error())
					switch {
					case f.calls < n:
						wrong = "it does not happen"
					case (err == nil && !reported || err != nil && bySteps) && got != want:
						wrong = fmt.Sprintf("another result: %.300s\nwant %.300s", got, want)
					case mode == "bytes", strings.Contains(place, ".archive.write:") && err == nil:
					case !reported:
						wrong = "it is lost: " + told
					case err != nil && !bySteps && listed(f) != before: // a part is written
						if got, _, err := over(f); err != nil || got != want {
							wrong = fmt.Sprintf("the same call again: %v, %.300s\nwant %.300s", err, got, want)
						}
					}
					if wrong != "" {
						t.Errorf("%s: call %d of %d, of %.400s:\n%s", mode, n, sound.calls, place, wrong)
					}
				}
			}
		})
	}
}
