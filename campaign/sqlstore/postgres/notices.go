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
	// channel is that of NOTIFY. What is sent on it are marks, one behind the other.
	channel = "talewright"
	// mostMarks go into one notification, which has room for 8000 bytes.
	mostMarks = 200
	// silence is how long to listen before asking the server whether it is still there.
	silence = 10 * time.Second
	// soon is how long such a question, or a notification, may take.
	soon = 5 * time.Second
	// A server that cannot be reached is tried again after pauses that grow.
	firstPause, longestPause = 50 * time.Millisecond, 5 * time.Second
)

// notices tell other processes of commits, and hear of theirs. Nobody waits for them: what is
// lost is found by those who look.
type notices struct {
	store  *Store
	config *pgx.ConnConfig      // of the connection that listens, which is none of the pool's
	board  campaign.NoticeBoard // by marks
	closed context.Context
	close  context.CancelFunc
	work   sync.WaitGroup

	mu      sync.Mutex
	listens bool            // somebody listens to the server
	sends   bool            // somebody sends
	news    map[string]bool // marks that are not sent yet
}

var _ campaign.Notices = (*Store)(nil)

// mark stands for a campaign in notifications: ids may be long.
func mark(id string) string {
	sum := sha256.Sum256([]byte(id))
	return hex.EncodeToString(sum[:16])
}

// Watch implements [campaign.Notices], for what any process writes through a Store of this
// package. While somebody watches, there is one connection more.
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

// PutPost implements [campaign.Inbox].
func (s *Store) PutPost(ctx context.Context, id string, p campaign.InboxPost) (campaign.InboxPost, error) {
	there, err := s.Store.PutPost(ctx, id, p)
	if err == nil {
		s.notices.tell(campaign.InboxBell)
	}
	return there, err
}

// Delete implements [campaign.Catalog]. The bytes may stay in the files of the server until it
// has tidied up, and in its backups.
func (s *Store) Delete(ctx context.Context, id string) error {
	err := s.Store.Delete(ctx, id)
	if err == nil {
		s.notices.tell(id)
	}
	return err
}

// tell wakes those who watch a campaign, here at once and elsewhere soon.
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

// send sends what there is: what is committed while the server answers goes with the
// next notification.
func (n *notices) send() {
	for {
		marks := n.take()
		if len(marks) == 0 {
			return
		}
		// The last ones are sent after the end, too.
		ctx, done := context.WithTimeout(context.WithoutCancel(n.closed), soon)
		_, _ = n.store.db.ExecContext(ctx, "SELECT pg_notify($1, $2)", channel, strings.Join(marks, " "))
		done()
	}
}

// take returns what is to be sent. Where it is nothing, the next one has to begin anew.
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

// listen hears what other processes tell, until nobody watches any more.
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

// wanted reports whether somebody watches. Where nobody does, the next one has to begin anew.
func (n *notices) wanted() bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.listens = n.closed.Err() == nil && n.board.Watched()
	return n.listens
}

// hear listens on one connection until it breaks or nobody watches, and reports whether it
// stood.
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
		_ = conn.Close(ctx) // whatever it says, it is used no more
	}()
	if _, err := conn.Exec(ctx, "LISTEN "+channel); err != nil {
		return false
	}
	n.board.PostAll() // nobody knows what was told before
	for n.board.Watched() && n.next(conn) {
	}
	return true
}

// next waits for a notification, for a while. It reports false when the connection is broken.
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

// end sends what is not sent yet, and hears nothing more.
func (n *notices) end() {
	n.mu.Lock()
	n.close()
	n.mu.Unlock()
	n.work.Wait()
}
