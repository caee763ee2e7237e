package campaign

import (
	"cmp"
	"context"
	"sync"
	"time"
)

const (
	// campaignsPerList is the number of campaigns that one call of list returns.
	campaignsPerList = 100
	// roundPause is the time between two rounds of list. A value from bell ends it early.
	roundPause = time.Second
	// The pause before a retry begins with the first and doubles up to the longest: each try may
	// cost a call of a model.
	firstRetryPause, longestRetryPause = time.Second, 5 * time.Minute
)

// service runs work for many campaigns. The functions are required.
type service struct {
	// list returns the IDs of campaigns that have work, after the given ID, at most limit of them.
	list func(ctx context.Context, after string, limit int) ([]string, error)
	// work does one piece of work, and reports whether more can be done now.
	work func(ctx context.Context, id string) (more bool, err error)
	// trouble receives errors, and the pause before the retry. id is empty for errors of list.
	trouble func(id string, pause time.Duration, err error)
	// bell receives a value when there may be more work. Without it, or without a value, list is
	// called once a second.
	bell <-chan struct{}

	// The other fields belong to run.
	places  chan struct{}  // a semaphore: a send acquires a place, a receive releases one
	workers sync.WaitGroup // the goroutines that work
	mu      sync.Mutex
	busy    map[string]bool // the campaigns for which a goroutine works; guarded by mu
}

// run works until ctx ends, for at most atOnce campaigns at the same time; 0 means 8. It returns the
// error of ctx after all work has ended. Call it once.
func (s *service) run(ctx context.Context, atOnce int) error {
	s.places, s.busy = make(chan struct{}, cmp.Or(max(atOnce, 0), 8)), map[string]bool{}
	defer s.workers.Wait()
	for {
		if err := s.startRound(ctx); err != nil && ctx.Err() == nil {
			s.trouble("", roundPause, err)
		}
		if err := waitOrWake(ctx, roundPause, s.bell); err != nil {
			return err
		}
	}
}

// startRound starts work for each listed campaign that has no running work.
func (s *service) startRound(ctx context.Context) error {
	for after := ""; ; {
		ids, err := s.list(ctx, after, campaignsPerList)
		if err != nil {
			return err
		}
		for _, id := range ids {
			if !s.markBusy(id) {
				continue
			}
			select {
			case s.places <- struct{}{}:
				s.workers.Go(func() { s.workFor(ctx, id) })
			case <-ctx.Done():
				return nil // Run ends
			}
		}
		if len(ids) < campaignsPerList {
			return nil
		}
		after = ids[len(ids)-1]
	}
}

// markBusy reserves a campaign for one goroutine. It reports false if a goroutine works for it.
func (s *service) markBusy(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.busy[id] {
		return false
	}
	s.busy[id] = true
	return true
}

func (s *service) markIdle(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.busy, id)
}

// workFor works for a campaign, in one place of the semaphore, until there is nothing to do. It gives the
// place away after each piece of work, so a campaign that always has more work holds up no other.
func (s *service) workFor(ctx context.Context, id string) {
	defer s.markIdle(id)
	for pause := firstRetryPause; ; {
		more, err := s.work(ctx, id)
		<-s.places
		switch {
		case ctx.Err() != nil, err == nil && !more:
			return
		case err == nil:
			pause = firstRetryPause
		default:
			s.trouble(id, pause, err)
			if waitOrWake(ctx, pause, nil) != nil {
				return
			}
			pause = min(2*pause, longestRetryPause)
		}
		select {
		case s.places <- struct{}{}: // after those that already wait for a place
		case <-ctx.Done():
			return
		}
	}
}
