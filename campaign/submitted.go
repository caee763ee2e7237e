package campaign

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"hash/fnv"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
)

// submissions knows which turns of a log were submitted with which client turn id, eight bytes
// for each, where the store does not: it is [Keys]. Then the log is read once, when a submission
// with an id comes to a campaign whose head does not hold all turns; from then on what is new of
// it. Of a store that knows, only what it has kept without keys is read, and the beginning, which
// may hold the turns of another campaign.
type submissions struct {
	mu   sync.Mutex
	read int64       // the version up to which the log is known
	list []submitter // sorted by hash
}

type submitter struct{ hash, turn uint32 }

// keyOfID is the [Entry].Key of a client turn id.
func keyOfID(clientTurnID string) string {
	if clientTurnID == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(clientTurnID))
	return hex.EncodeToString(sum[:16])
}

// keyOfTurn is that of the newest submission which made the turn, or made it longer.
func keyOfTurn(t state.Turn) string {
	id := t.ClientTurnID
	if n := len(t.Continued); n > 0 {
		id = cmp.Or(t.Continued[n-1].ClientTurnID, id)
	}
	return keyOfID(id)
}

// cameWith reports whether the turn was submitted, or made longer, with an id.
func cameWith(t state.Turn, clientTurnID string) bool {
	return t.ClientTurnID == clientTurnID ||
		slices.ContainsFunc(t.Continued, func(c state.Continuation) bool { return c.ClientTurnID == clientTurnID })
}

func hashOf(clientTurnID string) uint32 {
	h := fnv.New32a()
	_, _ = h.Write([]byte(clientTurnID)) // which never fails
	return h.Sum32()
}

// longKnown looks in the log for the outcome of an earlier instruction with the same client turn
// id, where [turn.Machine.Known] does not know it.
func (e *Engine) longKnown(ctx context.Context, m *turn.Machine, in turn.Input) (turn.Outcome, bool, error) {
	asking, ok := turn.Asks(in)
	if !ok || asking.Ticket().ClientTurnID == "" {
		return turn.Outcome{}, false, nil
	}
	c := m.Campaign()
	if _, known := m.Known(asking); known {
		return turn.Outcome{}, false, nil
	}
	s := e.session(c.ID)
	defer e.release(s)
	if len(c.Turns) < c.TurnCounter {
		before, err := s.submitted.find(ctx, e.archive, c, asking.Ticket().ClientTurnID)
		if err != nil {
			return turn.Outcome{}, false, err
		}
		if before != nil {
			return asking.Ticket().Repeats(*before), true, nil
		}
	}
	before, err := s.conflicts.Find(e.archive.log(ctx, c.ID), c, asking.Ticket().ClientTurnID)
	if err != nil || before == nil {
		return turn.Outcome{}, false, err
	}
	return asking.Ticket().RepeatsConflict(*before), true, nil
}

// find returns the turn that was submitted with an id, nil if there is none.
func (s *submissions) find(ctx context.Context, a archive, c state.Campaign, clientTurnID string) (*state.Turn, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	upTo := int64(math.MaxInt64)
	if store, ok := a.store.(Keys); ok {
		version, unkeyed, err := store.Keyed(ctx, c.ID, keyOfID(clientTurnID))
		if err != nil {
			return nil, err
		}
		if version > 0 {
			t, err := a.log(ctx, c.ID).Recorded(c, version)
			if err != nil || cameWith(t, clientTurnID) {
				return &t, err
			}
		}
		upTo = max(unkeyed, c.Attic.First())
	}
	if err := s.update(ctx, a, c.ID, upTo); err != nil {
		return nil, err
	}
	hash := hashOf(clientTurnID)
	at, _ := slices.BinarySearchFunc(s.list, hash, func(s submitter, hash uint32) int { return cmp.Compare(s.hash, hash) })
	for ; at < len(s.list) && s.list[at].hash == hash; at++ {
		turns, err := a.log(ctx, c.ID).Read(c, []string{state.TurnID(int(s.list[at].turn))})
		if err != nil {
			return nil, err
		}
		for _, t := range turns {
			if cameWith(t, clientTurnID) {
				return &t, nil
			}
		}
	}
	return nil, nil
}

// update reads what is new in the log, up to a version.
func (s *submissions) update(ctx context.Context, a archive, id string, upTo int64) error {
	if s.read >= upTo {
		return nil
	}
	known := len(s.list)
	note := func(t state.Turn) {
		if n, ok := state.TurnNumber(t.ID); ok && t.ClientTurnID != "" {
			s.list = append(s.list, submitter{hashOf(t.ClientTurnID), uint32(n)})
		}
		for _, c := range t.Continued {
			if n, ok := state.TurnNumber(t.ID); ok && c.ClientTurnID != "" {
				s.list = append(s.list, submitter{hashOf(c.ClientTurnID), uint32(n)})
			}
		}
	}
	for rec, err := range a.changes(ctx, id, s.read) {
		if err != nil {
			return err
		}
		if rec.Turn != nil {
			note(*rec.Turn)
		}
		turns := rec.Turns
		if rec.Kind == turn.RecordCreate {
			first, err := rec.Beginning()
			if err != nil {
				return err
			}
			turns = first.Turns
		}
		for _, t := range turns {
			note(t)
		}
		if s.read = rec.Version; s.read >= upTo {
			break
		}
	}
	if len(s.list) > known {
		slices.SortFunc(s.list, func(a, b submitter) int {
			return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(a.turn, b.turn))
		})
	}
	return nil
}

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
	asking, ok := turn.Asks(in)
	if !ok || asking.Ticket().ClientTurnID == "" {
		return turn.Stamp(in, now)
	}
	ticket := asking.Ticket()
	key := ticket.ClientTurnID + "\x00" + ticket.By("")
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
