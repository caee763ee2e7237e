package campaign_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/talewright/talewright/campaign"
)

var errAway = errors.New("away for a moment")

// tape is a log of numbers whose reads can fail.
type tape struct {
	mu     sync.Mutex
	length int64
	fails  []error // the errors of the next reads, after one entry each
	reads  int
}

func (l *tape) add(n int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.length += n
}

func (l *tape) read(ctx context.Context, after int64) iter.Seq2[int64, error] {
	return func(yield func(int64, error) bool) {
		l.mu.Lock()
		length, fail := l.length, error(nil)
		if l.reads++; len(l.fails) > 0 {
			fail, l.fails = l.fails[0], l.fails[1:]
		}
		l.mu.Unlock()
		for v := after + 1; v <= length; v++ {
			if !yield(v, nil) {
				return
			}
			if fail != nil {
				break
			}
		}
		if fail == nil {
			fail = ctx.Err()
		}
		if fail != nil {
			yield(0, fail)
		}
	}
}

func (l *tape) source(wake <-chan struct{}) campaign.FollowSource[int64] {
	return campaign.FollowSource[int64]{Read: l.read, Version: func(v int64) int64 { return v },
		Passes: func(err error) bool { return errors.Is(err, errAway) }, Wake: wake, Look: time.Minute}
}

// TestFollowingMissesNothing: existing and new entries come once each and in order, from any
// version on, also with errors in between.
func TestFollowingMissesNothing(t *testing.T) {
	for _, c := range []struct {
		reason string
		fails  []error
		after  int64
		wake   bool
		within time.Duration
	}{
		{"from the beginning, with notices", nil, 0, true, 0},
		{"from the middle", nil, 3, true, 0},
		{"from the end", nil, 5, true, 0},
		{"without notices it looks", nil, 0, false, 2 * time.Minute},
		{"a log that is away when it begins", []error{errAway, errAway, errAway}, 0, true, time.Second},
		{"a notice that is lost", nil, 2, false, 2 * time.Minute},
	} {
		synctest.Test(t, func(t *testing.T) {
			log := &tape{length: 5, fails: c.fails}
			var board campaign.NoticeBoard
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			var wake <-chan struct{}
			if c.wake {
				wake = board.Watch(ctx, "a")
			}
			begun := time.Now()
			go func() {
				synctest.Wait()
				for range 4 {
					log.add(2)
					board.Post("a")
				}
			}()
			var got []int64
			for v, err := range campaign.FollowLog(ctx, log.source(wake), c.after) {
				if err != nil {
					if !errors.Is(err, errAway) {
						t.Fatalf("%s: %v", c.reason, err)
					}
					continue
				}
				if got = append(got, v); v == 13 {
					break
				}
			}
			var want []int64
			for v := c.after + 1; v <= 13; v++ {
				want = append(want, v)
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s: got %v, want %v", c.reason, got, want)
			}
			if took := time.Since(begun); took > c.within {
				t.Errorf("%s: it took %s, want %s at most", c.reason, took, c.within)
			}
		})
	}
}

// TestFollowingEnds: with its context, with a permanent error, and with the caller.
func TestFollowingEnds(t *testing.T) {
	errGone := errors.New("gone")
	for _, c := range []struct {
		reason string
		fails  []error
		stop   int // the caller stops after this many entries or errors; 0: never
		want   error
		errs   int
	}{
		{"with its context", nil, 0, context.DeadlineExceeded, 1},
		{"with an error that does not pass", []error{errAway, errGone}, 0, errGone, 2},
		{"with the caller, at an entry", nil, 2, nil, 0},
		{"with the caller, at an error that passes", []error{errAway}, 2, errAway, 1},
	} {
		synctest.Test(t, func(t *testing.T) {
			log := &tape{length: 3, fails: c.fails}
			ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
			defer cancel()
			var last error
			seen, errs := 0, 0
			for _, err := range campaign.FollowLog(ctx, log.source(nil), 0) {
				if last = err; err != nil {
					errs++
				}
				if seen++; seen == c.stop {
					break
				}
			}
			if !errors.Is(last, c.want) || errs != c.errs {
				t.Errorf("%s: %d errors, the last is %v; want %d and %v", c.reason, errs, last, c.errs, c.want)
			}
		})
	}
}

// TestFollowingRests: a log that keeps failing is read less and less often, and notices do not
// change that.
func TestFollowingRests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := &tape{}
		for range 1000 {
			log.fails = append(log.fails, errAway)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		var board campaign.NoticeBoard
		wake := board.Watch(ctx, "a")
		for range campaign.FollowLog(ctx, log.source(wake), 0) {
			board.PostAll()
		}
		if log.reads > 80 {
			t.Errorf("it was asked %d times in an hour", log.reads)
		}
	})
}

// TestBoardHoldsOneNotice: posts that were not received become one. Posts of other campaigns do not
// count, and after the end of the context there are no more.
func TestBoardHoldsOneNotice(t *testing.T) {
	var board campaign.NoticeBoard
	ctx, cancel := context.WithCancel(t.Context())
	a, b := board.Watch(ctx, "a"), board.Watch(t.Context(), "b")
	board.Post("c")
	for range 5 {
		board.Post("a")
	}
	if len(a) != 1 || len(b) != 0 {
		t.Errorf("%d and %d notices, want 1 and 0", len(a), len(b))
	}
	<-a
	board.PostAll()
	if len(a) != 1 || len(b) != 1 {
		t.Errorf("%d and %d notices, want one each", len(a), len(b))
	}
	synctest.Test(t, func(t *testing.T) {
		var board campaign.NoticeBoard
		ctx, cancel := context.WithCancel(t.Context())
		gone := board.Watch(ctx, "a")
		cancel()
		synctest.Wait()
		if board.PostAll(); len(gone) != 0 || board.Watched() {
			t.Error("who has gone is still told")
		}
		if board.Watch(t.Context(), "a"); !board.Watched() {
			t.Error("nobody watches a again")
		}
	})
	cancel()
	if !board.Watched() {
		t.Error("nobody watches b any more")
	}
}

func ExampleFollowLog() {
	log := []string{"I wake.", "I walk.", "I arrive."}
	source := campaign.FollowSource[int64]{
		Read: func(_ context.Context, after int64) iter.Seq2[int64, error] {
			return func(yield func(int64, error) bool) {
				for v := after + 1; v <= int64(len(log)) && yield(v, nil); v++ {
				}
			}
		},
		Version: func(v int64) int64 { return v },
		Passes:  func(error) bool { return false },
		Look:    time.Millisecond,
	}
	for v, err := range campaign.FollowLog(context.Background(), source, 1) {
		if err != nil {
			fmt.Println(err)
			break
		}
		fmt.Println(v, log[v-1])
		switch v {
		case 3: // the campaign is played
			log = append(log, "I rest.")
		case 4:
			return
		}
	}
	// Output:
	// 2 I walk.
	// 3 I arrive.
	// 4 I rest.
}

func ExampleNoticeBoard() {
	var board campaign.NoticeBoard
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	notices := board.Watch(ctx, "cave")
	board.Post("cave")
	board.Post("cave")
	fmt.Println(len(notices))
	// Output: 1
}
