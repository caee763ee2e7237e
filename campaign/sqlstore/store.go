package sqlstore

import (
	"bytes"
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"iter"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/talewright/talewright/campaign"
)

// Options configure a store. The zero value suits most programs.
type Options struct {
	// Reads is a second connection pool, for reads; nil: the first pool is used. SQLite is fastest
	// with one connection that writes and several that read.
	Reads *sql.DB
	// Leases is a further connection pool, for leases and for model answers that are not committed
	// yet; nil: the first pool is used. A power cut may undo its writes. That is safe: a power cut
	// also ends every holder of a lease on that machine.
	Leases *sql.DB
	// Alone means that only one process at a time uses the database. The store then grants no
	// leases, see [campaign.Cluster].
	Alone bool
	// Timeout limits a call to the database; 0 means 30 seconds.
	Timeout time.Duration
	// Notices receives a notice for each write through the store; nil: a new board.
	Notices *campaign.NoticeBoard
}

// Store is a [campaign.Cluster] in a database. It is safe for concurrent use, also by several
// processes.
type Store struct {
	writes, reads, leases *sql.DB // see Options
	alone                 bool    // leases are switched off
	dialect               Dialect
	timeout               time.Duration // of a call to the database
	commit                committer
	selectPage            statement // of the entries of a log
	selectSnapshot        statement // the newest one of a campaign
	notices               *campaign.NoticeBoard
}

var _ campaign.Cluster = (*Store)(nil)

// New returns a store in a database. It creates the tables if they do not exist, and makes steps
// that only add to them. Older programs can still use the tables then. If any other step is
// necessary, the error is [ErrSchema], and [Migrate] makes the step. The caller owns the database
// and closes it after the last use of the store.
func New(ctx context.Context, db *sql.DB, d Dialect, o Options) (*Store, error) {
	s := &Store{
		writes: db, reads: cmp.Or(o.Reads, db), leases: cmp.Or(o.Leases, db), alone: o.Alone, dialect: d,
		timeout: cmp.Or(o.Timeout, 30*time.Second), notices: cmp.Or(o.Notices, &campaign.NoticeBoard{}),
	}
	if err := tables.open(ctx, db, d); err != nil { // it may take longer than the limit of a call
		return nil, wrapError(ctx, "open", err)
	}
	ctx, done := s.withTimeout(ctx)
	defer done()
	var err error
	prepared := func(db *sql.DB, text string) statement {
		stmt, prepareErr := prepare(ctx, db, d, text)
		err = errors.Join(err, prepareErr)
		return stmt
	}
	s.selectPage, s.selectSnapshot = prepared(s.reads, selectPageSQL), prepared(s.reads, newestSnapshotSQL)
	if d.single {
		s.commit = newOneStatement(db, d)
	} else {
		s.commit = &transaction{
			db: db, insertCampaign: prepared(db, insertCampaignSQL), advanceHead: prepared(db, advanceHeadSQL),
			insertRecord: prepared(db, insertRecordSQL), deletePost: prepared(db, deletePostSQL), deleteAnswers: prepared(db, deleteAnswersSQL), insertSnapshot: prepared(db, insertSnapshotSQL), deleteSnapshots: prepared(db, deleteSnapshotsSQL),
		}
	}
	if err != nil {
		return nil, wrapError(ctx, "prepare", err)
	}
	return s, nil
}

// Append implements [campaign.Store].
func (s *Store) Append(ctx context.Context, id string, entry campaign.Entry, snapshot []byte) error {
	at, err := timeText(entry.At)
	if err = errors.Join(err, checkID(id)); err != nil {
		return err
	}
	ctx, done := s.withTimeout(ctx)
	defer done()
	written := false
	if entry.Version >= 1 {
		err = untilSerialized(ctx, func() (err error) {
			written, err = s.commit.commit(ctx, id, at, entry, snapshot)
			return err
		})
	}
	if err != nil && !isDuplicateKey(err) {
		return wrapError(ctx, id, err)
	}
	if err == nil && written {
		return s.notify(id, nil)
	}
	return s.appendError(ctx, id, entry)
}

const selectEntrySQL = `SELECT c.deleted, c.head, c.fence, r.data FROM talewright_campaign c
	LEFT JOIN talewright_record r ON r.campaign = c.id AND r.version = ?2 WHERE c.id = ?1`

