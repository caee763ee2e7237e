package storetest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/talewright/talewright/campaign"
)

// postKey returns the key of post n.
func postKey(n int) string { return fmt.Sprintf("%032x", n) }

// postOf returns post n, as a caller of PutPost passes it.
func postOf(n int) campaign.InboxPost {
	return campaign.InboxPost{Key: postKey(n), At: entry(int64(n), "").At, Data: fmt.Appendf(nil, "\x00\xff 行 %d", n)}
}

// putPost stores post n and returns its Seq, which must be greater than after.
func (e *exam) putPost(n int, after int64) (seq int64) {
	e.Helper()
	p, err := e.oneOfTwo(n).(campaign.Cluster).PutPost(e.Context(), e.id, postOf(n))
	e.must(err, "PutPost %d", n)
	e.wantPost(p, n, "")
	if p.Seq <= after {
		e.Errorf("post %d has the Seq %d, which is not after %d", n, p.Seq, after)
	}
	return p.Seq
}

// wantPost compares a post with post n and an outcome. "" means that it waits.
func (e *exam) wantPost(p campaign.InboxPost, n int, outcome string) {
	e.Helper()
	want := postOf(n)
	if p.Key != want.Key || !p.At.Equal(want.At) || string(p.Data) != string(want.Data) ||
		string(p.Outcome) != outcome || (p.Outcome == nil) != (outcome == "") {
		e.Errorf("got %+v, want post %d with the outcome %q", p, n, outcome)
	}
}

// wantOldest checks the oldest waiting post, through both stores; 0 means that there is none.
func (e *exam) wantOldest(n int) {
	e.Helper()
	for i := range 2 {
		p, found, err := e.oneOfTwo(i).(campaign.Cluster).OldestPost(e.Context(), e.id)
		switch {
		case err != nil || found != (n > 0):
			e.Errorf("the oldest: %+v, %t, %v; want post %d", p, found, err, n)
		case found:
			e.wantPost(p, n, "")
		}
	}
}

// wantInboxes checks the campaigns with waiting posts whose IDs have a prefix. It lists them by pages of
// two.
func (e *exam) wantInboxes(prefix string, want ...string) {
	e.Helper()
	got := []string{}
	for after := prefix; ; {
		ids, err := e.cluster().ListInboxes(e.Context(), after, 2)
		if err != nil || len(ids) > 2 {
			e.Fatalf("ListInboxes: %q, %v", ids, err)
		}
		for _, id := range ids {
			if name, ours := strings.CutPrefix(id, prefix); ours {
				got = append(got, name)
			}
		}
		if len(ids) < 2 {
			break
		}
		after = ids[1]
	}
	e.wantEqual(got, append([]string{}, want...))
}

// finishPost calls FinishPost for post n.
func (e *exam) finishPost(fence int64, n int, outcome string) {
	e.Helper()
	e.must(e.cluster().FinishPost(e.Context(), e.id, fence, postKey(n), []byte(outcome)), "FinishPost %d", n)
}

// wantFinished checks that PutPost of a finished post n returns its outcome.
func (e *exam) wantFinished(n int, outcome string) {
	e.Helper()
	p, err := e.cluster().PutPost(e.Context(), e.id, postOf(n))
	e.must(err, "PutPost of a finished post")
	e.wantPost(p, n, outcome)
}

func testPosts(e *exam) {
	e.append(1, nil)
	e.wantOldest(0)
	place := e.putPost(1, 0)
	place = e.putPost(2, place)
	third := e.putPost(3, place)
	again := postOf(2)
	again.Data = []byte("another one")
	if p, err := e.cluster().PutPost(e.Context(), e.id, again); err != nil || p.Seq != place {
		e.Errorf("the same key again: %+v, %v", p, err)
	} else {
		e.wantPost(p, 2, "")
	}
	e.wantOldest(1)
	e.appendWithKey(2, postKey(2)) // out of order: the log has the entry, and the post is removed
	e.wantOldest(1)
	e.finishPost(0, 1, "refused")
	e.finishPost(0, 1, "later")
	e.finishPost(0, 99, "never posted")
	e.wantOldest(3)
	e.wantFinished(1, "refused")
	refused := entryWithKey(9, postKey(3))
	e.wantError("Append of entry 9", e.store.Append(e.Context(), e.id, refused, nil), campaign.ErrVersionConflict)
	e.append(3, nil) // an entry without a post
	e.wantOldest(3)
	e.appendWithKey(4, postKey(3))
	e.wantOldest(0)
	e.putPost(3, third) // a committed post is no longer in the inbox
}

