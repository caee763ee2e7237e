package hooks

import (
	"context"

	"github.com/talewright/talewright/rules"
)

// Sinks deliver external effects while the hook runs, so that a retry and a
// refusal can be told from success. A nil sink delivers nothing: its effects are
// returned in [Result.Effects] with the hook's commit and count as success.
//
// A sink is called like a [Handler]: on its own goroutine, with the attempt's
// deadline; a plain error is handler_error, a [*Failure] brings its own code. One
// that goes on behind its deadline may still deliver what the log calls a timeout;
// when the hook retries, [Call.Key] tells the host that it is the same delivery.
type Sinks struct {
	Memory    func(ctx context.Context, call Call, effect rules.WriteMemory) error
	Workflow  func(ctx context.Context, call Call, effect rules.StartWorkflow) error
	WorldBook func(ctx context.Context, call Call, effect rules.AddEntry) error
	Log       func(ctx context.Context, call Call, effect rules.WriteLog) error
}

// take reports whether there is a sink for the built-in type. It is asked before there
// is an effect, to know whether the hook may block.
func (s *Sinks) take(typ string) bool {
	switch typ {
	case MemoryWrite:
		return s.Memory != nil
	case Workflow:
		return s.Workflow != nil
	case WorldBookAdd:
		return s.WorldBook != nil
	case LogLine:
		return s.Log != nil
	}
	return false
}

// of returns the sink of an effect with the effect bound to it, nil if there is none.
func (s *Sinks) of(effect rules.Effect) func(context.Context, Call) error {
	switch e := effect.(type) {
	case rules.WriteMemory:
		return bind(s.Memory, e)
	case rules.StartWorkflow:
		return bind(s.Workflow, e)
	case rules.AddEntry:
		return bind(s.WorldBook, e)
	case rules.WriteLog:
		return bind(s.Log, e)
	}
	return nil
}

// bind makes sinks of all kinds look alike; a nil sink stays nil.
func bind[E rules.Effect](
	sink func(context.Context, Call, E) error, effect E,
) func(context.Context, Call) error {
	if sink == nil {
		return nil
	}
	return func(ctx context.Context, call Call) error { return sink(ctx, call, effect) }
}
