package question

import (
	"context"
	"runtime/debug"

	"github.com/talewright/talewright/campaign/tool"
)

// Outside is a call of a tool that asks outside the game, see [tool.Tool]. Run it once.
type Outside struct {
	Call tool.Call
	// Ask is the Outside function of the tool.
	Ask func(context.Context, tool.Call) tool.Answer
}

// Run calls Ask. If Ask panics, Run refuses the call with internal_error and also returns the
// panic.
func (o *Outside) Run(ctx context.Context) (found tool.Answer, panicked *tool.Panic) {
	defer func() {
		if what := recover(); what != nil {
			found = tool.Answer{Reason: tool.CallToolFailed}
			panicked = &tool.Panic{Tool: o.Call.Tool, Value: what, Stack: debug.Stack()}
		}
	}()
	return o.Ask(ctx, o.Call), nil
}
