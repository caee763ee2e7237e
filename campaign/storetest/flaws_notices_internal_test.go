package storetest

import (
	"context"
	"errors"
)

// watcher is a follower of a campaign.
type watcher struct {
	id   string
	c    chan struct{}
	gone context.Context
}

func (m *memory) Watch(ctx context.Context, id string) <-chan struct{} {
	m.mu.Lock()
	defer m.mu.Unlock()
	c := make(chan struct{}, 1)
	if m.has("tells of other campaigns") {
		id += "/other"
	}
	m.told = append(m.told, watcher{m.key(id), c, ctx})
	return c
}

// tell wakes the watchers of a campaign.
func (m *memory) tell(id string) error {
	for i, w := range m.told {
		switch {
		case w.id != id || m.has("tells nobody"), i > 0 && m.has("tells the first who watches"):
			continue
		case w.gone.Err() != nil:
			if m.has("closes the channel") && w.c != nil {
				close(w.c)
				m.told[i].c = nil
			}
			continue
		}
		select {
		case w.c <- struct{}{}:
		default:
			if m.has("waits for who does not listen") {
				return errors.New("nobody listens")
			}
		}
		if m.has("tells once") {
			m.told[i].id = ""
		}
	}
	return nil
}
