package failure_test

import (
	"errors"
	"fmt"
	"time"

	"github.com/talewright/talewright/campaign/failure"
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
