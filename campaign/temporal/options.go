package temporal

import (
	"cmp"
	"time"

	sdk "go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"
)

// Options set time limits and retries of an instruction. They are sent with it: workers do not need
// them.
type Options struct {
	// StepTimeout limits one step, including a call of the model; 0 means ten minutes.
	StepTimeout time.Duration
	// Heartbeat is the time without a heartbeat after which a worker counts as dead; 0 means ten
	// seconds. A different worker then takes the step. If the store is a [campaign.Cluster], that
	// worker also waits for the end of the dead worker's lease ([campaign.Config].Lease).
	Heartbeat time.Duration
	// Patience limits the total time for a step, including retries; 0 means a day.
	Patience time.Duration
	// ModelRetries is the maximum number of retries of failed model requests in one instruction; 0
	// means three, a negative number none.
	ModelRetries int
	// AnswerWithin is the time after which a turn that waits for approval is discarded; 0 means
	// never.
	AnswerWithin time.Duration
}

// WorkerOptions returns options of the SDK for workers that run campaigns. Callers may set other
// members.
//
//   - WorkerStopTimeout is 25 seconds. A worker that is stopped, for instance by a deployment,
//     finishes its running steps. With the SDK's default of 0 it cancels calls of the model. These
//     are then paid for twice, or the turn fails if campaign.Sharing.PayOnce is set. If the model
//     needs longer, increase this timeout and the grace period of the platform.
//   - StickyScheduleToStartTimeout is one second. A workflow waits that long for its previous
//     worker before a different one takes it. The SDK's default of 5 seconds would delay the
//     takeover of a dead worker's turn.
func WorkerOptions() worker.Options {
	return worker.Options{WorkerStopTimeout: 25 * time.Second, StickyScheduleToStartTimeout: time.Second}
}

// withDefaults replaces values that are not set with the defaults.
func (o Options) withDefaults() Options {
	or := func(d *time.Duration, std time.Duration) {
		if *d <= 0 {
			*d = std
		}
	}
	or(&o.StepTimeout, 10*time.Minute)
	or(&o.Heartbeat, 10*time.Second)
	or(&o.Patience, 24*time.Hour)
	o.ModelRetries = cmp.Or(o.ModelRetries, 3)
	return o
}

// activity returns the options for the activities of a step.
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
	// longestModelPause limits a pause if the provider gives no time.
	longestModelPause = 30 * time.Second
	// longestExpirePause limits the pauses of a timer whose campaign is busy. Each pause adds some ten
	// events to its history, which may have 51,200.
	longestExpirePause = 10 * time.Minute
)

// modelPause returns the pause before the next model request. after is the provider's time, again
// the number of earlier retries.
func modelPause(after time.Duration, again int) time.Duration {
	if after > 0 {
		return after
	}
	return min(time.Second<<min(again, 10), longestModelPause)
}
