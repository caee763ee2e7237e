package sqlite

import (
	"context"
	"database/sql"
	"sync"
	"time"

	"github.com/talewright/talewright/campaign"
)

// lookEvery is the interval of the checks for changes by other processes, while there are watchers.
// The check reads no table.
const lookEvery = 200 * time.Millisecond

// notices wakes watchers at once for writes of this process. For writes of other processes it wakes
// them when the data version of the file changes.
type notices struct {
	board  *campaign.NoticeBoard
	file   *sql.DB
	mu     sync.Mutex
	looks  bool // a goroutine checks the file
	closed context.Context
	close  context.CancelFunc
	looker sync.WaitGroup
}

var _ campaign.Cluster = (*Store)(nil)

// Watch implements [campaign.Cluster]. A write through this store wakes watchers at once, a write
// by others to the file within a fifth of a second. A change of the file by others wakes all
// watchers.
func (s *Store) Watch(ctx context.Context, id string) <-chan struct{} {
	n := &s.notices
	c := n.board.Watch(ctx, id)
	n.mu.Lock()
	defer n.mu.Unlock()
	if !n.looks && n.closed.Err() == nil {
		n.looks = true
		n.looker.Go(n.look)
	}
	return c
}

// look checks the file until there are no more watchers.
func (n *notices) look() {
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	var conn *sql.Conn // data_version is only comparable on the same connection
	var known int64
	defer func() { release(conn) }()
	for n.wanted() {
		version := known
		var err error
		if conn == nil {
			conn, err = n.file.Conn(n.closed)
		}
		if err == nil {
			err = conn.QueryRowContext(n.closed, "PRAGMA data_version").Scan(&version)
		}
		switch {
		case err != nil: // try again on a new connection
			release(conn)
			conn, known = nil, 0
		case version != known:
			known = version
			n.board.PostAll()
		}
		select {
		case <-tick.C:
		case <-n.closed.Done():
		}
	}
}

func release(conn *sql.Conn) {
	if conn != nil {
		_ = conn.Close() // returns the connection to the pool
	}
}

// wanted reports whether there are watchers. If not, the next Watch must start look again.
func (n *notices) wanted() bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.looks = n.closed.Err() == nil && n.board.Watched()
	return n.looks
}

func (n *notices) end() error {
	n.close()
	n.looker.Wait()
	return n.file.Close()
}
