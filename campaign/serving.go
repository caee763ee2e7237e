package campaign

import (
	"context"
	"sync"
	"time"
)

const (
	page = 100         // campaigns that are listed at a time
	look = time.Second // between two rounds, unless the bell rings
	// Retries wait for pauses that grow: work that cannot be finished may have been paid for.
	firstTrouble, longestTrouble = time.Second, 5 * time.Minute
)

// Service runs work for many campaigns.
type Service struct {
	// List returns the IDs of campaigns that have work, after the given ID, at most limit of them.
	List func(ctx context.Context, after string, limit int) ([]string, error)
	// Work does one piece of work, and reports whether more can be done now.
	Work func(ctx context.Context, id string) (more bool, err error)
	// Trouble receives errors, and the pause before the retry. id is empty for errors of List.
	Trouble func(id string, pause time.Duration, err error)
	// AtOnce is the maximum number of campaigns that are worked for at the same time.
	AtOnce int
	// Bell receives a value when there may be more work; nil: never.
	Bell <-chan struct{}
}

// server is a running Service.
type server struct {
	Service
	places chan struct{} // a semaphore with AtOnce places
	all    sync.WaitGroup
	mu     sync.Mutex
	busy   map[string]bool
}

// Run works until ctx ends. It returns the error of ctx after all work has ended.
func (s Service) Run(ctx context.Context) error {
	r := &server{Service: s, places: make(chan struct{}, s.AtOnce), busy: map[string]bool{}}
	defer r.all.Wait()
	for {
		if err := r.round(ctx); err != nil && ctx.Err() == nil {
			s.Trouble("", look, err)
		}
		if err := followRest(ctx, look, s.Bell); err != nil {
			return err
		}
	}
}

// round starts work for each listed campaign that has no running work.
func (s *server) round(ctx context.Context) error {
	for after := ""; ; {
		ids, err := s.List(ctx, after, page)
		if err != nil {
			return err
		}
		for _, id := range ids {
			if !s.begin(id) {
				continue
			}
			select {
			case s.places <- struct{}{}:
				s.all.Go(func() { s.work(ctx, id) })
			case <-ctx.Done():
				return nil // Run ends
			}
		}
		if len(ids) < page {
			return nil
		}
		after = ids[len(ids)-1]
	}
}

func (s *server) begin(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.busy[id] {
		return false
	}
	s.busy[id] = true
	return true
}

func (s *server) end(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.busy, id)
}

// work works for a campaign, in one place of the semaphore, until there is nothing to do.
func (s *server) work(ctx context.Context, id string) {
	defer s.end(id)
	for pause := firstTrouble; ctx.Err() == nil; {
		more, err := s.Work(ctx, id)
		switch {
		case err == nil && more:
			pause = firstTrouble
			continue
		case err == nil || ctx.Err() != nil:
			<-s.places
			return
		}
		s.Trouble(id, pause, err)
		<-s.places // other campaigns can use the place during the pause
		if followRest(ctx, pause, nil) != nil {
			return
		}
		s.places <- struct{}{}
		pause = min(2*pause, longestTrouble)
	}
	<-s.places
}
