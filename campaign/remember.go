package campaign

import (
	"context"
	"math"

	"github.com/talewright/talewright/campaign/internal/bygone"
	"github.com/talewright/talewright/campaign/memory"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
)

// reminder keeps the memory of a host up with a campaign, and asks it.
type reminder struct {
	memory Memory // nil: none
	log    func(context.Context) bygone.Log
	id     string
	told   *remembered
	warn   func(msg string, args ...any)
}

func (r *runner) memory(s *session) reminder {
	return reminder{r.engine.cfg.Memory, r.log, r.id, &s.told, r.engine.cfg.Logger.Warn}
}

// recall asks the memory, which is told before of what it lacks.
func (r reminder) recall(ctx context.Context, c state.Campaign, q memory.Query) turn.Input {
	if r.memory == nil {
		return turn.Recalled{Error: "no memory is configured"}
	}
	r.remember(ctx, c) // of what it lacks
	items, err := r.memory.Recall(ctx, q)
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

// committed tells the memory what an instruction has added or written anew.
func (r reminder) committed(ctx context.Context, c state.Campaign, o *turn.Outcome) {
	if r.memory == nil {
		return
	}
	if o != nil && o.Turn != nil && !o.Replayed && (c.TurnCounter == r.told.turns || o.Turn.ID != state.TurnID(c.TurnCounter)) {
		// A turn that is not new reads otherwise now, or is chosen again, which changes nothing.
		if err := r.memory.Remember(ctx, r.id, memoryOf(c, *o.Turn)); err != nil {
			r.warn("campaign: the new text is not remembered", "campaign", r.id, "turn", o.Turn.ID, "error", err)
		}
	}
	if c.TurnCounter != r.told.turns || !sameSummary(c.State.Summary, r.told.summary) {
		r.remember(ctx, c)
	}
}

// remember tells the memory of the turns that it lacks, and of the summary.
func (r reminder) remember(ctx context.Context, c state.Campaign) {
	from, err := r.lacking(ctx, c)
	for err == nil && from < c.TurnCounter {
		var some []state.Turn
		ids := turnIDs(1, min(c.TurnCounter, from+rememberedAtOnce))[from:]
		if some, err = r.log(ctx).HeldOrRead(c, ids); len(some) == 0 {
			break
		}
		for i := 0; i < len(some) && err == nil; i++ {
			if err = r.memory.Remember(ctx, r.id, memoryOf(c, some[i])); err == nil {
				from, _ = state.TurnNumber(some[i].ID)
				r.told.turns = from
			}
		}
	}
	if now := c.State.Summary; err == nil && !sameSummary(now, r.told.summary) {
		for _, id := range []string{r.told.summary.CoversThrough, now.CoversThrough} {
			if n, ok := state.TurnNumber(id); !ok || n == 0 || err != nil {
				continue
			}
			var about []state.Turn
			about, err = r.log(ctx).HeldOrRead(c, []string{id})
			for i := 0; i < len(about) && err == nil; i++ {
				err = r.memory.Remember(ctx, r.id, memoryOf(c, about[i]))
			}
		}
		if err == nil {
			r.told.summary = now
		}
	}
	if err != nil {
		r.warn("campaign: not remembered yet", "campaign", r.id, "error", err)
	}
}

// rememberedAtOnce is how many turns are read together for a memory that lacks them.
const rememberedAtOnce = 64

// lacking is the number of the last turn that the memory has heard of. One that
// does not say is told of the last turn again when the campaign was loaded: the process may
// have died between commit and memory.
func (r reminder) lacking(ctx context.Context, c state.Campaign) (int, error) {
	seer, ok := r.memory.(Seer)
	if !ok {
		if r.told.turns == 0 {
			return max(c.TurnCounter-1, 0), nil
		}
		return r.told.turns, nil
	}
	for n := c.TurnCounter; n > 0; n-- {
		if seen, err := seer.Seen(ctx, r.id, state.TurnID(n)); seen || err != nil {
			r.told.turns = n
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
