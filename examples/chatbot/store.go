package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"

	"github.com/talewright/talewright/campaign"
)

// fileStore keeps campaigns in memory, and writes every change of them to one file. It implements
// only Append and Delete; the store in memory has the other methods of [campaign.Store]. One process
// at a time may use the file.
type fileStore struct {
	campaign.Store
	mu   sync.Mutex
	file *os.File
}

// change is a call of Append or Delete. Each line of the file has one.
type change struct {
	ID       string
	Entry    campaign.Entry
	Snapshot []byte
	Deleted  bool
}

// openStore opens a file, or creates it, and repeats its changes in memory.
func openStore(path string) (*fileStore, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("filestore: %w", err)
	}
	s := &fileStore{Store: &campaign.MemoryStore{}, file: file}
	for lines := json.NewDecoder(file); ; {
		var c change
		switch err := lines.Decode(&c); err {
		case nil:
			_ = s.apply(c) // a change that was refused is refused again
		case io.EOF, io.ErrUnexpectedEOF: // the program ended while it wrote the last line
			return s, file.Truncate(lines.InputOffset())
		default:
			return nil, fmt.Errorf("filestore: %s cannot be read: %w", path, errors.Join(err, file.Close()))
		}
	}
}

// Close closes the file.
func (s *fileStore) Close() error { return s.file.Close() }

// Append implements [campaign.Store].
func (s *fileStore) Append(ctx context.Context, id string, entry campaign.Entry, snapshot []byte) error {
	return s.write(ctx, change{ID: id, Entry: entry, Snapshot: snapshot})
}

// Delete implements [campaign.Store].
func (s *fileStore) Delete(ctx context.Context, id string) error {
	return s.write(ctx, change{ID: id, Deleted: true})
}

// write writes a change to the disk, and then applies it in memory. If it cannot be written, it is
// not applied, and a retry may help.
func (s *fileStore) write(ctx context.Context, c change) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	end, err := s.file.Seek(0, io.SeekEnd)
	if err == nil {
		err = errors.Join(json.NewEncoder(s.file).Encode(c), s.file.Sync())
	}
	if err != nil {
		return fmt.Errorf("filestore: %w: %w", campaign.ErrUnavailable, errors.Join(err, s.file.Truncate(end)))
	}
	return s.apply(c)
}

// apply changes the memory. The context of the caller does not matter any more.
func (s *fileStore) apply(c change) error {
	if c.Deleted {
		return s.Store.Delete(context.Background(), c.ID)
	}
	return s.Store.Append(context.Background(), c.ID, c.Entry, c.Snapshot)
}
