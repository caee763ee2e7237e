package storetest

import (
	"bytes"
	"context"
	"maps"
	"slices"

	"github.com/talewright/talewright/campaign"
)

// memoryBox has the posts of a campaign.
type memoryBox struct {
	posts []campaign.InboxPost
	last  int64
}

func (m *memory) boxOf(ctx context.Context, id string) (*memoryBox, error) {
	if err := m.fault(ctx, id); err != nil {
		if m.has("posts to nobody") {
			return &memoryBox{}, nil
		}
		return nil, err
	}
	if m.has("shares the box") {
		return &m.shared, nil
	}
	l := m.find(id)
	if l.box == nil {
		l.box = &memoryBox{}
	}
	return l.box, nil
}

func (b *memoryBox) find(key string) *campaign.InboxPost {
	for i := range b.posts {
		if b.posts[i].Key == key {
			return &b.posts[i]
		}
	}
	return nil
}

func (b *memoryBox) waiting() (n int) {
	for _, p := range b.posts {
		if p.Outcome == nil {
			n++
		}
	}
	return n
}

func (m *memory) PutPost(ctx context.Context, id string, p campaign.InboxPost) (campaign.InboxPost, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	b, err := m.boxOf(ctx, id)
	if err != nil {
		return p, err
	}
	if there := b.find(p.Key); there != nil && !m.has("puts in twice") {
		return *there, nil
	}
	if b.waiting() >= campaign.MaxWaitingPosts && !m.has("is never full") {
		return p, campaign.ErrInboxFull
	}
	b.last++
	p.Seq, p.Data = b.last, bytes.Clone(p.Data)
	if b.posts = append(b.posts, p); m.has("puts posts in front") {
		slices.Reverse(b.posts)
	}
	if !m.has("tells nobody of posts") {
		_ = m.tell("")
	}
	return p, nil
}

func (m *memory) OldestPost(ctx context.Context, id string) (campaign.InboxPost, bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	b, err := m.boxOf(ctx, id)
	if err != nil {
		return campaign.InboxPost{}, false, err
	}
	for _, p := range b.posts {
		if p.Outcome == nil {
			return p, true, nil
		}
	}
	return campaign.InboxPost{}, false, nil
}

func (m *memory) FinishPost(ctx context.Context, id string, fence int64, key string, outcome []byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	b, err := m.boxOf(ctx, id)
	if err != nil {
		return err
	}
	if fence != 0 && m.lease(id).fence != fence && !m.has("takes late outcomes") {
		return campaign.ErrLeaseLost
	}
	p := b.find(key)
	if p == nil || p.Outcome != nil && !m.has("finishes twice") {
		return nil
	}
	p.Outcome = bytes.Clone(outcome)
	newest := p.Seq
	if !m.has("keeps what came of posts for ever") {
		b.posts = slices.DeleteFunc(b.posts, func(p campaign.InboxPost) bool {
			return p.Outcome != nil && p.Seq <= newest-campaign.MaxFinishedPosts
		})
	}
	return nil
}

func (m *memory) ListInboxes(ctx context.Context, after string, limit int) (out []string, _ error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, id := range slices.Sorted(maps.Keys(m.logs)) {
		l := m.logs[id]
		if waits := l.box != nil && l.box.waiting() > 0; len(out) < limit && id > after && (waits || m.has("lists all boxes")) {
			out = append(out, id)
		}
	}
	return out, nil
}

// committed removes the post of an entry.
func (m *memory) committed(l *memoryLog, e campaign.Entry) {
	if l.box == nil || m.has("leaves what was committed") {
		return
	}
	l.box.posts = slices.DeleteFunc(l.box.posts, func(p campaign.InboxPost) bool {
		return p.Key == e.Key && e.Key != "" || m.has("empties the box at a commit")
	})
}
