package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
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
	// Timeout ends a call that takes longer; 0 means 30 seconds.
	Timeout time.Duration
}

// Store is a [campaign.Store] in a file, and all that a [sqlstore.Store] is; it gives
// [follow.Notices] too. It is safe for concurrent use.
type Store struct {
	*sqlstore.Store
	writes, reads, leases *sql.DB
	path                  string
	notices               notices
}

// busy is how long a connection waits at most for one of another process that writes. It does
// not look at the context of the call meanwhile.
const busy = 10 * time.Second

// Open opens a file, which is created if it is not there, and brings its tables up to
// date. The folder must exist.
func Open(ctx context.Context, path string, o Options) (*Store, error) {
	if path == "" || strings.ContainsRune(path, 0) {
		return nil, errors.New("sqlite: the name of the file is missing")
	}
	full, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("sqlite: %w", err)
	}
	if o.Readers <= 0 {
		o.Readers = max(2, runtime.GOMAXPROCS(0))
	}
	s := &Store{path: full}
	wait := busy
	if o.Timeout > 0 {
		wait = min(wait, o.Timeout)
	}
	if s.writes, err = connect(full, wait, o.Relaxed, 1); err != nil {
		return nil, err
	}
	if s.reads, err = connect(full, wait, o.Relaxed, o.Readers); err != nil {
		return nil, errors.Join(err, s.writes.Close())
	}
	if s.leases, err = connect(full, wait, true, 1); err != nil {
		return nil, errors.Join(err, s.reads.Close(), s.writes.Close())
	}
	if s.notices.file, err = connect(full, wait, true, 1); err != nil {
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

func connect(path string, wait time.Duration, relaxed bool, connections int) (*sql.DB, error) {
	synchronous := "FULL"
	if relaxed {
		synchronous = "NORMAL"
	}
	query := url.Values{"_txlock": {"immediate"}, "_pragma": {
		fmt.Sprintf("busy_timeout(%d)", wait.Milliseconds()), "journal_mode(WAL)", "synchronous(" + synchronous + ")",
		"journal_size_limit(67108864)",
	}}
	name := filepath.ToSlash(path)
	if !strings.HasPrefix(name, "/") {
		name = "/" + name // C:/games on Windows
	}
	db, err := sql.Open("sqlite", "file://"+(&url.URL{Path: name}).EscapedPath()+"?"+query.Encode())
	if err != nil {
		return nil, fmt.Errorf("sqlite: open %s: %w", path, err)
	}
	db.SetMaxOpenConns(connections)
	db.SetMaxIdleConns(connections)
	return db, nil
}

// Close closes the file. Calls that run are ended with an error.
func (s *Store) Close() error {
	return errors.Join(s.notices.end(), s.leases.Close(), s.reads.Close(), s.writes.Close())
}
