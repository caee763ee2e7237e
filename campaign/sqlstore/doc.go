// Package sqlstore keeps campaigns in an SQL database: in a file of SQLite, or on a
// PostgreSQL server that any number of processes share.
//
// Most programs open one of them with the package that brings its driver:
//
//	store, err := sqlite.Open(ctx, "campaigns.db", sqlite.Options{})
//	store, err := postgres.Open(ctx, "postgres://user@host/games", postgres.Options{})
//
// A program that has a *sql.DB already, or prefers another driver, calls [New].
//
// # What is stored
//
// Six tables, which [New] creates:
//
//	talewright_campaign   id, head (the newest version), created, updated, deleted,
//	                      the lease: owner, fence, expires; posted (counts posts)
//	talewright_record     campaign, version, kind, at, turn, key, data
//	talewright_snapshot   campaign, version, data (the newest two)
//	talewright_answer     campaign, key, fence, data (of a model, until the commit)
//	talewright_inbox      campaign, seq, key, at, input, outcome (what waits to be played)
//	talewright_schema     version of these tables, and the oldest version that programs may know
//
// Times are texts in UTC, as 2026-01-02T03:04:05.000000006Z, or empty; expires is in
// milliseconds since 1970, by the clock of the database. data is what the
// library writes; kind, at and turn are for people who look into the database, and key, a hash,
// finds the turn of a submission that comes again.
//
// # New versions
//
// The tables have a version. A step to the next one that only adds to them is made by New, or by [Migrate] before
// the first process of the newer program starts: processes of both programs then run at the same time, and the older
// program can come back. After every other step older programs refuse to open the tables, with [ErrSchema]; only
// Migrate makes such a step.
//
// # Safety
//
// A commit moves the head of the campaign from the version before to its own, and adds
// the record and the snapshot, all at once. Who finds another head has lost the race.
// On SQLite that is one transaction, on PostgreSQL one statement in one round trip. No
// transaction is open between two calls, least of all while a model thinks.
//
// How safe an acknowledged commit is depends on the database: see the packages sqlite
// and postgres.
//
// A lease stands in the row of its campaign, which is what a commit changes: of a commit
// under a lease and somebody else's claim one comes first, and then the other sees it.
//
// # Errors
//
// Those of campaign.Store. A connection that is lost or refused, a server that shuts
// down or is too busy, a lock that is not given in time and a call that takes longer than
// [Options].Timeout are campaign.ErrUnavailable: try again. Everything else, such as a
// full disk or a missing right, is the error of the driver. An id that is no UTF-8 or has
// a zero byte in it is refused.
package sqlstore
