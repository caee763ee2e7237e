package campaign

import (
	"context"
	"sync"
	"time"
)

// The serving part decides when a process works for which of many campaigns.

const (
	page = 100         // campaigns that are listed at a time
	look = time.Second // between two rounds, unless the bell rings
	// Trouble is met with pauses that grow: what cannot be finished may have been paid for.
	firstTrouble, longestTrouble = time.Second, 5 * time.Minute
)

// Service is work for many campaigns.
type Service struct {
	// List returns ids of campaigns for which there is work, those behind one, at most so many.
	List func(ctx context.Context, after string, limit int) ([]string, error)
	// Work does one piece, and reports whether there may be another one that can be done now.
	Work func(ctx context.Context, id string) (more bool, err error)
	// Trouble is told of errors, and how long they are let rest; id is empty for those of List.
	Trouble func(id string, pause time.Duration, err error)
	// AtOnce is for how many campaigns work is done at once.
	AtOnce int
	// Bell rings when there is more to do, nil: never.
	Bell <-chan struct{}
}

// server is a Service that runs.
type server struct {
	Service
	places chan struct{} // one for each campaign that is worked for
	all    sync.WaitGroup
	mu     sync.Mutex
	busy   map[string]bool
}

// Run works until ctx ends, and returns its error when all work has ended.
func (s Service) Run(ctx context.Context) error {
	r := &server{Service: s, places: make(chan struct{}, s.AtOnce), busy: map[string]bool{}}
	defer r.all.Wait()
	for {
		if err := r.round(ctx); err != nil && ctx.Err() == nil {
			s.Trouble("", look, err)
		}
		if err := FollowRest(ctx, look, s.Bell); err != nil {
			return err
		}
	}
}

// round begins to work for each campaign that is listed and not worked for yet.
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
				return ctx.Err()
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

// work works for a campaign, in a place of its own, until there is nothing to do.
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
		<-s.places // others can have it meanwhile
		if FollowRest(ctx, pause, nil) != nil {
			return
		}
		s.places <- struct{}{}
		pause = min(2*pause, longestTrouble)
	}
	<-s.places
}
