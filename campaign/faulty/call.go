package faulty

import (
	"context"
	"fmt"
	"sync"

	"github.com/talewright/talewright/campaign"
)

// Op is a call of a store or of a model.
type Op string

// The calls: those of a [campaign.Store], of a [campaign.Desk], of a [campaign.Ledger], of
// [campaign.Keys] and of an [llm.Model].
const (
	Append   Op = "append"
	Load     Op = "load"
	Records  Op = "records"
	Claim    Op = "claim"
	Renew    Op = "renew"
	Release  Op = "release"
	Keep     Op = "keep"
	Answer   Op = "answer"
	Keyed    Op = "keyed"
	Generate Op = "generate"
)

// Call is one call of a [Store] or a [Model].
type Call struct {
	Op       Op
	N        int64  // of the calls with this Op, from 1
	Campaign string // empty for Generate
	Version  int64  // of the entry that is appended, or the version after which is read; else 0
}

// ErrLost is the cause of the errors that a [Plan] gives to calls of a store. It is a
// [campaign.ErrUnavailable].
var ErrLost = fmt.Errorf("the connection was lost: %w", campaign.ErrUnavailable)

// counter numbers calls, and counts those that go wrong.
type counter struct {
	mu    sync.Mutex
	calls map[Op]int64
	wrong int64
}

// number is the next one of an op. The caller holds the lock.
func (c *counter) number(op Op) int64 {
	if c.calls == nil {
		c.calls = map[Op]int64{}
	}
	c.calls[op]++
	return c.calls[op]
}

// all is the number of calls that went wrong.
func (c *counter) all() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.wrong
}

// wait waits, where a fault says so.
func wait(ctx context.Context, how func(context.Context) error) error {
	if how == nil {
		return nil
	}
	return how(ctx)
}
