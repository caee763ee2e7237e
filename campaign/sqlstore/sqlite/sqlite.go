package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	driver "modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/sqlstore"
)

// Options configure how a file is opened. The zero value suits most programs.
type Options struct {
	// Relaxed syncs the disk only at checkpoints, which is several times as fast. A power cut or a
	// crash of the system may then lose the last commits, but does not damage the file. The end of
	// the process loses nothing.
	Relaxed bool
	// Readers is the number of connections for reads, in addition to the one for writes. 0 means
	// the number of processors, at least 2.
	Readers int
	// Shared switches leases on, see campaign.Cluster: only one process at a time plays a campaign.
	// Use it if several processes play the campaigns of one file. Without it, such processes notice
	// each other only when a commit loses the race. On the other hand, a program that was killed and
	// restarted does not wait for its own lease.
	Shared bool
	// ReadOnly opens an existing file for reads, for example on a disk that cannot be written.
	// Commits and all other writes then return permanent errors. If the last writer did not close
	// the file, open it once where it can be written.
	ReadOnly bool
	// Timeout limits a call; 0 means 30 seconds.
	Timeout time.Duration
}

// Store is a [campaign.Cluster] in a file. It is safe for concurrent use.
type Store struct {
	*sqlstore.Store
	writes, reads, leases *sql.DB
	path                  string
	opened                os.FileInfo // of the file at path when it was opened
	notices               notices
}

// busy is the maximum time that a connection waits for a writer in a different process. It does not
// check the context of the call during that time.
const busy = 10 * time.Second

// Open opens a file. If the file does not exist, Open creates it with its tables. See
// [sqlstore.New] for tables of a different version. The folder must exist. Do not replace or remove
// the file while it is open: writes then return a permanent error.
func Open(ctx context.Context, path string, o Options) (*Store, error) {
	full, err := absolute(path)
	if err != nil {
		return nil, err
	}
	if o.Readers <= 0 {
		o.Readers = max(2, runtime.GOMAXPROCS(0))
	}
	s := &Store{path: full}
	f := file{path: full, wait: busy}
	if o.Timeout > 0 {
		f.wait = min(f.wait, o.Timeout)
	}
	if o.ReadOnly {
		if _, err := os.Stat(full); err != nil {
			return nil, fmt.Errorf("sqlite: open %s for reads: %w", path, err)
		}
		f.query = readOnlyQuery(ctx, f)
	}
	s.writes, s.reads = f.connect(o.Relaxed, 1), f.connect(o.Relaxed, o.Readers)
	s.leases, s.notices.file = f.connect(true, 1), f.connect(true, 1)
	s.notices.board = &campaign.NoticeBoard{}
	s.notices.closed, s.notices.close = context.WithCancel(context.Background())
	s.Store, err = sqlstore.New(ctx, s.writes, sqlstore.SQLite, sqlstore.Options{Reads: s.reads, Leases: s.leases,
		Alone: !o.Shared, Timeout: o.Timeout, Notices: s.notices.board})
	if failed, ok := errors.AsType[*driver.Error](err); ok && o.ReadOnly && failed.Code()&0xff == lib.SQLITE_READONLY {
		err = fmt.Errorf("its tables are missing or older than this program: open it once without ReadOnly: %w", err)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("sqlite: open %s: %w", path, err), s.Close())
	}
	if s.opened, err = os.Stat(full); err != nil {
		return nil, errors.Join(fmt.Errorf("sqlite: open: %w", err), s.Close())
	}
	return s, nil
}

// Migrate is [sqlstore.Migrate] for a file. If the file does not exist, it is created.
func Migrate(ctx context.Context, path string) error {
	full, err := absolute(path)
	if err != nil {
		return err
	}
	db := file{path: full, wait: busy}.connect(false, 1)
	if err := errors.Join(sqlstore.Migrate(ctx, db, sqlstore.SQLite), db.Close()); err != nil {
		return fmt.Errorf("sqlite: migrate %s: %w", path, err)
	}
	return nil
}

