package sqlite

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	driver "modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"

	"github.com/talewright/talewright/campaign"
)

// Backup writes the current state of the whole database to a new file. Campaigns may be played at
// the same time. The file appears complete or not at all, and is on the disk when Backup returns.
// An existing file with that name is replaced, unless it is in use: unless there is a second file
// with its name and -wal. That file would be applied to the backup.
func (s *Store) Backup(ctx context.Context, path string) (err error) {
	if _, err := os.Stat(path + "-wal"); err == nil {
		return fmt.Errorf("sqlite: backup to %s: it is open, or its last program was killed: choose a different name", path)
	}
	part := path + ".part"
	if err := os.Remove(part); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("sqlite: backup: %w", err) // left by a backup that was killed
	}
	defer func() {
		if err != nil {
			_ = os.Remove(part)
			err = fmt.Errorf("sqlite: backup to %s: %w", path, unavailable(err))
		}
	}()
	if _, err := s.reads.ExecContext(ctx, "VACUUM INTO ?", part); err != nil {
		return err
	}
	if err := syncFile(part, os.O_RDWR); err != nil { // SQLite leaves this to the caller
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

// Check verifies the file: its pages and indexes, and every log in it. It reads the whole file.
func (s *Store) Check(ctx context.Context) error {
	rows, err := s.reads.QueryContext(ctx, "PRAGMA integrity_check")
	if err != nil {
		return fmt.Errorf("sqlite: check: %w", unavailable(err))
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

// Compact returns the space of deleted data to the file system and overwrites that data. It takes
// as long as rewriting the file, and needs as much free space. No commit is possible meanwhile. The
// error is campaign.ErrUnavailable while a different process writes.
func (s *Store) Compact(ctx context.Context) error {
	for _, text := range []string{"VACUUM", "PRAGMA wal_checkpoint(TRUNCATE)"} {
		if _, err := s.writes.ExecContext(ctx, text); err != nil {
			return fmt.Errorf("sqlite: compact %s: %w", s.path, unavailable(err))
		}
	}
	return nil
}

// unavailable adds campaign.ErrUnavailable to the error of a lock that was not granted in time.
func unavailable(err error) error {
	if failed, ok := errors.AsType[*driver.Error](err); ok && failed.Code()&0xff == lib.SQLITE_BUSY {
		return fmt.Errorf("%w: %w", campaign.ErrUnavailable, err)
	}
	return err
}
