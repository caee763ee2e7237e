package storetest

import (
	"context"
	"time"

	"github.com/talewright/talewright/campaign"
)

// gotNotice waits for a notice and reports whether one came.
func (e *exam) gotNotice(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
	}
	timer := time.NewTimer(e.noticeTimeout)
	defer timer.Stop()
	select {
	case <-c:
		return true
	case <-timer.C:
		return false
	}
}

// wantNotices waits until a watcher can read the given number of entries. It reads after each notice.
func (e *exam) wantNotices(who string, c <-chan struct{}, entries int) {
	e.Helper()
	for e.gotNotice(c) {
		if got := len(e.records(0)); got >= entries {
			return
		}
	}
	e.Errorf("a watcher of %s gets no notice of entry %d", who, entries)
}

func testNotices(e *exam) {
	here := e.cluster().Watch(e.Context(), e.id) // before it begins
	also := e.cluster().Watch(e.Context(), e.id)
	there := e.second.(campaign.Cluster).Watch(e.Context(), e.id)
	for v := int64(1); v <= 4; v++ {
		e.must(e.oneOfTwo(int(v)).Append(e.Context(), e.id, entry(v, ""), nil), "Append of entry %d", v)
		e.wantNotices("the same store", here, int(v))
		e.wantNotices("the same store, as the second", also, int(v))
		e.wantNotices("a second store", there, int(v))
	}
}

// testSlowWatcher checks that a slow watcher blocks no one and gets a notice in the end.
func testSlowWatcher(e *exam) {
	ctx, cancel := context.WithCancel(e.Context())
	gone := e.cluster().Watch(ctx, e.id)
	slow := e.cluster().Watch(e.Context(), e.id)
	cancel()
	for v := int64(1); v <= 20; v++ {
		e.append(v, nil)
	}
	e.wantNotices("the same store, late,", slow, 20)
	select {
	case _, open := <-gone:
		if !open {
			e.Errorf("the channel of a watcher that has left is closed")
		}
	default:
	}
}

func testNoticeOfDeletion(e *exam) {
	e.append(1, nil)
	c := e.cluster().Watch(e.Context(), e.id)
	e.must(e.store.Delete(e.Context(), e.id), "Delete")
	for e.gotNotice(c) {
		if _, err := e.store.Load(e.Context(), e.id); err != nil {
			return
		}
	}
	e.Errorf("a watcher gets no notice of the deletion of the campaign")
}
