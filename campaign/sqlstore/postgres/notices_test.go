package postgres

import (
	"context"
	"errors"
	"iter"
	"testing"
	"time"

	"github.com/talewright/talewright/campaign"
)

// follower reads the log of a campaign like campaign.Engine.Watch, but polls only once an hour. So
// everything that it gets in a test came after a notification.
func follower(ctx context.Context, s *Store, id string) iter.Seq2[campaign.Entry, error] {
	return campaign.FollowLog(ctx, campaign.FollowSource[campaign.Entry]{
		Read: func(ctx context.Context, after int64) iter.Seq2[campaign.Entry, error] {
			return s.Records(ctx, id, after)
		},
		Version: func(e campaign.Entry) int64 { return e.Version },
		Passes:  func(err error) bool { return errors.Is(err, campaign.ErrUnavailable) },
		Wake:    s.Watch(ctx, id), Look: time.Hour,
	}, 0)
}

// TestNoticesSurviveLostConnections repeatedly ends the listening connection. A follower in a
// different process still gets every entry, in order (ST-05).
func TestNoticesSurviveLostConnections(t *testing.T) {
	config := server(t)
	writer, watcher := connect(t, config), connect(t, config)
	const entries = 60
	if err := writer.Append(t.Context(), "a", entry(1), nil); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	ended := int64(0)
	var last int64
	for e, err := range follower(ctx, watcher, "a") {
		if errors.Is(err, campaign.ErrUnavailable) {
			continue
		}
		if err != nil {
			t.Fatalf("after entry %d: %v", last, err)
		}
		if e.Version != last+1 {
			t.Fatalf("entry %d after %d", e.Version, last)
		}
		if last = e.Version; last == entries {
			break
		}
		if last%5 == 0 {
			ended += endListeners(t, writer)
		}
		if err := writer.Append(t.Context(), "a", entry(last+1), nil); err != nil {
			t.Fatal(err)
		}
	}
	if ended == 0 {
		t.Error("no connection that listens was ended")
	}
	t.Logf("%d connections that listened were ended", ended)
}

// endListeners ends the listening connections of the test and returns their number.
func endListeners(t *testing.T, s *Store) (n int64) {
	t.Helper()
	err := s.db.QueryRowContext(t.Context(), `SELECT count(pg_terminate_backend(a.pid)) FROM pg_stat_activity a
		JOIN pg_stat_activity me ON me.pid = pg_backend_pid()
		WHERE a.application_name = me.application_name AND a.query LIKE 'LISTEN%'`).Scan(&n)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestLastNoticeIsSentBeforeTheEnd checks that a process that commits once and ends sends a
// notification.
func TestLastNoticeIsSentBeforeTheEnd(t *testing.T) {
	config := server(t)
	watcher := connect(t, config)
	if err := watcher.Append(t.Context(), "a", entry(1), nil); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	next, stop := iter.Pull2(follower(ctx, watcher, "a"))
	defer stop()
	if e, err, _ := next(); err != nil || e.Version != 1 {
		t.Fatalf("entry %d, %v", e.Version, err)
	}
	for version := int64(2); version <= 4; version++ {
		writer, err := open(t.Context(), config, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(writer.Append(t.Context(), "a", entry(version), nil), writer.Close()); err != nil {
			t.Fatal(err)
		}
		if e, err, _ := next(); err != nil || e.Version != version {
			t.Fatalf("entry %d, %v; want %d", e.Version, err, version)
		}
	}
	if err := watcher.Close(); err != nil { // while there is a watcher
		t.Error(err)
	}
}

// TestQuietStoreSendsNothing checks that Options.Quiet sends no notifications after commits.
// Followers in the same process are still woken.
func TestQuietStoreSendsNothing(t *testing.T) {
	config := server(t)
	w := &wire{}
	config.DialFunc = w.dial
	s, err := open(t.Context(), config, Options{Quiet: true})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	c := s.Watch(t.Context(), "a")
	w.lose.Store(&lost{mark: []byte("pg_notify"), unsent: true})
	if err := s.Append(t.Context(), "a", entry(1), nil); err != nil {
		t.Fatal(err)
	}
	<-c
	s.notices.end()
	if w.lose.Load() == nil {
		t.Error("a notification was sent")
	}
}
