package campaign_test

import (
	"context"
	"fmt"
	"time"

	"github.com/talewright/talewright/campaign"
)

// A process that follows a campaign reads again when the store posts a notice, and at intervals.
func ExampleFollowRest() {
	ctx, cancel := context.WithCancel(context.Background())
	var board campaign.NoticeBoard
	wake := board.Watch(ctx, "mill")
	board.Post("mill")
	fmt.Println(campaign.FollowRest(ctx, time.Hour, wake)) // at once
	cancel()
	fmt.Println(campaign.FollowRest(ctx, time.Hour, wake))
	// Output:
	// <nil>
	// context canceled
}
