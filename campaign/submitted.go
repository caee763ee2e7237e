package campaign

import (
	"cmp"
	"context"
	"hash/fnv"
	"slices"
	"sync"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
)

// submissions knows which turns of a log were submitted with which client turn id, eight bytes
// for each. The log is read for it once, when a submission with an id comes to a campaign whose
// head does not hold all turns; from then on what is new of it.
type submissions struct {
	mu   sync.Mutex
	read int64       // the version up to which the log is known
	list []submitter // sorted by hash
}

type submitter struct{ hash, turn uint32 }

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
	if _, known := m.Known(asking); known || len(c.Turns) >= c.TurnCounter {
		return turn.Outcome{}, false, nil
	}
	s := e.session(c.ID)
	defer e.release(s)
	before, err := s.submitted.find(ctx, e.archive, c, asking.Ticket().ClientTurnID)
	if err != nil || before == nil {
		return turn.Outcome{}, false, err
	}
	return asking.Ticket().Repeats(*before), true, nil
}

// find returns the turn that was submitted with an id, nil if there is none.
func (s *submissions) find(ctx context.Context, a archive, c state.Campaign, clientTurnID string) (*state.Turn, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.update(ctx, a, c.ID); err != nil {
		return nil, err
	}
	hash := hashOf(clientTurnID)
	at, _ := slices.BinarySearchFunc(s.list, hash, func(s submitter, hash uint32) int { return cmp.Compare(s.hash, hash) })
	for ; at < len(s.list) && s.list[at].hash == hash; at++ {
		turns, err := a.turns(ctx, c, []string{state.TurnID(int(s.list[at].turn))})
		if err != nil {
			return nil, err
		}
		for _, t := range turns {
			if t.ClientTurnID == clientTurnID || slices.ContainsFunc(t.Continued, func(c state.Continuation) bool { return c.ClientTurnID == clientTurnID }) {
				return &t, nil
			}
		}
	}
	return nil, nil
}

// update reads what is new in the log.
func (s *submissions) update(ctx context.Context, a archive, id string) error {
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
		if rec.Kind == turn.RecordCreate {
			first, err := rec.Beginning()
			if err != nil {
				return err
			}
			for _, t := range first.Turns {
				note(t)
			}
		}
		s.read = rec.Version
	}
	if len(s.list) > known {
		slices.SortFunc(s.list, func(a, b submitter) int {
			return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(a.turn, b.turn))
		})
	}
	return nil
}
