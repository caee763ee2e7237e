package main

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/talewright/talewright/campaign"
)

// fileStore stores each campaign in a folder, and each entry of its log in a file with its version
// as the name. A file appears complete or not at all, and only one process can create it.
// [campaign.Store] requires no more than that.
type fileStore struct{ folder string }

// file is the content of a file. Snapshot is nil for most entries.
type file struct {
	Entry    campaign.Entry
	Snapshot []byte
}

// path returns the file name of an entry. Folders are named by hashes because a platform chooses
// the IDs. IDs may be long, differ only in case, or contain paths to other folders.
func (s fileStore) path(id string, version int64) string {
	return filepath.Join(s.folder, fmt.Sprintf("%x", sha256.Sum256([]byte(id))), strconv.FormatInt(version, 10)+".json")
}

// Append implements [campaign.Store].
func (s fileStore) Append(ctx context.Context, id string, entry campaign.Entry, snapshot []byte) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if entry.Version != 1 {
		if _, err := s.read(ctx, id, entry.Version-1); errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("filestore: %q has no entry %d: %w", id, entry.Version-1, campaign.ErrVersionConflict)
		}
	}
	data, err := json.Marshal(file{entry, snapshot})
	if err != nil {
		return err
	}
	switch err := write(s.path(id, entry.Version), data); {
	case err == nil:
		return nil
	case !errors.Is(err, fs.ErrExist):
		return fmt.Errorf("filestore: %q: %w: %w", id, campaign.ErrUnavailable, err)
	}
	// A different writer was faster, or this is the same entry again.
	if there, err := s.read(ctx, id, entry.Version); err != nil || !there.Entry.Same(entry) {
		return fmt.Errorf("filestore: %q has another entry %d: %w", id, entry.Version, campaign.ErrVersionConflict)
	}
	return nil
}

// write creates a file that is on the disk when write returns. It does not replace an existing
// file.
func write(name string, data []byte) error {
	folder := filepath.Dir(name)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	draft, err := os.CreateTemp(folder, "draft-*")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(draft.Name()) }()
	_, err = draft.Write(data)
	if err := errors.Join(err, draft.Sync(), draft.Close()); err != nil {
		return err
	}
	if err := os.Link(draft.Name(), name); err != nil { // fails if the name is taken
		return err
	}
	return syncFolder(folder)
}

// syncFolder makes a new name durable. Windows does that by itself and has no such call.
func syncFolder(folder string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	f, err := os.Open(folder)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// Load implements [campaign.Store]. It reads from the end of the log back to the newest snapshot.
func (s fileStore) Load(ctx context.Context, id string) (campaign.Saved, error) {
	var saved campaign.Saved
	version, err := s.newest(ctx, id)
	for ; err == nil && version > 0 && saved.Snapshot == nil; version-- {
		var f file
		if f, err = s.read(ctx, id, version); f.Snapshot != nil {
			saved.Snapshot, saved.SnapshotVersion = f.Snapshot, version
		} else {
			saved.Entries = append(saved.Entries, f.Entry)
		}
	}
	if err != nil {
		return campaign.Saved{}, err
	}
	slices.Reverse(saved.Entries)
	return saved, nil
}

// Records implements [campaign.Store].
func (s fileStore) Records(ctx context.Context, id string, after int64) iter.Seq2[campaign.Entry, error] {
	return func(yield func(campaign.Entry, error) bool) {
		newest, err := s.newest(ctx, id)
		if err != nil {
			yield(campaign.Entry{}, err)
			return
		}
		for version := max(after, 0) + 1; version <= newest; version++ {
			f, err := s.read(ctx, id, version)
			if !yield(f.Entry, err) || err != nil {
				return
			}
		}
	}
}

// newest returns the version of the last entry.
func (s fileStore) newest(ctx context.Context, id string) (version int64, err error) {
	names, err := os.ReadDir(filepath.Dir(s.path(id, 1)))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return 0, fmt.Errorf("filestore: %q: %w: %w", id, campaign.ErrUnavailable, err)
	}
	for _, name := range names {
		if n, err := strconv.ParseInt(strings.TrimSuffix(name.Name(), ".json"), 10, 64); err == nil {
			version = max(version, n)
		}
	}
	if version == 0 {
		return 0, fmt.Errorf("filestore: %q: %w", id, campaign.ErrNotFound)
	}
	return version, ctx.Err()
}

// read reads one entry.
func (s fileStore) read(ctx context.Context, id string, version int64) (f file, err error) {
	if err := ctx.Err(); err != nil {
		return f, err
	}
	data, err := os.ReadFile(s.path(id, version))
	if err == nil {
		err = json.Unmarshal(data, &f)
	}
	if err != nil {
		err = fmt.Errorf("filestore: %q: %w: %w", id, campaign.ErrUnavailable, err)
	}
	return f, err
}
