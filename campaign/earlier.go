package campaign

import (
	"fmt"

	"github.com/talewright/talewright/campaign/turn"
)

// earlierOutcome searches the log for the outcome of an earlier instruction with the same client turn
// ID. It does not return an outcome that [turn.Machine.Known] has, except for a [turn.Once].
func (t *task) earlierOutcome(m *turn.Machine, in turn.Input) (_ turn.Outcome, found bool, _ error) {
	if once, ok := in.(turn.Once); ok {
		return t.outcomeOfOnce(m, once)
	}
	asking, asks := turn.NeedsModel(in)
	if !asks || asking.Ticket().ClientTurnID == "" {
		return turn.Outcome{}, false, nil
	}
	ticket := asking.Ticket()
	if _, known := m.Known(asking); known {
		return turn.Outcome{}, false, nil
	}
	s := t.engine.sessions.pin(t.id) // for its indexes, which are safe for concurrent use
	defer t.engine.sessions.unpin(s)
	c := m.Campaign()
	if len(c.Turns) < c.TurnCounter { // the machine does not hold all turns
		before, err := s.submissions.Find(t.engine.archive.submissions(t.ctx, t.id), c, ticket.ClientTurnID)
		if err != nil {
			return turn.Outcome{}, false, err
		}
		if before != nil {
			return ticket.Repeats(*before), true, nil
		}
	}
	before, err := s.conflicts.Find(t.log(t.ctx), c, ticket.ClientTurnID)
	if err != nil || before == nil {
		return turn.Outcome{}, false, err
	}
	return ticket.RepeatsConflict(*before), true, nil
}

// outcomeOfOnce returns the first outcome of an instruction with this ID. If a turn belongs to it, the
// outcome has its present text.
func (t *task) outcomeOfOnce(m *turn.Machine, in turn.Once) (_ turn.Outcome, found bool, _ error) {
	o, known := m.Known(in)
	c := m.Campaign()
	if id := c.Once[in.ID].TurnID; known && o.Turn == nil && id != "" && o.Status == turn.Completed {
		turns, err := t.log(t.ctx).HeldOrRead(c, []string{id})
		if err == nil && len(turns) == 0 {
			err = fmt.Errorf("campaign: the log does not have %s", id)
		}
		if err != nil {
			return o, false, err
		}
		o.Turn, o.Audience = &turns[0], turns[0].Audience
	}
	return o, known, nil
}
