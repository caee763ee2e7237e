package storetest

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/talewright/talewright/campaign"
)

const (
	long  = time.Hour
	short = 30 * time.Millisecond
)

func (e *exam) cluster() campaign.Cluster { return e.store.(campaign.Cluster) }

// leases reports whether the store grants leases as it is configured.
func (e *exam) leases() bool {
	_, err := e.cluster().Acquire(e.Context(), e.id+"/never", "nobody", long)
	return !errors.Is(err, errors.ErrUnsupported)
}

// acquire acquires the lease of the exam's campaign.
func (e *exam) acquire(owner string, d time.Duration) int64 {
	e.Helper()
	fence, err := e.cluster().Acquire(e.Context(), e.id, owner, d)
	if err != nil {
		e.Fatalf("Acquire for %s: %v", owner, err)
	}
	return fence
}

// wantHeld checks that the campaign is leased to by.
func (e *exam) wantHeld(by string, longest time.Duration) {
	e.Helper()
	fence, err := e.beside.(campaign.Cluster).Acquire(e.Context(), e.id, "nobody", long)
	held, ok := errors.AsType[*campaign.HeldError](err)
	switch {
	case !ok:
		e.Errorf("Acquire of what %s holds: fence %d, %v; want a HeldError", by, fence, err)
	case held.Owner != by || held.For < 0 || held.For > longest:
		e.Errorf("held by %q for %s, want %q for at most %s", held.Owner, held.For, by, longest)
	}
}

func (e *exam) wantLost(what string, err error) {
	e.Helper()
	if !errors.Is(err, campaign.ErrLeaseLost) {
		e.Errorf("%s: %v, want ErrLeaseLost", what, err)
	}
}

// fenced returns an entry with the fence of a lease.
func fenced(version int64, text string, fence int64) campaign.Entry {
	e := entry(version, text)
	e.Fence = fence
	return e
}

func leaseOnce(e *exam) {
	e.append(1, nil)
	first := e.acquire("a", long)
	if first == 0 {
		e.Errorf("a fence is 0, which means no lease")
	}
	e.wantHeld("a", long)
	if err := e.cluster().Renew(e.Context(), e.id, first, 2*long); err != nil {
		e.Errorf("Renew: %v", err)
	}
	e.wantHeld("a", 2*long)
	second := e.acquire("a", long) // an owner that did not get the answer asks again
	if second <= first {
		e.Errorf("fence %d after %d", second, first)
	}
	e.wantHeld("a", long)
	if err := e.cluster().Release(e.Context(), e.id, second); err != nil {
		e.Errorf("Release: %v", err)
	}
	e.wantLost("Renew after Release", e.cluster().Renew(e.Context(), e.id, second, long))
	e.wantLost("Append after Release", e.store.Append(e.Context(), e.id, fenced(2, "", second), nil))
	if third := e.acquire("b", long); third <= second {
		e.Errorf("fence %d after %d", third, second)
	}
	e.wantHeld("b", long)
	e.id += "/other" // which has no lease
	e.append(1, nil)
	e.acquire("c", long)
}

func lateHolder(e *exam) {
	e.append(1, nil)
	late := e.acquire("a", short)
	if err := e.store.Append(e.Context(), e.id, fenced(2, "", late), nil); err != nil {
		e.Errorf("Append under a lease: %v", err)
	}
	if got := e.read(1); len(got) != 1 || got[0].Fence != 0 {
		e.Errorf("an entry that was read has a fence: %v", got)
	}
	fence := e.after("b")
	e.wantLost("late Renew", e.cluster().Renew(e.Context(), e.id, late, long))
	e.wantLost("late Append", e.store.Append(e.Context(), e.id, fenced(3, "", late), []byte("late")))
	if err := e.cluster().Release(e.Context(), e.id, late); err != nil {
		e.Errorf("late Release: %v", err)
	}
	e.wantHeld("b", long)
	e.want(e.versions(0), []int64{1, 2})
	if err := e.store.Append(e.Context(), e.id, fenced(2, "", late), nil); err != nil {
		e.Errorf("the same entry again, late: %v", err)
	}
	if err := e.store.Append(e.Context(), e.id, fenced(3, "", fence), nil); err != nil {
		e.Errorf("Append of the new holder: %v", err)
	}
	e.append(4, nil) // an entry without a fence needs no lease
	e.want(e.versions(0), []int64{1, 2, 3, 4})
}

// after waits for the end of a short lease and acquires the next one.
func (e *exam) after(owner string) int64 {
	e.Helper()
	for begun := time.Now(); ; {
		fence, err := e.cluster().Acquire(e.Context(), e.id, owner, long)
		held, busy := errors.AsType[*campaign.HeldError](err)
		switch {
		case err == nil:
			return fence
		case !busy:
			e.Fatalf("Acquire: %v", err)
		case held.For < 0 || held.For > short:
			e.Fatalf("a lease of %s is held for another %s", short, held.For)
		case time.Since(begun) > time.Minute:
			e.Fatalf("a lease of %s is still held after a minute", short)
		}
	}
}

