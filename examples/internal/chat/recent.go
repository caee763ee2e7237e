package chat

import (
	"cmp"
	"slices"
	"sync"
)

// recent is what a process remembers of users and rooms, so that it does not show an answer twice. It
// remembers the newest ones only: everything that must not be lost is in the store of the campaigns.
type recent struct {
	limit int // 0: maxRecent

	mu       sync.Mutex
	new, old map[Place]*memory // new becomes old when it is full
}

// maxRecent is the number of memories after which older ones are dropped. At most twice as many are
// kept.
const maxRecent = 2000

// maxShown is the number of updates of a player that the process remembers.
const maxShown = 32

// memory belongs to a player in a room, to a room, or to a user.
type memory struct {
	busy sync.Mutex // held while a line of the player is played, or while a user joins the room

	mu    sync.Mutex
	shown []string // the IDs of the newest updates of the player that are answered, oldest first
	room  string   // where the user wrote last
}

func (r *recent) player(u Update) *memory  { return r.at(Place{Room: u.Room, User: u.User}) }
func (r *recent) room(room string) *memory { return r.at(Place{Room: room}) }
func (r *recent) user(user string) *memory { return r.at(Place{User: user}) }

func (r *recent) at(p Place) *memory {
	r.mu.Lock()
	defer r.mu.Unlock()
	if m := r.new[p]; m != nil {
		return m
	}
	m := cmp.Or(r.old[p], &memory{})
	delete(r.old, p)
	limit := cmp.Or(r.limit, maxRecent)
	if r.new == nil || len(r.new) >= limit {
		r.new, r.old = map[Place]*memory{}, r.new
	}
	r.new[p] = m
	return m
}

// has reports whether an update was answered.
func (m *memory) has(id string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Contains(m.shown, id)
}

func (m *memory) add(id string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.shown) == maxShown {
		m.shown = slices.Delete(m.shown, 0, 1)
	}
	m.shown = append(m.shown, id)
}

// setRoom returns the room of a user after it sets it. It keeps the room if the new one is empty, or if
// there is one and replace is false.
func (m *memory) setRoom(room string, replace bool) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	if room != "" && (replace || m.room == "") {
		m.room = room
	}
	return m.room
}