// absolute returns the absolute path of a file whose folder exists.
func absolute(path string) (string, error) {
	if path == "" || strings.ContainsRune(path, 0) {
		return "", errors.New("sqlite: the name of the file is missing")
	}
	full, err := filepath.Abs(path)
	if err != nil {
		return "", fmt.Errorf("sqlite: %w", err)
	}
	if _, err := os.Stat(filepath.Dir(full)); err != nil {
		return "", fmt.Errorf("sqlite: open %s: create its folder: %w", path, err)
	}
	return full, nil
}

// file describes how to open a file.
type file struct {
	path  string
	wait  time.Duration
	query url.Values // for a file that is only read; else nil
}

// readOnlyQuery returns the query to open a file that cannot be written. SQLite reads it like any other
// file if it can put its locks next to it. If it cannot, no process can write the file, and the
// file is opened as immutable. A file with a write-ahead log is never opened as immutable.
func readOnlyQuery(ctx context.Context, f file) url.Values {
	f.query = url.Values{"mode": {"ro"}}
	if _, err := os.Stat(f.path + "-wal"); !errors.Is(err, os.ErrNotExist) {
		return f.query
	}
	db := f.connect(true, 1)
	if errors.Join(db.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_schema").Scan(new(int)), db.Close()) != nil {
		f.query.Set("immutable", "1")
	}
	return f.query
}

// connect returns a pool of connections to the file, which opens it at the first use. A relaxed pool syncs
// the disk only at checkpoints.
func (f file) connect(relaxed bool, connections int) *sql.DB {
	synchronous := "FULL"
	if relaxed {
		synchronous = "NORMAL"
	}
	wait := fmt.Sprintf("busy_timeout(%d)", f.wait.Milliseconds())
	query := url.Values{"_txlock": {"immediate"}, "_pragma": {
		wait, "journal_mode(WAL)", "synchronous(" + synchronous + ")", "journal_size_limit(67108864)",
	}}
	if f.query != nil {
		query = maps.Clone(f.query)
		query["_pragma"] = []string{wait, "query_only(1)"}
	}
	name := filepath.ToSlash(f.path)
	if !strings.HasPrefix(name, "/") {
		name = "/" + name // C:/games on Windows
	}
	// The driver has no DriverContext, so an error could only be an unknown name of the driver.
	db, _ := sql.Open("sqlite", "file://"+(&url.URL{Path: name}).EscapedPath()+"?"+query.Encode())
	db.SetMaxOpenConns(connections)
	db.SetMaxIdleConns(connections)
	return db
}

// Append implements [campaign.Store].
func (s *Store) Append(ctx context.Context, id string, entry campaign.Entry, snapshot []byte) error {
	if err := s.checkFile(); err != nil {
		return err
	}
	return s.Store.Append(ctx, id, entry, snapshot)
}

// PutPost implements [campaign.Cluster].
func (s *Store) PutPost(ctx context.Context, id string, p campaign.InboxPost) (campaign.InboxPost, error) {
	if err := s.checkFile(); err != nil {
		return campaign.InboxPost{}, err
	}
	return s.Store.PutPost(ctx, id, p)
}

// Delete implements [campaign.Store]. The bytes stay in the file until [Store.Compact], and in
// backups.
func (s *Store) Delete(ctx context.Context, id string) error {
	if err := s.checkFile(); err != nil {
		return err
	}
	return s.Store.Delete(ctx, id)
}

// checkFile returns an error if the file was removed, or replaced by a different file. SQLite would
// write to the old file, which nobody can open any more, and would damage the new one.
func (s *Store) checkFile() error {
	now, err := os.Stat(s.path)
	if errors.Is(err, os.ErrNotExist) || err == nil && !os.SameFile(now, s.opened) {
		return fmt.Errorf("sqlite: %s was removed or replaced while it is open: end the program, then restore the file", s.path)
	}
	return nil
}

// Close closes the file. Running calls end with an error.
func (s *Store) Close() error {
	return errors.Join(s.notices.end(), s.leases.Close(), s.reads.Close(), s.writes.Close())
}
