//go:build unix

package postgres

import (
	"context"
	"errors"
	"os"
	"sync"
	"testing"

	"github.com/talewright/talewright/campaign"
)

// standby copies a server that runs to another one that follows it, and makes the first one
// wait for the second with each commit.
func (s *ownServer) standby() *ownServer {
	s.t.Helper()
	folder, err := os.MkdirTemp("", "pg")
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { _ = os.RemoveAll(folder) })
	if s.as != nil {
		if err := os.Chown(folder, int(s.as.Credential.Uid), int(s.as.Credential.Gid)); err != nil {
			s.t.Fatal(err)
		}
	}
	other := &ownServer{t: s.t, bin: s.bin, folder: folder, as: s.as}
	other.run("pg_basebackup", "-X", "stream", "-c", "fast", "-R",
		"-d", "host="+s.folder+" user=postgres application_name=standby")
	other.start()
	s.sql("ALTER SYSTEM SET synchronous_standby_names = 'standby'")
	s.sql("SELECT pg_reload_conf()")
	return other
}

// TestFailover: a server that is lost for good, whose synchronous standby takes over. Calls
// meanwhile are ErrUnavailable, and of what was acknowledged nothing is lost or doubled; the
// store finds the new server by itself.
func TestFailover(t *testing.T) {
	first := startServer(t)
	second := first.standby()
	s, err := Open(t.Context(), "host="+first.folder+","+second.folder+" user=postgres dbname=postgres", Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	acknowledged := make(chan int64)
	var wg sync.WaitGroup
	broken := 0
	wg.Go(func() {
		defer close(acknowledged)
		for version := int64(1); ctx.Err() == nil; {
			switch err := s.Append(t.Context(), "a", entry(version), nil); {
			case err == nil:
				select {
				case acknowledged <- version:
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
	for range 100 {
		<-acknowledged
	}
	first.run("pg_ctl", "stop", "-w", "-m", "immediate")
	first.gone = true
	second.run("pg_ctl", "promote", "-w")
	last := int64(0)
	for range 100 {
		last = <-acknowledged
	}
	cancel()
	wg.Wait()
	saved, err := s.Load(t.Context(), "a")
	if err != nil || int64(len(saved.Entries)) < last || s.Check(t.Context()) != nil {
		t.Errorf("%d entries, %d were acknowledged, %v", len(saved.Entries), last, err)
	}
	for i, e := range saved.Entries {
		if !e.Same(entry(int64(i + 1))) {
			t.Errorf("entry %d is another", i+1)
		}
	}
	t.Logf("failover: acknowledged %d, broken calls %d, lost 0", last, broken)
}
