package turn_test

import (
	"errors"
	"fmt"
	"time"

	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/llm"
)

// A host checks whether a retry may help.
func ExampleFailure_Error() {
	var err error = fmt.Errorf("the tavern: %w", &turn.Failure{
		Kind: turn.FailureModel, Code: turn.TransportFailed, Retry: true, RetryAfter: 2 * time.Second,
		Err: errors.New("connection reset")})
	if f, ok := errors.AsType[*turn.Failure](err); ok && f.Retry {
		fmt.Println(f)
		fmt.Println("again in", f.RetryAfter)
	}
	// Output:
	// campaign: the turn failed (model): transport: connection reset
	// again in 2s
}

// A host that drives a machine directly gets the reason why its model failed.
func ExampleFailureOf() {
	f := turn.FailureOf(&llm.Error{Code: llm.CodeOverloaded, Status: 503, Retry: true})
	fmt.Println(f.Kind, f.Code, f.Retry)
	f = turn.FailureOf(&turn.Panic{In: "Config.Model", Value: "boom"})
	fmt.Println(f.Kind, f.Code, f.Retry, f)
	// Output:
	// model overloaded true
	// model panicked false campaign: the turn failed (model): panicked: panic: boom (in Config.Model)
}