// appendError returns the reason why an entry was not written, or nil if the same entry is stored.
func (s *Store) appendError(ctx context.Context, id string, entry campaign.Entry) error {
	var deleted, head, fence int64
	var data []byte
	err := s.writes.QueryRowContext(ctx, s.dialect.sql(selectEntrySQL), id, entry.Version).Scan(&deleted, &head, &fence, &data)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		head = 0
	case err != nil:
		return wrapError(ctx, id, err)
	case deleted != 0:
		return fmt.Errorf("sqlstore: %q: %w", id, campaign.ErrDeleted)
	case data != nil && bytes.Equal(data, entry.Data):
		return nil
	case entry.Fence != 0 && entry.Fence != fence:
		return fmt.Errorf("sqlstore: %q: entry %d: %w", id, entry.Version, campaign.ErrLeaseLost)
	}
	return fmt.Errorf("sqlstore: %q: entry %d does not follow on %d: %w", id, entry.Version, head, campaign.ErrVersionConflict)
}

const newestSnapshotSQL = `SELECT c.deleted, s.version, s.data,
	(SELECT count(*) FROM talewright_record r WHERE r.campaign = c.id AND r.version = s.version) FROM talewright_campaign c
	LEFT JOIN talewright_snapshot s ON s.campaign = c.id WHERE c.id = ?1 ORDER BY s.version DESC LIMIT 1`

// Load implements [campaign.Store].
func (s *Store) Load(ctx context.Context, id string) (campaign.Saved, error) {
	saved, err := s.snapshot(ctx, id)
	if err != nil {
		return campaign.Saved{}, err
	}
	// The log only grows, so the entries that are read now follow the snapshot without a gap.
	for entry, err := range s.pages(ctx, id, saved.SnapshotVersion, pageSize) {
		if err != nil {
			return campaign.Saved{}, err
		}
		saved.Entries = append(saved.Entries, entry)
	}
	return saved, nil
}

// snapshot returns the newest snapshot, without entries.
func (s *Store) snapshot(ctx context.Context, id string) (saved campaign.Saved, err error) {
	if err := checkID(id); err != nil {
		return saved, err
	}
	ctx, done := s.withTimeout(ctx)
	defer done()
	rows, err := s.selectSnapshot.QueryContext(ctx, id)
	if err != nil {
		return saved, wrapError(ctx, id, err)
	}
	defer rows.Close()
	var deleted int64
	var version sql.NullInt64
	var records int64 // with the version of the snapshot: 1, or 0 if it was lost
	found := rows.Next()
	if found {
		err = rows.Scan(&deleted, &version, &saved.Snapshot, &records)
	}
	if err = errors.Join(err, rows.Err()); err != nil {
		return saved, wrapError(ctx, id, err)
	}
	saved.SnapshotVersion, saved.Cut = version.Int64, version.Valid && records == 0
	return saved, missing(id, found, deleted)
}

// firstPage and pageSize are the numbers of entries in the first page and in the largest page. A
// small first page keeps a search for one entry cheap. A whole page is read before it is yielded,
// so no connection is held while the caller works.
const (
	firstPage = 4
	pageSize  = 64
)

const selectPageSQL = `SELECT c.deleted, r.version, r.kind, r.at, r.turn, r.key, r.data FROM talewright_campaign c
	LEFT JOIN talewright_record r ON r.campaign = c.id AND r.version > ?2
	WHERE c.id = ?1 ORDER BY r.version LIMIT ?3`

// Records implements [campaign.Store]. It reads in pages.
func (s *Store) Records(ctx context.Context, id string, after int64) iter.Seq2[campaign.Entry, error] {
	return s.pages(ctx, id, after, firstPage)
}

// pages yields entries page by page. first is the size of the first page.
func (s *Store) pages(ctx context.Context, id string, after int64, first int) iter.Seq2[campaign.Entry, error] {
	return func(yield func(campaign.Entry, error) bool) {
		last := max(after, 0)
		for size := first; ; size = min(2*size, pageSize) {
			entries, err := s.entries(ctx, id, last, size)
			if err != nil {
				yield(campaign.Entry{}, err)
				return
			}
			for _, e := range entries {
				if !yield(e, nil) {
					return
				}
			}
			if len(entries) < size {
				return
			}
			last = entries[len(entries)-1].Version
		}
	}
}

