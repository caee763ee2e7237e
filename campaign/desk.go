package campaign

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Desk is what a [Store] can do, if it can, so that two machines do not both pay for a call
// of a model: it lends a campaign to one of them at a time. An engine that finds it borrows
// the campaign before an instruction begins, looks once more right before each call, renews
// the lease meanwhile, and gives it back at the end; see [Config].Lease. The contract:
//
//   - Claim lends the campaign to the owner for a time, which the store's own clock
//     measures. Each claim has a fence greater than all before it. While somebody else
//     holds the campaign the error is a [*HeldError]; the same owner may claim again what
//     it holds.
//   - Renew lends it again, from now on, to the holder of that fence, also where the time
//     was over and nobody has claimed it since. Otherwise the error is [ErrLeaseLost].
//   - Release gives it back: the fence is of no more use. What was lost may be released.
//   - Append writes an [Entry] with a Fence only for its holder: after another claim, or
//     the release, the error is [ErrLeaseLost], unless the log has that entry already. An
//     entry without one is written whoever holds the campaign.
//   - An unknown campaign is [ErrNotFound], one that was deleted [ErrDeleted].
//   - A store that could lend and does not, as it is configured, says so with
//     [errors.ErrUnsupported] to every Claim. Engines then play as with a store that is no Desk.
//
// The package storetest examines it too, where a store has it.
type Desk interface {
	Claim(ctx context.Context, id, owner string, d time.Duration) (fence int64, err error)
	Renew(ctx context.Context, id string, fence int64, d time.Duration) error
	Release(ctx context.Context, id string, fence int64) error
}

// Ledger is what a [Desk] can do, if it can, so that the answer of a model that has arrived
// is not paid for again where the process ends, or loses its lease, before the commit.
//
//   - KeepAnswer keeps an answer under a key, for the holder of that fence; for everybody
//     else the error is [ErrLeaseLost]. An answer with the same key is replaced.
//   - Answer returns what was kept, nil if there is nothing.
//   - An Append with a Fence removes the answers of its campaign, and so does Delete. Beyond
//     that a store keeps those of the last [KeptAnswers] fences, and may forget older ones.
type Ledger interface {
	KeepAnswer(ctx context.Context, id string, fence int64, key string, answer []byte) error
	Answer(ctx context.Context, id, key string) ([]byte, error)
}

// KeptAnswers is for how many fences a [Ledger] keeps the answers of turns that were not
// committed. No answer is longer than four times [turn.MaxReplyBytes] before a [Codec] has
// sealed it.
const KeptAnswers = 64

// ErrLeaseLost is returned to a process that does not hold the campaign any more: the
// lease was over, and another process took it. Nothing was written. A retry helps.
var ErrLeaseLost = errors.New("the lease of the campaign was lost")

// HeldError is the error of [Desk].Claim while somebody else holds the campaign.
type HeldError struct {
	Owner string        // as it was claimed
	For   time.Duration // how long the lease lasts unless it is renewed; never negative
}

// Error names the owner and the time.
func (e *HeldError) Error() string {
	return fmt.Sprintf("the campaign is held by %q, for another %s", e.Owner, e.For.Round(time.Millisecond))
}
