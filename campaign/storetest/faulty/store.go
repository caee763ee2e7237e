package faulty

import (
	"context"
	"fmt"
	"hash/fnv"
	"iter"
	"sync"

	"github.com/talewright/talewright/campaign"
)

// Op is a call of a store.
type Op string

// The calls.
const (
	Append  Op = "append"
	Load    Op = "load"
	Records Op = "records"
)

// Call is one call of a [Store].
type Call struct {
	N        int64 // of all calls, from 1
	Op       Op
	Campaign string
	Version  int64 // of the entry, or the version after which is read; 0 for Load
}

// Fault is what goes wrong with a call. The zero Fault is nothing. Those of one Fault happen in
// the order of its fields.
type Fault struct {
	// Wait is called before anything else; its error is that of the call. It may block until its
	// context ends.
	Wait func(ctx context.Context) error
	// Before is the error of a call that is not carried out.
	Before error
	// Torn says that Append writes the entry and not the snapshot, which no store may.
	Torn bool
	// Twice says that an Append is delivered twice.
	Twice bool
	// Cut is after how many entries Records ends with the error After, which then has to be set.
	Cut int
	// After is the error of a call that was carried out: its answer is lost.
	After error
}

// ErrLost is the cause of the errors of [Random]. It is a [campaign.ErrUnavailable].
var ErrLost = fmt.Errorf("the connection was lost: %w", campaign.ErrUnavailable)

// Store is a [campaign.Store] whose calls go wrong. What the store inside can do beyond that
// interface is not seen: campaigns are not lent, and who follows them has no notices. It is safe
// for concurrent use.
type Store struct {
	campaign.Store
	// Plan says what goes wrong with a call; nil: nothing. It is called for one call at a time.
	Plan func(Call) Fault

	mu    sync.Mutex
	calls int64
	wrong int64
}

// Wrong is the number of calls with which something went wrong.
func (s *Store) Wrong() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.wrong
}

// begin plans a call, and waits.
func (s *Store) begin(ctx context.Context, c Call) (Fault, error) {
	f := s.plan(c)
	if f.Wait != nil {
		if err := f.Wait(ctx); err != nil {
			return f, err
		}
	}
	return f, f.Before
}

func (s *Store) plan(c Call) (f Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls++
	c.N = s.calls
	if s.Plan != nil {
		f = s.Plan(c)
	}
	if f.Wait != nil || f.Before != nil || f.Torn || f.Twice || f.After != nil {
		s.wrong++
	}
	return f
}

// Append implements [campaign.Store].
func (s *Store) Append(ctx context.Context, id string, entry campaign.Entry, snapshot []byte) error {
	f, err := s.begin(ctx, Call{Op: Append, Campaign: id, Version: entry.Version})
	if err != nil {
		return err
	}
	if f.Torn {
		snapshot = nil
	}
	if f.Twice {
		if err := s.Store.Append(ctx, id, entry, snapshot); err != nil {
			return err
		}
	}
	if err := s.Store.Append(ctx, id, entry, snapshot); err != nil {
		return err
	}
	return f.After
}

// Load implements [campaign.Store].
func (s *Store) Load(ctx context.Context, id string) (campaign.Saved, error) {
	f, err := s.begin(ctx, Call{Op: Load, Campaign: id})
	if err != nil {
		return campaign.Saved{}, err
	}
	saved, err := s.Store.Load(ctx, id)
	if err == nil && f.After != nil {
		return campaign.Saved{}, f.After
	}
	return saved, err
}

// Records implements [campaign.Store].
func (s *Store) Records(ctx context.Context, id string, after int64) iter.Seq2[campaign.Entry, error] {
	return func(yield func(campaign.Entry, error) bool) {
		f, err := s.begin(ctx, Call{Op: Records, Campaign: id, Version: after})
		if err != nil {
			yield(campaign.Entry{}, err)
			return
		}
		n := 0
		for entry, err := range s.Store.Records(ctx, id, after) {
			if err == nil && f.After != nil && n == f.Cut {
				break
			}
			if n++; !yield(entry, err) || err != nil {
				return
			}
		}
		if f.After != nil {
			yield(campaign.Entry{}, f.After)
		}
	}
}

// Random is a plan in which so many calls go wrong, 0 to 1 of them: before or after they are carried
// out, in the middle, or because they are delivered twice. The same seed plans the same for the
// same calls in the same order.
func Random(seed int64, rate float64) func(Call) Fault {
	return func(c Call) Fault {
		h := fnv.New64a()
		_, _ = fmt.Fprint(h, seed, c) // which never fails
		sum := mix(h.Sum64())
		if float64(sum>>32)/(1<<32) >= rate {
			return Fault{}
		}
		switch sum % 4 {
		case 0:
			return Fault{Before: ErrLost}
		case 1:
			return Fault{Twice: true, After: ErrLost}
		case 2:
			return Fault{Cut: int(sum/4) % 5, After: ErrLost}
		}
		return Fault{After: ErrLost}
	}
}

// mix spreads the bits of a hash.
func mix(x uint64) uint64 {
	x ^= x >> 31
	x *= 0x7fb5d329728ea185
	x ^= x >> 27
	x *= 0x81dadef4bc2dd44d
	return x ^ x>>33
}
