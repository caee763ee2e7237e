package sqlstore_test

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	_ "modernc.org/sqlite" // the driver "sqlite"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/sqlstore"
)

// dump makes a database of the statements in a file of testdata.
func dump(t *testing.T, file string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(t.TempDir(), "old.db"))
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	t.Cleanup(func() { _ = db.Close() })
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.ExecContext(t.Context(), string(text)); err != nil {
		t.Fatal(err)
	}
	return db
}

// TestDatabasesOfBefore: the tables of each version that there was, with campaigns in them, are
// brought up to date when they are opened, and the campaigns go on. Which submissions their
// entries answer is not known, and that is said: ST-08.
func TestDatabasesOfBefore(t *testing.T) {
	files, err := filepath.Glob("testdata/tables_*.sql")
	if err != nil || len(files) < 4 {
		t.Fatalf("%v, %v", files, err)
	}
	for _, file := range files {
		db := dump(t, file)
		for range 2 { // what is up to date stays
			s, err := sqlstore.New(t.Context(), db, sqlstore.SQLite, sqlstore.Options{})
			if err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			saved, err := s.Load(t.Context(), "mill")
			if err != nil || len(saved.Entries) < 1 || string(saved.Snapshot) != "snapshot 2" || saved.SnapshotVersion != 2 {
				t.Errorf("%s: %+v, %v", file, saved, err)
			}
			if e := saved.Entries[0]; e.Version != 3 || e.TurnID != "turn_0002" || string(e.Data) != "record 3" || e.Key != "" {
				t.Errorf("%s: %+v", file, e)
			}
			if err := s.Check(t.Context()); err != nil {
				t.Errorf("%s: %v", file, err)
			}
			posts, err := s.WithPosts(t.Context(), "", 10)
			if want := strings.HasSuffix(file, "tables_4.sql"); err != nil || (len(posts) == 1) != want {
				t.Errorf("%s: posts for %q, %v", file, posts, err)
			}
		}
		s, err := sqlstore.New(t.Context(), db, sqlstore.SQLite, sqlstore.Options{})
		if err != nil {
			t.Fatal(err)
		}
		entry := campaign.Entry{Version: 4, Kind: "turn", TurnID: "turn_0003", Key: strings.Repeat("a", 32), Data: []byte("record 4")}
		if err := s.Append(t.Context(), "mill", entry, nil); err != nil {
			t.Errorf("%s: %v", file, err)
		}
		version, unkeyed, err := s.Keyed(t.Context(), "mill", entry.Key)
		if version != 4 || unkeyed != 3 || err != nil {
			t.Errorf("%s: entry %d, %d without keys, %v", file, version, unkeyed, err)
		}
		entry.Version, entry.Key = 1, strings.Repeat("b", 32)
		if err := s.Append(t.Context(), "inn", entry, nil); err != nil {
			t.Errorf("%s: %v", file, err)
		}
		if version, unkeyed, err := s.Keyed(t.Context(), "inn", entry.Key); version != 1 || unkeyed != 0 || err != nil {
			t.Errorf("%s: entry %d, %d without keys, %v", file, version, unkeyed, err)
		}
	}
}

// TestKeysAreFoundByTheirIndexes: neither question about keys reads the records.
func TestKeysAreFoundByTheirIndexes(t *testing.T) {
	db := dump(t, "testdata/tables_1.sql")
	if _, err := sqlstore.New(t.Context(), db, sqlstore.SQLite, sqlstore.Options{}); err != nil {
		t.Fatal(err)
	}
	rows, err := db.QueryContext(t.Context(), "EXPLAIN QUERY PLAN "+sqlstore.KeyedText, "mill", strings.Repeat("a", 32))
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
	for _, want := range []string{"COVERING INDEX talewright_record_key (campaign=? AND key=?)", "INDEX talewright_record_unkeyed (campaign=?)"} {
		if !strings.Contains(plan.String(), want) {
			t.Errorf("no %s in\n%s", want, plan.String())
		}
	}
}
