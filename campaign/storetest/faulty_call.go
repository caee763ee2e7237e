package storetest

import (
	"context"
	"fmt"
	"sync"

	"github.com/talewright/talewright/campaign"
)

// The faulty part has a store and a model that fail as a test wants it. The store answers late or not
// at all, loses what it was given or only the answer, writes twice or half, and breaks off in the
// middle; the model fails in each way that [llm.Error] knows, breaks off, says the same again, and
// writes what nobody can read. A host plays its campaigns on them to see what its players would.
//
//	plan := storetest.RandomFaultPlan(7, 0.2)
//	store := &storetest.FaultyStore{Store: &campaign.MemoryStore{}, Plan: plan.Store}
//	model := &storetest.FaultyModel{Model: inside, Plan: plan.Model}
//	engine, err := campaign.New(campaign.Config{Game: g, Store: store, Model: model})
//
// A [FaultPlan] prints itself as the faults that have happened, one a line, and [ParseFaultPlan] makes a plan of
// such lines. [ExploreFaults] plays with random plans, seed after seed, and where a run fails it leaves
// out every fault that the failure does not need:
//
//	storetest.ExploreFaults(t, storetest.FaultTrials{Seeds: 50, Rate: 0.3}, func(plan *storetest.FaultPlan) error {
//		… play, and say what is wrong …
//	})
//
// Nothing here reads a clock: what is late calls [FaultPlan.Sleep], which in a bubble of testing/synctest
// costs no time. For one certain moment a test writes a [Fault] or a [ReplyFault] itself, with a
// Wait that is the Wait of an [llmtest.Gate] for instance.

// FaultOp is a call of a store or of a model.
type FaultOp string

// The calls: those of a [campaign.Store], of a [campaign.Desk], of a [campaign.Ledger], of
// [campaign.Keys] and of an [llm.Model].
const (
	OnAppend   FaultOp = "append"
	OnLoad     FaultOp = "load"
	OnRecords  FaultOp = "records"
	OnClaim    FaultOp = "claim"
	OnRenew    FaultOp = "renew"
	OnRelease  FaultOp = "release"
	OnKeep     FaultOp = "keep"
	OnAnswer   FaultOp = "answer"
	OnKeyed    FaultOp = "keyed"
	OnGenerate FaultOp = "generate"
)

// FaultCall is one call of a [FaultyStore] or a [FaultyModel].
type FaultCall struct {
	Op       FaultOp
	N        int64  // of the calls with this Op, from 1
	Campaign string // empty for Generate
	Version  int64  // of the entry that is appended, or the version after which is read; else 0
}

// ErrConnectionLost is the cause of the errors that a [FaultPlan] gives to calls of a store. It is a
// [campaign.ErrUnavailable].
var ErrConnectionLost = fmt.Errorf("the connection was lost: %w", campaign.ErrUnavailable)

// counter numbers calls, and counts those that go wrong.
type counter struct {
	mu    sync.Mutex
	calls map[FaultOp]int64
	wrong int64
}

// number is the next one of an op. The caller holds the lock.
func (c *counter) number(op FaultOp) int64 {
	if c.calls == nil {
		c.calls = map[FaultOp]int64{}
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
