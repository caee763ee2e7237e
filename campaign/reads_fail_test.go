package campaign_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"testing"
	"time"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
)

// failingReads is a store whose n-th read fails. Each record counts as a read.
type failingReads struct {
	*campaign.MemoryStore
	n    int // 0: no read fails
	read int
}

var errTorn = errors.New("the cable is torn")

func (f *failingReads) next() error {
	if f.read++; f.read == f.n {
		return errTorn
	}
	return nil
}

func (f *failingReads) Load(ctx context.Context, id string) (campaign.Saved, error) {
	if err := f.next(); err != nil {
		return campaign.Saved{}, err
	}
	return f.MemoryStore.Load(ctx, id)
}

func (f *failingReads) List(ctx context.Context, page campaign.Page) ([]campaign.Info, error) {
	if err := f.next(); err != nil {
		return nil, err
	}
	return f.MemoryStore.List(ctx, page)
}

func (f *failingReads) Find(ctx context.Context, id, key string) (int64, error) {
	if err := f.next(); err != nil {
		return 0, err
	}
	return f.MemoryStore.Find(ctx, id, key)
}

func (f *failingReads) Records(ctx context.Context, id string, after int64) iter.Seq2[campaign.Entry, error] {
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

// readings are all ways to read a campaign: with the result as a text.
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
	"an old line": func(ctx context.Context, e *campaign.Engine) (any, error) {
		return e.Do(ctx, "cave", turn.Submit{Text: "I wait, line 3.", ClientTurnID: "c3"})
	},
	"an old instruction": func(ctx context.Context, e *campaign.Engine) (any, error) {
		return e.Do(ctx, "cave", turn.Once{ID: "k1", Input: turn.PreviousAnswer{}})
	},
	"an old line that is posted": func(ctx context.Context, e *campaign.Engine) (any, error) {
		return e.Post(ctx, "cave", turn.Submit{Text: "I wait, line 3.", ClientTurnID: "c3"})
	},
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

// TestEveryReadFails: a read of the store fails, one after the other, while a long campaign is read
// in each way. The error reaches the caller. Without an error, the result is the same as with a
// store that does not fail.
func TestEveryReadFails(t *testing.T) {
	t.Parallel()
	store := &campaign.MemoryStore{}
	cfg := campaign.Config{Store: store, Game: compile(t, game.Content{}), Model: replying("Dust falls."), SnapshotEvery: 50, Sharing: campaign.Sharing{Lease: -1}}
	e := newEngine(t, cfg, `{"settings": {"context.full_context_enabled": false, "turn.order": "free"}}`)
	for i := range 80 {
		in := turn.Submit{ActorID: "ren", Text: fmt.Sprintf("I wait, line %d.", i+1), ClientTurnID: fmt.Sprint("c", i+1)}
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
	for what, read := range readings {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			over := func(n int) (string, *failingReads, error) {
				f := &failingReads{MemoryStore: store, n: n}
				cfg := cfg
				cfg.Store = f
				cfg.Now = func() time.Time { return noon }
				got, err := read(t.Context(), fresh(t, cfg))
				return jsonOf(t, got), f, err
			}
			want, all, err := over(0)
			if err != nil || all.read == 0 {
				t.Fatal(err, all.read)
			}
			for n := 1; n <= all.read; n += 1 + all.read/37 {
				got, _, err := over(n)
				if err != nil && !errors.Is(err, errTorn) {
					t.Errorf("read %d of %d: %v", n, all.read, err)
				}
				if err == nil && got != want {
					t.Errorf("read %d of %d: no error, and another result", n, all.read)
				}
			}
		})
	}
}
