package campaign

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"time"

	"github.com/talewright/talewright/campaign/follow"
	"github.com/talewright/talewright/campaign/turn"
)

// Who watches looks by itself so often: where the store gives no notices, and where it does.
const (
	lookAlways = time.Second
	lookBeside = 10 * time.Second
)

// Watch follows a campaign that others may play, in this process or another: it yields the
// records after a version that are committed already, and then each as it is committed, once
// and in order, until ctx ends or the caller stops ranging. 0 means from the beginning.
//
// A host that acts on what it gets notes the version of the last record that it has dealt
// with, and goes on after that: whatever ended in between, it misses nothing and
// gets nothing twice. A record says what was committed: the turn with its texts, and the
// changes, which [turn.Follow] applies to a campaign. It holds all that the log does, also
// what players may not see.
//
// Where the store has [follow.Notices] a record comes as soon as it is committed, otherwise
// within a second. Nothing is gathered for a caller who is slow: a page of the log is read when
// the one before it was taken.
//
// [ErrUnavailable] is yielded and is not the end: who goes on ranging is served from where it
// was when the store is back. Every other error is the end: [ErrNotFound], [ErrDeleted] once
// the campaign is deleted, and that of ctx. The sequence may be ranged over again, from its
// beginning.
func (e *Engine) Watch(ctx context.Context, id string, after int64) iter.Seq2[turn.Record, error] {
	return func(yield func(turn.Record, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel() // takes back what the store was asked for
		src := follow.Source[turn.Record]{
			Read: func(ctx context.Context, after int64) iter.Seq2[turn.Record, error] {
				return e.archive.records(ctx, id, after)
			},
			Version: func(rec turn.Record) int64 { return rec.Version },
			Passes:  func(err error) bool { return errors.Is(err, ErrUnavailable) },
			Look:    lookAlways,
		}
		if notices, ok := e.cfg.Store.(follow.Notices); ok {
			src.Wake, src.Look = notices.Watch(ctx, id), lookBeside
		}
		for rec, err := range follow.Log(ctx, src, after) {
			if err != nil {
				err = fmt.Errorf("campaign: watch %q: %w", id, err)
			}
			if !yield(rec, err) {
				return
			}
		}
	}
}
