package campaign

import (
	"sync"
	"time"

	"github.com/talewright/talewright/campaign/turn"
)

// maxRepeated is how many submissions a session remembers the times of.
const maxRepeated = 32

// repeated remembers when submissions came first. Who submits again what failed, or what
// has had no answer, means the same instruction: it keeps its time.
type repeated struct {
	mu    sync.Mutex
	first []submitted // oldest first
}

type submitted struct {
	key string
	at  time.Time
}

// stamp gives an instruction its time if it has none.
func (r *repeated) stamp(in turn.Input, now time.Time) turn.Input {
	submit, ok := in.(turn.Submit)
	if !ok || submit.ClientTurnID == "" || !submit.At.IsZero() {
		return turn.Stamp(in, now)
	}
	key := submit.ClientTurnID + "\x00" + submit.Fingerprint()
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, a := range r.first {
		if a.key == key {
			return turn.Stamp(in, a.at)
		}
	}
	if r.first = append(r.first, submitted{key, now}); len(r.first) > maxRepeated {
		r.first = r.first[1:]
	}
	return turn.Stamp(in, now)
}
