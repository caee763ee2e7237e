package sqlstore

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
)

// migrations lead from each version of the tables to the next. What was released once is
// never changed: the next change is another step.
var migrations = [][]string{{
	`CREATE TABLE talewright_campaign (
		id      {text} NOT NULL PRIMARY KEY,
		head    bigint NOT NULL,
		created text NOT NULL,
		updated text NOT NULL,
		deleted smallint NOT NULL DEFAULT 0
	)`,
	`CREATE TABLE talewright_record (
		campaign {text} NOT NULL,
		version  bigint NOT NULL,
		kind     text NOT NULL,
		at       text NOT NULL,
		turn     text NOT NULL,
		data     {blob} NOT NULL,
		PRIMARY KEY (campaign, version)
	)`,
	`CREATE TABLE talewright_snapshot (
		campaign {text} NOT NULL,
		version  bigint NOT NULL,
		data     {blob} NOT NULL,
		PRIMARY KEY (campaign, version)
	)`,
}, { // who plays a campaign, in its row: who writes and who claims wait for each other there
	`ALTER TABLE talewright_campaign ADD COLUMN owner text NOT NULL DEFAULT ''`,
	`ALTER TABLE talewright_campaign ADD COLUMN fence bigint NOT NULL DEFAULT 0`,
	`ALTER TABLE talewright_campaign ADD COLUMN expires bigint NOT NULL DEFAULT 0`,
	`CREATE TABLE talewright_answer (
		campaign {text} NOT NULL,
		key      {text} NOT NULL,
		fence    bigint NOT NULL,
		data     {blob} NOT NULL,
		PRIMARY KEY (campaign, key)
	)`,
}, { // the submission that an entry answers; NULL: a program that knows nothing of it has written it
	`ALTER TABLE talewright_record ADD COLUMN key text`,
	`CREATE INDEX talewright_record_key ON talewright_record (campaign, key, version) WHERE key <> ''`,
	`CREATE INDEX talewright_record_unkeyed ON talewright_record (campaign, version) WHERE key IS NULL`,
}, { // what waits to be carried out, or did not lead to an entry
	`ALTER TABLE talewright_campaign ADD COLUMN posted bigint NOT NULL DEFAULT 0`,
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
}, { // it is for the codec to compress: a server that tries for each commit needs three times as long
	onPostgreSQL + `ALTER TABLE talewright_record ALTER COLUMN data SET STORAGE EXTERNAL`,
	onPostgreSQL + `ALTER TABLE talewright_snapshot ALTER COLUMN data SET STORAGE EXTERNAL`,
}}

// onPostgreSQL begins a step that other databases have no use for.
const onPostgreSQL = "PostgreSQL: "

// migrate brings the tables up to date. Any number of processes may do so at once.
func migrate(ctx context.Context, db *sql.DB, d Dialect) error {
	// Where nothing is to be done, no right to change tables is needed.
	if version, err := tables(ctx, db); err == nil && version == len(migrations) {
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
	if _, err := tx.ExecContext(ctx, `CREATE TABLE IF NOT EXISTS talewright_schema (version bigint NOT NULL)`); err != nil {
		return err
	}
	have, err := tables(ctx, tx)
	if err != nil {
		return err
	}
	if have > len(migrations) {
		return fmt.Errorf("the tables have version %d, and this program knows version %d: use a newer one", have, len(migrations))
	}
	for i, steps := range migrations[have:] {
		for _, step := range append(steps, fmt.Sprintf(`INSERT INTO talewright_schema (version) VALUES (%d)`, have+i+1)) {
			text, only := strings.CutPrefix(step, onPostgreSQL)
			if only && !d.external {
				continue
			}
			if _, err := tx.ExecContext(ctx, d.sql(text)); err != nil {
				return fmt.Errorf("version %d of the tables: %w", have+i+1, err)
			}
		}
	}
	return tx.Commit()
}

// tables returns the version of the tables, 0 for none.
func tables(ctx context.Context, db interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}) (version int, err error) {
	err = db.QueryRowContext(ctx, `SELECT coalesce(max(version), 0) FROM talewright_schema`).Scan(&version)
	return version, err
}