func testSeparateInboxes(e *exam) {
	prefix := e.id + "/"
	for _, name := range []string{"d", "b", "a", "c", "e"} {
		e.id = prefix + name
		e.append(1, nil)
		e.putPost(1, 0)
	}
	e.wantInboxes(prefix, "a", "b", "c", "d", "e")
	e.appendWithKey(2, postKey(1)) // a post of e
	e.id = prefix + "b"
	e.finishPost(0, 1, "over")
	e.wantInboxes(prefix, "a", "c", "d")
	e.id = prefix + "a"
	e.wantOldest(1)
	calls := func(ctx context.Context, id string) map[string]error {
		_, put := e.cluster().PutPost(ctx, id, postOf(1))
		_, _, oldest := e.cluster().OldestPost(ctx, id)
		return map[string]error{"PutPost": put, "OldestPost": oldest, "FinishPost": e.cluster().FinishPost(ctx, id, 0, postKey(1), []byte("x"))}
	}
	e.wantErrors(calls(e.Context(), prefix+"never"), campaign.ErrNotFound)
	e.wantErrors(calls(e.cancelled(), e.id), context.Canceled)
	e.must(e.store.Delete(e.Context(), e.id), "Delete")
	e.wantErrors(calls(e.Context(), e.id), campaign.ErrDeleted)
	e.wantInboxes(prefix, "c", "d")
}

func testFullInbox(e *exam) {
	e.append(1, nil)
	place := int64(0)
	for n := 1; n <= campaign.MaxWaitingPosts; n++ {
		place = e.putPost(n, place)
	}
	_, err := e.cluster().PutPost(e.Context(), e.id, postOf(999))
	e.wantError("PutPost into a full inbox", err, campaign.ErrInboxFull)
	p, err := e.cluster().PutPost(e.Context(), e.id, postOf(5))
	e.must(err, "PutPost of a post that a full inbox has")
	e.wantPost(p, 5, "")
	e.finishPost(0, 1, "over")
	place = e.putPost(1000, place)
	e.finishPost(0, 3, "over")
	e.wantFinished(1, "over")                                  // posts that wait do not push it out
	for n := 1001; n < 1001+2*campaign.MaxFinishedPosts; n++ { // finished posts are not kept forever
		e.finishPost(0, n-1, "over")
		place = e.putPost(n, place)
	}
	e.finishPost(0, 2, "over")
	last := 1000 + 2*campaign.MaxFinishedPosts
	if p, err := e.cluster().PutPost(e.Context(), e.id, postOf(last-1)); err != nil || string(p.Outcome) != "over" {
		e.Errorf("the outcome of the newest post is gone: %+v, %v", p, err)
	}
	if p, err := e.cluster().PutPost(e.Context(), e.id, postOf(1)); err != nil || p.Outcome != nil {
		e.Errorf("the outcome of the first post is kept forever: %+v, %v", p, err)
	}
}

func testPostRace(e *exam) {
	e.append(1, nil)
	const machines = 8
	var wg sync.WaitGroup
	places, errs := make([]int64, 2*machines), make([]error, 2*machines)
	for i := range 2 * machines { // two of each
		wg.Go(func() {
			p, err := e.oneOfTwo(i).(campaign.Cluster).PutPost(e.Context(), e.id, postOf(1+i/2))
			places[i], errs[i] = p.Seq, err
		})
	}
	wg.Wait()
	e.must(errors.Join(errs...), "PutPost")
	for i := 0; i < len(places); i += 2 {
		if places[i] != places[i+1] {
			e.Errorf("one key has the places %d and %d", places[i], places[i+1])
		}
	}
	slices.Sort(places)
	if n := len(slices.Compact(places)); n != machines {
		e.Errorf("%d posts have %d places", machines, n)
	}
}

func testPostsAfterLostLease(e *exam) {
	e.append(1, nil)
	e.putPost(1, 0)
	late := e.acquire("a", shortLease)
	fence := e.acquireAfterExpiry("b")
	e.wantLost("late FinishPost", e.cluster().FinishPost(e.Context(), e.id, late, postKey(1), []byte("late")))
	entry := entryWithKey(2, postKey(1))
	entry.Fence = late
	e.wantLost("late Append", e.store.Append(e.Context(), e.id, entry, nil))
	e.wantOldest(1)
	e.finishPost(fence, 1, "over")
	e.wantOldest(0)
}

func testNoticesOfPosts(e *exam) {
	e.append(1, nil)
	here := e.cluster().Watch(e.Context(), "")
	there := e.second.(campaign.Cluster).Watch(e.Context(), "")
	e.putPost(2, 0) // through the first store
	for who, c := range map[string]<-chan struct{}{"the same store": here, "a second store": there} {
		if !e.gotNotice(c) {
			e.Errorf("a server of %s gets no notice of a post", who)
		}
	}
}

func testRestartPosts(e *exam) {
	e.append(1, nil)
	place := e.putPost(2, e.putPost(1, 0))
	e.finishPost(0, 1, "over")
	e.restart()
	e.second = e.store
	e.wantOldest(2)
	e.wantFinished(1, "over")
	e.putPost(3, place)
}
