package campaign_test

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/prompt"
)

// Campaigns of 100 turns and of many turns; the age of the newest snapshot is the same.
const (
	fewTurns  = 100
	manyTurns = fewTurns + 32*19
	allTurns  = fewTurns + 32*310 // 10,020 if time is measured
)

// playedFor returns a store with a campaign of this many turns, and the bytes of their texts.
func playedFor(t testing.TB, turns int) (cfg campaign.Config, said int) {
	t.Helper()
	cfg = campaign.Config{Game: compile(t, game.Content{Prompt: game.Prompt{Budget: prompt.Budget{Context: 4096}}}),
		Store: &campaign.MemoryStore{}, Model: replying(longReply)}
	e := newEngine(t, cfg)
	for i := range turns {
		line := fmt.Sprintf("%s For the %dth time.", longLine, i+1)
		o, err := e.Turn(context.Background(), "cave", turn.Submit{Text: line, ClientTurnID: fmt.Sprint("c", i)})
		if err != nil || o.Status != turn.Completed {
			t.Fatalf("turn %d: %+v, %v", i, o, err)
		}
		said += len(line) + len(longReply)
	}
	return cfg, said
}

// opens returns a function that opens the campaign of a store in a new engine.
func opens(t testing.TB, cfg campaign.Config, turns int) func() {
	t.Helper()
	return func() {
		e, err := campaign.New(cfg)
		if err != nil {
			t.Fatal(err)
		}
		c, err := e.Campaign(context.Background(), "cave")
		if err != nil || c.TurnCounter != turns {
			t.Fatalf("%d turns, %v", c.TurnCounter, err)
		}
	}
}

// TestLongCampaignOpensLikeAShortOne (CA-51): opening a campaign of many turns allocates at most
// half as much more as opening one of 100. Its snapshot has the same size within a tenth, and its
// log grows with its texts. With PERF=1 there are 10,000 turns, and time is measured too.
func TestLongCampaignOpensLikeAShortOne(t *testing.T) {
	testkit.WithoutRace(t)
	many := manyTurns
	if testkit.Wanted() {
		many = allTurns
	}
	short, shortSaid := playedFor(t, fewTurns)
	long, longSaid := playedFor(t, many)
	few, much := opens(t, short, fewTurns), opens(t, long, many)
	a, b := testkit.Allocs(3, few), testkit.Allocs(3, much)
	x, y := snapshotOf(t, short), snapshotOf(t, long)
	p, q := logOfBytes(t, short)/float64(shortSaid), logOfBytes(t, long)/float64(longSaid)
	t.Logf("%d and %d turns: %.0f and %.0f allocations, snapshots of %d and %d bytes, logs of %.2f and %.2f times what was said",
		fewTurns, many, a, b, x, y, p, q)
	if b > 1.5*a {
		t.Errorf("opening takes %.0f allocations, %.0f for %d turns", b, a, fewTurns)
	}
	if y*10 > x*11 {
		t.Errorf("the snapshot has %d bytes, %d after %d turns", y, x, fewTurns)
	}
	if q > 1.1*p || q > 3 {
		t.Errorf("the log has %.2f times the bytes that were said, %.2f after %d turns", q, p, fewTurns)
	}
	e, err := campaign.New(long)
	if err != nil {
		t.Fatal(err)
	}
	if o := turnOf(t, e, turn.Submit{Text: longLine}); o.Err() != nil || o.Turn.Index != many+1 {
		t.Errorf("played on: %v", o.Err())
	}
	if testkit.Wanted() {
		much = opens(t, long, many+1)
		testkit.AtMost(t, "opening a campaign of 10,000 turns against 100", 1.5, func() float64 {
			least, most := time.Hour, time.Hour
			for range 20 {
				least, most = min(least, testkit.Best(1, few)), min(most, testkit.Best(1, much))
			}
			t.Logf("%v, %v", least, most)
			return testkit.Ratio(most, least)
		})
	}
}

// snapshots is a store that records the versions of snapshots.
type snapshots struct {
	campaign.Store
	at []int64
}

func (s *snapshots) Append(ctx context.Context, id string, entry campaign.Entry, snapshot []byte) error {
	if snapshot != nil {
		s.at = append(s.at, entry.Version)
	}
	return s.Store.Append(ctx, id, entry, snapshot)
}

// TestSnapshotsAreEquallyFarApart (CA-51): the number of records between two snapshots is the same
// early and late in a campaign, because snapshots do not grow.
func TestSnapshotsAreEquallyFarApart(t *testing.T) {
	testkit.WithoutRace(t)
	t.Parallel()
	cfg, _ := playedFor(t, fewTurns)
	store := &snapshots{Store: cfg.Store}
	cfg.Store = store
	e, err := campaign.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 32 * 10 {
		turnOf(t, e, turn.Submit{Text: fmt.Sprintf("%s And for the %dth time.", longLine, i+1)})
	}
	for i, at := range store.at {
		if at%32 != 0 || i > 0 && at != store.at[i-1]+32 {
			t.Errorf("snapshots at %v, want every 32", store.at)
			break
		}
	}
	if len(store.at) != 10 {
		t.Errorf("%d snapshots in %d records", len(store.at), 32*10)
	}
}

func snapshotOf(t testing.TB, cfg campaign.Config) int {
	t.Helper()
	saved, err := cfg.Store.Load(context.Background(), "cave")
	if err != nil || saved.Snapshot == nil {
		t.Fatalf("no snapshot: %v", err)
	}
	return len(saved.Snapshot)
}

// logOfBytes returns the size of a log.
func logOfBytes(t testing.TB, cfg campaign.Config) (n float64) {
	t.Helper()
	for entry, err := range cfg.Store.Records(context.Background(), "cave", 0) {
		if err != nil {
			t.Fatal(err)
		}
		n += float64(len(entry.Data))
	}
	return n
}

// BenchmarkOpen opens a campaign of this many turns.
func BenchmarkOpen(b *testing.B) {
	for _, n := range []int{fewTurns, manyTurns, allTurns} {
		b.Run(fmt.Sprintf("history=%d", n), func(b *testing.B) {
			cfg, _ := playedFor(b, n)
			open := opens(b, cfg, n)
			b.ReportAllocs()
			for b.Loop() {
				open()
			}
		})
	}
}

// TestPerfCampaignsScale: a thousand campaigns that are played at once speed up with the number of
// cores.
func TestPerfCampaignsScale(t *testing.T) {
	testkit.Need(t)
	cores := runtime.NumCPU()
	if cores < 2 {
		t.Skip("there is one core")
	}
	const n = 1000
	e, err := campaign.New(campaign.Config{Store: &campaign.MemoryStore{}, Model: replying("Dust falls."),
		Game: compile(t, game.Content{}), KeepLoaded: 2 * n})
	if err != nil {
		t.Fatal(err)
	}
	ids := many(t, e, n)
	round := func(cores int) time.Duration {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
		return testkit.Best(1, func() {
			var players sync.WaitGroup
			for _, id := range ids {
				players.Go(func() { playTurns(t, e, id, 1) })
			}
			players.Wait()
		})
	}
	testkit.AtMost(t, fmt.Sprintf("%d cores against one, times %d", cores, cores), 1.5, func() float64 {
		one, all := time.Hour, time.Hour
		for range 5 { // alternately: disturbances of the machine affect both
			one, all = min(one, round(1)), min(all, round(cores))
		}
		return testkit.Ratio(all, one) * float64(cores)
	})
}
