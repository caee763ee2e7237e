package storetest

import (
	"bytes"
	"context"
	"maps"
	"time"

	"github.com/talewright/talewright/campaign"
)

// memoryLease is the lease of a campaign and the stored answers of models.
type memoryLease struct {
	owner   string
	fence   int64
	expires time.Time
	answers map[string]memoryAnswer
}

type memoryAnswer struct {
	fence int64
	data  []byte
}

var _ campaign.Cluster = (*memory)(nil)

func (m *memory) Acquire(ctx context.Context, id, owner string, d time.Duration) (int64, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.fault(ctx, id); err != nil && !m.has("leases what is not there") {
		return 0, err
	}
	l := m.lease(id)
	left := time.Until(l.expires)
	if m.has("reports a wrong time") {
		left += time.Hour
	}
	if time.Until(l.expires) > 0 && l.owner != owner && !m.has("leases to everybody") {
		return 0, &campaign.HeldError{Owner: l.owner, For: left}
	}
	if !m.has("counts no fences") || l.fence == 0 {
		l.fence++
	}
	l.owner, l.expires = owner, time.Now().Add(d)
	return l.fence, nil
}

func (m *memory) lease(id string) *memoryLease {
	l := m.find(id)
	if l == nil {
		l = &memoryLog{}
	}
	if l.lease == nil {
		l.lease = &memoryLease{answers: map[string]memoryAnswer{}}
	}
	return l.lease
}

func (m *memory) Renew(ctx context.Context, id string, fence int64, d time.Duration) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.fault(ctx, id); err != nil && !m.has("leases what is not there") {
		return err
	}
	l := m.lease(id)
	over := time.Until(l.expires) <= 0
	if l.fence != fence && !m.has("renews what was lost") || over && m.has("ends leases that nobody wants") {
		return campaign.ErrLeaseLost
	}
	l.expires = time.Now().Add(d)
	return nil
}

func (m *memory) Release(_ context.Context, id string, fence int64) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if l := m.lease(id); l.fence == fence || m.has("takes what is not given") {
		l.owner, l.expires = "", time.Time{}
		if !m.has("does not end the fence") {
			l.fence++
		}
	}
	return nil
}

func (m *memory) SaveAnswer(_ context.Context, id string, fence int64, key string, data []byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	l := m.lease(id)
	if l.fence != fence && !m.has("keeps late answers") {
		return campaign.ErrLeaseLost
	}
	l.answers[m.answerKey(key)] = memoryAnswer{fence, bytes.Clone(data)}
	if !m.has("keeps answers for ever") {
		maps.DeleteFunc(l.answers, func(_ string, a memoryAnswer) bool { return a.fence <= fence-campaign.MaxAnswerFences })
	}
	return nil
}

func (m *memory) Answer(_ context.Context, id, key string) ([]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return bytes.Clone(m.lease(id).answers[m.answerKey(key)].data), nil
}

func (m *memory) answerKey(key string) string {
	if m.has("keeps one answer") {
		return ""
	}
	return key
}

// fenced returns why the holder of a fence may not write. If it may, fenced deletes the answers.
func (m *memory) fenced(id string, entry campaign.Entry) error {
	if entry.Fence == 0 && !m.has("forgets answers of others") {
		return nil
	}
	l := m.lease(id)
	if entry.Fence != 0 && l.fence != entry.Fence && !m.has("takes late entries") {
		return campaign.ErrLeaseLost
	}
	if !m.has("does not remove answers") {
		clear(l.answers)
	}
	return nil
}
