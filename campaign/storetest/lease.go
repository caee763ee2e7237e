package storetest

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/talewright/talewright/campaign"
)

// The durations of leases: one does not expire during a case, the other expires at once.
const (
	longLease  = time.Hour
	shortLease = 30 * time.Millisecond
)

// cluster returns the store as a Cluster. Only cases that need a Cluster call it.
func (e *exam) cluster() campaign.Cluster { return e.store.(campaign.Cluster) }

// grantsLeases reports whether the store grants leases as it is configured.
func (e *exam) grantsLeases() bool {
	_, err := e.cluster().Acquire(e.Context(), e.id+"/never", "nobody", longLease)
	return !errors.Is(err, errors.ErrUnsupported)
}

// acquire acquires the lease of the exam's campaign.
func (e *exam) acquire(owner string, d time.Duration) int64 {
	e.Helper()
	fence, err := e.cluster().Acquire(e.Context(), e.id, owner, d)
	e.must(err, "Acquire for %s", owner)
	return fence
}

// wantHeld checks that the campaign is leased to an owner, for at most a duration.
func (e *exam) wantHeld(by string, longest time.Duration) {
	e.Helper()
	fence, err := e.second.(campaign.Cluster).Acquire(e.Context(), e.id, "nobody", longLease)
	held, ok := errors.AsType[*campaign.HeldError](err)
	switch {
	case !ok:
		e.Errorf("Acquire of a campaign that %s has leased: fence %d, %v; want a HeldError", by, fence, err)
	case held.Owner != by || held.For < 0 || held.For > longest:
		e.Errorf("held by %q for %s, want %q for at most %s", held.Owner, held.For, by, longest)
	}
}

// wantLost checks that an error is ErrLeaseLost. what names the call.
func (e *exam) wantLost(what string, err error) {
	e.Helper()
	if !errors.Is(err, campaign.ErrLeaseLost) {
		e.Errorf("%s: %v, want ErrLeaseLost", what, err)
	}
}

// entryWithFence returns an entry with the fence of a lease.
func entryWithFence(version int64, text string, fence int64) campaign.Entry {
	e := entry(version, text)
	e.Fence = fence
	return e
}

func testLease(e *exam) {
	e.append(1, nil)
	first := e.acquire("a", longLease)
	if first == 0 {
		e.Errorf("a fence is 0, which means no lease")
	}
	e.wantHeld("a", longLease)
	e.must(e.cluster().Renew(e.Context(), e.id, first, 2*longLease), "Renew")
	e.wantHeld("a", 2*longLease)

	second := e.acquire("a", longLease) // the same owner asks again, because it did not get the answer
	if second <= first {
		e.Errorf("fence %d after %d", second, first)
	}
	e.wantHeld("a", longLease)
	e.must(e.cluster().Release(e.Context(), e.id, second), "Release")
	e.wantLost("Renew after Release", e.cluster().Renew(e.Context(), e.id, second, longLease))
	e.wantLost("Append after Release", e.store.Append(e.Context(), e.id, entryWithFence(2, "", second), nil))
	if third := e.acquire("b", longLease); third <= second {
		e.Errorf("fence %d after %d", third, second)
	}
	e.wantHeld("b", longLease)
	e.id += "/other" // the lease of one campaign does not affect a second one
	e.append(1, nil)
	e.acquire("c", longLease)
}

func testLostLease(e *exam) {
	e.append(1, nil)
	late := e.acquire("a", shortLease)
	e.must(e.store.Append(e.Context(), e.id, entryWithFence(2, "", late), nil), "Append under a lease")
	if got := e.records(1); len(got) != 1 || got[0].Fence != 0 {
		e.Errorf("an entry that was read has a fence: %v", got)
	}
	fence := e.acquireAfterExpiry("b")
	e.wantLost("late Renew", e.cluster().Renew(e.Context(), e.id, late, longLease))
	e.wantLost("late Append", e.store.Append(e.Context(), e.id, entryWithFence(3, "", late), []byte("late")))
	e.must(e.cluster().Release(e.Context(), e.id, late), "late Release")
	e.wantHeld("b", longLease)
	e.wantEqual(e.versions(0), []int64{1, 2})
	e.must(e.store.Append(e.Context(), e.id, entryWithFence(2, "", late), nil), "the same entry again, late")
	e.must(e.store.Append(e.Context(), e.id, entryWithFence(3, "", fence), nil), "Append of the new holder")
	e.append(4, nil) // an entry without a fence needs no lease
	e.wantEqual(e.versions(0), []int64{1, 2, 3, 4})
}

// acquireAfterExpiry waits for the end of a short lease and acquires the next one.
func (e *exam) acquireAfterExpiry(owner string) int64 {
	e.Helper()
	for begun := time.Now(); ; {
		fence, err := e.cluster().Acquire(e.Context(), e.id, owner, longLease)
		held, busy := errors.AsType[*campaign.HeldError](err)
		switch {
		case err == nil:
			return fence
		case !busy:
			e.Fatalf("Acquire: %v", err)
		case held.For < 0 || held.For > shortLease:
			e.Fatalf("a lease of %s is held for another %s", shortLease, held.For)
		case time.Since(begun) > time.Minute:
			e.Fatalf("a lease of %s is still held after a minute", shortLease)
		}
	}
}

