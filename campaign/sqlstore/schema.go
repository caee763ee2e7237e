package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// ErrSchema is returned by [New] for tables that this program cannot use as they are. Either they
// are newer than it can read, or a step is missing after which older programs cannot use them. The
// error says which, and what to do.
var ErrSchema = errors.New("the tables have a different version")

// step changes the tables from one version to the next.
type step struct {
	// readable is the oldest version that can use the tables after the step. A step that only adds
	// to the tables does not change it.
	readable   int
	statements []string
}

// schema lists the steps from no tables to the current ones. A released step never changes: the
// next change is a new step.
type schema []step

var tables = schema{{1, []string{
	// The lease is in the row of the campaign, so writers and Acquire wait for each other there.
	`CREATE TABLE talewright_campaign (
		id      {text} NOT NULL PRIMARY KEY,
		head    bigint NOT NULL,
		created text NOT NULL,
		updated text NOT NULL,
		deleted smallint NOT NULL DEFAULT 0,
		owner   text NOT NULL DEFAULT '',
		fence   bigint NOT NULL DEFAULT 0,
		expires bigint NOT NULL DEFAULT 0,
		posted  bigint NOT NULL DEFAULT 0
	)`,
	`CREATE TABLE talewright_record (
		campaign {text} NOT NULL,
		version  bigint NOT NULL,
		kind     text NOT NULL,
		at       text NOT NULL,
		turn     text NOT NULL,
		key      text NOT NULL,
		data     {blob} NOT NULL,
		PRIMARY KEY (campaign, version)
	)`,
	`CREATE INDEX talewright_record_key ON talewright_record (campaign, key, version) WHERE key <> ''`,
	`CREATE TABLE talewright_snapshot (
		campaign {text} NOT NULL,
		version  bigint NOT NULL,
		data     {blob} NOT NULL,
		PRIMARY KEY (campaign, version)
	)`,
	`CREATE TABLE talewright_answer (
		campaign {text} NOT NULL,
		key      {text} NOT NULL,
		fence    bigint NOT NULL,
		data     {blob} NOT NULL,
		PRIMARY KEY (campaign, key)
	)`,
	`CREATE TABLE talewright_inbox (
		campaign {text} NOT NULL,
		seq      bigint NOT NULL,
		key      {text} NOT NULL,
		at       text NOT NULL,
		input    {blob} NOT NULL,
		outcome  {blob},
		PRIMARY KEY (campaign, seq),
		UNIQUE (campaign, key)
	)`,
	`CREATE INDEX talewright_inbox_waiting ON talewright_inbox (campaign, seq) WHERE outcome IS NULL`,
	// The codec compresses. If the server also tried to compress, a commit would take three times
	// as long.
	onPostgreSQL + `ALTER TABLE talewright_record ALTER COLUMN data SET STORAGE EXTERNAL`,
	onPostgreSQL + `ALTER TABLE talewright_snapshot ALTER COLUMN data SET STORAGE EXTERNAL`,
}}}

// onPostgreSQL marks a statement that only PostgreSQL runs.
const onPostgreSQL = "PostgreSQL: "

// Migrate creates the tables or updates them, limited only by ctx. Use it in deployments: run it
// with the newer program before that program starts. Most steps only add to the tables, and older
// programs can continue during and after them. For all other steps, end the older programs first.
// Any number of processes may call Migrate at the same time. It does not change tables that are
// newer than this program. A retry may succeed after campaign.ErrUnavailable.
func Migrate(ctx context.Context, db *sql.DB, d Dialect) error {
	anySteps := func(int, int) error { return nil }
	if err := tables.migrate(ctx, db, d, anySteps); err != nil {
		return wrapError(ctx, "migrate", err)
	}
	return nil
}

// open checks that the tables can be used. It makes only steps that do not affect other programs:
// creating the tables, and steps that only add to them.
func (s schema) open(ctx context.Context, db *sql.DB, d Dialect) error {
	return s.migrate(ctx, db, d, s.checkVersion)
}

// checkVersion returns [ErrSchema] for tables of version have that this program cannot use, or for
// which a step is missing that affects other programs. have is 0 if there are no tables.
func (s schema) checkVersion(have, readable int) error {
	switch {
	case readable > len(s):
		return fmt.Errorf("%w: %d, which programs from version %d on can use, and this one knows %d: use a newer program",
			ErrSchema, have, readable, len(s))
	case have > 0 && s[len(s)-1].readable > have:
		return fmt.Errorf("%w: %d, and this program needs %d: call Migrate after the older programs have ended", ErrSchema, have, len(s))
	}
	return nil
}

// migrate makes the steps that are missing, in one transaction. It makes no step if check returns an
// error for the version of the tables. A program that needs no step needs no permission to change
// tables.
func (s schema) migrate(ctx context.Context, db *sql.DB, d Dialect, check func(have, readable int) error) error {
	if have, readable, err := versions(ctx, db); err == nil && have > 0 { // the error may mean that there are no tables
		if err := check(have, readable); err != nil || have >= len(s) {
			return err
		}
	}
	tx, err := db.BeginTx(ctx, d.transaction)
	if err != nil {
		return err
	}
	defer tx.Rollback() // does nothing after Commit
	if d.lock != "" {
		if _, err := tx.ExecContext(ctx, d.lock); err != nil {
			return err
		}
	}
	const createVersions = `CREATE TABLE IF NOT EXISTS talewright_schema (version bigint NOT NULL, readable bigint NOT NULL)`
	if _, err := tx.ExecContext(ctx, createVersions); err != nil {
		return err
	}
	have, readable, err := versions(ctx, tx) // a different process may have made steps since
	if err == nil {
		err = check(have, readable)
	}
	if err != nil || have >= len(s) {
		return err
	}
	for i, next := range s[have:] {
		version := have + i + 1
		noteVersion := fmt.Sprintf(`INSERT INTO talewright_schema (version, readable) VALUES (%d, %d)`, version, next.readable)
		for _, statement := range append(slices.Clip(next.statements), noteVersion) {
			text, isPostgreSQL := strings.CutPrefix(statement, onPostgreSQL)
			if isPostgreSQL && !d.external {
				continue
			}
			if _, err := tx.ExecContext(ctx, d.sql(text)); err != nil {
				return fmt.Errorf("version %d of the tables: %w", version, err)
			}
		}
	}
	return tx.Commit()
}

// versions returns the version of the tables, 0 if there are none, and the oldest version that can
// use them.
func versions(ctx context.Context, db querier) (version, readable int, err error) {
	const text = `SELECT coalesce(max(version), 0), coalesce(max(readable), 0) FROM talewright_schema`
	err = db.QueryRowContext(ctx, text).Scan(&version, &readable)
	return version, readable, err
}
