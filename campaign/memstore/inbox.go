package memstore

import (
	"bytes"
	"context"
	"slices"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/inbox"
)

var _ inbox.Box = (*Store)(nil)

// box are the posts of a campaign, in order. It is replaced, never modified.
type box struct {
	posts []inbox.Post
	last  int64 // the place of the newest post that there was
}

func (b box) find(key string) int {
	return slices.IndexFunc(b.posts, func(p inbox.Post) bool { return p.Key == key })
}

// without is what is left when the post with a key is taken out.
func (b box) without(key string) box {
	if at := b.find(key); key != "" && at >= 0 {
		b.posts = slices.Concat(b.posts[:at], b.posts[at+1:])
	}
	return b
}

func (b box) waiting() (n int) {
	for _, p := range b.posts {
		if p.Outcome == nil {
			n++
		}
	}
	return n
}

// PutPost implements [inbox.Box].
func (s *Store) PutPost(ctx context.Context, id string, p inbox.Post) (there inbox.Post, err error) {
	err = s.change(ctx, id, func(l *log) error {
		if at := l.box.find(p.Key); at >= 0 {
			there = l.box.posts[at]
			return nil
		}
		if l.box.waiting() >= inbox.MostWaiting {
			return inbox.ErrFull
		}
		l.box.last++
		there = p
		there.Seq, there.Data, there.Outcome = l.box.last, notNil(p.Data), nil
		l.box.posts = append(slices.Clip(l.box.posts), there)
		s.board.Post(inbox.Bell)
		return nil
	})
	return clonePost(there), err
}

// OldestPost implements [inbox.Box].
func (s *Store) OldestPost(ctx context.Context, id string) (inbox.Post, bool, error) {
	l, err := s.read(ctx, id)
	for _, p := range l.box.posts {
		if p.Outcome == nil {
			return clonePost(p), true, err
		}
	}
	return inbox.Post{}, false, err
}

// FinishPost implements [inbox.Box].
func (s *Store) FinishPost(ctx context.Context, id string, fence int64, key string, outcome []byte) error {
	return s.change(ctx, id, func(l *log) error {
		if fence != 0 && fence != l.lease.fence {
			return campaign.ErrLeaseLost
		}
		at := l.box.find(key)
		if at < 0 || l.box.posts[at].Outcome != nil {
			return nil
		}
		posts := slices.Clone(l.box.posts)
		posts[at].Outcome = notNil(outcome)
		newest := int64(0)
		for _, p := range posts {
			if p.Outcome != nil {
				newest = p.Seq
			}
		}
		l.box.posts = slices.DeleteFunc(posts, func(p inbox.Post) bool {
			return p.Outcome != nil && p.Seq <= newest-inbox.MostKept
		})
		return nil
	})
}

// WithPosts implements [inbox.Box].
func (s *Store) WithPosts(ctx context.Context, after string, limit int) ([]string, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return sorted(s, limit, func(id string, l *log) (string, bool) {
		return id, (id > after || after == "") && l.box.waiting() > 0
	}), nil
}

func clonePost(p inbox.Post) inbox.Post {
	p.Data, p.Outcome = bytes.Clone(p.Data), bytes.Clone(p.Outcome)
	return p
}

// notNil is a copy that is not nil.
func notNil(data []byte) []byte { return append([]byte{}, data...) }
