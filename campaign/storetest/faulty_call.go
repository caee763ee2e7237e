package storetest

import (
	"fmt"
	"sync"

	"github.com/talewright/talewright/campaign"
)

// FaultOp is a method of a store or of a model.
//
// The values are append, load, records, acquire, renew, release, save_answer, answer, find,
// generate.
type FaultOp string

const (
	onAppend     FaultOp = "append"
	onLoad       FaultOp = "load"
	onRecords    FaultOp = "records"
	onAcquire    FaultOp = "acquire"
	onRenew      FaultOp = "renew"
	onRelease    FaultOp = "release"
	onSaveAnswer FaultOp = "save_answer"
	onAnswer     FaultOp = "answer"
	onFind       FaultOp = "find"
	onGenerate   FaultOp = "generate"
)

// FaultCall is one call of a [FaultyStore], a [FaultyCluster] or a [FaultyModel].
type FaultCall struct {
	Op       FaultOp
	N        int64  // counts the calls with this Op, from 1
	Campaign string // empty for Generate
	Version  int64  // of the appended entry, or the version after which Records reads; else 0
}

// ErrConnectionLost is the cause of the errors that a [FaultPlan] returns from calls of a store. It
// wraps [campaign.ErrUnavailable].
var ErrConnectionLost = fmt.Errorf("the connection was lost: %w", campaign.ErrUnavailable)

// counter numbers calls and counts the faulty ones.
type counter struct {
	mu     sync.Mutex
	calls  map[FaultOp]int64
	faulty int64
}

// nextNumber returns the number of the next call of an op. The caller holds the lock.
func (c *counter) nextNumber(op FaultOp) int64 {
	if c.calls == nil {
		c.calls = map[FaultOp]int64{}
	}
	c.calls[op]++
	return c.calls[op]
}

// faultyCalls returns the number of faulty calls.
func (c *counter) faultyCalls() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.faulty
}
