package sqlite

import (
	"context"
	"database/sql"
	"sync"
	"time"

	"github.com/talewright/talewright/campaign"
)

// lookEvery is how often the file is asked whether another process has changed it, while
// somebody watches: a question that reads no table.
const lookEvery = 200 * time.Millisecond

// notices tell of what this process writes at once, and of what others write when the file
// says that it was changed.
type notices struct {
	board  campaign.NoticeBoard
	file   *sql.DB
	mu     sync.Mutex
	looks  bool // somebody looks at the file
	closed context.Context
	close  context.CancelFunc
	looker sync.WaitGroup
}

var _ campaign.Notices = (*Store)(nil)

// Watch implements [campaign.Notices]: at once for what is written through this store, within a
// fifth of a second for what others write to the file. A change of the file by others wakes all
// who watch.
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

// Append implements [campaign.Store].
func (s *Store) Append(ctx context.Context, id string, entry campaign.Entry, snapshot []byte) error {
	err := s.Store.Append(ctx, id, entry, snapshot)
	if err == nil {
		s.notices.board.Post(id)
	}
	return err
}

// PutPost implements [campaign.Inbox].
func (s *Store) PutPost(ctx context.Context, id string, p campaign.InboxPost) (campaign.InboxPost, error) {
	there, err := s.Store.PutPost(ctx, id, p)
	if err == nil {
		s.notices.board.Post(campaign.InboxBell)
	}
	return there, err
}

// Delete implements [campaign.Catalog]. The bytes may stay in the file until it is compacted, and
// in its backups.
func (s *Store) Delete(ctx context.Context, id string) error {
	err := s.Store.Delete(ctx, id)
	if err == nil {
		s.notices.board.Post(id)
	}
	return err
}

// look asks the file, until nobody watches any more.
func (n *notices) look() {
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	var conn *sql.Conn // the number says something to the connection that has asked before
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
		case err != nil: // it is asked again
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
		_ = conn.Close() // the connection stays open
	}
}

// wanted reports whether somebody watches. Where nobody does, the next one has to begin anew.
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
