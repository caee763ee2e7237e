package failure_test

import (
	"errors"
	"fmt"
	"time"

	"github.com/talewright/talewright/campaign/failure"
	"github.com/talewright/talewright/llm"
)

// A host asks whether it pays to try again.
func ExampleFailure_Error() {
	var err error = fmt.Errorf("the tavern: %w", &failure.Failure{
		Kind: failure.Model, Code: failure.TransportFailed, Retry: true, RetryAfter: 2 * time.Second,
		Err: errors.New("connection reset")})
	if f, ok := errors.AsType[*failure.Failure](err); ok && f.Retry {
		fmt.Println(f)
		fmt.Println("again in", f.RetryAfter)
	}
	// Output:
	// campaign: the turn failed (model): transport: connection reset
	// again in 2s
}

// A host that drives a machine by hand says why its model failed.
func ExampleOf() {
	f := failure.Of(&llm.Error{Code: llm.CodeOverloaded, Status: 503, Retry: true})
	fmt.Println(f.Kind, f.Code, f.Retry)
	// Output:
	// model overloaded true
}
