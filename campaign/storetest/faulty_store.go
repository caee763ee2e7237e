package storetest

import (
	"context"
	"iter"
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

// FaultyStore is a [campaign.Store] whose calls go wrong: Append, Load, Records and Find. It is not
// a [campaign.Cluster], see [FaultyCluster]. It is safe for concurrent use.
type FaultyStore struct {
	campaign.Store
	// Plan returns the fault of a call; nil: no faults. It is called for one call at a time.
	Plan func(FaultCall) Fault

	count counter
}

// FaultyCluster is a [campaign.Cluster] with calls that fail: the calls of a [FaultyStore], and calls
// for leases and answers. It is safe for concurrent use.
type FaultyCluster struct {
	campaign.Cluster
	// Plan returns the fault of a call; nil: no faults. It is called for one call at a time.
	Plan func(FaultCall) Fault

	count counter
}

// Wrong returns the number of faulty calls.
func (s *FaultyStore) Wrong() int64 { return s.count.faultyCalls() }

// Wrong returns the number of faulty calls.
func (s *FaultyCluster) Wrong() int64 { return s.count.faultyCalls() }

func (s *FaultyStore) faults() faultCaller   { return faultCaller{s.Store, s.Plan, &s.count} }
func (s *FaultyCluster) faults() faultCaller { return faultCaller{s.Cluster, s.Plan, &s.count} }

// faultCaller calls a store with the faults of a plan.
type faultCaller struct {
	store campaign.Store
	plan  func(FaultCall) Fault
	count *counter
}

// begin plans a call and does what comes before it: it waits, or returns an error instead of the call.
func (s faultCaller) begin(ctx context.Context, c FaultCall) (Fault, error) {
	f := s.plannedFault(c)
	if f.Wait != nil {
		if err := f.Wait(ctx); err != nil {
			return f, err
		}
	}
	return f, f.Before
}

// plannedFault numbers a call and returns its fault.
func (s faultCaller) plannedFault(c FaultCall) (f Fault) {
	s.count.mu.Lock()
	defer s.count.mu.Unlock()
	c.N = s.count.nextNumber(c.Op)
	if s.plan != nil {
		f = s.plan(c)
	}
	if f.Wait != nil || f.Before != nil || f.Torn || f.Twice || f.After != nil {
		s.count.faulty++
	}
	return f
}

// callWithFault makes a call with its fault: once, twice, or with a lost result.
func callWithFault[T any](ctx context.Context, s faultCaller, c FaultCall, call func(Fault) (T, error)) (out T, err error) {
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

// callForError is callWithFault for a call that returns only an error.
func (s faultCaller) callForError(ctx context.Context, c FaultCall, call func(Fault) error) error {
	_, err := callWithFault(ctx, s, c, func(f Fault) (struct{}, error) { return struct{}{}, call(f) })
	return err
}

func (s faultCaller) append(ctx context.Context, id string, entry campaign.Entry, snapshot []byte) error {
	return s.callForError(ctx, FaultCall{Op: onAppend, Campaign: id, Version: entry.Version}, func(f Fault) error {
		if f.Torn {
			return s.store.Append(ctx, id, entry, nil)
		}
		return s.store.Append(ctx, id, entry, snapshot)
	})
}

func (s faultCaller) load(ctx context.Context, id string) (campaign.Saved, error) {
	return callWithFault(ctx, s, FaultCall{Op: onLoad, Campaign: id}, func(Fault) (campaign.Saved, error) { return s.store.Load(ctx, id) })
}

func (s faultCaller) find(ctx context.Context, id, key string) (int64, error) {
	return callWithFault(ctx, s, FaultCall{Op: onFind, Campaign: id}, func(Fault) (int64, error) { return s.store.Find(ctx, id, key) })
}

func (s faultCaller) records(ctx context.Context, id string, after int64) iter.Seq2[campaign.Entry, error] {
	return func(yield func(campaign.Entry, error) bool) {
		f, err := s.begin(ctx, FaultCall{Op: onRecords, Campaign: id, Version: after})
		if err != nil {
			yield(campaign.Entry{}, err)
			return
		}
		n := 0
		for entry, err := range s.store.Records(ctx, id, after) {
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

// Append implements [campaign.Store].
func (s *FaultyStore) Append(ctx context.Context, id string, entry campaign.Entry, snapshot []byte) error {
	return s.faults().append(ctx, id, entry, snapshot)
}

// Load implements [campaign.Store].
func (s *FaultyStore) Load(ctx context.Context, id string) (campaign.Saved, error) {
	return s.faults().load(ctx, id)
}

// Records implements [campaign.Store].
func (s *FaultyStore) Records(ctx context.Context, id string, after int64) iter.Seq2[campaign.Entry, error] {
	return s.faults().records(ctx, id, after)
}

// Find implements [campaign.Store].
func (s *FaultyStore) Find(ctx context.Context, id, key string) (int64, error) {
	return s.faults().find(ctx, id, key)
}

// Append implements [campaign.Store].
func (s *FaultyCluster) Append(ctx context.Context, id string, entry campaign.Entry, snapshot []byte) error {
	return s.faults().append(ctx, id, entry, snapshot)
}

// Load implements [campaign.Store].
func (s *FaultyCluster) Load(ctx context.Context, id string) (campaign.Saved, error) {
	return s.faults().load(ctx, id)
}

// Records implements [campaign.Store].
func (s *FaultyCluster) Records(ctx context.Context, id string, after int64) iter.Seq2[campaign.Entry, error] {
	return s.faults().records(ctx, id, after)
}

// Find implements [campaign.Store].
func (s *FaultyCluster) Find(ctx context.Context, id, key string) (int64, error) {
	return s.faults().find(ctx, id, key)
}

// Acquire implements [campaign.Cluster].
func (s *FaultyCluster) Acquire(ctx context.Context, id, owner string, d time.Duration) (int64, error) {
	return callWithFault(ctx, s.faults(), FaultCall{Op: onAcquire, Campaign: id}, func(Fault) (int64, error) {
		return s.Cluster.Acquire(ctx, id, owner, d)
	})
}

// Renew implements [campaign.Cluster].
func (s *FaultyCluster) Renew(ctx context.Context, id string, fence int64, d time.Duration) error {
	return s.faults().callForError(ctx, FaultCall{Op: onRenew, Campaign: id}, func(Fault) error {
		return s.Cluster.Renew(ctx, id, fence, d)
	})
}

// Release implements [campaign.Cluster].
func (s *FaultyCluster) Release(ctx context.Context, id string, fence int64) error {
	return s.faults().callForError(ctx, FaultCall{Op: onRelease, Campaign: id}, func(Fault) error {
		return s.Cluster.Release(ctx, id, fence)
	})
}

// SaveAnswer implements [campaign.Cluster].
func (s *FaultyCluster) SaveAnswer(ctx context.Context, id string, fence int64, key string, data []byte) error {
	return s.faults().callForError(ctx, FaultCall{Op: onSaveAnswer, Campaign: id}, func(Fault) error {
		return s.Cluster.SaveAnswer(ctx, id, fence, key, data)
	})
}

// Answer implements [campaign.Cluster].
func (s *FaultyCluster) Answer(ctx context.Context, id, key string) ([]byte, error) {
	return callWithFault(ctx, s.faults(), FaultCall{Op: onAnswer, Campaign: id}, func(Fault) ([]byte, error) {
		return s.Cluster.Answer(ctx, id, key)
	})
}
