package postgres

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/talewright/talewright/campaign"
)

const (
	// channel is the channel for NOTIFY. A notification has marks, separated by blanks.
	channel = "talewright"
	// mostMarks is the maximum number of marks in a notification, which may have 8000 bytes.
	mostMarks = 200
	// silence is the time without notifications after which the connection is checked.
	silence = 10 * time.Second
	// soon is the time limit of such a check, and of sending a notification.
	soon = 5 * time.Second
	// Pauses between attempts to reach the server grow from the first to the longest.
	firstPause, longestPause = 50 * time.Millisecond, 5 * time.Second
)

// notices sends notifications of commits to other processes and receives theirs. No caller waits
// for them. Followers find a lost notification by polling.
type notices struct {
	store  *Store
	config *pgx.ConnConfig      // of the listening connection, which is not in the pool
	board  campaign.NoticeBoard // by marks
	closed context.Context
	close  context.CancelFunc
	work   sync.WaitGroup

	mu      sync.Mutex
	listens bool            // a goroutine listens to the server
	sends   bool            // a goroutine sends
	news    map[string]bool // marks that are not sent yet
}

var _ campaign.Cluster = (*Store)(nil)

// mark identifies a campaign in notifications, because IDs may be long.
func mark(id string) string {
	sum := sha256.Sum256([]byte(id))
	return hex.EncodeToString(sum[:16])
}

// Watch implements [campaign.Cluster] for writes of any process through a Store of this package.
// While there are watchers, the store uses one more connection.
func (s *Store) Watch(ctx context.Context, id string) <-chan struct{} {
	n := &s.notices
	c := n.board.Watch(ctx, mark(id))
	n.mu.Lock()
	defer n.mu.Unlock()
	if !n.listens && n.closed.Err() == nil {
		n.listens = true
		n.work.Go(n.listen)
	}
	return c
}

// Append implements [campaign.Store].
func (s *Store) Append(ctx context.Context, id string, entry campaign.Entry, snapshot []byte) error {
	err := s.Store.Append(ctx, id, entry, snapshot)
	if err == nil {
		s.notices.tell(id)
	}
	return err
}

// PutPost implements [campaign.Cluster].
func (s *Store) PutPost(ctx context.Context, id string, p campaign.InboxPost) (campaign.InboxPost, error) {
	there, err := s.Store.PutPost(ctx, id, p)
	if err == nil {
		s.notices.tell("")
	}
	return there, err
}

// Delete implements [campaign.Store]. The bytes may stay in the files of the server until it
// vacuums, and in its backups.
func (s *Store) Delete(ctx context.Context, id string) error {
	err := s.Store.Delete(ctx, id)
	if err == nil {
		s.notices.tell(id)
	}
	return err
}

// tell wakes the watchers of a campaign: in this process at once, in other processes soon.
func (n *notices) tell(id string) {
	m := mark(id)
	n.board.Post(m)
	if n.store.quiet {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.closed.Err() != nil {
		return
	}
	n.news[m] = true
	if !n.sends {
		n.sends = true
		n.work.Go(n.send)
	}
}

// send sends all marks. Marks of commits that happen meanwhile go into the next notification.
func (n *notices) send() {
	for {
		marks := n.take()
		if len(marks) == 0 {
			return
		}
		// The last marks are sent even after Close.
		ctx, done := context.WithTimeout(context.WithoutCancel(n.closed), soon)
		_, _ = n.store.db.ExecContext(ctx, "SELECT pg_notify($1, $2)", channel, strings.Join(marks, " "))
		done()
	}
}

// take removes marks to send. If there are no notices, the next tell must start send again.
func (n *notices) take() (marks []string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for m := range n.news {
		if len(marks) == mostMarks {
			break
		}
		marks = append(marks, m)
		delete(n.news, m)
	}
	n.sends = len(marks) > 0
	return marks
}

// listen receives notifications of other processes until there are no more watchers.
func (n *notices) listen() {
	for pause := firstPause; n.wanted(); pause = min(2*pause, longestPause) {
		if n.hear() {
			pause = firstPause
		}
		timer := time.NewTimer(pause)
		select {
		case <-timer.C:
		case <-n.closed.Done():
			timer.Stop()
		}
	}
}

// wanted reports whether there are watchers. If not, the next Watch must start listen again.
func (n *notices) wanted() bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.listens = n.closed.Err() == nil && n.board.Watched()
	return n.listens
}

// hear listens on one connection until it breaks or there are no more watchers. It reports whether
// the connection could be opened.
func (n *notices) hear() bool {
	ctx, done := context.WithTimeout(n.closed, soon)
	defer done()
	conn, err := pgx.ConnectConfig(ctx, n.config)
	if err != nil {
		return false
	}
	defer func() {
		ctx, done := context.WithTimeout(context.WithoutCancel(n.closed), soon)
		defer done()
		_ = conn.Close(ctx) // an error does not matter, the connection is not used again
	}()
	if _, err := conn.Exec(ctx, "LISTEN "+channel); err != nil {
		return false
	}
	n.board.PostAll() // earlier notifications may have been missed
	for n.board.Watched() && n.next(conn) {
	}
	return true
}

// next waits for a notification for a limited time. It returns false if the connection is broken.
func (n *notices) next(conn *pgx.Conn) bool {
	ctx, done := context.WithTimeout(n.closed, silence)
	defer done()
	got, err := conn.WaitForNotification(ctx)
	if err == nil {
		for m := range strings.FieldsSeq(got.Payload) {
			n.board.Post(m)
		}
		return true
	}
	if conn.IsClosed() || n.closed.Err() != nil {
		return false
	}
	ctx, done = context.WithTimeout(n.closed, soon)
	defer done()
	return conn.Ping(ctx) == nil
}

// end sends the remaining marks and stops listening.
func (n *notices) end() {
	n.mu.Lock()
	n.close()
	n.mu.Unlock()
	n.work.Wait()
}
