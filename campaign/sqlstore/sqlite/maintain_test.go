package sqlite_test

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/sqlstore/sqlite"
)

func entry(version int64, data string) campaign.Entry {
	return campaign.Entry{Version: version, Kind: "turn", Data: []byte(data)}
}

// fill appends records of a kilobyte.
func fill(t testing.TB, s *sqlite.Store, id string, n int64) {
	t.Helper()
	for v := int64(1); v <= n; v++ {
		if err := s.Append(t.Context(), id, entry(v, strings.Repeat("x", 1000)), nil); err != nil {
			t.Fatal(err)
		}
	}
}

// raw opens the file without the store.
func raw(t testing.TB, path string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	t.Cleanup(func() { _ = db.Close() })
	return db
}

func exec(t testing.TB, db *sql.DB, text string) {
	t.Helper()
	if _, err := db.ExecContext(t.Context(), text); err != nil {
		t.Fatal(err)
	}
}

// TestBackupWhileWriting checks that a backup during writes is a consistent store that can be
// played. A backup that fails leaves no file.
func TestBackupWhileWriting(t *testing.T) {
	folder := t.TempDir()
	s := open(t, filepath.Join(folder, "live.db"), sqlite.Options{})
	fill(t, s, "a", 20)
	stop := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		for v := int64(1); ; v++ {
			select {
			case <-stop:
				return
			default:
			}
			if err := s.Append(t.Context(), "b", entry(v, "b"), nil); err != nil {
				t.Error(err)
				return
			}
		}
	})
	path := filepath.Join(folder, "copy.db")
	for range 3 { // also over the previous backup
		if err := s.Backup(t.Context(), path); err != nil {
			t.Fatal(err)
		}
		restored := open(t, path, sqlite.Options{})
		if err := restored.Check(t.Context()); err != nil {
			t.Error(err)
		}
		if saved, err := restored.Load(t.Context(), "a"); err != nil || len(saved.Entries) != 20 {
			t.Errorf("%d entries, %v", len(saved.Entries), err)
		}
		if err := restored.Append(t.Context(), "a", entry(21, "x"), nil); err != nil {
			t.Error(err)
		}
		if err := restored.Close(); err != nil {
			t.Fatal(err)
		}
	}
	close(stop)
	wg.Wait()
	if err := s.Backup(t.Context(), filepath.Join(folder, "nowhere", "copy.db")); err == nil {
		t.Error("a backup into a folder that is not there")
	}
	if left, _ := filepath.Glob(filepath.Join(folder, "*.part")); left != nil {
		t.Errorf("left behind: %v", left)
	}
}

// TestBackupOntoAFileInUse checks that a backup does not replace a file with a write-ahead log: the
// live file, or a file whose last program was killed. The log would damage the backup.
func TestBackupOntoAFileInUse(t *testing.T) {
	folder := t.TempDir()
	live, killed := filepath.Join(folder, "live.db"), filepath.Join(folder, "killed.db")
	s, other := open(t, live, sqlite.Options{}), open(t, killed, sqlite.Options{})
	fill(t, s, "a", 3)
	fill(t, other, "b", 3)
	for _, path := range []string{live, killed} {
		if err := s.Backup(t.Context(), path); err == nil || !strings.Contains(err.Error(), "choose a different name") {
			t.Errorf("%s: %v", path, err)
		}
	}
	for id, s := range map[string]*sqlite.Store{"a": s, "b": other} {
		if err := errors.Join(s.Append(t.Context(), id, entry(4, "x"), nil), s.Check(t.Context())); err != nil {
			t.Error(err)
		}
	}
}

// TestFileReplacedUnderneath checks that nothing is acknowledged that nobody can read again. Reads
// continue.
func TestFileReplacedUnderneath(t *testing.T) {
	for what, replace := range map[string]func(path string) error{
		"removed": os.Remove,
		"moved":   func(path string) error { return os.Rename(path, path+".old") },
		"replaced": func(path string) error {
			return errors.Join(os.WriteFile(path+".new", nil, 0o600), os.Rename(path+".new", path))
		},
	} {
		t.Run(what, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "a.db")
			s := open(t, path, sqlite.Options{})
			fill(t, s, "a", 3)
			if err := replace(path); err != nil {
				if runtime.GOOS == "windows" {
					t.Skip("Windows keeps programs from removing or replacing an open file")
				}
				t.Fatal(err)
			}
			_, posted := s.PutPost(t.Context(), "a", campaign.InboxPost{Key: "k", Data: []byte("x")})
			for _, err := range []error{s.Append(t.Context(), "a", entry(4, "x"), nil), posted, s.Delete(t.Context(), "a")} {
				if err == nil || errors.Is(err, campaign.ErrUnavailable) || !strings.Contains(err.Error(), path+" was removed or replaced") {
					t.Errorf("got %v", err)
				}
			}
			if saved, err := s.Load(t.Context(), "a"); err != nil || len(saved.Entries) != 3 {
				t.Errorf("%d entries, %v", len(saved.Entries), err)
			}
		})
	}
}

