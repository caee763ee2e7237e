package storetest

import (
	"time"

	"github.com/talewright/talewright/campaign"
)

// longAgo is earlier than every post of the other cases, which may share the database.
var longAgo = time.Date(1801, 2, 3, 4, 5, 6, 0, time.UTC)

// wantStats checks that the counts of both stores are the counts before plus those since.
func (e *exam) wantStats(before, since campaign.Stats) {
	e.Helper()
	for i := range 2 {
		got, err := e.oneOfTwo(i).(campaign.Cluster).Stats(e.Context())
		want := campaign.Stats{Campaigns: before.Campaigns + since.Campaigns, Leases: before.Leases + since.Leases,
			Posts: before.Posts + since.Posts, Inboxes: before.Inboxes + since.Inboxes, Oldest: since.Oldest}
		if want.Oldest.IsZero() {
			want.Oldest = before.Oldest
		}
		if !got.Oldest.Equal(want.Oldest) {
			e.Errorf("the oldest post is of %s, want %s", got.Oldest, want.Oldest)
		}
		if got.Oldest = want.Oldest; err != nil || got != want {
			e.Errorf("Stats: %+v, %v, want %+v", got, err, want)
		}
	}
}

func testStats(e *exam) {
	before, err := e.cluster().Stats(e.Context())
	e.must(err, "Stats")
	first := e.id
	e.append(1, nil)
	e.append(2, nil)
	e.id += "/other"
	e.append(1, nil)
	since := campaign.Stats{Campaigns: 2}
	e.wantStats(before, since)
	if e.grantsLeases() {
		over := e.acquire("a", longLease)
		e.id = first
		stays := e.acquire("a", longLease)
		since.Leases = 2
		e.wantStats(before, since)
		e.id += "/other"
		e.must(e.cluster().Renew(e.Context(), e.id, over, 0), "Renew")
		since.Leases = 1
		e.wantStats(before, since) // a lease has ended
		e.must(e.cluster().Release(e.Context(), first, stays), "Release")
		since.Leases = 0
		e.wantStats(before, since)
	}
	for i, id := range []string{first, first, e.id} {
		p := postOf(i)
		p.At = longAgo.Add(time.Duration(i) * time.Millisecond)
		_, err := e.cluster().PutPost(e.Context(), id, p)
		e.must(err, "PutPost")
	}
	since.Posts, since.Inboxes, since.Oldest = 3, 2, longAgo
	e.wantStats(before, since)
	for i, id := range []string{first, e.id} {
		e.must(e.cluster().FinishPost(e.Context(), id, 0, postKey(2*i), []byte("over")), "FinishPost")
	}
	since.Posts, since.Inboxes, since.Oldest = 1, 1, longAgo.Add(time.Millisecond)
	e.wantStats(before, since)
	e.must(e.store.Delete(e.Context(), first), "Delete")
	e.wantStats(before, campaign.Stats{Campaigns: 1}) // its posts are deleted with it
}
