package turnlog

import (
	"sync"
	"time"

	"github.com/talewright/talewright/campaign/turn"
)

// The dedupe files recognize repeated submissions: [TurnIndex] finds the turn of an earlier one,
// however old it is, and [FirstTimes] the time of one without an answer. Both are safe for concurrent
// use.

// maxRepeated is the number of submissions whose times a session remembers.
const maxRepeated = 32

// FirstTimes remembers the first time of submissions. A submission that is repeated after a failure, or
// because it had no answer, is the same instruction: it keeps its time.
type FirstTimes struct {
	mu   sync.Mutex
	list []firstTime // oldest first
}

type firstTime struct {
	key string
	at  time.Time
}

// Stamp gives an instruction its time if it has none.
func (r *FirstTimes) Stamp(in turn.Input, now time.Time) turn.Input {
	instruction, ok := turn.NeedsModel(in)
	if !ok || instruction.Ticket().ClientTurnID == "" {
		return turn.Stamp(in, now)
	}
	ticket := instruction.Ticket()
	key := ticket.ClientTurnID + "\x00" + ticket.By("")
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, a := range r.list {
		if a.key == key {
			return turn.Stamp(in, a.at)
		}
	}
	if r.list = append(r.list, firstTime{key, now}); len(r.list) > maxRepeated {
		r.list = r.list[1:]
	}
	return turn.Stamp(in, now)
}
