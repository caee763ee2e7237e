package memstore

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"sync"

	"github.com/talewright/talewright/campaign"
)

// Store is a [campaign.Store] in memory. The zero Store is empty and ready; it is
// safe for concurrent use and must not be copied.
type Store struct {
	mu   sync.RWMutex
	logs map[string]*log
}

type log struct {
	records         [][]byte
	snapshot        []byte
	snapshotVersion int64
}

// Append implements [campaign.Store].
func (s *Store) Append(
	ctx context.Context, id string, expected int64, rec campaign.Record, snapshot []byte,
) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	data, err := json.Marshal(rec)
	if err != nil {
		return fmt.Errorf("memstore: %q: %w", id, err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	l := s.logs[id]
	if l == nil {
		l = &log{}
	}
	if int64(len(l.records)) != expected || rec.Version != expected+1 {
		return fmt.Errorf("memstore: %q: record %d expected %d records, found %d: %w",
			id, rec.Version, expected, len(l.records), campaign.ErrVersionConflict)
	}
	l.records = append(l.records, data)
	if snapshot != nil {
		l.snapshot, l.snapshotVersion = bytes.Clone(snapshot), rec.Version
	}
	if s.logs == nil {
		s.logs = map[string]*log{}
	}
	s.logs[id] = l
	return nil
}

// Load implements [campaign.Store].
func (s *Store) Load(ctx context.Context, id string) (campaign.Saved, error) {
	l, err := s.read(ctx, id)
	if err != nil {
		return campaign.Saved{}, err
	}
	saved := campaign.Saved{Snapshot: l.snapshot, SnapshotVersion: l.snapshotVersion}
	saved.Records, err = decode(id, l.records[l.snapshotVersion:])
	return saved, err
}

// Records implements [campaign.Store].
func (s *Store) Records(ctx context.Context, id string, after int64) ([]campaign.Record, error) {
	l, err := s.read(ctx, id)
	if err != nil {
		return nil, err
	}
	after = min(max(after, 0), int64(len(l.records)))
	return decode(id, l.records[after:])
}

// read returns a copy of a log. The bytes of its records are never modified.
func (s *Store) read(ctx context.Context, id string) (log, error) {
	if err := ctx.Err(); err != nil {
		return log{}, err
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	l := s.logs[id]
	if l == nil {
		return log{}, fmt.Errorf("memstore: %q: %w", id, campaign.ErrNotFound)
	}
	return log{l.records[:len(l.records):len(l.records)], bytes.Clone(l.snapshot),
		l.snapshotVersion}, nil
}

func decode(id string, list [][]byte) ([]campaign.Record, error) {
	out := make([]campaign.Record, len(list))
	for i, data := range list {
		if err := json.Unmarshal(data, &out[i]); err != nil {
			return nil, fmt.Errorf("memstore: %q: %w", id, err)
		}
	}
	return out, nil
}
