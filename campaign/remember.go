package campaign

import (
	"context"
	"math"
	"slices"

	"github.com/talewright/talewright/campaign/internal/turnlog"
	"github.com/talewright/talewright/campaign/memory"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
)

// memoryFeed keeps the memory of a host up to date with a campaign, and queries it.
type memoryFeed struct {
	memory Memory // nil: no memory
	log    func(context.Context) turnlog.Log
	id     string
	sent   *memoryProgress
	cfg    *Config
}

// recall sends the memory the turns that it lacks, and then queries it.
func (r memoryFeed) recall(ctx context.Context, c state.Campaign, q memory.Query) turn.Recalled {
	if r.memory == nil {
		return turn.Recalled{Error: "no memory is configured"}
	}
	r.sendMissing(ctx, c) // turns that it lacks
	items, err := callHost(r.cfg.Logger, r.id, inMemory, func() ([]memory.Item, error) { return r.memory.Recall(ctx, q) })
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

// sendCommitted sends the memory what an instruction has added or rewritten.
func (r memoryFeed) sendCommitted(ctx context.Context, c state.Campaign) {
	if r.memory == nil {
		return
	}
	if c.TurnCounter != r.sent.lastTurn || !sameSummary(c.State.Summary, r.sent.summary) || len(r.rewrittenTurns(c, c.TurnCounter)) > 0 {
		r.sendMissing(ctx, c)
	}
}

// sendMissing sends the memory the turns that it lacks, the turns that were rewritten, and the
// summary. Rewritten turns come after the turns that it lacks: the first turn that a memory
// receives counts as the beginning of the story.
func (r memoryFeed) sendMissing(ctx context.Context, c state.Campaign) {
	from, err := r.lastSentTurn(ctx, c)
	again := r.rewrittenTurns(c, from)
	for err == nil && from < c.TurnCounter {
		var some []state.Turn
		ids := turnIDs(1, min(c.TurnCounter, from+turnsPerRead))[from:]
		if some, err = r.log(ctx).HeldOrRead(c, ids); len(some) == 0 {
			break
		}
		for i := 0; i < len(some) && err == nil; i++ {
			if err = r.callRemember(ctx, memoryTurn(c, some[i])); err == nil {
				from, _ = state.TurnNumber(some[i].ID)
				r.sent.lastTurn = from
			}
		}
	}
	for i := 0; i < len(again) && err == nil; i++ {
		err = r.sendTurn(ctx, c, again[i])
	}
	if err == nil {
		r.sent.version = c.Version
	}
	if now := c.State.Summary; err == nil && !sameSummary(now, r.sent.summary) {
		for _, id := range []string{r.sent.summary.CoversThrough, now.CoversThrough} {
			if n, ok := state.TurnNumber(id); !ok || n == 0 || err != nil {
				continue
			}
			err = r.sendTurn(ctx, c, id)
		}
		if err == nil {
			r.sent.summary = now
		}
	}
	if err != nil {
		r.cfg.Logger.Warn("campaign: not remembered yet", "campaign", r.id, "error", err)
	}
}

// sendTurn sends one turn to the memory.
func (r memoryFeed) sendTurn(ctx context.Context, c state.Campaign, id string) error {
	about, err := r.log(ctx).HeldOrRead(c, []string{id})
	for i := 0; i < len(about) && err == nil; i++ {
		err = r.callRemember(ctx, memoryTurn(c, about[i]))
	}
	return err
}

const inMemory = "Services.Memory"

// callRemember calls the memory's Remember, and converts a panic into an error.
func (r memoryFeed) callRemember(ctx context.Context, t memory.Turn) (err error) {
	defer catchPanic(r.cfg.Logger, r.id, inMemory, &err)
	return r.memory.Remember(ctx, r.id, t)
}

// rewrittenTurns returns the turns up to a number that were edited or continued since the memory
// received them. For a campaign that was just loaded it returns the turns that the last two records
// have rewritten. The last record may be a summary that followed a rewrite, and the process may
// have died between the commit and the memory.
func (r memoryFeed) rewrittenTurns(c state.Campaign, upTo int) (ids []string) {
	since := r.sent.version
	if since == 0 {
		since = c.Version - 2
	}
	for id, version := range c.Rewritten {
		if n, _ := state.TurnNumber(id); version > since && n <= upTo {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}

// turnsPerRead is the number of turns that are read together for a memory that lacks them.
const turnsPerRead = 64

// lastSentTurn returns the number of the last turn that the memory has received. A memory that is not a
// Tracker gets the last turn again after the campaign is loaded: the process may have died between the
// commit and the memory.
func (r memoryFeed) lastSentTurn(ctx context.Context, c state.Campaign) (int, error) {
	tracker, ok := r.memory.(Tracker)
	if !ok {
		if r.sent.lastTurn == 0 {
			return max(c.TurnCounter-1, 0), nil
		}
		return r.sent.lastTurn, nil
	}
	for n := c.TurnCounter; n > 0; n-- {
		has, err := callHost(r.cfg.Logger, r.id, inMemory, func() (bool, error) { return tracker.Has(ctx, r.id, state.TurnID(n)) })
		if has || err != nil {
			r.sent.lastTurn = n
			return n, err
		}
	}
	return 0, nil
}

// memoryTurn returns a turn in the form for the memory, with the summary that ends at it.
func memoryTurn(c state.Campaign, t state.Turn) memory.Turn {
	out := t.Memory()
	if c.State.Summary.CoversThrough == t.ID {
		out.Summary = c.State.Summary.Text
	}
	return out
}

func sameSummary(a, b state.Summary) bool {
	return a.Version == b.Version && a.CoversThrough == b.CoversThrough && a.Text == b.Text
}
