package sqlstore

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/talewright/talewright/campaign"
)

// committer moves the head of a campaign and adds the record and the snapshot, all or nothing.
// commit returns false if the head is not the previous version.
type committer interface {
	commit(ctx context.Context, id, at string, e campaign.Entry, snapshot []byte) (bool, error)
}

// An entry without a campaign yet has no fence.
const (
	createText = `INSERT INTO talewright_campaign (id, head, created, updated)
		SELECT CAST(?1 AS text), CAST(?2 AS bigint), CAST(?3 AS text), CAST(?3 AS text) WHERE CAST(?4 AS bigint) = 0
		ON CONFLICT (id) DO NOTHING`
	// A head that is older than its log, for example from a backup, is set to the end of the log.
	advanceText = `UPDATE talewright_campaign SET head = ?2, updated = ?3
		WHERE id = ?1 AND deleted = 0 AND (CAST(?4 AS bigint) = 0 OR fence = ?4) AND (head = CAST(?2 AS bigint) - 1
			OR head < CAST(?2 AS bigint) - 1 AND CAST(?2 AS bigint) - 1 = (SELECT max(version) FROM talewright_record WHERE campaign = ?1))`
	putText  = `INSERT INTO talewright_record (campaign, version, kind, at, turn, data, key) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)`
	doneText = `DELETE FROM talewright_answer WHERE campaign = ?1`
	keepText = `INSERT INTO talewright_snapshot (campaign, version, data) VALUES (?1, ?2, ?3) ` + insteadText
	// There may be a snapshot of an entry that was lost.
	insteadText = `ON CONFLICT (campaign, version) DO UPDATE SET data = excluded.data`
	// Two snapshots are kept: the new one and the one before. Snapshots of lost entries are
	// deleted.
	thinText = `DELETE FROM talewright_snapshot WHERE campaign = ?1 AND (version > ?2 OR version <
		(SELECT max(version) FROM talewright_snapshot WHERE campaign = ?1 AND version < ?2))`
)

// statement is a query that runs many times.
type statement interface {
	QueryContext(ctx context.Context, args ...any) (*sql.Rows, error)
	ExecContext(ctx context.Context, args ...any) (sql.Result, error)
}

// prepare returns a statement of this package.
func prepare(ctx context.Context, db *sql.DB, d Dialect, text string) (statement, error) {
	if d.prepare {
		return db.PrepareContext(ctx, d.sql(text))
	}
	return direct{db, d.sql(text)}, nil
}

// direct is a statement that the driver prepares, or not, according to its configuration.
type direct struct {
	db   *sql.DB
	text string
}

func (s direct) QueryContext(ctx context.Context, args ...any) (*sql.Rows, error) {
	return s.db.QueryContext(ctx, s.text, args...)
}

func (s direct) ExecContext(ctx context.Context, args ...any) (sql.Result, error) {
	return s.db.ExecContext(ctx, s.text, args...)
}

// transaction commits with several statements. They are cheap if the database is in the same
// process.
type transaction struct {
	db                                           *sql.DB
	create, advance, put, take, done, keep, thin statement
}

func (t *transaction) commit(ctx context.Context, id, at string, e campaign.Entry, snapshot []byte) (bool, error) {
	tx, err := t.db.BeginTx(ctx, nil)
	if err != nil {
		return false, err
	}
	defer tx.Rollback() // does nothing after Commit
	run := func(s statement, args ...any) (int64, error) {
		result, err := tx.StmtContext(ctx, s.(*sql.Stmt)).ExecContext(ctx, args...)
		if err != nil {
			return 0, err
		}
		return result.RowsAffected()
	}
	move := t.advance
	if e.Version == 1 {
		move = t.create
	}
	if moved, err := run(move, id, e.Version, at, e.Fence); err != nil || moved == 0 {
		return false, err
	}
	if _, err := run(t.put, id, e.Version, e.Kind, at, e.TurnID, notNil(e.Data), e.Key); err != nil {
		return false, err
	}
	if e.Key != "" {
		if _, err := run(t.take, id, e.Key); err != nil {
			return false, err
		}
	}
	if e.Fence != 0 {
		if _, err := run(t.done, id); err != nil {
			return false, err
		}
	}
	if snapshot != nil {
		if _, err := run(t.keep, id, e.Version, snapshot); err != nil {
			return false, err
		}
		if _, err := run(t.thin, id, e.Version); err != nil {
			return false, err
		}
	}
	return true, tx.Commit()
}

func notNil(data []byte) []byte {
	if data == nil {
		return []byte{}
	}
	return data
}

// single commits with one statement, in one round trip.
type single struct {
	db *sql.DB
	// indexed by the kind of commit: create or advance, without or with a snapshot
	texts [2][2]string
}

func newSingle(db *sql.DB, d Dialect) *single {
	const put = `WITH moved AS (%s RETURNING id),
		put AS (INSERT INTO talewright_record (campaign, version, kind, at, turn, data, key)
			SELECT id, ?2, ?5, ?3, ?6, ?7, ?8 FROM moved),
		took AS (DELETE FROM talewright_inbox USING moved WHERE campaign = moved.id AND key = ?8 AND key <> ''),
		done AS (DELETE FROM talewright_answer USING moved WHERE campaign = moved.id AND CAST(?4 AS bigint) <> 0)`
	const keep = `, kept AS (INSERT INTO talewright_snapshot (campaign, version, data) SELECT id, ?2, ?9 FROM moved
		` + insteadText + `),
		thinned AS (DELETE FROM talewright_snapshot USING moved WHERE campaign = moved.id AND (version > ?2 OR version <
			(SELECT max(version) FROM talewright_snapshot WHERE campaign = ?1 AND version < ?2)))`
	const count = ` SELECT count(*) FROM moved`
	s := &single{db: db}
	for i, move := range []string{createText, advanceText} {
		for j, more := range []string{"", keep} {
			s.texts[i][j] = d.sql(fmt.Sprintf(put, move) + more + count)
		}
	}
	return s
}

func (s *single) commit(ctx context.Context, id, at string, e campaign.Entry, snapshot []byte) (bool, error) {
	args := []any{id, e.Version, at, e.Fence, e.Kind, e.TurnID, notNil(e.Data), e.Key}
	texts, text := s.texts[1], 0
	if e.Version == 1 {
		texts = s.texts[0]
	}
	if snapshot != nil {
		text, args = 1, append(args, snapshot)
	}
	var moved int
	err := s.db.QueryRowContext(ctx, texts[text], args...).Scan(&moved)
	return moved == 1, err
}
