package campaign

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"

	"github.com/talewright/talewright/campaign/internal/turnlog"
	"github.com/talewright/talewright/campaign/memory"
	"github.com/talewright/talewright/campaign/state"
)

// memoryFeed keeps the memory of a host up to date with a campaign, and queries it.
type memoryFeed struct {
	memory Memory // nil: no memory
	log    func(context.Context) turnlog.Log
	id     string          // of the campaign
	sent   *memoryProgress // what the memory has received
	cfg    *Config
}

// recall sends the memory the turns that it lacks, and then queries it.
func (r memoryFeed) recall(ctx context.Context, c state.Campaign, q memory.Query) ([]memory.Item, error) {
	if r.memory == nil {
		return nil, errors.New("no memory is configured")
	}
	r.sendMissing(ctx, c) // turns that it lacks
	return callHost(r.cfg.Logger, r.id, inMemory, func() ([]memory.Item, error) {
		items, err := r.memory.Recall(ctx, q)
		for _, item := range items {
			if math.IsNaN(item.Score) || math.IsInf(item.Score, 0) {
				err = cmp.Or(err, errors.New("the score of item "+item.ID+" is no number"))
			}
		}
		return items, err
	})
}

// sendCommitted sends the memory what an instruction has added or rewritten. It sends nothing if there
// is nothing new.
func (r memoryFeed) sendCommitted(ctx context.Context, c state.Campaign) {
	if r.memory == nil {
		return
	}
	if c.TurnCounter != r.sent.lastTurn || !sameSummary(c.State.Summary, r.sent.summary) || len(r.rewrittenTurns(c, c.TurnCounter)) > 0 {
		r.sendMissing(ctx, c)
	}
}

// sendMissing sends the memory the turns that it lacks, the turns that were rewritten, and the
// summary. It logs an error, and sends the rest the next time.
func (r memoryFeed) sendMissing(ctx context.Context, c state.Campaign) {
	if err := r.sendTurns(ctx, c); err != nil {
		r.cfg.Logger.Warn("campaign: not remembered yet", "campaign", r.id, "error", err)
	}
}

// sendTurns sends new turns, then rewritten turns, then the summary. The order matters: a memory takes
// the first turn that it receives for the beginning of the story.
func (r memoryFeed) sendTurns(ctx context.Context, c state.Campaign) error {
	last, err := r.lastSentTurn(ctx, c)
	if err != nil {
		return err
	}
	rewritten := r.rewrittenTurns(c, last)
	if err := r.sendNewTurns(ctx, c, last); err != nil {
		return err
	}
	for _, id := range rewritten {
		if err := r.sendTurn(ctx, c, id); err != nil {
			return err
		}
	}
	r.sent.version = c.Version
	return r.sendSummary(ctx, c)
}

// sendNewTurns sends the turns after the one with the number last.
func (r memoryFeed) sendNewTurns(ctx context.Context, c state.Campaign, last int) error {
	for last < c.TurnCounter {
		ids := turnIDs(last+1, min(c.TurnCounter, last+turnsPerRead))
		turns, err := r.log(ctx).HeldOrRead(c, ids)
		if err != nil || len(turns) == 0 {
			return err
		}
		for _, t := range turns {
			if err := r.callRemember(ctx, memoryTurn(c, t)); err != nil {
				return err
			}
			last, _ = state.TurnNumber(t.ID)
			r.sent.lastTurn = last
		}
	}
	return nil
}

// sendSummary sends a new summary, with the turn at which it ends. It also sends the turn of the old
// summary again, now without that summary.
func (r memoryFeed) sendSummary(ctx context.Context, c state.Campaign) error {
	summary := c.State.Summary
	if sameSummary(summary, r.sent.summary) {
		return nil
	}
	for _, id := range []string{r.sent.summary.CoversThrough, summary.CoversThrough} {
		if n, ok := state.TurnNumber(id); !ok || n == 0 {
			continue
		}
		if err := r.sendTurn(ctx, c, id); err != nil {
			return err
		}
	}
	r.sent.summary = summary
	return nil
}

// sendTurn sends one turn to the memory, if the campaign or the log has it.
func (r memoryFeed) sendTurn(ctx context.Context, c state.Campaign, id string) error {
	turns, err := r.log(ctx).HeldOrRead(c, []string{id})
	if err != nil || len(turns) == 0 {
		return err
	}
	return r.callRemember(ctx, memoryTurn(c, turns[0]))
}

// inMemory is the name of the memory's methods in logs and errors.
const inMemory = "Services.Memory"

// callRemember calls the memory's Remember, and converts a panic into an error.
func (r memoryFeed) callRemember(ctx context.Context, t memory.Turn) (err error) {
	defer catchPanic(r.cfg.Logger, r.id, inMemory, &err)
	return r.memory.Remember(ctx, r.id, t)
}

// rewrittenTurns returns the IDs of the turns up to a number that were edited or continued since the
// memory received them. After a load it is not known what the memory received: a process may have died
// between a commit and the memory. rewrittenTurns then returns the turns that the last two records have
// rewritten, because the last one may be a summary that followed a rewrite.
func (r memoryFeed) rewrittenTurns(c state.Campaign, upTo int) (ids []string) {
	since := cmp.Or(r.sent.version, c.Version-2)
	for id, version := range c.Rewritten {
		if n, _ := state.TurnNumber(id); version > since && n <= upTo {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}

// turnsPerRead is the number of turns that sendNewTurns reads from the log together.
const turnsPerRead = 64

// lastSentTurn returns the number of the last turn that the memory has received. After a load, a memory
// that is not a Tracker gets the newest turn again, because a process may have died between its commit
// and the memory.
func (r memoryFeed) lastSentTurn(ctx context.Context, c state.Campaign) (int, error) {
	tracker, ok := r.memory.(Tracker)
	if !ok && r.sent.lastTurn == 0 {
		return max(c.TurnCounter-1, 0), nil
	}
	if !ok {
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
