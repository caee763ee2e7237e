package campaign

import (
	"cmp"
	"context"
	"sync"
	"time"
)

const (
	// campaignsPerList is the number of campaigns that one call of List returns.
	campaignsPerList = 100
	// roundPause is the time between two rounds of List. A value from Bell ends it early.
	roundPause = time.Second
	// The pause before a retry begins with the first and doubles up to the longest: each try may
	// cost a call of a model.
	firstRetryPause, longestRetryPause = time.Second, 5 * time.Minute
)

// Service runs work for many campaigns. Its functions are required.
type Service struct {
	// List returns the IDs of campaigns that have work, after the given ID, at most limit of them.
	List func(ctx context.Context, after string, limit int) ([]string, error)
	// Work does one piece of work, and reports whether more can be done now.
	Work func(ctx context.Context, id string) (more bool, err error)
	// Trouble receives errors, and the pause before the retry. id is empty for errors of List.
	Trouble func(id string, pause time.Duration, err error)
	// AtOnce is the maximum number of campaigns that are worked for at the same time; 0 means 8.
	AtOnce int
	// Bell receives a value when there may be more work. Without it, or without a value, List is
	// called once a second.
	Bell <-chan struct{}
}

// server is a running Service.
type server struct {
	Service
	places  chan struct{}  // a semaphore with AtOnce places: a send acquires one, a receive releases one
	workers sync.WaitGroup // the goroutines that work
	mu      sync.Mutex
	busy    map[string]bool // the campaigns for which a goroutine works; guarded by mu
}

// Run works until ctx ends. It returns the error of ctx after all work has ended.
func (s Service) Run(ctx context.Context) error {
	r := &server{Service: s, places: make(chan struct{}, cmp.Or(max(s.AtOnce, 0), 8)), busy: map[string]bool{}}
	defer r.workers.Wait()
	for {
		if err := r.startRound(ctx); err != nil && ctx.Err() == nil {
			s.Trouble("", roundPause, err)
		}
		if err := waitOrWake(ctx, roundPause, s.Bell); err != nil {
			return err
		}
	}
}

// startRound starts work for each listed campaign that has no running work.
func (s *server) startRound(ctx context.Context) error {
	for after := ""; ; {
		ids, err := s.List(ctx, after, campaignsPerList)
		if err != nil {
			return err
		}
		for _, id := range ids {
			if !s.markBusy(id) {
				continue
			}
			select {
			case s.places <- struct{}{}:
				s.workers.Go(func() { s.work(ctx, id) })
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
func (s *server) markBusy(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.busy[id] {
		return false
	}
	s.busy[id] = true
	return true
}

func (s *server) markIdle(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.busy, id)
}

// work works for a campaign, in one place of the semaphore, until there is nothing to do. It gives the
// place away after each piece of work, so a campaign that always has more work holds up no other.
func (s *server) work(ctx context.Context, id string) {
	defer s.markIdle(id)
	for pause := firstRetryPause; ; {
		more, err := s.Work(ctx, id)
		<-s.places
		switch {
		case ctx.Err() != nil, err == nil && !more:
			return
		case err == nil:
			pause = firstRetryPause
		default:
			s.Trouble(id, pause, err)
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
