package follow_test

import (
	"context"
	"fmt"
	"time"

	"github.com/talewright/talewright/campaign/follow"
)

// A process that follows a campaign looks again when the store posts, and now and then by itself.
func ExampleRest() {
	ctx, cancel := context.WithCancel(context.Background())
	var board follow.Board
	wake := board.Watch(ctx, "mill")
	board.Post("mill")
	fmt.Println(follow.Rest(ctx, time.Hour, wake)) // at once
	cancel()
	fmt.Println(follow.Rest(ctx, time.Hour, wake))
	// Output:
	// <nil>
	// context canceled
}
