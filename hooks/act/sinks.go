package act

import (
	"context"

	"github.com/talewright/talewright/rules/effect"
)

// Sinks deliver external effects while the hook runs, so that a retry and a
// refusal can be told from success. A nil sink delivers nothing: its effects are
// returned with the hook's commit and count as success.
//
// A sink is called like a [Handler]: on its own goroutine, with the attempt's
// deadline; a plain error is handler_error, a [*Failure] brings its own code. One
// that goes on behind its deadline may still deliver what the log calls a timeout;
// when the hook retries, [Call.Key] tells the host that it is the same delivery.
type Sinks struct {
	Memory    func(ctx context.Context, call Call, effect effect.WriteMemory) error
	Workflow  func(ctx context.Context, call Call, effect effect.StartWorkflow) error
	WorldBook func(ctx context.Context, call Call, effect effect.AddEntry) error
	Log       func(ctx context.Context, call Call, effect effect.WriteLog) error
}
