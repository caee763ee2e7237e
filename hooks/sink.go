package hooks

import (
	"context"

	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/rules/effect"
)

// hasSink reports whether there is a sink for the built-in type. It is called before an effect
// exists, to decide whether the hook may block.
func hasSink(s *act.Sinks, typ string) bool {
	switch typ {
	case act.MemoryWrite:
		return s.Memory != nil
	case act.Workflow:
		return s.Workflow != nil
	case act.WorldBookAdd:
		return s.WorldBook != nil
	case act.LogLine:
		return s.Log != nil
	}
	return false
}

// boundSink returns the effect's sink with the effect bound to it, nil if there is no sink.
func boundSink(s *act.Sinks, asked effect.Effect) func(context.Context, act.Call) error {
	switch e := asked.(type) {
	case effect.WriteMemory:
		return bindSink(s.Memory, e)
	case effect.StartWorkflow:
		return bindSink(s.Workflow, e)
	case effect.AddEntry:
		return bindSink(s.WorldBook, e)
	case effect.WriteLog:
		return bindSink(s.Log, e)
	}
	return nil
}

// bindSink converts a sink of any kind to a function without the effect parameter; a nil sink stays
// nil.
func bindSink[E effect.Effect](
	sink func(context.Context, act.Call, E) error, effect E,
) func(context.Context, act.Call) error {
	if sink == nil {
		return nil
	}
	return func(ctx context.Context, call act.Call) error { return sink(ctx, call, effect) }
}
