package campaign

import (
	"context"
	"math"

	"github.com/talewright/talewright/campaign/memory"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
)

// recall asks the memory, which is told before of what it lacks.
func (r *runner) recall(s *session, q memory.Query) turn.Input {
	if r.engine.cfg.Memory == nil {
		return turn.Recalled{Error: "no memory is configured"}
	}
	r.remember(r.inner(), s)
	items, err := r.engine.cfg.Memory.Recall(r.inner(), q)
	if err != nil {
		return turn.Recalled{Error: err.Error()}
	}
	for _, item := range items {
		if math.IsNaN(item.Score) || math.IsInf(item.Score, 0) {
			return turn.Recalled{Error: "the score of item " + item.ID + " is no number"}
		}
	}
	return turn.Recalled{Items: items}
}

// rememberCommitted tells the memory what an instruction has added or written anew.
func (r *runner) rememberCommitted(s *session, o *turn.Outcome) {
	if s.machine == nil {
		return
	}
	c := s.machine.Campaign()
	if mem := r.engine.cfg.Memory; mem != nil && o != nil && o.Turn != nil && !o.Replayed && (c.TurnCounter == s.told.turns || o.Turn.ID != state.TurnID(c.TurnCounter)) {
		// A turn that is not new reads otherwise now, or is chosen again, which changes nothing.
		if err := mem.Remember(context.WithoutCancel(r.inner()), r.id, memoryOf(c, *o.Turn)); err != nil {
			r.engine.cfg.Logger.Warn("campaign: the new text is not remembered", "campaign", r.id, "turn", o.Turn.ID, "error", err)
		}
	}
	if c.TurnCounter != s.told.turns || !sameSummary(c.State.Summary, s.told.summary) {
		r.remember(context.WithoutCancel(r.inner()), s) // what is committed counts, even if the player has gone
	}
}

// remember tells the memory of the turns that it lacks, and of the summary.
func (r *runner) remember(ctx context.Context, s *session) {
	mem := r.engine.cfg.Memory
	if mem == nil {
		return
	}
	c := s.machine.Campaign()
	from, err := r.lacking(ctx, s, c)
	for err == nil && from < c.TurnCounter {
		var some []state.Turn
		ids := turnIDs(1, min(c.TurnCounter, from+rememberedAtOnce))[from:]
		if some, err = r.engine.archive.log(ctx, r.id).HeldOrRead(c, ids); len(some) == 0 {
			break
		}
		for i := 0; i < len(some) && err == nil; i++ {
			if err = mem.Remember(ctx, r.id, memoryOf(c, some[i])); err == nil {
				from, _ = state.TurnNumber(some[i].ID)
				s.told.turns = from
			}
		}
	}
	if now := c.State.Summary; err == nil && !sameSummary(now, s.told.summary) {
		for _, id := range []string{s.told.summary.CoversThrough, now.CoversThrough} {
			if n, ok := state.TurnNumber(id); !ok || n == 0 || err != nil {
				continue
			}
			var about []state.Turn
			about, err = r.engine.archive.log(ctx, r.id).HeldOrRead(c, []string{id})
			for i := 0; i < len(about) && err == nil; i++ {
				err = mem.Remember(ctx, r.id, memoryOf(c, about[i]))
			}
		}
		if err == nil {
			s.told.summary = now
		}
	}
	if err != nil {
		r.engine.cfg.Logger.Warn("campaign: not remembered yet", "campaign", r.id, "error", err)
	}
}

// rememberedAtOnce is how many turns are read together for a memory that lacks them.
const rememberedAtOnce = 64

// lacking is the number of the last turn that the memory has heard of. One that
// does not say is told of the last turn again when the campaign was loaded: the process may
// have died between commit and memory.
func (r *runner) lacking(ctx context.Context, s *session, c state.Campaign) (int, error) {
	seer, ok := r.engine.cfg.Memory.(Seer)
	if !ok {
		if s.told.turns == 0 {
			return max(c.TurnCounter-1, 0), nil
		}
		return s.told.turns, nil
	}
	for n := c.TurnCounter; n > 0; n-- {
		if seen, err := seer.Seen(ctx, r.id, state.TurnID(n)); seen || err != nil {
			s.told.turns = n
			return n, err
		}
	}
	return 0, nil
}

// memoryOf is what there is to remember of a turn, the summary up to it included.
func memoryOf(c state.Campaign, t state.Turn) memory.Turn {
	out := t.Memory()
	if c.State.Summary.CoversThrough == t.ID {
		out.Summary = c.State.Summary.Text
	}
	return out
}

func sameSummary(a, b state.Summary) bool {
	return a.Version == b.Version && a.CoversThrough == b.CoversThrough && a.Text == b.Text
}
