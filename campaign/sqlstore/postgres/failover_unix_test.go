//go:build unix

package postgres

import (
	"os"
	"testing"
)

// standby copies a running server to a second server, which replicates it. Each commit of the first
// server then waits for the second.
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
	// Commits wait after the checkpointer has read this. It does so while the second server starts.
	s.sql("ALTER SYSTEM SET synchronous_standby_names = 'standby'")
	s.sql("SELECT pg_reload_conf()")
	other.start()
	return other
}

// TestFailover kills a server, and its synchronous standby takes over. Calls meanwhile are
// ErrUnavailable. No acknowledged entry may be lost or doubled. The store finds the new server by
// itself.
func TestFailover(t *testing.T) {
	first := startServer(t)
	second := first.standby()
	s, err := Open(t.Context(), "host="+first.folder+","+second.folder+" user=postgres dbname=postgres", Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	acknowledged, end := appending(t, s)
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
	broken := end()
	wantAll(t, s, last)
	t.Logf("failover: acknowledged %d, broken calls %d, lost 0", last, broken)
}