// TestCompactWhileLocked checks that maintenance reports a lock of a different process as temporary.
func TestCompactWhileLocked(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.db")
	s := open(t, path, sqlite.Options{Timeout: 10 * time.Millisecond})
	exec(t, raw(t, path), "BEGIN IMMEDIATE")
	if err := s.Compact(t.Context()); !errors.Is(err, campaign.ErrUnavailable) {
		t.Errorf("got %v, want ErrUnavailable", err)
	}
}

// TestCheckFindsDamage checks that a missing record, a wrong head and broken pages are reported
// with their campaign or page.
func TestCheckFindsDamage(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"a record is missing", "DELETE FROM talewright_record WHERE version = 2", `"a" has head 3, and 2 records up to 3`},
		{"the end is missing", "DELETE FROM talewright_record WHERE version = 3", `"a" has head 3, and 2 records up to 2`},
		{"the head is behind", "UPDATE talewright_campaign SET head = 2", `"a" has head 2, and 3 records up to 3`},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "a.db")
			s := open(t, path, sqlite.Options{})
			fill(t, s, "a", 3)
			if err := s.Check(t.Context()); err != nil {
				t.Fatal(err)
			}
			exec(t, raw(t, path), c.text)
			if err := s.Check(t.Context()); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %s", err, c.want)
			}
		})
	}
	path := filepath.Join(t.TempDir(), "a.db")
	s := open(t, path, sqlite.Options{})
	fill(t, s, "a", 200)
	if err := errors.Join(s.Compact(t.Context()), s.Close()); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	copy(data[len(data)/2:], bytes.Repeat([]byte{0xff}, 8192))
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := open(t, path, sqlite.Options{}).Check(t.Context()); err == nil {
		t.Error("broken pages are not found")
	}
}

