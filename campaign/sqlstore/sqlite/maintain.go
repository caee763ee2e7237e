package sqlite

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// Backup writes the whole database, as it is at this moment, to a new file. It may run
// while campaigns are played. The file is there whole or not at all, and on the disk when
// Backup returns; a file of that name that is there already is replaced.
func (s *Store) Backup(ctx context.Context, path string) (err error) {
	part := path + ".part"
	if err := os.Remove(part); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("sqlite: backup: %w", err) // left by a backup that was killed
	}
	defer func() {
		if err != nil {
			_ = os.Remove(part)
			err = fmt.Errorf("sqlite: backup to %s: %w", path, err)
		}
	}()
	if _, err := s.reads.ExecContext(ctx, "VACUUM INTO ?", part); err != nil {
		return err
	}
	if err := syncFile(part, os.O_RDWR); err != nil { // which SQLite leaves to the caller
		return err
	}
	if err := os.Rename(part, path); err != nil {
		return err
	}
	if err := syncFile(filepath.Dir(path), os.O_RDONLY); err != nil && !folderless {
		return err
	}
	return nil
}

func syncFile(path string, flag int) error {
	f, err := os.OpenFile(path, flag, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// Check looks whether the file is sound: its pages and indexes, and every log in it. It
// reads all of it.
func (s *Store) Check(ctx context.Context) error {
	rows, err := s.reads.QueryContext(ctx, "PRAGMA integrity_check")
	if err != nil {
		return fmt.Errorf("sqlite: check: %w", err)
	}
	defer rows.Close()
	var errs []error
	for rows.Next() {
		var line string
		if err := rows.Scan(&line); err != nil {
			return fmt.Errorf("sqlite: check: %w", err)
		}
		if line != "ok" {
			errs = append(errs, fmt.Errorf("sqlite: %s: %s", s.path, line))
		}
	}
	return errors.Join(append(errs, rows.Err(), s.Store.Check(ctx))...)
}

// Compact gives the room of what was deleted back to the file system, and overwrites it.
// It takes as long as writing the file anew, and needs room for that; nobody can commit
// meanwhile.
func (s *Store) Compact(ctx context.Context) error {
	for _, text := range []string{"VACUUM", "PRAGMA wal_checkpoint(TRUNCATE)"} {
		if _, err := s.writes.ExecContext(ctx, text); err != nil {
			return fmt.Errorf("sqlite: compact %s: %w", s.path, err)
		}
	}
	return nil
}
