package temporal

import (
	"testing"
	"time"

	"go.temporal.io/sdk/testsuite"
	"go.temporal.io/sdk/workflow"
)

// TestTimerOfABusyCampaign checks that a timer waits for days while an instruction runs, and adds few
// events to its history. Then it discards the turn.
func TestTimerOfABusyCampaign(t *testing.T) {
	const busy = 3 * 24 * time.Hour
	var suite testsuite.WorkflowTestSuite
	env := suite.NewTestWorkflowEnvironment()
	env.SetWorkflowRunTimeout(2 * busy)
	instructions, timers := 0, 0
	env.SetOnTimerScheduledListener(func(string, time.Duration) { timers++ })
	env.RegisterWorkflowWithOptions(func(ctx workflow.Context, in request) (ended, error) {
		if instructions++; in.Only == "" { // the instruction that keeps the campaign busy
			return ended{}, workflow.Sleep(ctx, busy)
		}
		return ended{}, nil
	}, workflow.RegisterOptions{Name: playName})
	env.RegisterWorkflowWithOptions(expire, workflow.RegisterOptions{Name: expireName})
	options := Options{AnswerWithin: time.Hour}.withDefaults()
	env.ExecuteWorkflow(func(ctx workflow.Context) error {
		child := workflow.WithChildOptions(ctx, workflow.ChildWorkflowOptions{WorkflowID: workflowID("mill")})
		running := workflow.ExecuteChildWorkflow(child, playName, request{Campaign: "mill"})
		if err := running.GetChildWorkflowExecution().Get(ctx, nil); err != nil {
			return err
		}
		return workflow.ExecuteChildWorkflow(ctx, expireName, request{Campaign: "mill", Only: "q1", Options: options}).Get(ctx, nil)
	})
	if err := env.GetWorkflowError(); err != nil || instructions != 2 {
		t.Fatalf("%d instructions, %v", instructions, err)
	}
	if timers > 1000 {
		t.Errorf("%d timers in %v", timers, busy)
	}
}
