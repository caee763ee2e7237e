package campaign

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// office has work for campaigns.
type office struct {
	mu     sync.Mutex
	work   map[string]int // pieces of work
	broken map[string]int // the next pieces fail
	again  map[string]int // so many pieces fail after the next success
	takes  time.Duration
	now    int
	most   int // at the same time
	twice  bool
	pages  bool           // a second page was listed
	each   map[string]int // whether a campaign is being worked for
}

func (o *office) list(_ context.Context, after string, limit int) (ids []string, _ error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.pages = o.pages || after != ""
	for id, n := range o.work {
		if n > 0 && id > after {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids[:min(len(ids), limit)], nil
}

func (o *office) do(_ context.Context, id string) (bool, error) {
	o.mu.Lock()
	o.now++
	o.each[id]++
	o.most, o.twice = max(o.most, o.now), o.twice || o.each[id] > 1
	o.mu.Unlock()
	time.Sleep(o.takes)
	o.mu.Lock()
	defer o.mu.Unlock()
	o.now--
	o.each[id]--
	if o.broken[id] > 0 {
		o.broken[id]--
		return false, errors.New("broken")
	}
	o.work[id]--
	o.broken[id], o.again[id] = o.again[id], 0
	return o.work[id] > 0, nil
}

// TestServing: all work is done, for at most atOnce campaigns at the same time and for each by one
// worker. Failing work waits longer and longer, and blocks no other work.
func TestServing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := &office{work: map[string]int{}, broken: map[string]int{"c007": 4}, again: map[string]int{"c007": 1}, takes: time.Millisecond, each: map[string]int{}}
		for i := range 250 { // more than a page
			o.work[fmt.Sprintf("c%03d", i)] = 1 + i%3
		}
		var pauses []time.Duration
		bell := make(chan struct{}, 1)
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error)
		go func() {
			done <- (&service{list: o.list, work: o.do, bell: bell,
				trouble: func(id string, pause time.Duration, _ error) {
					if id != "c007" {
						t.Errorf("trouble with %s", id)
					}
					o.mu.Lock()
					defer o.mu.Unlock()
					pauses = append(pauses, pause)
				}}).run(ctx, 4)
		}()
		time.Sleep(5 * time.Second)
		left := 0
		o.mu.Lock()
		for id, n := range o.work {
			if n > 0 && id != "c007" {
				left++
			}
		}
		o.mu.Unlock()
		if left > 0 {
			t.Errorf("%d campaigns were held up", left)
		}
		time.Sleep(time.Minute)
		o.mu.Lock()
		if want := []time.Duration{time.Second, 2 * time.Second, 4 * time.Second, 8 * time.Second, time.Second}; !slices.Equal(pauses, want) || o.work["c007"] != 0 {
			t.Errorf("pauses %v, want %v; %d pieces are left", pauses, want, o.work["c007"])
		}
		if o.most != 4 || o.twice || !o.pages {
			t.Errorf("%d were worked for at once, want 4; one by two: %t; pages after the first: %t", o.most, o.twice, o.pages)
		}
		begun := time.Now()
		o.work["new"] = 1
		o.mu.Unlock()
		bell <- struct{}{}
		synctest.Wait()
		time.Sleep(o.takes)
		synctest.Wait()
		o.mu.Lock()
		if o.work["new"] != 0 {
			t.Errorf("the bell was not heard within %s", time.Since(begun))
		}
		o.work["last"] = 1
		o.mu.Unlock()
		bell <- struct{}{}
		synctest.Wait()
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) || o.work["last"] != 0 {
			t.Errorf("it ends with %v, and %d pieces are left of the work that had begun", err, o.work["last"])
		}
	})
}

// TestServingEndsItsWork: run returns after all its work has ended, also while a failed piece
// waits.
func TestServingEndsItsWork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := &office{work: map[string]int{"a": 1, "b": 1, "c": 1, "d": 1}, broken: map[string]int{"d": 9}, again: map[string]int{}, takes: time.Second, each: map[string]int{}}
		lists := 0
		list := func(ctx context.Context, after string, limit int) ([]string, error) {
			if lists++; lists == 1 {
				return nil, errors.New("away")
			}
			return o.list(ctx, after, limit)
		}
		var troubles []string
		ctx, cancel := context.WithTimeout(t.Context(), 3500*time.Millisecond)
		defer cancel()
		err := (&service{list: list, work: o.do,
			trouble: func(id string, _ time.Duration, _ error) {
				o.mu.Lock()
				defer o.mu.Unlock()
				troubles = append(troubles, id)
			}}).run(ctx, 2)
		if !errors.Is(err, context.DeadlineExceeded) || o.now != 0 {
			t.Errorf("%v, and %d still work", err, o.now)
		}
		if !slices.Equal(troubles, []string{"", "d"}) {
			t.Errorf("troubles %q", troubles)
		}
	})
}

// TestServingIsFair: a campaign that always has more work holds up no other campaign, not even one
// whose work failed before. Without atOnce there are eight places.
func TestServingIsFair(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, atOnce := range []int{1, 0} {
			o := &office{work: map[string]int{"b": 2, "c": 1}, broken: map[string]int{"c": 1}, again: map[string]int{}, takes: time.Millisecond, each: map[string]int{}}
			for i := range 8 {
				o.work[fmt.Sprint("a", i)] = 1 << 30
			}
			ctx, cancel := context.WithCancel(t.Context())
			done := make(chan error)
			go func() {
				done <- (&service{list: o.list, work: o.do, trouble: func(string, time.Duration, error) {}}).run(ctx, atOnce)
			}()
			time.Sleep(10 * time.Second)
			o.mu.Lock()
			if o.work["b"] != 0 || o.work["c"] != 0 || o.most != cmp.Or(atOnce, 8) {
				t.Errorf("at once %d: %d pieces of b and %d of c wait, %d were worked for at once", atOnce, o.work["b"], o.work["c"], o.most)
			}
			o.mu.Unlock()
			cancel()
			if err := <-done; !errors.Is(err, context.Canceled) || o.now != 0 {
				t.Errorf("at once %d: %v, and %d still work", atOnce, err, o.now)
			}
		}
	})
}
