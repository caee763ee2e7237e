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

	_ "modernc.org/sqlite" // the driver "sqlite"

	"github.com/talewright/talewright/campaign/sqlstore"
)

// Options are how a file is opened. The zero value is right for most.
type Options struct {
	// Relaxed syncs the disk at checkpoints only, which is several times as quick. A
	// power cut or a crash of the system may then lose the last commits, though it leaves
	// the file sound; the end of the process loses nothing.
	Relaxed bool
	// Readers is the number of connections that read beside the one that writes; 0 means
	// as many as there are processors, at least 2.
	Readers int
	// Lend lends campaigns to one process at a time (see campaign.Desk), where several play
	// those of one file. Without it they find out by the lost race of a commit; but then a
	// program that was killed and started again need not wait for its own lease.
	Lend bool
	// ReadOnly opens a file that is there to be read, as on a disk that cannot be written. Commits, and all else that
	// writes, are errors for good. A file that was not closed by its last writer needs that to be opened once
	// where it can be written.
	ReadOnly bool
	// Timeout ends a call that takes longer; 0 means 30 seconds.
	Timeout time.Duration
}

// Store is a [campaign.Store] in a file, and all that a [sqlstore.Store] is; it gives
// [campaign.Notices] too. It is safe for concurrent use.
type Store struct {
	*sqlstore.Store
	writes, reads, leases *sql.DB
	path                  string
	notices               notices
}

// busy is how long a connection waits at most for one of another process that writes. It does
// not look at the context of the call meanwhile.
const busy = 10 * time.Second

// Open opens a file, which is created if it is not there, with its tables; see [sqlstore.New] for those of another
// version. The folder must exist.
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
		f.query = readOnly(ctx, f)
	}
	if s.writes, err = f.connect(o.Relaxed, 1); err != nil {
		return nil, err
	}
	if s.reads, err = f.connect(o.Relaxed, o.Readers); err != nil {
		return nil, errors.Join(err, s.writes.Close())
	}
	if s.leases, err = f.connect(true, 1); err != nil {
		return nil, errors.Join(err, s.reads.Close(), s.writes.Close())
	}
	if s.notices.file, err = f.connect(true, 1); err != nil {
		return nil, errors.Join(err, s.leases.Close(), s.reads.Close(), s.writes.Close())
	}
	s.notices.closed, s.notices.close = context.WithCancel(context.Background())
	s.Store, err = sqlstore.New(ctx, s.writes, sqlstore.SQLite, sqlstore.Options{Reads: s.reads, Leases: s.leases,
		Alone: !o.Lend, Timeout: o.Timeout})
	if err != nil {
		return nil, errors.Join(fmt.Errorf("sqlite: open %s: %w", path, err), s.Close())
	}
	return s, nil
}

// Migrate is [sqlstore.Migrate] for a file, which is created if it is not there.
func Migrate(ctx context.Context, path string) error {
	full, err := absolute(path)
	if err != nil {
		return err
	}
	db, err := file{path: full, wait: busy}.connect(false, 1)
	if err != nil {
		return err
	}
	return errors.Join(sqlstore.Migrate(ctx, db, sqlstore.SQLite), db.Close())
}

func absolute(path string) (string, error) {
	if path == "" || strings.ContainsRune(path, 0) {
		return "", errors.New("sqlite: the name of the file is missing")
	}
	full, err := filepath.Abs(path)
	if err != nil {
		return "", fmt.Errorf("sqlite: %w", err)
	}
	return full, nil
}

// file is a file as it is opened.
type file struct {
	path  string
	wait  time.Duration
	query url.Values // of a file that is only read; else nil
}

// readOnly is how a file is opened that cannot be written. SQLite reads it like every other one where it can keep its
// locks beside it. Where it cannot, nobody can write the file, and no log of a writer may be left.
func readOnly(ctx context.Context, f file) url.Values {
	f.query = url.Values{"mode": {"ro"}}
	_, err := os.Stat(f.path + "-wal")
	if !errors.Is(err, os.ErrNotExist) {
		return f.query
	}
	db, err := f.connect(true, 1)
	if err == nil {
		err = errors.Join(db.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_schema").Scan(new(int)), db.Close())
	}
	if err != nil {
		f.query.Set("immutable", "1")
	}
	return f.query
}

func (f file) connect(relaxed bool, connections int) (*sql.DB, error) {
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
	db, err := sql.Open("sqlite", "file://"+(&url.URL{Path: name}).EscapedPath()+"?"+query.Encode())
	if err != nil {
		return nil, fmt.Errorf("sqlite: open %s: %w", f.path, err)
	}
	db.SetMaxOpenConns(connections)
	db.SetMaxIdleConns(connections)
	return db, nil
}

// Close closes the file. Calls that run are ended with an error.
func (s *Store) Close() error {
	return errors.Join(s.notices.end(), s.leases.Close(), s.reads.Close(), s.writes.Close())
}
