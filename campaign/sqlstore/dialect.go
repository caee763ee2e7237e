package sqlstore

import (
	"database/sql"
	"strings"
)

// Dialect has the differences between the databases.
type Dialect struct {
	blob, text string // types
	now        string // milliseconds since 1970, by the clock of the database
	lock       string // excludes other migrations; empty: the transaction does that
	numbered   bool   // parameters are $1 and not ?1
	prepare    bool   // statements are prepared by this package, not by the driver
	single     bool   // a commit is one statement
	external   bool   // large values can be stored without compression by the server

	// transaction is nil, or the options of transactions with several statements.
	transaction *sql.TxOptions
}

// The dialects.
var (
	SQLite = Dialect{blob: "BLOB", text: "TEXT", prepare: true,
		now: "CAST(unixepoch('subsec') * 1000 AS INTEGER)"}
	// PostgreSQL compares IDs by their bytes, independent of the language of the database.
	PostgreSQL = Dialect{blob: "bytea", text: `text COLLATE "C"`, numbered: true, single: true, external: true,
		lock: "SELECT pg_advisory_xact_lock(7423198530121)",
		now:  "CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)",
		// The default of a server or a role may be stricter. A statement that has waited for a lock would
		// then fail instead of reading the new row.
		transaction: &sql.TxOptions{Isolation: sql.LevelReadCommitted}}
)

// sql translates a statement of this package to the dialect.
func (d Dialect) sql(text string) string {
	text = strings.NewReplacer("{blob}", d.blob, "{text}", d.text, "{now}", d.now).Replace(text)
	if d.numbered {
		text = strings.ReplaceAll(text, "?", "$")
	}
	return text
}
