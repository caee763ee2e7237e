package act

import (
	"context"
	"time"

	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
)

// Handler runs one custom action. It is called on its own goroutine with a context that ends at the
// attempt's deadline, and should return when the context ends. If it does not return in time, its
// result is discarded. An error gives the code handler_error, or the code of a [*Failure]; a panic
// gives the code panic. Neither stops the hook's other actions.
//
// When the hook retries, a handler may run again while the call that timed out is still running.
// [Call.Key] is equal in both calls.
type Handler func(ctx context.Context, call Call) (Outcome, error)

// Call describes the action to a handler or a sink. All of it is immutable. The values include what
// the hook's earlier actions have staged.
type Call struct {
	// Key is the idempotency key: event id, hook id and action index joined by
	// slashes. It stays the same over all attempts.
	Key     string
	HookID  string
	Index   int // index of the action in the hook's list
	Attempt int // 1 for the first
	Action  Action
	Event   Event
	Now     time.Time

	Character    tree.Value // absent if not available
	Relationship tree.Value // absent if not available
	Vars         rules.Vars // the host's variables; may be nil
}

// Outcome is the result of a successful handler.
type Outcome struct {
	Detail string
	Output tree.Value
	// Effects are applied with the hook's commit, or dropped with it. A ChangeState or
	// ChangeRelationship sets its field to New, with the checks and bounds of the built-in actions;
	// Old and the ids are filled in. An InjectPrompt without key or scope gets the defaults of
	// prompt_inject. If one effect is refused, the action fails and all its effects are dropped. A
	// retry does not run such an action again unless it is Internal, because its external work is
	// done.
	Effects []effect.Effect
}
