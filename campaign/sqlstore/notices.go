package sqlstore

import (
	"context"
	"time"
)

// noticeInterval is the interval of notices for changes by other processes.
const noticeInterval = time.Second

// Watch implements [campaign.Cluster]. A write through this store wakes watchers at once. Writes by
// other processes are not reported, so there is a notice every second. Packages sqlite and postgres
// do better.
func (s *Store) Watch(ctx context.Context, id string) <-chan struct{} {
	go func() {
		tick := time.NewTicker(noticeInterval)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				s.notices.Post(id)
			case <-ctx.Done():
				return
			}
		}
	}()
	return s.notices.Watch(ctx, id)
}

// notify reports a write to the watchers, unless err is not nil. It returns err.
func (s *Store) notify(id string, err error) error {
	if err == nil {
		s.notices.Post(id)
	}
	return err
}
