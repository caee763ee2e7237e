package storetest

import (
	"context"
	"errors"
	"iter"
	"math"
	"time"

	"github.com/talewright/talewright/campaign"
)

// Fault describes what goes wrong with a call of a store. The zero Fault is no fault. The parts of
// one Fault happen in the order of its fields.
type Fault struct {
	// Wait is called first. Its error is the error of the call. It may block until its context
	// ends.
	Wait func(ctx context.Context) error
	// Before is the error of a call that is not executed.
	Before error
	// Torn makes Append write the entry without the snapshot, which no real store may do.
	Torn bool
	// Twice delivers a call twice.
	Twice bool
	// Cut is the number of entries after which Records ends with the error After. After must then
	// be set.
	Cut int
	// After is the error of a call that was executed: its answer is lost.
	After error
}

// FaultyStore is a [campaign.Store] whose calls go wrong. It is also a [campaign.Desk], a
// [campaign.Ledger] and [campaign.Keys] as far as the store inside is. It hides all other abilities
// of that store: there are no notices for followers, and no inboxes. It is safe for concurrent use.
type FaultyStore struct {
	campaign.Store
	// Plan returns the fault of a call; nil: no faults. It is called for one call at a time.
	Plan func(FaultCall) Fault

	count counter
}

// Wrong returns the number of faulty calls.
func (s *FaultyStore) Wrong() int64 { return s.count.all() }

var (
	_ campaign.Desk   = (*FaultyStore)(nil)
	_ campaign.Ledger = (*FaultyStore)(nil)
	_ campaign.Keys   = (*FaultyStore)(nil)
)

// begin plans a call and waits.
func (s *FaultyStore) begin(ctx context.Context, c FaultCall) (Fault, error) {
	f := s.plan(c)
	if err := wait(ctx, f.Wait); err != nil {
		return f, err
	}
	return f, f.Before
}

func (s *FaultyStore) plan(c FaultCall) (f Fault) {
	s.count.mu.Lock()
	defer s.count.mu.Unlock()
	c.N = s.count.number(c.Op)
	if s.Plan != nil {
		f = s.Plan(c)
	}
	if f.Wait != nil || f.Before != nil || f.Torn || f.Twice || f.After != nil {
		s.count.wrong++
	}
	return f
}

// answer makes a call that returns a result.
func answer[T any](ctx context.Context, s *FaultyStore, c FaultCall, call func(Fault) (T, error)) (out T, err error) {
	f, err := s.begin(ctx, c)
	if err != nil {
		return out, err
	}
	if f.Twice {
		if first, err := call(f); err != nil {
			return first, err
		}
	}
	got, err := call(f)
	if err == nil && f.After != nil {
		return out, f.After
	}
	return got, err
}

// do makes a call that returns only an error.
func (s *FaultyStore) do(ctx context.Context, c FaultCall, call func(Fault) error) error {
	_, err := answer(ctx, s, c, func(f Fault) (struct{}, error) { return struct{}{}, call(f) })
	return err
}

// Append implements [campaign.Store].
func (s *FaultyStore) Append(ctx context.Context, id string, entry campaign.Entry, snapshot []byte) error {
	return s.do(ctx, FaultCall{Op: OnAppend, Campaign: id, Version: entry.Version}, func(f Fault) error {
		if f.Torn {
			return s.Store.Append(ctx, id, entry, nil)
		}
		return s.Store.Append(ctx, id, entry, snapshot)
	})
}

// Load implements [campaign.Store].
func (s *FaultyStore) Load(ctx context.Context, id string) (campaign.Saved, error) {
	return answer(ctx, s, FaultCall{Op: OnLoad, Campaign: id}, func(Fault) (campaign.Saved, error) { return s.Store.Load(ctx, id) })
}

// Records implements [campaign.Store].
func (s *FaultyStore) Records(ctx context.Context, id string, after int64) iter.Seq2[campaign.Entry, error] {
	return func(yield func(campaign.Entry, error) bool) {
		f, err := s.begin(ctx, FaultCall{Op: OnRecords, Campaign: id, Version: after})
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

// Claim implements [campaign.Desk].
func (s *FaultyStore) Claim(ctx context.Context, id, owner string, d time.Duration) (int64, error) {
	return answer(ctx, s, FaultCall{Op: OnClaim, Campaign: id}, func(Fault) (int64, error) {
		if desk, ok := s.Store.(campaign.Desk); ok {
			return desk.Claim(ctx, id, owner, d)
		}
		return 0, errors.ErrUnsupported
	})
}

// Renew implements [campaign.Desk].
func (s *FaultyStore) Renew(ctx context.Context, id string, fence int64, d time.Duration) error {
	return s.do(ctx, FaultCall{Op: OnRenew, Campaign: id}, func(Fault) error {
		if desk, ok := s.Store.(campaign.Desk); ok {
			return desk.Renew(ctx, id, fence, d)
		}
		return errors.ErrUnsupported
	})
}

// Release implements [campaign.Desk].
func (s *FaultyStore) Release(ctx context.Context, id string, fence int64) error {
	return s.do(ctx, FaultCall{Op: OnRelease, Campaign: id}, func(Fault) error {
		if desk, ok := s.Store.(campaign.Desk); ok {
			return desk.Release(ctx, id, fence)
		}
		return errors.ErrUnsupported
	})
}

// KeepAnswer implements [campaign.Ledger]. The answer is lost if the store inside is not a Ledger.
func (s *FaultyStore) KeepAnswer(ctx context.Context, id string, fence int64, key string, data []byte) error {
	return s.do(ctx, FaultCall{Op: OnKeep, Campaign: id}, func(Fault) error {
		if ledger, ok := s.Store.(campaign.Ledger); ok {
			return ledger.KeepAnswer(ctx, id, fence, key, data)
		}
		return nil
	})
}

// Answer implements [campaign.Ledger].
func (s *FaultyStore) Answer(ctx context.Context, id, key string) ([]byte, error) {
	return answer(ctx, s, FaultCall{Op: OnAnswer, Campaign: id}, func(Fault) ([]byte, error) {
		if ledger, ok := s.Store.(campaign.Ledger); ok {
			return ledger.Answer(ctx, id, key)
		}
		return nil, nil
	})
}

// Keyed implements [campaign.Keys]. If the store inside has no keys, every entry counts as unkeyed.
func (s *FaultyStore) Keyed(ctx context.Context, id, key string) (version, unkeyed int64, err error) {
	at, err := answer(ctx, s, FaultCall{Op: OnKeyed, Campaign: id}, func(Fault) (at [2]int64, err error) {
		if keys, ok := s.Store.(campaign.Keys); ok {
			at[0], at[1], err = keys.Keyed(ctx, id, key)
			return at, err
		}
		return [2]int64{0, math.MaxInt64}, nil
	})
	return at[0], at[1], err
}