// TestCompactGivesBack checks that deleted data is removed from the file, and that its space is
// freed.
func TestCompactGivesBack(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.db")
	s := open(t, path, sqlite.Options{})
	fill(t, s, "a", 1)
	for v := int64(1); v <= 300; v++ {
		if err := s.Append(t.Context(), "b", entry(v, strings.Repeat("a secret of b ", 100)), nil); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(s.Compact(t.Context())); err != nil {
		t.Fatal(err)
	}
	before := size(t, path)
	if err := errors.Join(s.Delete(t.Context(), "b"), s.Compact(t.Context()), s.Check(t.Context())); err != nil {
		t.Fatal(err)
	}
	if after := size(t, path); after > before/4 {
		t.Errorf("%d bytes, and %d after the deletion", before, after)
	}
	for _, name := range []string{path, path + "-wal"} {
		if data, err := os.ReadFile(name); err == nil && bytes.Contains(data, []byte("a secret of b")) {
			t.Errorf("%s still has it", name)
		}
	}
	if saved, err := s.Load(t.Context(), "a"); err != nil || len(saved.Entries) != 1 {
		t.Errorf("%d entries, %v", len(saved.Entries), err)
	}
}

func size(t testing.TB, path string) int64 {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}

// TestOpenRefuses checks that files that cannot be opened are named and not changed.
func TestOpenRefuses(t *testing.T) {
	folder := t.TempDir()
	text := filepath.Join(folder, "notes.txt")
	if err := os.WriteFile(text, []byte(strings.Repeat("no database\n", 100)), 0o600); err != nil {
		t.Fatal(err)
	}
	newer := filepath.Join(folder, "newer.db")
	if err := open(t, newer, sqlite.Options{}).Close(); err != nil {
		t.Fatal(err)
	}
	exec(t, raw(t, newer), "INSERT INTO talewright_schema (version, readable) VALUES (99, 99)")
	empty := filepath.Join(folder, "empty.db")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	const reads = true
	for _, c := range []struct {
		reason, path, want string
		readOnly           bool
	}{
		{"no name", "", "the name of the file is missing", !reads},
		{"no folder", filepath.Join(folder, "nowhere", "a.db"), "create its folder: ", !reads},
		{"a folder", folder, "unable to open database file", !reads},
		{"another file", text, "file is not a database", !reads},
		{"tables of a newer version", newer, "the tables have a different version: 99", !reads},
		{"no file to read", filepath.Join(folder, "none.db"), "for reads: ", reads},
		{"an empty file to read", empty, "its tables are missing or older than this program: open it once without ReadOnly", reads},
		{"another file to read", text, "file is not a database", reads},
	} {
		s, err := sqlite.Open(t.Context(), c.path, sqlite.Options{ReadOnly: c.readOnly})
		if err == nil {
			_ = s.Close()
		}
		if err == nil || !strings.Contains(err.Error(), c.want) || errors.Is(err, campaign.ErrUnavailable) {
			t.Errorf("%s: %v, want %q", c.reason, err, c.want)
		}
	}
	path := filepath.Join(folder, "nowhere", "a.db")
	if err := sqlite.Migrate(t.Context(), path); !errors.Is(err, os.ErrNotExist) || !strings.Contains(err.Error(), path) {
		t.Errorf("tables of no folder: %v", err)
	}
	if data, err := os.ReadFile(text); err != nil || !bytes.HasPrefix(data, []byte("no database")) {
		t.Errorf("the file was changed: %v", err)
	}
}

// TestOpenAtOnce checks that many concurrent calls of Open for a new file all succeed.
func TestOpenAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.db")
	var wg sync.WaitGroup
	for i := range 6 {
		wg.Go(func() {
			s, err := sqlite.Open(t.Context(), path, sqlite.Options{})
			if err != nil {
				t.Error(err)
				return
			}
			err = s.Append(t.Context(), fmt.Sprint("campaign", i), entry(1, "x"), nil)
			if err := errors.Join(err, s.Close()); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if listed, err := open(t, path, sqlite.Options{}).List(t.Context(), campaign.Page{}); err != nil || len(listed) != 6 {
		t.Errorf("%d campaigns, %v", len(listed), err)
	}
}

// TestLockOfAnother checks that a commit fails with ErrUnavailable after its timeout while a
// different program locks the file. Reads continue, and writes succeed later.
// (TestSettingsOfConnections checks that the commit waits no longer for the lock.)
func TestLockOfAnother(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.db")
	patient := open(t, path, sqlite.Options{})
	fill(t, patient, "a", 1)
	post := campaign.InboxPost{Key: "k", At: time.Unix(1, 0), Data: []byte("x")}
	if _, err := patient.PutPost(t.Context(), "a", post); err != nil {
		t.Fatal(err)
	}
	// again repeats a call that may take longer than the timeout of s on a busy machine.
	again := func(call func() error) {
		t.Helper()
		err := call()
		for errors.Is(err, campaign.ErrUnavailable) {
			err = call()
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	var s *sqlite.Store
	again(func() (err error) {
		s, err = sqlite.Open(t.Context(), path, sqlite.Options{Timeout: 300 * time.Millisecond})
		return err
	})
	defer s.Close()
	other := raw(t, path)
	exec(t, other, "BEGIN IMMEDIATE")
	if err := s.Append(t.Context(), "a", entry(2, "x"), nil); !errors.Is(err, campaign.ErrUnavailable) {
		t.Errorf("got %v, want ErrUnavailable", err)
	}
	if saved, err := patient.Load(t.Context(), "a"); err != nil || len(saved.Entries) != 1 {
		t.Errorf("%d entries, %v", len(saved.Entries), err)
	}
	if p, err := patient.PutPost(t.Context(), "a", post); err != nil || p.Seq != 1 { // there already: nothing to write
		t.Errorf("post again: %+v, %v", p, err)
	}
	exec(t, other, "ROLLBACK")
	again(func() error { return s.Append(t.Context(), "a", entry(2, "x"), nil) })
}

// TestClosedStore checks that calls after Close return a temporary error and do not panic. A host
// that shuts down needs that.
func TestClosedStore(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "a.db"), sqlite.Options{})
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := s.Append(context.Background(), "a", entry(1, "x"), nil); err == nil {
		t.Error("a closed store took an entry")
	}
	if _, err := s.Load(context.Background(), "a"); err == nil {
		t.Error("a closed store was read")
	}
}

// TestTwoSnapshotsAreKept checks that the newest snapshot and the one before are kept, and no
// other. If the newest is lost, the campaign loads from the one before and the entries after it.
func TestTwoSnapshotsAreKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.db")
	s := open(t, path, sqlite.Options{})
	for v := int64(1); v <= 9; v++ {
		var snapshot []byte
		if v%2 == 0 {
			snapshot = fmt.Appendf(nil, "as of %d", v)
		}
		if err := s.Append(t.Context(), "a", entry(v, fmt.Sprint("record ", v)), snapshot); err != nil {
			t.Fatal(err)
		}
	}
	db := raw(t, path)
	var kept string
	if err := db.QueryRowContext(t.Context(), "SELECT group_concat(version) FROM (SELECT version FROM talewright_snapshot ORDER BY version)").Scan(&kept); err != nil || kept != "6,8" {
		t.Errorf("kept are %q, %v", kept, err)
	}
	wantSaved := func(version int64) {
		t.Helper()
		saved, err := s.Load(t.Context(), "a")
		if err != nil || saved.SnapshotVersion != version || string(saved.Snapshot) != fmt.Sprint("as of ", version) ||
			int64(len(saved.Entries)) != 9-version || saved.Entries[0].Version != version+1 {
			t.Errorf("%+v, %v", saved, err)
		}
	}
	wantSaved(8)
	exec(t, db, "DELETE FROM talewright_snapshot WHERE version = 8")
	wantSaved(6)
}
