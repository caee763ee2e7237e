package campaign_test

import (
	"context"
	"fmt"
	"iter"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/llm"
)

// heap returns the memory in use after a garbage collection.
func heap() int64 {
	var m runtime.MemStats
	for range 2 {
		runtime.GC()
	}
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// many creates campaigns and returns their IDs.
func many(t testing.TB, e *campaign.Engine, n int) []string {
	t.Helper()
	ids := make([]string, n)
	s := cave(t)
	for i := range ids {
		ids[i] = fmt.Sprintf("cave%05d", i)
		s.ID = ids[i]
		if _, err := e.Create(t.Context(), s); err != nil {
			t.Fatal(err)
		}
	}
	return ids
}

// TestIdleCampaigns: a loaded idle campaign takes at most 20 KB more than its stored state. The
// test measures the heap, so nothing runs in parallel.
func TestIdleCampaigns(t *testing.T) {
	testkit.WithoutRace(t)
	n := 1000
	if testkit.Wanted() {
		n = 10_000
	}
	store := &campaign.MemoryStore{}
	config := campaign.Config{Store: store, Model: scripted(), Game: compile(t, game.Content{}), KeepLoaded: 2 * n}
	first, err := campaign.New(config)
	if err != nil {
		t.Fatal(err)
	}
	ids := many(t, first, n)
	second, err := campaign.New(config)
	if err != nil {
		t.Fatal(err)
	}
	document := 0
	for _, id := range ids[:1] {
		for entry, err := range store.Records(t.Context(), id, 0) {
			if err != nil {
				t.Fatal(err)
			}
			document += len(entry.Data)
		}
	}
	before := heap()
	for _, id := range ids {
		o, err := second.Turn(t.Context(), id, turn.Submit{Text: " "}) // it is loaded, and nothing happens
		if err != nil {
			t.Fatal(err)
		}
		wantOutcome(t, o, "refused empty_input")
	}
	each := (heap()-before)/int64(n) - int64(document)
	runtime.KeepAlive(second)
	runtime.KeepAlive(store)
	t.Logf("%d campaigns, documents of %d bytes, %d bytes each beyond them", n, document, each)
	if each > 20<<10 {
		t.Errorf("an idle campaign takes %d bytes beyond its document, want at most %d", each, 20<<10)
	}
}

// TestIdleCampaignsOfAnyLength (CA-51): the memory of a loaded idle campaign does not depend on the
// number of its turns. The test measures the heap, so nothing runs in parallel.
func TestIdleCampaignsOfAnyLength(t *testing.T) {
	testkit.WithoutRace(t)
	each := func(cfg campaign.Config) int64 {
		const n = 40
		engines := make([]*campaign.Engine, n)
		before := heap()
		for i := range engines {
			e, err := campaign.New(cfg)
			if err != nil {
				t.Fatal(err)
			}
			o, err := e.Turn(t.Context(), "cave", turn.Submit{Text: " "}) // it is loaded, and nothing happens
			if err != nil {
				t.Fatal(err)
			}
			wantOutcome(t, o, "refused empty_input")
			engines[i] = e
		}
		defer runtime.KeepAlive(engines)
		return (heap() - before) / n
	}
	short, _ := playedFor(t, fewTurns)
	long, _ := playedFor(t, manyTurns)
	few, many := each(short), each(long)
	t.Logf("%d bytes after %d turns, %d after %d", few, fewTurns, many, manyTurns)
	if few < 1<<10 || many*10 > few*11 {
		t.Errorf("an idle campaign takes %d bytes after %d turns, and %d after %d", few, fewTurns, many, manyTurns)
	}
}

// TestCampaignsAtOnce: a thousand campaigns are played at once, a hundred with the race detector. None
// waits for the model of a different one.
func TestCampaignsAtOnce(t *testing.T) {
	t.Parallel()
	n := 1000
	if testkit.Race {
		n = 100
	}
	var all sync.WaitGroup
	all.Add(n)
	model := llm.ModelFunc(func(context.Context, llm.Request) iter.Seq2[llm.Chunk, error] {
		return func(yield func(llm.Chunk, error) bool) {
			all.Done()
			all.Wait() // until all are here
			_ = yield(llm.TextDelta{Text: "Dust falls."}, nil) && yield(llm.Done{Reason: llm.FinishStop}, nil)
		}
	})
	e, err := campaign.New(campaign.Config{Store: &campaign.MemoryStore{}, Model: model,
		Game: compile(t, game.Content{}), KeepLoaded: 10, Sharing: campaign.Sharing{Lease: time.Hour}}) // however busy the machine is
	if err != nil {
		t.Fatal(err)
	}
	var players sync.WaitGroup
	for _, id := range many(t, e, n) {
		players.Go(func() {
			o, err := e.Turn(t.Context(), id, turn.Submit{Text: "I wait."})
			if err != nil || o.Err() != nil || o.Turn.ID != "turn_0001" {
				t.Errorf("%s: %v, %v", id, err, o.Err())
			}
		})
	}
	players.Wait()
}

// TestThoseInUsePushNoneOut: campaigns that are being played do not count against the idle
// campaigns in memory.
func TestThoseInUsePushNoneOut(t *testing.T) {
	t.Parallel()
	store := &loadCounter{Store: &campaign.MemoryStore{}, loads: map[string]int{}}
	var e *campaign.Engine
	var ids []string
	asked := 0
	model := llm.ModelFunc(func(context.Context, llm.Request) iter.Seq2[llm.Chunk, error] {
		return func(yield func(llm.Chunk, error) bool) {
			switch asked++; asked {
			case 1, 2: // while the earlier ones wait for the model
				playTurns(t, e, ids[asked], 1)
			case 3:
				playTurns(t, e, ids[3], 1)
				playTurns(t, e, ids[3], 1)
			}
			_ = yield(llm.TextDelta{Text: "Dust falls."}, nil) && yield(llm.Done{Reason: llm.FinishStop}, nil)
		}
	})
	e, err := campaign.New(campaign.Config{Store: store, Model: model, Game: compile(t, game.Content{}), KeepLoaded: 1})
	if err != nil {
		t.Fatal(err)
	}
	ids = many(t, e, 4)
	playTurns(t, e, ids[0], 1)
	if n := store.loads[ids[3]]; n != 1 {
		t.Errorf("a campaign that was played twice was loaded %d times", n)
	}
}

// loadCounter counts the loads of campaigns.
type loadCounter struct {
	campaign.Store
	loads map[string]int
}

func (s *loadCounter) Load(ctx context.Context, id string) (campaign.Saved, error) {
	s.loads[id]++
	return s.Store.Load(ctx, id)
}

// BenchmarkCampaignsAtOnce plays turns of many campaigns in parallel; -mutexprofile shows lock
// contention.
func BenchmarkCampaignsAtOnce(b *testing.B) {
	const n = 1000
	e, err := campaign.New(campaign.Config{Store: &campaign.MemoryStore{}, Model: replying("Dust falls."),
		Game: compile(b, game.Content{}), KeepLoaded: n})
	if err != nil {
		b.Fatal(err)
	}
	ids := many(b, e, n)
	var next atomic.Int64
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			o, err := e.Turn(b.Context(), ids[next.Add(1)%n], turn.Submit{Text: "I wait."})
			if err != nil || o.Err() != nil {
				b.Error(err, o.Err())
			}
		}
	})
}
