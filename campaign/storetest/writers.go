package storetest

import (
	"context"
	"errors"
	"sync"

	"github.com/talewright/talewright/campaign"
)

func testCancelled(e *exam) {
	e.append(1, nil)
	ctx := e.cancelled()
	_, err := e.store.Load(ctx, e.id)
	e.wantError("Load", err, context.Canceled)
	e.wantError("Records", recordsError(ctx, e.store, e.id), context.Canceled)
	err = e.store.Append(ctx, e.id, entry(2, "x"), nil)
	switch n := len(e.versions(0)); {
	case err == nil && n != 2:
		e.Errorf("Append reported success and wrote nothing")
	case err != nil && n != 1:
		e.Errorf("Append reported %v and wrote the entry", err)
	case err != nil && !errors.Is(err, context.Canceled):
		e.Errorf("Append: %v, want context.Canceled", err)
	}
}

// testCancelledMeanwhile cancels calls while they run. Afterwards the entry is stored with its
// snapshot, or neither is, and that is final. A server may finish after its caller has left, so an
// entry may also appear a little after the error.
func testCancelledMeanwhile(e *exam) {
	e.append(1, nil)
	version := int64(1)
	for i := range 50 {
		ctx, cancel := context.WithCancel(e.Context())
		var done sync.WaitGroup
		done.Go(func() {
			for range i * 20 { // a little later each time
				if ctx.Err() != nil {
					break
				}
			}
			cancel()
		})
		sent := textOf(i, 0)
		err := e.store.Append(ctx, e.id, entry(version+1, sent), []byte(sent))
		done.Wait()
		last, saved := e.lastEntryAndSnapshot()
		switch {
		case err == nil && (last.Version != version+1 || string(saved.Snapshot) != sent):
			e.Fatalf("Append %d reported success and wrote nothing", i)
		case last.Version > version+1 || last.Version > 1 && saved.SnapshotVersion != last.Version:
			e.Fatalf("Append %d: the last entry is %d, the snapshot of version %d", i, last.Version, saved.SnapshotVersion)
		case last.Version > 1:
			e.wantEntry(last, entry(last.Version, string(saved.Snapshot)))
		}
		version = last.Version
	}
	// An entry that still arrives conflicts with this one.
	for {
		err := e.store.Append(e.Context(), e.id, entry(version+1, ""), nil)
		if err == nil {
			break
		}
		if !errors.Is(err, campaign.ErrVersionConflict) {
			e.Fatalf("Append of entry %d: %v", version+1, err)
		}
		last, _ := e.lastEntryAndSnapshot()
		version = last.Version
	}
	e.wantEqual(e.versions(0), versionsFrom(1, version+1))
}

// lastEntryAndSnapshot returns the last entry and a snapshot of the same moment.
func (e *exam) lastEntryAndSnapshot() (campaign.Entry, campaign.Saved) {
	e.Helper()
	for {
		saved := e.load()
		entries := e.records(0)
		if len(entries) == 0 {
			e.Fatalf("Records has no entry any more")
		}
		if last := entries[len(entries)-1]; e.load().SnapshotVersion == saved.SnapshotVersion {
			return last, saved
		}
	}
}

func testRace(e *exam) {
	e.append(1, nil)
	const writers = 8
	var wg sync.WaitGroup
	errs := make([]error, writers)
	for i := range writers {
		wg.Go(func() {
			errs[i] = e.oneOfTwo(i).Append(e.Context(), e.id, entry(2, textOf(i, 0)), nil)
		})
	}
	wg.Wait()
	won := -1
	for i, err := range errs {
		switch {
		case err == nil && won >= 0:
			e.Errorf("writers %d and %d both won", won, i)
		case err == nil:
			won = i
		case !errors.Is(err, campaign.ErrVersionConflict):
			e.Errorf("writer %d: %v, want ErrVersionConflict", i, err)
		}
	}
	if won < 0 {
		e.Fatalf("no writer won")
	}
	records := e.records(1)
	e.wantEqual(versionsOf(records), []int64{2})
	e.wantEntry(records[0], entry(2, textOf(won, 0)))
}

// oneOfTwo returns one of the two stores.
func (e *exam) oneOfTwo(i int) campaign.Store {
	if i%2 == 0 {
		return e.store
	}
	return e.second
}

func testContention(e *exam) {
	const writers, each, tries = 6, 8, 2000
	var mu sync.Mutex
	acknowledged := map[int64]string{}
	var wg sync.WaitGroup
	for i := range writers {
		wg.Go(func() {
			head := int64(0)
			for n, try := 0, 0; n < each; try++ {
				if try == tries {
					e.Errorf("writer %d: %d Appends, and only %d were written", i, tries, n)
					return
				}
				err := e.oneOfTwo(i).Append(e.Context(), e.id, entry(head+1, textOf(i, n)), []byte("s"))
				switch {
				case err == nil:
					mu.Lock()
					if was, twice := acknowledged[head+1]; twice {
						e.Errorf("version %d was acknowledged to %s and to %s", head+1, was, textOf(i, n))
					}
					acknowledged[head+1] = textOf(i, n)
					mu.Unlock()
					n++
				case !errors.Is(err, campaign.ErrVersionConflict):
					e.Errorf("writer %d: %v, want ErrVersionConflict", i, err)
					return
				}
				for got, err := range e.oneOfTwo(i).Records(e.Context(), e.id, head) {
					if err != nil {
						e.Errorf("writer %d: Records: %v", i, err)
						return
					}
					head = got.Version
				}
			}
		})
	}
	wg.Wait()
	log := e.records(0)
	e.wantEqual(versionsOf(log), versionsFrom(1, int64(len(log))))
	e.wantEqual(len(log), writers*each)
	for _, got := range log {
		e.wantEntry(got, entry(got.Version, acknowledged[got.Version]))
	}
}

func testSideBySide(e *exam) {
	const writers, each = 6, 10
	var wg sync.WaitGroup
	for i := range writers {
		wg.Go(func() {
			for v := int64(1); v <= each; v++ {
				if err := e.oneOfTwo(i).Append(e.Context(), e.id+textOf(i, 0), entry(v, textOf(i, int(v))), nil); err != nil {
					e.Errorf("writer %d: %v", i, err)
					return
				}
			}
		})
	}
	wg.Wait()
	base := e.id
	for i := range writers {
		e.id = base + textOf(i, 0)
		for _, got := range e.records(0) {
			e.wantEntry(got, entry(got.Version, textOf(i, int(got.Version))))
		}
		e.wantEqual(e.versions(0), versionsFrom(1, each))
	}
}

func testReaderBesideWriter(e *exam) {
	const length = 60
	e.append(1, nil)
	stop := make(chan struct{})
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Go(func() {
			for last := false; !last; { // the last check reads the whole log
				select {
				case <-stop:
					last = true
				default:
				}
				saved, err := e.oneOfTwo(i).Load(e.Context(), e.id)
				if err != nil {
					e.Errorf("Load: %v", err)
					return
				}
				head := saved.SnapshotVersion
				for _, got := range saved.Entries {
					if got.Version != head+1 {
						e.Errorf("Load: entry %d follows on %d", got.Version, head)
						return
					}
					head = got.Version
				}
			}
		})
	}
	var failed error
	for v := int64(2); v <= length && failed == nil; v++ {
		var data []byte
		if v%7 == 0 {
			data = []byte("s")
		}
		failed = e.store.Append(e.Context(), e.id, entry(v, ""), data)
	}
	close(stop)
	wg.Wait()
	e.must(failed, "Append")
	e.wantEqual(e.versions(0), versionsFrom(1, length))
}
