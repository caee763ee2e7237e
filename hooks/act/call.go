package act

import (
	"context"
	"time"

	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
)

// Handler runs one custom action. It is called on a goroutine of its own, gets a
// context that ends with the attempt's deadline, and should return when that
// ends; a handler that does not is left behind and what it returns is discarded.
// An error makes the result handler_error, or the code of a [*Failure]; a panic
// makes it panic. Neither stops the hook's other actions.
//
// A handler that ran past the deadline may run again beside its former self when
// the hook retries: [Call.Key] is equal in both.
type Handler func(ctx context.Context, call Call) (Outcome, error)

// Call is what a handler or a sink is told about the action. All of it is
// immutable; the values show what the hook's earlier actions have staged.
type Call struct {
	// Key is the idempotency key: event id, hook id and action index joined by
	// slashes. It stays the same over all attempts.
	Key     string
	HookID  string
	Index   int // of the action in the hook's list
	Attempt int // 1 for the first
	Action  Action
	Event   Event
	Now     time.Time

	Character    tree.Value // absent if not available
	Relationship tree.Value // absent if not available
	Vars         rules.Vars // those of the host; may be nil
}

// Outcome is what a successful handler returns.
type Outcome struct {
	Detail string
	Output tree.Value
	// Effects are applied with the hook's commit, or dropped with it. A
	// ChangeState or ChangeRelationship sets its field to New, under the checks
	// and bounds of the built-in actions; Old and the ids are filled in. An
	// InjectPrompt without key or scope gets the defaults of prompt_inject. One
	// effect that is refused fails the action and drops all of them; a retry leaves
	// such an action alone unless it is Internal, because its work outside is done.
	Effects []effect.Effect
}
