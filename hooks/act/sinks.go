package act

import (
	"context"

	"github.com/talewright/talewright/rules/effect"
)

// Sinks deliver external effects while the hook runs, so that a retry and a refusal can be
// distinguished from success. A nil sink delivers nothing: its effects are returned with the hook's
// commit and count as success.
//
// A sink is called like a [Handler]: on its own goroutine, with the attempt's deadline. A plain
// error gives the code handler_error; a [*Failure] has its own code. A sink that runs past its
// deadline may still deliver an effect that the log records as a timeout. When the hook retries,
// the equal [Call.Key] identifies the same delivery.
type Sinks struct {
	Memory    func(ctx context.Context, call Call, effect effect.WriteMemory) error
	Workflow  func(ctx context.Context, call Call, effect effect.StartWorkflow) error
	WorldBook func(ctx context.Context, call Call, effect effect.AddEntry) error
	Log       func(ctx context.Context, call Call, effect effect.WriteLog) error
}
