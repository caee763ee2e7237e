//go:build unix

package postgres

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/talewright/talewright/campaign"
)

// ownServer is a server that a test has started and may stop.
type ownServer struct {
	t      *testing.T
	bin    string
	folder string
	as     *syscall.SysProcAttr // the server refuses to run as root
	gone   bool                 // it was stopped for good
}

func startServer(t *testing.T) *ownServer {
	t.Helper()
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/pg_ctl")
	if len(found) == 0 {
		t.Skip("no programs of PostgreSQL in /usr/lib/postgresql: Debian's package has them")
	}
	slices.Sort(found)
	folder, err := os.MkdirTemp("", "pg") // short, because the name of a socket has a length limit
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	s := &ownServer{t: t, bin: filepath.Dir(found[len(found)-1]), folder: folder}
	if os.Getuid() == 0 {
		u, err := user.Lookup("postgres")
		if err != nil {
			t.Skip("as root a server needs the user postgres")
		}
		uid, _ := strconv.Atoi(u.Uid)
		gid, _ := strconv.Atoi(u.Gid)
		s.as = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}
		if err := os.Chown(folder, uid, gid); err != nil {
			t.Fatal(err)
		}
	}
	s.run("initdb", "-A", "trust", "-U", "postgres", "-E", "UTF8", "--locale=C")
	s.start()
	return s
}

// start starts the server. It stops at the end of the test.
func (s *ownServer) start() {
	s.t.Helper()
	s.run("pg_ctl", "start", "-w", "-l", filepath.Join(s.folder, "log"), "-o", "-k "+s.folder+" -c listen_addresses=''")
	s.t.Cleanup(func() {
		if !s.gone {
			s.run("pg_ctl", "stop", "-w", "-m", "immediate")
		}
	})
}

// sql runs a statement as the administrator.
func (s *ownServer) sql(text string) {
	s.t.Helper()
	conn, err := pgx.Connect(s.t.Context(), "host="+s.folder+" user=postgres dbname=postgres")
	if err != nil {
		s.t.Fatal(err)
	}
	defer conn.Close(s.t.Context())
	if _, err := conn.Exec(s.t.Context(), text); err != nil {
		s.t.Fatal(err)
	}
}

func (s *ownServer) run(program string, args ...string) {
	s.t.Helper()
	cmd := exec.Command(filepath.Join(s.bin, program), append(args, "-D", filepath.Join(s.folder, "data"))...)
	cmd.Env = append(os.Environ(), "PGCTLTIMEOUT=300") // seconds, for a busy machine
	cmd.SysProcAttr, cmd.Dir = s.as, s.folder
	if err := cmd.Run(); err != nil { // the server would keep its output open
		s.t.Fatalf("%s %q: %v", program, args, err)
	}
}

// TestServerCrashes kills a server and starts it again during the work. Calls meanwhile are
// ErrUnavailable. No acknowledged entry may be lost or doubled.
func TestServerCrashes(t *testing.T) {
	own := startServer(t)
	config, err := pgx.ParseConfig("host=" + own.folder + " user=postgres dbname=postgres")
	if err != nil {
		t.Fatal(err)
	}
	s := connect(t, config)
	acknowledged, end := appending(t, s)
	last := int64(0)
	for crash := range 4 {
		for range 20 + 7*crash {
			last = <-acknowledged
		}
		own.run("pg_ctl", "restart", "-w", "-m", "immediate")
	}
	for range 20 {
		last = <-acknowledged
	}
	end()
	wantAll(t, s, last)
}

// appending writes entries one after the other, and repeats calls with ErrUnavailable. It sends the
// acknowledged versions. end stops it and returns the number of broken calls.
func appending(t *testing.T, s *Store) (acknowledged <-chan int64, end func() (broken int)) {
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	out := make(chan int64)
	broken := 0
	var wg sync.WaitGroup
	wg.Go(func() {
		defer close(out)
		for version := int64(1); ctx.Err() == nil; {
			switch err := s.Append(t.Context(), "a", entry(version), nil); {
			case err == nil:
				select {
				case out <- version:
				case <-ctx.Done():
				}
				version++
			case errors.Is(err, campaign.ErrUnavailable):
				broken++
			default:
				t.Errorf("entry %d: %v, want ErrUnavailable", version, err)
				return
			}
		}
	})
	return out, func() int {
		cancel()
		wg.Wait()
		return broken
	}
}

// wantAll checks that the log has every acknowledged entry exactly once.
func wantAll(t *testing.T, s *Store, acknowledged int64) {
	t.Helper()
	if err := s.Check(t.Context()); err != nil {
		t.Error(err)
	}
	saved, err := s.Load(t.Context(), "a")
	if err != nil || int64(len(saved.Entries)) < acknowledged {
		t.Errorf("%d entries, %d were acknowledged, %v", len(saved.Entries), acknowledged, err)
	}
	for i, e := range saved.Entries {
		if !e.Same(entry(int64(i + 1))) {
			t.Errorf("entry %d is another", i+1)
		}
	}
}