// entries returns at most size entries after a version.
func (s *Store) entries(ctx context.Context, id string, after int64, size int) (out []campaign.Entry, err error) {
	if err := checkID(id); err != nil {
		return nil, err
	}
	ctx, done := s.withTimeout(ctx)
	defer done()
	rows, err := s.selectPage.QueryContext(ctx, id, after, int64(size))
	var deleted int64
	found := false
	err = eachRow(ctx, id, rows, err, func() error {
		var version sql.NullInt64
		var kind, at, turn, key sql.NullString
		var data []byte
		if err := rows.Scan(&deleted, &version, &kind, &at, &turn, &key, &data); err != nil {
			return err
		}
		if found = true; !version.Valid {
			return nil // the campaign has no entries after the version: the row has only the campaign
		}
		e := campaign.Entry{Version: version.Int64, Kind: kind.String, TurnID: turn.String, Key: key.String, Data: data}
		if e.At, err = readTime(at.String); err != nil {
			return fmt.Errorf("entry %d: %w", e.Version, err)
		}
		out = append(out, e)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, missing(id, found, deleted)
}

// eachRow calls scan for each row of a query that ended with err, and closes the rows. what names the query
// in errors.
func eachRow(ctx context.Context, what string, rows *sql.Rows, err error, scan func() error) error {
	if err != nil {
		return wrapError(ctx, what, err)
	}
	defer rows.Close()
	for rows.Next() {
		if err := scan(); err != nil {
			return wrapError(ctx, what, err)
		}
	}
	if err := rows.Err(); err != nil {
		return wrapError(ctx, what, err)
	}
	return nil
}

// An index alone answers the query.
const findKeySQL = `SELECT c.deleted,
	coalesce((SELECT min(version) FROM talewright_record WHERE campaign = ?1 AND key = ?2 AND key <> ''), 0)
	FROM talewright_campaign c WHERE c.id = ?1`

// Find implements [campaign.Store].
func (s *Store) Find(ctx context.Context, id, key string) (version int64, err error) {
	if err := errors.Join(checkID(id), checkID(key)); err != nil {
		return 0, err
	}
	ctx, done := s.withTimeout(ctx)
	defer done()
	var deleted int64
	err = s.reads.QueryRowContext(ctx, s.dialect.sql(findKeySQL), id, key).Scan(&deleted, &version)
	return version, rowError(ctx, id, err, deleted)
}

// change runs a statement and returns the number of rows that it changed.
func (s *Store) change(ctx context.Context, db *sql.DB, text string, args ...any) (changed int64, err error) {
	err = untilSerialized(ctx, func() error {
		result, err := db.ExecContext(ctx, s.dialect.sql(text), args...)
		if err != nil {
			return err
		}
		changed, err = result.RowsAffected()
		return err
	})
	return changed, err
}

// rowError returns the error of reading the row of a campaign: err, or the error for a campaign that is
// unknown or deleted.
func rowError(ctx context.Context, id string, err error, deleted int64) error {
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return wrapError(ctx, id, err)
	}
	return missing(id, err == nil, deleted)
}

// missing returns the error for a campaign that does not exist, and nil if it exists. found and deleted
// come from the row of the campaign.
func missing(id string, found bool, deleted int64) error {
	switch {
	case !found:
		return fmt.Errorf("sqlstore: %q: %w", id, campaign.ErrNotFound)
	case deleted != 0:
		return fmt.Errorf("sqlstore: %q: %w", id, campaign.ErrDeleted)
	}
	return nil
}

// checkID refuses IDs that some databases do not accept as text.
func checkID(id string) error {
	if !utf8.ValidString(id) || strings.ContainsRune(id, 0) {
		return fmt.Errorf("sqlstore: the id %q is not a text: it must be UTF-8 without zero bytes", id)
	}
	return nil
}

// timeLayout has a fixed number of digits, so that the order of the texts is the order of the times.
const timeLayout = "2006-01-02T15:04:05.000000000Z07:00"

// timeText returns a time in its stored form.
func timeText(t time.Time) (string, error) {
	if t.IsZero() {
		return "", nil
	}
	if t = t.UTC(); t.Year() < 0 || t.Year() > 9999 {
		return "", fmt.Errorf("sqlstore: the time %s has no four-digit year", t)
	}
	return t.Format(timeLayout), nil
}

// readTime reads the text of timeText. Older versions of it left out zeros at the end.
func readTime(text string) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	return time.Parse(time.RFC3339Nano, text)
}
