package storetest

import (
	"context"
	"time"

	"github.com/talewright/talewright/campaign"
)

func (m *memory) Stats(ctx context.Context) (st campaign.Stats, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, l := range m.logs {
		if l.deleted && !m.has("counts the deleted") {
			continue
		}
		st.Campaigns++
		if l.lease != nil && l.lease.owner != "" && (time.Until(l.lease.expires) > 0 || m.has("counts leases that are over")) {
			st.Leases++
		}
		if l.box == nil {
			continue
		}
		waits := l.box.waiting()
		if m.has("counts posts that are over") {
			waits = len(l.box.posts)
		}
		if st.Posts += waits; waits > 0 {
			st.Inboxes++
		}
		for _, p := range l.box.posts {
			if p.Outcome == nil && (st.Oldest.IsZero() || p.At.Before(st.Oldest) != m.has("takes the newest post for the oldest")) {
				st.Oldest = p.At
			}
		}
	}
	return st, ctx.Err()
}
