package temporal

import (
	"time"

	sdk "go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"
)

// Options say how patient an instruction is. They travel with it: workers need none.
type Options struct {
	// StepTimeout is for how long one step may run, a call of the model included; 0 means ten minutes.
	StepTimeout time.Duration
	// Heartbeat is after what time without a sign of life a worker counts as dead; 0 means ten
	// seconds. Another one then takes the step. Where the store is a [campaign.Desk] it also
	// waits until the lease of the dead one is over ([campaign.Config].Lease).
	Heartbeat time.Duration
	// Patience is for how long a step is tried at all; 0 means a day.
	Patience time.Duration
	// ModelRetries is how often the model is asked again that could not be asked, in one
	// instruction; 0 means three times, a negative number never.
	ModelRetries int
	// AnswerWithin discards a turn that waits for people after that time; 0 means never.
	AnswerWithin time.Duration
}

// WorkerOptions returns options of the SDK for workers that play campaigns. Other members may be set on top.
//
//   - WorkerStopTimeout is 25 seconds: a worker that is stopped, as by every deployment, ends the steps that it has
//     begun. With the SDK's 0 it cuts off calls of the model, which are then paid for twice, or fail the turn where
//     campaign.Config.PayOnce is set. Raise it, and the grace period of the platform, if the model needs longer.
//   - StickyScheduleToStartTimeout is one second: so long a workflow waits for the worker that knew it before another
//     one takes it. The SDK's 5 seconds add to the time in which the turn of a dead worker is taken over.
func WorkerOptions() worker.Options {
	return worker.Options{WorkerStopTimeout: 25 * time.Second, StickyScheduleToStartTimeout: time.Second}
}

// withDefaults has a value for everything.
func (o Options) withDefaults() Options {
	or := func(d *time.Duration, std time.Duration) {
		if *d <= 0 {
			*d = std
		}
	}
	or(&o.StepTimeout, 10*time.Minute)
	or(&o.Heartbeat, 10*time.Second)
	or(&o.Patience, 24*time.Hour)
	if o.ModelRetries == 0 {
		o.ModelRetries = 3
	}
	return o
}

// activity is how a step is taken.
func (o Options) activity() workflow.ActivityOptions {
	return workflow.ActivityOptions{
		StartToCloseTimeout: o.StepTimeout, HeartbeatTimeout: o.Heartbeat,
		ScheduleToCloseTimeout: max(o.Patience, o.StepTimeout), WaitForCancellation: true,
		RetryPolicy: &sdk.RetryPolicy{InitialInterval: firstPause, BackoffCoefficient: 2, MaximumInterval: longestPause},
	}
}

const (
	firstPause   = 500 * time.Millisecond
	longestPause = 15 * time.Second
	// longestModelPause bounds the pauses of which the provider says nothing.
	longestModelPause = 30 * time.Second
)

// modelPause is how long to wait before the model is asked for the given time again.
func modelPause(after time.Duration, again int) time.Duration {
	if after > 0 {
		return after
	}
	return min(time.Second<<min(again, 10), longestModelPause)
}