func testExpiredLease(e *exam) {
	e.append(1, nil)
	first := e.acquire("a", shortLease)
	second := e.acquireAfterExpiry("b")
	if second <= first {
		e.Errorf("fence %d after %d", second, first)
	}
	e.must(e.cluster().Renew(e.Context(), e.id, second, 0), "Renew")
	// The lease ends at once, and no other owner has acquired one since.
	e.must(e.cluster().Renew(e.Context(), e.id, second, 0), "Renew of a lease that is over")
	e.must(e.store.Append(e.Context(), e.id, entryWithFence(2, "", second), nil), "Append under a lease that is over")
}

func testLeaseRace(e *exam) {
	e.append(1, nil)
	const machines = 8
	var wg sync.WaitGroup
	errs := make([]error, machines)
	for i := range machines {
		wg.Go(func() {
			_, errs[i] = e.oneOfTwo(i).(campaign.Cluster).Acquire(e.Context(), e.id, textOf(i, 0), longLease)
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
	e.wantEqual(won, 1)
}

func testLeaseOfUnknown(e *exam) {
	calls := func(ctx context.Context) map[string]error {
		_, acquired := e.cluster().Acquire(ctx, e.id, "a", longLease)
		return map[string]error{"Acquire": acquired, "Renew": e.cluster().Renew(ctx, e.id, 1, longLease)}
	}
	e.wantErrors(calls(e.Context()), campaign.ErrNotFound)
	e.append(1, nil)
	e.wantErrors(calls(e.cancelled()), context.Canceled)
	e.must(e.store.Delete(e.Context(), e.id), "Delete")
	e.wantErrors(calls(e.Context()), campaign.ErrDeleted)
}

// wantAnswer checks a stored answer, through both stores.
func (e *exam) wantAnswer(key, want string) {
	e.Helper()
	for i := range 2 {
		got, err := e.oneOfTwo(i).(campaign.Cluster).Answer(e.Context(), e.id, key)
		if err != nil || string(got) != want || (got == nil) != (want == "") {
			e.Errorf("the answer %q is %q, %v; want %q", key, got, err, want)
		}
	}
}

// saveAnswer saves an answer under a fence.
func (e *exam) saveAnswer(fence int64, key, answer string) {
	e.Helper()
	e.must(e.cluster().SaveAnswer(e.Context(), e.id, fence, key, []byte(answer)), "SaveAnswer")
}

func testAnswers(e *exam) {
	first, second := e.id, e.id+"/other"
	e.append(1, nil)
	late := e.acquire("a", shortLease)
	e.wantAnswer("one", "")
	e.saveAnswer(late, "one", "first")
	e.saveAnswer(late, "two", "\x00\xff'")
	e.saveAnswer(late, "one", "second")

	// The answers outlive the lease of their owner.
	fence := e.acquireAfterExpiry("b")
	e.wantLost("late SaveAnswer", e.cluster().SaveAnswer(e.Context(), e.id, late, "one", []byte("late")))
	e.wantAnswer("one", "second")
	e.wantAnswer("two", "\x00\xff'")
	e.wantAnswer("thr", "")

	// A second campaign has answers of its own.
	e.id = second
	e.append(1, nil)
	e.wantAnswer("one", "")
	e.saveAnswer(e.acquire("b", longLease), "one", "of the other")

	// An entry with a fence removes the answers of its campaign. An entry without one does not.
	e.id = first
	e.append(2, nil)
	e.wantAnswer("one", "second")
	e.must(e.store.Append(e.Context(), e.id, entryWithFence(3, "", fence), nil), "Append")
	e.wantAnswer("one", "")
	e.wantAnswer("two", "")
	e.id = second
	e.wantAnswer("one", "of the other")

	// Answers of turns that are never committed are removed after MaxAnswerFences leases.
	for i := range 4 * campaign.MaxAnswerFences {
		fence = e.acquire("b", longLease)
		e.saveAnswer(fence, textOf(i, 0), "x")
	}
	e.wantAnswer(textOf(0, 0), "")
	e.wantAnswer("one", "")
	e.wantAnswer(textOf(3*campaign.MaxAnswerFences, 0), "x")
}

func testRestartLease(e *exam) {
	e.append(1, nil)
	fence := e.acquire("a", longLease)
	e.saveAnswer(fence, "one", "first")
	e.restart()
	e.second = e.store
	e.wantHeld("a", longLease)
	e.wantAnswer("one", "first")
	e.must(e.cluster().Release(e.Context(), e.id, fence), "Release")
	e.restart()
	if next := e.acquire("b", longLease); next <= fence {
		e.Errorf("fence %d after %d", next, fence)
	}
}
