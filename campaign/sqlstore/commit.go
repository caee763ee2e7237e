package sqlstore

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/talewright/talewright/campaign"
)

// committer writes an entry.
type committer interface {
	// commit sets the head of a campaign, writes the record and the snapshot, and deletes what the
	// entry has settled: all or nothing. at is the text of e.At. A nil snapshot is not written. commit
	// returns false if the head is not the previous version, or the fence is not valid.
	commit(ctx context.Context, id, at string, e campaign.Entry, snapshot []byte) (bool, error)
}

const (
	// The first entry of a campaign has no fence, because an unknown campaign cannot be leased.
	insertCampaignSQL = `INSERT INTO talewright_campaign (id, head, created, updated)
		SELECT CAST(?1 AS text), CAST(?2 AS bigint), CAST(?3 AS text), CAST(?3 AS text) WHERE CAST(?4 AS bigint) = 0
		ON CONFLICT (id) DO NOTHING`
	// A head that is older than its log, for example from a backup, is set to the end of the log.
	advanceHeadSQL = `UPDATE talewright_campaign SET head = ?2, updated = ?3
		WHERE id = ?1 AND deleted = 0 AND (CAST(?4 AS bigint) = 0 OR fence = ?4) AND (head = CAST(?2 AS bigint) - 1
			OR head < CAST(?2 AS bigint) - 1 AND CAST(?2 AS bigint) - 1 = (SELECT max(version) FROM talewright_record WHERE campaign = ?1))`
	insertRecordSQL   = `INSERT INTO talewright_record (campaign, version, kind, at, turn, data, key) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)`
	deleteAnswersSQL  = `DELETE FROM talewright_answer WHERE campaign = ?1`
	insertSnapshotSQL = `INSERT INTO talewright_snapshot (campaign, version, data) VALUES (?1, ?2, ?3) ` + replaceSnapshotSQL
	// There may be a snapshot of an entry that was lost.
	replaceSnapshotSQL = `ON CONFLICT (campaign, version) DO UPDATE SET data = excluded.data`
	// Two snapshots are kept: the new one and the one before. Snapshots of lost entries are
	// deleted.
	deleteSnapshotsSQL = `DELETE FROM talewright_snapshot WHERE campaign = ?1 AND (version > ?2 OR version <
		(SELECT max(version) FROM talewright_snapshot WHERE campaign = ?1 AND version < ?2))`
)

// statement is a query or a change that runs many times.
type statement interface {
	QueryContext(ctx context.Context, args ...any) (*sql.Rows, error)
	ExecContext(ctx context.Context, args ...any) (sql.Result, error)
}

// prepare returns a statement from its text.
func prepare(ctx context.Context, db *sql.DB, d Dialect, text string) (statement, error) {
	if d.prepare {
		return db.PrepareContext(ctx, d.sql(text))
	}
	return driverStatement{db, d.sql(text)}, nil
}

// driverStatement is a statement that the driver prepares, or not, according to its configuration.
type driverStatement struct {
	db   *sql.DB
	text string
}

func (s driverStatement) QueryContext(ctx context.Context, args ...any) (*sql.Rows, error) {
	return s.db.QueryContext(ctx, s.text, args...)
}

func (s driverStatement) ExecContext(ctx context.Context, args ...any) (sql.Result, error) {
	return s.db.ExecContext(ctx, s.text, args...)
}

// transaction commits with several statements. They are cheap if the database is in the same
// process.
type transaction struct {
	db                          *sql.DB
	insertCampaign, advanceHead statement // by ID, version, time and fence: one of them changes the head
	insertRecord                statement
	deletePost, deleteAnswers   statement
	insertSnapshot              statement
	deleteSnapshots             statement
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
	changeHead := t.advanceHead
	if e.Version == 1 {
		changeHead = t.insertCampaign
	}
	if changed, err := run(changeHead, id, e.Version, at, e.Fence); err != nil || changed == 0 {
		return false, err
	}
	if _, err := run(t.insertRecord, id, e.Version, e.Kind, at, e.TurnID, orEmpty(e.Data), e.Key); err != nil {
		return false, err
	}
	if e.Key != "" {
		if _, err := run(t.deletePost, id, e.Key); err != nil {
			return false, err
		}
	}
	if e.Fence != 0 {
		if _, err := run(t.deleteAnswers, id); err != nil {
			return false, err
		}
	}
	if snapshot != nil {
		if _, err := run(t.insertSnapshot, id, e.Version, snapshot); err != nil {
			return false, err
		}
		if _, err := run(t.deleteSnapshots, id, e.Version); err != nil {
			return false, err
		}
	}
	return true, tx.Commit()
}

// orEmpty returns data that is not nil, because nil is stored as NULL.
func orEmpty(data []byte) []byte {
	if data == nil {
		return []byte{}
	}
	return data
}

// oneStatement commits with one statement, in one round trip.
type oneStatement struct {
	db *sql.DB
	// statements are the four kinds of a commit. The first index is 0 for the first entry of a
	// campaign and 1 for any other. The second index is 1 with a snapshot.
	statements [2][2]string
}

// newOneStatement composes the statements. The row of the campaign is changed in the part "head". If
// it changes no row, the other parts change nothing.
func newOneStatement(db *sql.DB, d Dialect) *oneStatement {
	const write = `WITH head AS (%s RETURNING id),
		inserted AS (INSERT INTO talewright_record (campaign, version, kind, at, turn, data, key)
			SELECT id, ?2, ?5, ?3, ?6, ?7, ?8 FROM head),
		posts AS (DELETE FROM talewright_inbox USING head WHERE campaign = head.id AND key = ?8 AND key <> ''),
		answers AS (DELETE FROM talewright_answer USING head WHERE campaign = head.id AND CAST(?4 AS bigint) <> 0)`
	const withSnapshot = `, snapshots AS (INSERT INTO talewright_snapshot (campaign, version, data) SELECT id, ?2, ?9 FROM head
		` + replaceSnapshotSQL + `),
		deleted AS (DELETE FROM talewright_snapshot USING head WHERE campaign = head.id AND (version > ?2 OR version <
			(SELECT max(version) FROM talewright_snapshot WHERE campaign = ?1 AND version < ?2)))`
	const count = ` SELECT count(*) FROM head`
	s := &oneStatement{db: db}
	for i, changeHead := range []string{insertCampaignSQL, advanceHeadSQL} {
		for j, snapshot := range []string{"", withSnapshot} {
			s.statements[i][j] = d.sql(fmt.Sprintf(write, changeHead) + snapshot + count)
		}
	}
	return s
}

func (s *oneStatement) commit(ctx context.Context, id, at string, e campaign.Entry, snapshot []byte) (bool, error) {
	args := []any{id, e.Version, at, e.Fence, e.Kind, e.TurnID, orEmpty(e.Data), e.Key}
	statements := s.statements[1]
	if e.Version == 1 {
		statements = s.statements[0]
	}
	statement := statements[0]
	if snapshot != nil {
		statement, args = statements[1], append(args, snapshot)
	}
	var changed int
	err := s.db.QueryRowContext(ctx, statement, args...).Scan(&changed)
	return changed == 1, err
}
