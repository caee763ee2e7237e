package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
)

// ErrSchema is returned by [New] for tables that this program cannot use as they are: they are newer than it can
// read, or older programs could not use them after a step that is missing. The error says which, and what to do.
var ErrSchema = errors.New("the tables have another version")

// step leads from one version of the tables to the next.
type step struct {
	// readable is the oldest version whose programs can use the tables after the step. After a step that only
	// adds it stays as it was.
	readable   int
	statements []string
}

// schema are the steps from no tables to the present ones. A released step is never changed: the next change is
// another step.
type schema []step

var tables = schema{{1, []string{
	// The lease is in the row of the campaign: writers and claims wait for each other there.
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
	// The codec compresses. A server that tries for each commit needs three times as long.
	onPostgreSQL + `ALTER TABLE talewright_record ALTER COLUMN data SET STORAGE EXTERNAL`,
	onPostgreSQL + `ALTER TABLE talewright_snapshot ALTER COLUMN data SET STORAGE EXTERNAL`,
}}}

// onPostgreSQL begins a statement that other databases have no use for.
const onPostgreSQL = "PostgreSQL: "

// Migrate creates the tables, or brings them up to date, for as long as ctx allows. It is for deployments: run it
// with the newer program before that is started. Programs of the version before can go on as long as a step only
// adds, as most do; they cannot after the others, and Migrate is then for when they have ended. Any number of
// processes may call it at once. Tables that are newer than this program are left as they are.
func Migrate(ctx context.Context, db *sql.DB, d Dialect) error {
	if err := tables.migrate(ctx, db, d); err != nil {
		return fmt.Errorf("sqlstore: migrate: %w", err)
	}
	return nil
}

// open looks whether the tables can be used, and makes the steps that do not concern other programs: those that
// create the tables, and those that only add.
func (s schema) open(ctx context.Context, db *sql.DB, d Dialect) error {
	have, readable, err := versions(ctx, db)
	switch {
	case err != nil || have == 0: // there are no tables
	case readable > len(s):
		return fmt.Errorf("%w: %d, which programs from version %d on can use, and this one knows %d: use a newer program",
			ErrSchema, have, readable, len(s))
	case have >= len(s): // no right to change tables is needed
		return nil
	case s.readable() > have:
		return fmt.Errorf("%w: %d, and this program needs %d: call Migrate after the older programs have ended", ErrSchema, have, len(s))
	}
	return s.migrate(ctx, db, d)
}

// readable is the oldest version whose programs can use the tables.
func (s schema) readable() int { return s[len(s)-1].readable }

func (s schema) migrate(ctx context.Context, db *sql.DB, d Dialect) error {
	if have, _, err := versions(ctx, db); err == nil && have >= len(s) {
		return nil
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() // does nothing after Commit
	if d.lock != "" {
		if _, err := tx.ExecContext(ctx, d.lock); err != nil {
			return err
		}
	}
	const own = `CREATE TABLE IF NOT EXISTS talewright_schema (version bigint NOT NULL, readable bigint NOT NULL)`
	if _, err := tx.ExecContext(ctx, own); err != nil {
		return err
	}
	have, _, err := versions(ctx, tx)
	if err != nil || have >= len(s) {
		return err
	}
	for i, next := range s[have:] {
		version := have + i + 1
		note := fmt.Sprintf(`INSERT INTO talewright_schema (version, readable) VALUES (%d, %d)`, version, next.readable)
		for _, statement := range append(next.statements[:len(next.statements):len(next.statements)], note) {
			text, only := strings.CutPrefix(statement, onPostgreSQL)
			if only && !d.external {
				continue
			}
			if _, err := tx.ExecContext(ctx, d.sql(text)); err != nil {
				return fmt.Errorf("version %d of the tables: %w", version, err)
			}
		}
	}
	return tx.Commit()
}

// versions returns the version of the tables, 0 for none, and the oldest version whose programs can use them.
func versions(ctx context.Context, db querier) (version, readable int, err error) {
	const text = `SELECT coalesce(max(version), 0), coalesce(max(readable), 0) FROM talewright_schema`
	err = db.QueryRowContext(ctx, text).Scan(&version, &readable)
	return version, readable, err
}