func leaseOver(e *exam) {
	e.append(1, nil)
	first := e.acquire("a", short)
	second := e.after("b")
	if second <= first {
		e.Errorf("fence %d after %d", second, first)
	}
	if err := e.cluster().Renew(e.Context(), e.id, second, 0); err != nil {
		e.Fatalf("Renew: %v", err)
	}
	// The lease ends at once, and no other owner has acquired one since.
	if err := e.cluster().Renew(e.Context(), e.id, second, 0); err != nil {
		e.Errorf("Renew of a lease that is over: %v", err)
	}
	if err := e.store.Append(e.Context(), e.id, fenced(2, "", second), nil); err != nil {
		e.Errorf("Append under a lease that is over: %v", err)
	}
}

func leaseRace(e *exam) {
	e.append(1, nil)
	const machines = 8
	var wg sync.WaitGroup
	errs := make([]error, machines)
	for i := range machines {
		wg.Go(func() {
			_, errs[i] = e.either(i).(campaign.Cluster).Acquire(e.Context(), e.id, text(i, 0), long)
		})
	}
	wg.Wait()
	won := 0
	for i, err := range errs {
		if _, held := errors.AsType[*campaign.HeldError](err); err == nil {
			won++
		} else if !held {
			e.Errorf("machine %d: %v, want a HeldError", i, err)
		}
	}
	e.want(won, 1)
}

func leaseUnknown(e *exam) {
	calls := func(ctx context.Context) map[string]error {
		_, acquired := e.cluster().Acquire(ctx, e.id, "a", long)
		return map[string]error{"Acquire": acquired, "Renew": e.cluster().Renew(ctx, e.id, 1, long)}
	}
	for what, err := range calls(e.Context()) {
		if !errors.Is(err, campaign.ErrNotFound) || errors.Is(err, campaign.ErrDeleted) {
			e.Errorf("%s of an unknown campaign: %v, want ErrNotFound", what, err)
		}
	}
	e.append(1, nil)
	ctx, cancel := context.WithCancel(e.Context())
	cancel()
	for what, err := range calls(ctx) {
		if !errors.Is(err, context.Canceled) {
			e.Errorf("%s: %v, want context.Canceled", what, err)
		}
	}
	if err := e.store.Delete(e.Context(), e.id); err != nil {
		e.Fatalf("Delete: %v", err)
	}
	for what, err := range calls(e.Context()) {
		if !errors.Is(err, campaign.ErrDeleted) {
			e.Errorf("%s of a deleted campaign: %v, want ErrDeleted", what, err)
		}
	}
}

// wantAnswer checks a stored answer, through both stores.
func (e *exam) wantAnswer(key, want string) {
	e.Helper()
	for i := range 2 {
		got, err := e.either(i).(campaign.Cluster).Answer(e.Context(), e.id, key)
		if err != nil || string(got) != want || (got == nil) != (want == "") {
			e.Errorf("the answer %q is %q, %v; want %q", key, got, err, want)
		}
	}
}

func (e *exam) saveAnswer(fence int64, key, answer string) {
	e.Helper()
	if err := e.cluster().SaveAnswer(e.Context(), e.id, fence, key, []byte(answer)); err != nil {
		e.Fatalf("SaveAnswer: %v", err)
	}
}

func answers(e *exam) {
	e.append(1, nil)
	late := e.acquire("a", short)
	e.wantAnswer("one", "")
	e.saveAnswer(late, "one", "first")
	e.saveAnswer(late, "two", "\x00\xff'")
	e.saveAnswer(late, "one", "second")
	fence := e.after("b")
	e.wantLost("late SaveAnswer", e.cluster().SaveAnswer(e.Context(), e.id, late, "one", []byte("late")))
	e.wantAnswer("one", "second") // of a holder whose lease ended
	e.wantAnswer("two", "\x00\xff'")
	e.wantAnswer("thr", "")
	first := e.id
	e.id += "/other"
	e.append(1, nil)
	e.wantAnswer("one", "")
	e.saveAnswer(e.acquire("b", long), "one", "of the other")
	e.id = first
	e.append(2, nil) // without the fence of the holder
	e.wantAnswer("one", "second")
	if err := e.store.Append(e.Context(), e.id, fenced(3, "", fence), nil); err != nil {
		e.Fatalf("Append: %v", err)
	}
	e.wantAnswer("one", "")
	e.wantAnswer("two", "")
	e.id += "/other"
	e.wantAnswer("one", "of the other")
	for i := range 4 * campaign.MaxAnswerFences { // turns that are never committed
		fence = e.acquire("b", long)
		e.saveAnswer(fence, text(i, 0), "x")
	}
	e.wantAnswer(text(0, 0), "")
	e.wantAnswer("one", "")
	e.wantAnswer(text(3*campaign.MaxAnswerFences, 0), "x")
}

func restartLease(e *exam) {
	e.append(1, nil)
	fence := e.acquire("a", long)
	e.saveAnswer(fence, "one", "first")
	e.restart()
	e.beside = e.store
	e.wantHeld("a", long)
	e.wantAnswer("one", "first")
	if err := e.cluster().Release(e.Context(), e.id, fence); err != nil {
		e.Errorf("Release: %v", err)
	}
	e.restart()
	if next := e.acquire("b", long); next <= fence {
		e.Errorf("fence %d after %d", next, fence)
	}
}
