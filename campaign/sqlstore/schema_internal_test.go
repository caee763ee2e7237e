package sqlstore

import (
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	_ "modernc.org/sqlite" // the driver "sqlite"

	"github.com/talewright/talewright/campaign"
)

func database(t *testing.T) *sql.DB {
	t.Helper()
	return databaseAt(t, filepath.Join(t.TempDir(), "a.db"))
}

func databaseAt(t *testing.T, path string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path+"?_txlock=immediate&_pragma=busy_timeout(10000)&_pragma=journal_mode(WAL)")
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	t.Cleanup(func() { _ = db.Close() })
	return db
}

func newStore(t *testing.T) (*Store, *sql.DB) {
	t.Helper()
	db := database(t)
	s, err := New(t.Context(), db, SQLite, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s, db
}

func put(t *testing.T, s *Store, id string, versions ...int64) {
	t.Helper()
	for _, v := range versions {
		e := campaign.Entry{Version: v, Kind: "turn", At: time.Unix(v, 0).UTC(), Data: fmt.Appendf(nil, "record %d", v)}
		if err := s.Append(t.Context(), id, e, []byte("whole")); err != nil {
			t.Fatal(err)
		}
	}
}

// anyVersion lets migrate make all steps, like Migrate.
func anyVersion(int, int) error { return nil }

// TestTablesMadeMeanwhile checks that the version is judged again under the lock: a different process
// may make tables after the first look, and the first look may fail.
func TestTablesMadeMeanwhile(t *testing.T) {
	t.Parallel()
	program := schema{{1, []string{`CREATE TABLE a (x bigint)`}}, {2, []string{`DROP TABLE a`}}}
	const made = `CREATE TABLE talewright_schema (version bigint NOT NULL, readable bigint NOT NULL);
		CREATE TABLE a (x bigint); INSERT INTO talewright_schema VALUES (%d, %d)`
	for _, c := range []struct {
		version, readable int
		want              string
	}{{1, 1, "call Migrate"}, {99, 99, "use a newer program"}, {99, 1, ""}} {
		db, meanwhile := database(t), SQLite
		meanwhile.lock = fmt.Sprintf(made, c.version, c.readable) // runs between the first look and the steps
		err := program.open(t.Context(), db, meanwhile)
		if (err == nil) != (c.want == "") || err != nil && (!errors.Is(err, ErrSchema) || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("version %d: %v, want %q", c.version, err, c.want)
		}
	}
}

// TestMigrateWaits checks that Migrate reports a locked database as temporary.
func TestMigrateWaits(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a.db")
	tx, err := databaseAt(t, path).BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback()
	db := databaseAt(t, path)
	if _, err := db.ExecContext(t.Context(), "PRAGMA busy_timeout = 0"); err != nil {
		t.Fatal(err)
	}
	if err := Migrate(t.Context(), db, SQLite); !errors.Is(err, campaign.ErrUnavailable) {
		t.Errorf("got %v, want ErrUnavailable", err)
	}
}

// TestTablesOfOtherVersions checks the steps between versions. A step that only adds is made when
// the store is opened, and older programs can continue. Every other step is made only by Migrate,
// and older programs then report that they are too old (ST-08).
func TestTablesOfOtherVersions(t *testing.T) {
	t.Parallel()
	first := schema{{1, []string{`CREATE TABLE a (x bigint)`}}}
	adds := append(first[:1:1], step{1, []string{`ALTER TABLE a ADD COLUMN y bigint`}})
	drops := append(adds[:2:2], step{3, []string{`ALTER TABLE a DROP COLUMN x`}})
	broken := append(drops[:3:3], step{3, []string{`ALTER TABLE a ADD COLUMN z bigint`, `no statement`}})
	ctx, db := t.Context(), database(t)
	version := func(want int) {
		t.Helper()
		if have, _, err := versions(ctx, db); have != want || err != nil {
			t.Fatalf("version %d, %v, want %d", have, err, want)
		}
	}
	open := func(program schema, want string) {
		t.Helper()
		err := program.open(ctx, db, SQLite)
		if (err == nil) != (want == "") || err != nil && (!errors.Is(err, ErrSchema) || !strings.Contains(err.Error(), want)) {
			t.Fatalf("a program that knows %d: %v, want %q", len(program), err, want)
		}
	}
	open(first, "")
	version(1)
	open(drops, "call Migrate")
	version(1)
	open(adds, "")
	version(2)
	open(first, "") // a rolling deployment
	open(drops, "call Migrate")
	for range 2 {
		if err := drops.migrate(ctx, db, SQLite, anyVersion); err != nil {
			t.Fatal(err)
		}
		version(3)
	}
	open(drops, "")
	open(first, "use a newer program")
	open(adds, "use a newer program")
	if err := first.migrate(ctx, db, SQLite, anyVersion); err != nil {
		t.Errorf("an older program migrates: %v", err)
	}
	version(3)
	if err := broken.migrate(ctx, db, SQLite, anyVersion); err == nil || !strings.Contains(err.Error(), "version 4 of the tables") {
		t.Errorf("a broken step: %v", err)
	}
	version(3) // nothing of it remains
	if _, err := db.ExecContext(ctx, `SELECT z FROM a`); err == nil {
		t.Error("half of a step was made")
	}
}

// TestNewerTables checks the errors for tables that a store of this version cannot use.
func TestNewerTables(t *testing.T) {
	t.Parallel()
	_, db := newStore(t)
	if err := Migrate(t.Context(), db, SQLite); err != nil {
		t.Fatal(err)
	}
	for readable, want := range map[int]error{1: nil, 99: ErrSchema} {
		if _, err := db.ExecContext(t.Context(), `INSERT INTO talewright_schema VALUES (99, ?1)`, readable); err != nil {
			t.Fatal(err)
		}
		if _, err := New(t.Context(), db, SQLite, Options{}); readable == 1 && err != nil {
			t.Errorf("tables with additions: %v", err)
		} else if readable == 99 && !errors.Is(err, want) {
			t.Errorf("tables of another form: %v", err)
		}
		if _, err := db.ExecContext(t.Context(), `DELETE FROM talewright_schema WHERE version = 99`); err != nil {
			t.Fatal(err)
		}
	}
}

// TestKeysAreFoundByTheirIndex checks that the query for a key does not read the records.
func TestKeysAreFoundByTheirIndex(t *testing.T) {
	t.Parallel()
	_, db := newStore(t)
	rows, err := db.QueryContext(t.Context(), "EXPLAIN QUERY PLAN "+findKeySQL, "mill", strings.Repeat("a", 32))
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var plan strings.Builder
	for rows.Next() {
		var id, parent, unused int
		var detail string
		if err := rows.Scan(&id, &parent, &unused, &detail); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintln(&plan, detail)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	if want := "COVERING INDEX talewright_record_key (campaign=? AND key=?)"; !strings.Contains(plan.String(), want) {
		t.Errorf("no %s in\n%s", want, plan.String())
	}
}

// TestHeadBehindItsLog checks that the log wins if the row of a campaign is older, and the campaign
// continues. A head after the end of its log stays an error, because entries are missing.
func TestHeadBehindItsLog(t *testing.T) {
	t.Parallel()
	s, db := newStore(t)
	put(t, s, "mill", 1, 2, 3)
	set := func(head int) {
		t.Helper()
		if _, err := db.ExecContext(t.Context(), `UPDATE talewright_campaign SET head = ?1`, head); err != nil {
			t.Fatal(err)
		}
	}
	set(1)
	if err := s.Check(t.Context()); err == nil || !strings.Contains(err.Error(), `"mill" has head 1, and 3 records up to 3`) {
		t.Errorf("check: %v", err)
	}
	for _, wrong := range []int64{2, 3, 5} {
		e := campaign.Entry{Version: wrong, Kind: "turn", Data: []byte("another")}
		if err := s.Append(t.Context(), "mill", e, nil); !errors.Is(err, campaign.ErrVersionConflict) {
			t.Errorf("entry %d: %v", wrong, err)
		}
	}
	put(t, s, "mill", 4)
	if err := s.Check(t.Context()); err != nil {
		t.Errorf("after an entry: %v", err)
	}
	set(7)
	e := campaign.Entry{Version: 5, Kind: "turn", Data: []byte("record 5")}
	if err := s.Append(t.Context(), "mill", e, nil); !errors.Is(err, campaign.ErrVersionConflict) {
		t.Errorf("after a lost end: %v", err)
	}
}

// TestCheckFindsOrphans checks that data of a campaign without a row is reported.
func TestCheckFindsOrphans(t *testing.T) {
	t.Parallel()
	s, db := newStore(t)
	put(t, s, "mill", 1, 2)
	if _, err := s.PutPost(t.Context(), "mill", campaign.InboxPost{Key: "a"}); err != nil {
		t.Fatal(err)
	}
	if err := s.Check(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := db.ExecContext(t.Context(), `DELETE FROM talewright_campaign`); err != nil {
		t.Fatal(err)
	}
	if err := s.Append(t.Context(), "mill", campaign.Entry{Version: 1, Data: []byte("new")}, nil); !errors.Is(err, campaign.ErrVersionConflict) {
		t.Errorf("another campaign in its place: %v", err)
	}
	err := s.Check(t.Context())
	for _, want := range []string{`"mill" has 2 records up to 2 and no row`, `2 snapshots up to 2`, `1 posts up to 1`} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("no %q in %v", want, err)
		}
	}
}

// TestStats checks that ended leases, finished posts and deleted campaigns are not counted.
func TestStats(t *testing.T) {
	t.Parallel()
	s, db := newStore(t)
	want := func(want campaign.Stats) {
		t.Helper()
		if got, err := s.Stats(t.Context()); err != nil || got != want {
			t.Errorf("%+v, %v, want %+v", got, err, want)
		}
	}
	want(campaign.Stats{})
	put(t, s, "a", 1)
	put(t, s, "b", 1)
	put(t, s, "gone", 1)
	at := time.Unix(100, 0).UTC()
	for i, id := range []string{"a", "a", "b"} {
		if _, err := s.PutPost(t.Context(), id, campaign.InboxPost{Key: fmt.Sprint("k", i), At: at.Add(time.Duration(i) * time.Minute)}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.Acquire(t.Context(), "a", "x", time.Hour); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Acquire(t.Context(), "b", "x", time.Hour); err != nil {
		t.Fatal(err)
	}
	err := errors.Join(s.FinishPost(t.Context(), "a", 0, "k0", []byte("x")), s.Delete(t.Context(), "gone"))
	if _, err2 := db.ExecContext(t.Context(), `UPDATE talewright_campaign SET expires = 1 WHERE id = 'b'`); errors.Join(err, err2) != nil {
		t.Fatal(err, err2)
	}
	want(campaign.Stats{Campaigns: 2, Leases: 1, Posts: 2, Inboxes: 2, Oldest: at.Add(time.Minute)})
}
