// Package sqlstore stores campaigns in an SQL database: in an SQLite file, or on a PostgreSQL
// server that any number of processes share.
//
// Most programs use the package that brings the driver:
//
//	store, err := sqlite.Open(ctx, "campaigns.db", sqlite.Options{})
//
// and
//
//	store, err := postgres.Open(ctx, "postgres://user@host/games", postgres.Options{})
//
// A program that already has a *sql.DB, or that uses a different driver, calls [New].
//
// # What is stored
//
// [New] creates six tables:
//
//	talewright_campaign   id, head (the newest version), created, updated, deleted,
//	                      the lease: owner, fence, expires; posted (counts posts)
//	talewright_record     campaign, version, kind, at, turn, key, data
//	talewright_snapshot   campaign, version, data (the newest two)
//	talewright_answer     campaign, key, fence, data (model answers until the commit)
//	talewright_inbox      campaign, seq, key, at, input, outcome (posts and their outcomes)
//	talewright_schema     version of these tables, and the oldest version that can still use them
//
// Times are texts in UTC, such as 2026-01-02T03:04:05.000000006Z, or empty. expires is in
// milliseconds since 1970, by the clock of the database. The library writes data. kind, at and turn
// are for people who inspect the database. key is a hash; it finds the turn of a repeated
// submission.
//
// # New versions
//
// The tables have a version. New makes a step to the next version if the step only adds to the
// tables. [Migrate] can make it earlier, before the first process of the newer program starts.
// Processes of both programs may then run at the same time, and a return to the older program is
// possible. After any other step, older programs refuse to open the tables, with [ErrSchema]. Only
// Migrate makes such a step.
//
// # Safety
//
// A commit moves the head of the campaign from the previous version to its own version. It also
// adds the record and the snapshot. All of this happens, or nothing. A commit that finds a
// different head has lost the race. On SQLite a commit is one transaction, on PostgreSQL one
// statement in one round trip. No transaction stays open between two calls, in particular not while
// a model runs.
//
// The database determines how durable an acknowledged commit is: see packages sqlite and postgres.
//
// The lease is in the row of its campaign, and a commit changes that row. So a commit under a lease
// and Acquire for a different owner run one after the other, and the second sees the result of the
// first.
//
// # Errors
//
// The errors are the errors of campaign.Store. A retry may succeed after campaign.ErrUnavailable.
// Its causes are a lost or refused connection, a server that shuts down or is too busy, a lock that
// was not granted in time, and a call that exceeds [Options].Timeout or a time limit of the server.
// All other errors come from the driver, such as a full disk or a missing permission. An ID that is
// not UTF-8 or contains a zero byte is refused.
package sqlstore
